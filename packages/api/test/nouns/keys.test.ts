import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { keyPattern, scopes } from '@muster/contract'

import { Sweeper } from '#domain/workspace/sweep'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { uuidOf } from '#storage/values/id'
import { Client, type Json, type Reply } from '#test/support/client'
import { longTimeouts } from '#test/support/long-timeouts'
import { size } from '#test/support/size'
import { allDue, sweepDue } from '#test/support/sweep'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

const outcome = ({ status, body }: Reply) => `${status} ${body?.code ?? ''}`.trim()
const clientWith = (secret: string) => new Client(host.base, secret)

async function make(fields: object = {}): Promise<Json> {
  const body = { name: 'Payroll', scopes: ['personnel.read'], ...fields }
  const made = await manager.post('/v1/keys', body)
  assert.equal(made.status, 201, made.text)
  return made.body
}

async function eventsOf(keyId: string): Promise<Json[]> {
  const { rows } = await host.sql.query(
    `select type, data, actor_type from events where workspace_id = $1 and subject_id = $2
     order by seq, position`,
    [home.uuid, uuidOf(keyId)],
  )
  return rows
}

/** Waits for an event that the service writes after the response. */
async function eventually(keyId: string, type: string): Promise<Json> {
  for (let tries = 0; tries < 100; tries++) {
    const found = (await eventsOf(keyId)).find((event) => event.type === type)
    if (found) return found
    await sleep(20)
  }
  throw new Error(`no event ${type} for ${keyId}`)
}

test('creates a key and shows its secret once', async () => {
  const made = await manager.post('/v1/keys', {
    name: 'Payroll sync',
    scopes: ['personnel.read', 'projects.read'],
    expires_in_days: 30,
    allowed_cidrs: ['127.0.0.0/8', '2001:db8::/32'],
  })
  const { secret, ...key } = made.body
  assert.match(secret, new RegExp(keyPattern))
  assert.equal(made.headers.get('location'), `/v1/keys/${key.id}`)
  assert.equal(made.headers.get('cache-control'), 'no-store')
  assert.equal(made.headers.get('etag'), null)
  assert.equal(key.hint, secret.slice(38, 42))
  assert.equal(key.created_by.type, 'key')
  assert.equal(Date.parse(key.expires_at) - Date.parse(key.created_at), 30 * 86_400_000)

  const viewed = await manager.get(`/v1/keys/${key.id}`)
  assert.deepEqual(viewed.body, key)
  assert.equal(viewed.headers.get('cache-control'), 'no-store')
  const { body } = await clientWith(secret).get('/v1/whoami')
  assert.deepEqual(body.key.scopes, ['personnel.read', 'projects.read'])
  const dump = await host.sql.query('select k::text from api_keys k')
  assert.ok(!JSON.stringify(dump.rows).includes(secret.slice(38)))
})

test('expires a key after 90 days by default, and never when expires_in_days is null', async () => {
  const usual = await make()
  assert.equal(Date.parse(usual.expires_at) - Date.parse(usual.created_at), 90 * 86_400_000)
  assert.equal((await make({ expires_in_days: null })).expires_at, null)
})

test('grants only scopes that the creating key holds', async () => {
  const lesser = await home.key('keys.manage', 'personnel.manage')
  const give = (...held: string[]) => lesser.post('/v1/keys', { name: 'x', scopes: held })
  assert.equal((await give('personnel.read', 'personnel.manage', 'keys.read')).status, 201)
  const refused = await give('personnel.read', 'projects.read')
  assert.equal(outcome(refused), '403 insufficient_scope')
  assert.equal(refused.body.required_scope, 'projects.read')

  const { id } = await make({ scopes: ['projects.manage'] })
  const rotated = await lesser.post(`/v1/keys/${id}/rotate`, {})
  assert.equal(outcome(rotated), '403 insufficient_scope', 'nor by rotating another key')
  assert.equal(
    (await lesser.post(`/v1/keys/${id}/revoke`, {})).status,
    200,
    'but it can revoke that key',
  )
})

test('omits revoked keys from the list unless the status filter names them', async () => {
  const other = await newWorkspace(host)
  const keeper = await other.manager()
  const { id: gone } = (await keeper.post('/v1/keys', { name: 'a', scopes: ['keys.read'] })).body
  await keeper.post(`/v1/keys/${gone}/revoke`, {})
  const { id: ended } = await other.issue({ expiresInHours: -1 })
  const { id: kept } = await other.issue()
  const list = async (query = '') =>
    (await keeper.get(`/v1/keys${query}`)).body.data.map(({ id }: Json) => id)

  const all = await list()
  assert.deepEqual(all.slice(1), [ended, kept], 'in order of creation')
  assert.deepEqual(await list('?status=expired'), [ended])
  assert.deepEqual(await list('?status=revoked'), [gone])
  assert.deepEqual(await list('?status=active,expired,revoked'), [all[0], gone, ended, kept])
  const { body } = await keeper.get('/v1/keys?limit=2&include=total_count')
  assert.equal(body.total_count, 3)
  assert.deepEqual(await list(`?cursor=${body.next_cursor}`), [kept])
  const reply = await keeper.get('/v1/keys')
  assert.equal(reply.headers.get('etag'), null)
  assert.equal(reply.headers.get('cache-control'), 'no-store')
})

test('updates the name and the allowed networks, and nothing else', async () => {
  const { id, secret: _, ...before } = await make()
  const patch = (body: object) => manager.send('PATCH', `/v1/keys/${id}`, { body })
  const renamed = await patch({ ...before, id, name: 'Payroll, nightly' })
  assert.equal(renamed.status, 200, renamed.text)
  assert.equal(renamed.body.name, 'Payroll, nightly')
  const count = (await eventsOf(id)).length
  assert.equal((await patch({ name: 'Payroll, nightly' })).status, 200)
  assert.equal((await eventsOf(id)).length, count, 'an unchanged PATCH writes no event')
  assert.equal(outcome(await patch({ scopes: ['keys.manage'] })), '422 read_only_field')
  assert.equal(outcome(await patch({ expires_at: null })), '422 read_only_field')
  assert.equal(outcome(await patch({ name: 'x', version: 1 })), '412 version_mismatch')
  const invalid = await patch({
    allowed_cidrs: ['10.0.0.0/8', '300.1.1.1', '10.0.0.0/33', 'fe80::/129'],
  })
  assert.equal(outcome(invalid), '422 validation_failed')
  assert.deepEqual(
    invalid.body.errors.map(({ pointer }: Json) => pointer),
    ['/allowed_cidrs/1', '/allowed_cidrs/2', '/allowed_cidrs/3'],
  )
  await manager.post(`/v1/keys/${id}/revoke`, {})
  assert.equal(outcome(await patch({ name: 'Too late' })), '409 invalid_transition')
})

test('accepts a key only from its allowed networks, and records one refusal event', async () => {
  const here = await make({ allowed_cidrs: ['127.0.0.0/8'] })
  assert.equal((await clientWith(here.secret).get('/v1/whoami')).status, 200)
  const elsewhere = await make({ allowed_cidrs: ['203.0.113.0/24', '::1'] })
  for (let times = 0; times < 3; times++) {
    const refused = await clientWith(elsewhere.secret).get('/v1/whoami')
    assert.equal(outcome(refused), '403 address_not_allowed')
  }
  const event = await eventually(elsewhere.id, 'key.refused')
  assert.deepEqual(event.data, { code: 'address_not_allowed', from: '127.0.0.0/24' })
  assert.equal(event.actor_type, 'system')
  await clientWith(elsewhere.secret).get('/v1/whoami')
  await sleep(200)
  const refusals = (await eventsOf(elsewhere.id)).filter(({ type }) => type === 'key.refused')
  assert.equal(refusals.length, 1, 'at most one an hour')
  const body = { allowed_cidrs: [] }
  await manager.send('PATCH', `/v1/keys/${elsewhere.id}`, { body })
  assert.equal((await clientWith(elsewhere.secret).get('/v1/whoami')).status, 200)
})

test('records when and from where a key was last used', async () => {
  const { id, secret } = await make()
  await clientWith(secret).get('/v1/scale')
  await sleep(300)
  const { body } = await manager.get(`/v1/keys/${id}`)
  assert.equal(body.last_used_from, '127.0.0.0/24')
  assert.ok(Date.now() - Date.parse(body.last_used_at) < 60_000)
})

test('accepts a rotated key without failure during the overlap, and refuses it afterwards', async () => {
  const old = await make({ expires_in_days: 30 })
  const client = clientWith(old.secret)
  const before = await client.get('/v1/personnel')
  assert.equal(before.headers.get('deprecation'), null)
  const answers: Reply[] = []
  const over = new AbortController()
  const using = (async () => {
    while (!over.signal.aborted) answers.push(await client.get('/v1/personnel'))
  })()

  const rotated = await manager.post(`/v1/keys/${old.id}/rotate`, { overlap_seconds: 2 })
  assert.equal(rotated.status, 201, rotated.text)
  const { secret, ...fresh } = rotated.body
  assert.equal(rotated.headers.get('location'), `/v1/keys/${fresh.id}`)
  assert.equal(fresh.replaces, old.id)
  assert.deepEqual(fresh.scopes, old.scopes)
  assert.equal(Date.parse(fresh.expires_at) - Date.parse(fresh.created_at), 30 * 86_400_000)
  const { body: ending } = await manager.get(`/v1/keys/${old.id}`)
  assert.equal(ending.replaced_by, fresh.id)
  const end = Date.parse(ending.expires_at)
  const during = await client.get('/v1/personnel')
  assert.equal(during.status, 200)
  assert.match(during.headers.get('deprecation') ?? '', /^@\d{10}$/)
  assert.equal(during.headers.get('sunset'), new Date(end).toUTCString())
  assert.equal((await clientWith(secret).get('/v1/personnel')).headers.get('sunset'), null)

  await sleep(Math.max(0, end - Date.now() - 300))
  over.abort()
  await using
  assert.ok(answers.length > 5)
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  await sleep(Math.max(0, end - Date.now()) + 100)
  assert.equal(outcome(await client.get('/v1/personnel')), '401 key_expired')
  assert.equal((await clientWith(secret).get('/v1/personnel')).status, 200)
  assert.equal((await eventually(old.id, 'key.refused')).data.code, 'key_expired')
  assert.equal(
    outcome(await manager.post(`/v1/keys/${old.id}/rotate`, {})),
    '409 invalid_transition',
  )
})

test('does not exhaust the key quota by repeated rotation', async () => {
  const used = async () => (await manager.get('/v1/whoami')).body.usage.keys
  let { id } = await make()
  const before = await used()
  for (let times = 0; times < 5; times++) {
    const { body } = await manager.post(`/v1/keys/${id}/rotate`, { overlap_seconds: 0 })
    assert.equal(outcome(await manager.post(`/v1/keys/${id}/rotate`, {})), '409 invalid_transition')
    id = body.id
  }
  assert.equal(await used(), before + 1, 'the newest key and the one it replaced')
})

test('replays responses stored under the old key to the key that replaced it', async () => {
  const old = await make({ scopes: ['personnel.manage'] })
  const add = (secret: string) =>
    clientWith(secret).post('/v1/personnel', { name: 'Ada' }, { 'idempotency-key': 'before' })
  const first = await add(old.secret)
  const { body } = await manager.post(`/v1/keys/${old.id}/rotate`, {})
  assert.equal((await add(body.secret)).text, first.text)
})

test('lets any key revoke itself, together with its sessions', async () => {
  const { id, secret } = await make({ scopes: ['personnel.read'] })
  const ended = await clientWith(secret).post('/v1/keys/self/revoke', undefined)
  assert.equal(ended.status, 200)
  assert.equal(ended.body.status, 'revoked')
  assert.equal(outcome(await clientWith(secret).get('/v1/whoami')), '401 key_revoked')
  const again = await manager.post(`/v1/keys/${id}/revoke`, {})
  assert.equal(again.body.revoked_at, ended.body.revoked_at, 'a second revocation changes nothing')
})

const races = Number(process.env['RACES'] ?? size(12, 500))

test(`refuses each of ${races} keys from the moment its revocation or rotation is answered`, async () => {
  const two = await listen(host.url)
  for (let race = 0; race < races; race++) {
    const { id, secret } = await make()
    let isEnded = false
    let late = 0
    const polling = [host.base, two].map(async (base) => {
      const client = new Client(base, secret)
      for (;;) {
        const wasEnded = isEnded
        const { status } = await client.get('/v1/whoami')
        if (wasEnded && status === 200) late += 1
        if (wasEnded) return
      }
    })
    const end = race % 2 === 0 ? 'revoke' : 'rotate'
    const body = end === 'rotate' ? { overlap_seconds: 0 } : {}
    const { status } = await manager.post(`/v1/keys/${id}/${end}`, body)
    assert.ok(status === 200 || status === 201)
    isEnded = true
    await Promise.all(polling)
    assert.equal(late, 0, `${end} of ${id}`)
  }
})

test('warns once before a key expires', async () => {
  const soon = await make({ expires_in_days: 7 })
  const later = await make({ expires_in_days: 9 })
  const replaced = await make({ expires_in_days: 7 })
  await manager.post(`/v1/keys/${replaced.id}/rotate`, {})
  const pool = createPool({ url: host.url, role: 'muster_app', max: 2, timeouts: longTimeouts })
  await using service = new Database(pool)
  const sweeper = new Sweeper(service)
  for (let times = 0; times < 2; times++) {
    await host.sql.query(allDue)
    assert.deepEqual((await sweepDue(sweeper)).failures, [])
  }
  const warnings = async (id: string) =>
    (await eventsOf(id)).filter(({ type }) => type === 'key.expiring')
  assert.equal((await warnings(soon.id)).length, 1)
  assert.equal((await warnings(soon.id))[0]?.data.expires_at, soon.expires_at)
  assert.deepEqual(await warnings(later.id), [])
  assert.deepEqual(await warnings(replaced.id), [], 'it has been replaced already')
})

test('refuses all requests while a workspace is suspended, and keeps its data', async () => {
  const other = await newWorkspace(host)
  const keeper = await other.manager()
  await keeper.post('/v1/personnel', { name: 'Ada' })
  const set = (status: string) =>
    host.sql.query('update workspaces set status = $2 where id = $1', [other.uuid, status])
  await set('suspended')
  for (const path of ['/v1/whoami', '/v1/personnel', '/v1/scale']) {
    assert.equal(outcome(await keeper.get(path)), '403 workspace_suspended')
  }
  assert.equal((await manager.get('/v1/whoami')).status, 200, 'other workspaces are not affected')
  await set('active')
  assert.equal((await keeper.get('/v1/personnel')).body.count, 1)
})

test('grants every scope', async () => {
  for (const scope of scopes) assert.deepEqual((await make({ scopes: [scope] })).scopes, [scope])
})
