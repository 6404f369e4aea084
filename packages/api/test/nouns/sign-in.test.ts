import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'

import { uuidOf } from '#storage/values/id'
import { admin } from '#test/ops/admin'
import { Client } from '#test/support/client'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const path = '/v1/workspace/sign-in'
const settings = {
  issuer: 'https://id.example.com/realms/acme',
  client_id: 'muster',
  client_secret: 'a-secret-of-the-client',
  match: 'email',
  allowed_domains: ['example.com'],
  first_sign_in: 'refuse',
}
const { client_secret: _, ...shown } = settings
const { client_secret: __, ...withoutSecret } = settings

async function newHome() {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const put = (body: object, client = manager) => client.send('PUT', path, { body })
  return { ...home, client: manager, put }
}

const secretOf = async (uuid: string): Promise<Buffer> => {
  const { rows } = await host.sql.query(
    'select client_secret from sign_in_providers where workspace_id = $1',
    [uuid],
  )
  return rows[0].client_secret
}

/** Binds a person of the workspace to an account, as a first sign-in does. */
async function bindPerson(home: Awaited<ReturnType<typeof newHome>>): Promise<void> {
  const { body } = await home.client.post('/v1/personnel', { name: 'Ada' })
  await host.sql.query(
    `insert into identities (workspace_id, user_id, issuer, subject, created_at)
     values ($1, $2, $3, 'ada', now())`,
    [home.uuid, uuidOf(body.id), settings.issuer],
  )
}

async function bindings(uuid: string): Promise<number> {
  const sql = 'select from identities where workspace_id = $1'
  return (await host.sql.query(sql, [uuid])).rowCount ?? 0
}

test('shows the addresses to register before there is a provider', async () => {
  const { id, client } = await newHome()
  const { body } = await client.get(path)
  assert.deepEqual(body, {
    redirect_uri: `http://localhost:8080/sign-in/${id}/oidc/callback`,
    sign_in_url: `http://localhost:8080/sign-in/${id}`,
    provider: null,
  })
})

test('stores the provider and never returns its secret', async () => {
  const { uuid, client, put } = await newHome()
  const replaced = await put(settings)
  assert.equal(replaced.status, 200, replaced.text)
  const { version, created_at, updated_at, ...provider } = replaced.body.provider
  assert.deepEqual(provider, shown)
  assert.equal(created_at, updated_at)
  assert.deepEqual((await client.get(path)).body, replaced.body)
  assert.ok(!replaced.text.includes(settings.client_secret))
  assert.ok(!(await secretOf(uuid)).includes(settings.client_secret))
  assert.ok(version > 0)
})

test('keeps the stored secret for the same client, and writes nothing without a difference', async () => {
  const { uuid, put } = await newHome()
  const first = await put(settings)
  const before = await secretOf(uuid)
  for (const body of [settings, withoutSecret]) {
    assert.deepEqual((await put(body)).body, first.body)
  }
  const changed = await put({ ...withoutSecret, match: 'external_id' })
  assert.equal(changed.body.provider.match, 'external_id')
  assert.deepEqual(await secretOf(uuid), before)
  await put({ ...settings, client_secret: 'another' })
  assert.notDeepEqual(await secretOf(uuid), before)
})

test('requires the secret for a new provider: another issuer must not receive the stored one', async () => {
  const { put } = await newHome()
  const bodies = [
    withoutSecret,
    { ...withoutSecret, issuer: 'https://other.example.com' },
    { ...withoutSecret, client_id: 'other' },
  ]
  for (const body of bodies) {
    const reply = await put(body)
    assert.deepEqual([reply.status, reply.body.code], [422, 'validation_failed'])
    assert.equal(reply.body.errors[0].pointer, '/client_secret')
    await put(settings)
  }
})

test('a new issuer and the removal end the bindings; another change does not', async () => {
  const home = await newHome()
  await home.put(settings)
  await bindPerson(home)
  await home.put({ ...settings, allowed_domains: [] })
  assert.equal(await bindings(home.uuid), 1)
  await home.put({ ...settings, issuer: 'https://other.example.com' })
  assert.equal(await bindings(home.uuid), 0)
  await bindPerson(home)
  const removed = await home.client.send('DELETE', path)
  assert.deepEqual([removed.status, removed.body.provider], [200, null])
  assert.equal(await bindings(home.uuid), 0)
  assert.deepEqual((await home.client.send('DELETE', path)).body, removed.body)
})

test('only a principal with every scope changes the provider', async () => {
  const { key, put, client } = await newHome()
  await put(settings)
  const limited = await key('workspace.manage')
  for (const reply of [await put(settings, limited), await limited.send('DELETE', path)]) {
    assert.deepEqual([reply.status, reply.body.code], [403, 'beyond_your_rights'])
  }
  assert.equal((await limited.get(path)).status, 200)
  assert.notEqual((await client.get(path)).body.provider, null)
})

test('refuses to store a secret without SECRETS_KEY', async () => {
  const { client } = await newHome()
  const base = await listen(host.url, { secretsKeys: [] })
  const reply = await new Client(base, client.token).send('PUT', path, { body: settings })
  assert.deepEqual([reply.status, reply.body.code], [409, 'secrets_not_configured'])
  assert.match(reply.text, /SECRETS_KEY/)
})

test('the test of the provider explains what fails', async () => {
  const { client, put } = await newHome()
  assert.equal((await client.post(`${path}/test`, undefined)).status, 404)
  await put(settings)
  const { body } = await client.post(`${path}/test`, undefined)
  assert.equal(body.is_ok, false)
  assert.deepEqual(body.checks, [
    { name: 'The service can decrypt the client secret.', is_ok: true, advice: null },
    {
      name: 'The provider publishes its configuration.',
      is_ok: false,
      advice:
        'The host id.example.com does not exist, or is not on the internet. ' +
        'The operator can allow an internal host with EGRESS_ALLOW.',
    },
  ])
  await put({ ...settings, issuer: 'https://169.254.169.254' })
  const internal = await client.post(`${path}/test`, undefined)
  assert.match(internal.body.checks.at(-1).advice, /not on the internet.*EGRESS_ALLOW/)
})

test('`admin secrets rotate` encrypts with the first key, and reports what no key decrypts', async () => {
  const keys = Array.from({ length: 3 }, () => randomBytes(32).toString('base64'))
  const [older = '', newer = '', stranger = ''] = keys
  const { uuid, client } = await newHome()
  const base = await listen(host.url, { secretsKeys: [older] })
  await new Client(base, client.token).send('PUT', path, { body: settings })
  const rotate = async (secretsKeys: string) => {
    process.env['SECRETS_KEY'] = secretsKeys
    const result = await admin(host.url, 'secrets', 'rotate')
    delete process.env['SECRETS_KEY']
    return result
  }
  await host.sql.query('delete from sign_in_providers where workspace_id <> $1', [uuid])
  const before = await secretOf(uuid)
  const lost = await rotate(stranger)
  assert.deepEqual([lost.code, await secretOf(uuid)], [1, before])
  assert.match(lost.stderr, /No key of SECRETS_KEY decrypts those of: wsp_/)
  assert.match((await rotate(`${newer},${older}`)).stderr, /Encrypted again: 1\./)
  assert.notDeepEqual(await secretOf(uuid), before)
  assert.match((await rotate(newer)).stderr, /Encrypted again: 0\. .* already: 1\./)
  const rotated = new Client(await listen(host.url, { secretsKeys: [newer] }), client.token)
  const { body } = await rotated.post(`${path}/test`, undefined)
  assert.equal(body.checks[0].is_ok, true)
  assert.match((await rotate('')).stderr, /^error: /)
})
