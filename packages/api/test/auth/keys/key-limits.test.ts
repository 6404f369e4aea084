import assert from 'node:assert/strict'
import { test } from 'node:test'

import { type Scope, scopes } from '@muster/contract'

import { type KeyInput, manageScopes } from '#domain/auth/key'
import { signIn, outcome } from '#test/auth/browser'
import { addPerson, signInPerson } from '#test/auth/people'
import { Client, type Json, type Reply } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const clientWith = (secret: string) => new Client(host.base, secret)

const hour = 3_600_000
const day = 24 * hour
const lengthOf = ({ created_at, expires_at }: Json) =>
  Date.parse(expires_at) - Date.parse(created_at)

const patch = (client: Client, id: string, body: object) =>
  client.send('PATCH', `/v1/keys/${id}`, { body })
const create = (client: Client, fields: object = {}) =>
  client.post('/v1/keys', { name: 'Made', scopes: ['keys.read'], ...fields })
const rotate = (client: Client, id: string, body: object = {}) =>
  client.post(`/v1/keys/${id}/rotate`, body)

async function made(fields: object = {}): Promise<Json> {
  const reply = await create(manager, fields)
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}

/** A client whose own key holds every scope, unless `input` overrides it. */
async function caller(input: Partial<KeyInput>) {
  const { id, token } = await home.issue({ scopes, ...input })
  return { id, token, client: clientWith(token) }
}

function assertFieldErrors({ status, body, text }: Reply, ...expected: [string, string][]): void {
  assert.equal(status, 422, text)
  const fieldErrors = body.errors.map(({ pointer, code }: Json) => [pointer, code])
  assert.deepEqual(fieldErrors, expected)
}

const here = '127.0.0.0/8'
const outside = 'outside_own_networks'
const outlives = 'outlives_own_key'

test('requires every scope of a key to update it', async () => {
  const { client: lesser } = await caller({ scopes: ['keys.manage', 'personnel.manage'] })
  const wider = await made({ scopes: ['personnel.read', 'projects.manage'] })
  for (const body of [{ name: 'Renamed' }, { allowed_cidrs: ['10.9.9.9/32'] }, {}]) {
    const refused = await patch(lesser, wider.id, body)
    assert.equal(outcome(refused), '403 insufficient_scope')
    assert.equal(refused.body.required_scope, 'projects.manage')
    assert.match(refused.body.detail, /Use a key that holds projects\.manage, or revoke this key\./)
  }
  const rotated = await rotate(lesser, wider.id)
  assert.equal(outcome(rotated), '403 insufficient_scope')
  const { secret: _, ...before } = wider
  assert.deepEqual((await manager.get(`/v1/keys/${wider.id}`)).body, before, 'nothing changed')

  const lesserKey = await made({ scopes: ['personnel.read', 'keys.read'] })
  assert.equal((await patch(lesser, lesserKey.id, { name: 'Renamed' })).status, 200)
  assert.equal((await lesser.post(`/v1/keys/${wider.id}/revoke`, {})).status, 200)
})

test('a key with keys.manage alone cannot lock out or unbind a more privileged key', async () => {
  const boot = await caller({ name: 'Bootstrap' })
  const bound = await create(boot.client, { scopes: ['keys.manage'], allowed_cidrs: [here] })
  const attacker = clientWith(bound.body.secret)

  const minted = await create(attacker, { scopes: ['keys.manage'], expires_in_days: null })
  assert.deepEqual(
    [outcome(minted), minted.body.allowed_cidrs, minted.body.expires_at],
    ['422 validation_failed', undefined, undefined],
  )
  const unbound = await patch(attacker, bound.body.id, { allowed_cidrs: [] })
  assert.equal(outcome(unbound), '422 validation_failed')
  const locked = await patch(attacker, boot.id, { allowed_cidrs: ['10.9.9.9/32'] })
  assert.equal(outcome(locked), '403 insufficient_scope')
  assert.equal(outcome(await boot.client.get('/v1/whoami')), '200')
  assert.equal(outcome(await rotate(attacker, boot.id)), '403 insufficient_scope')
})

test('a network-bound key creates keys for its own networks only', async () => {
  const halves = ['127.0.0.0/9', '127.128.0.0/9', '2001:db8::/32']
  const { client } = await caller({ allowedCidrs: halves })
  const inherited = await create(client)
  assert.deepEqual([inherited.status, inherited.body.allowed_cidrs], [201, halves])
  assert.deepEqual((await clientWith(inherited.body.secret).get('/v1/whoami')).status, 200)

  const within = [here, '127.0.0.1', '::ffff:127.0.0.0/104', '2001:db8:1::/48']
  const narrowed = await create(client, { allowed_cidrs: within })
  assert.deepEqual([narrowed.status, narrowed.body.allowed_cidrs], [201, within])

  assertFieldErrors(await create(client, { allowed_cidrs: [] }), ['/allowed_cidrs', outside])
  const wider = [here, '0.0.0.0/0', '126.0.0.0/7', '::/0', '2001:db8::/31', '::ffff:0:0/96']
  assertFieldErrors(
    await create(client, { allowed_cidrs: wider }),
    ...[1, 2, 3, 4, 5].map((index): [string, string] => [`/allowed_cidrs/${index}`, outside]),
  )
})

test('a network-bound key narrows networks and never widens them', async () => {
  const own = await caller({ allowedCidrs: [here] })
  const other = await made({ allowed_cidrs: ['127.0.0.0/16', '10.0.0.0/8'] })
  const open = await made()
  for (const { id } of [own, other, open]) {
    for (const [allowed_cidrs, pointer] of [
      [[], '/allowed_cidrs'],
      [['10.0.0.0/8'], '/allowed_cidrs/0'],
      [['127.0.0.1', '0.0.0.0/0'], '/allowed_cidrs/1'],
    ] as const) {
      if (id === open.id && allowed_cidrs.length === 0) continue
      assertFieldErrors(await patch(own.client, id, { allowed_cidrs }), [pointer, outside])
    }
  }
  const { secret: _, ...whole } = other
  const renamed = await patch(own.client, other.id, { ...whole, name: 'Renamed' })
  assert.deepEqual(
    [renamed.status, renamed.body.allowed_cidrs],
    [200, whole.allowed_cidrs],
    'unchanged networks are not checked',
  )
  for (const { id } of [other, open, own]) {
    const narrowed = await patch(own.client, id, { allowed_cidrs: ['127.0.0.0/24'] })
    assert.deepEqual([narrowed.status, narrowed.body.allowed_cidrs], [200, ['127.0.0.0/24']])
  }
  const back = await patch(own.client, own.id, { allowed_cidrs: [here] })
  assertFieldErrors(back, ['/allowed_cidrs/0', outside])
  assert.equal((await patch(manager, own.id, { allowed_cidrs: [] })).status, 200)
})

test('a network-bound key rotates itself, and other keys within its networks', async () => {
  const own = await caller({ allowedCidrs: [here] })
  for (const allowed_cidrs of [[], ['10.0.0.0/8'], ['127.0.0.1', '0.0.0.0/0']]) {
    const { id } = await made({ allowed_cidrs })
    const refused = await rotate(own.client, id)
    assert.equal(outcome(refused), '403 networks_not_covered')
    assert.equal((await manager.get(`/v1/keys/${id}`)).body.replaced_by, null)
  }
  const inner = await made({ allowed_cidrs: ['127.0.0.1', '::ffff:127.0.0.2'] })
  const rotated = await rotate(own.client, inner.id)
  assert.deepEqual([rotated.status, rotated.body.allowed_cidrs], [201, inner.allowed_cidrs])
  const renewed = await rotate(own.client, own.id)
  assert.deepEqual([renewed.status, renewed.body.allowed_cidrs], [201, [here]])
})

test('lets an unbound key grant any network', async () => {
  const { id } = await made({ allowed_cidrs: [here] })
  for (const allowed_cidrs of [['10.0.0.0/8'], ['::/0'], []]) {
    assert.equal((await create(manager, { allowed_cidrs })).status, 201)
    assert.equal((await patch(manager, id, { allowed_cidrs })).status, 200)
  }
})

test('limits the expiry of created keys to that of the creating key', async () => {
  const { id, client } = await caller({ expiresInHours: 60 })
  const { expires_at: end } = (await manager.get(`/v1/keys/${id}`)).body
  const shortened = await create(client)
  assert.deepEqual([shortened.status, shortened.body.expires_at], [201, end])
  const two = await create(client, { expires_in_days: 2 })
  assert.equal(lengthOf(two.body), 2 * day)

  for (const expires_in_days of [3, 366, null]) {
    const refused = await create(client, { expires_in_days })
    assertFieldErrors(refused, ['/expires_in_days', outlives])
    assert.ok(
      refused.body.errors[0].detail.startsWith(`must be at most 2: your key expires at ${end}`),
    )
  }
  const { client: brief } = await caller({ expiresInHours: 23 })
  const refused = await create(brief, { expires_in_days: 1 })
  assertFieldErrors(refused, ['/expires_in_days', outlives])
  assert.match(refused.body.errors[0].detail, /^must be omitted: your key expires at /)

  const { client: long } = await caller({ expiresInHours: 24 * 200 })
  assert.equal(
    lengthOf((await create(long)).body),
    90 * day,
    'the default is within the lifetime of the caller',
  )
  const { client: endless } = await caller({ expiresInHours: null })
  assert.equal((await create(endless, { expires_in_days: null })).body.expires_at, null)
})

test('limits the expiry of a rotated key to that of the caller', async () => {
  const { id: own, client } = await caller({ expiresInHours: 60 })
  const { expires_at: end } = (await manager.get(`/v1/keys/${own}`)).body
  for (const expires_in_days of [30, null]) {
    const { id } = await made({ expires_in_days })
    for (const wanted of [3, null]) {
      const refused = await rotate(client, id, { expires_in_days: wanted })
      assertFieldErrors(refused, ['/expires_in_days', outlives])
    }
    assert.equal((await rotate(client, id)).body.expires_at, end)
  }
  const { id } = await made({ expires_in_days: 1 })
  const kept = await rotate(client, id)
  assert.equal(lengthOf(kept.body), day, 'a shorter lifetime is kept')
})

test('a replaced key grants only its remaining lifetime', async () => {
  const { id, client } = await caller({ expiresInHours: 60 })
  const renewed = await rotate(client, id, { overlap_seconds: 600 })
  assert.equal(lengthOf(renewed.body), 60 * hour)
  const { expires_at: end } = (await manager.get(`/v1/keys/${id}`)).body
  assert.equal((await create(client)).body.expires_at, end)
  const successor = await rotate(client, renewed.body.id, { expires_in_days: 1 })
  assertFieldErrors(successor, ['/expires_in_days', outlives])
})

test('a rotation by any principal keeps at most the lifetime of the key', async () => {
  const adminId = await addPerson(manager, { role: 'admin' })
  const admin = await signInPerson(host, home, adminId)
  for (const hours of [5, 24, 60, 24 * 90]) {
    const longest = Math.floor(hours / 24)
    const own = await caller({ expiresInHours: hours })
    for (const who of [own.client, await signIn(host.base, own.token), manager, admin]) {
      for (const expires_in_days of [longest + 1, 366, null]) {
        const refused = await rotate(who, own.id, { expires_in_days })
        assertFieldErrors(refused, ['/expires_in_days', 'longer_lifetime'])
        const most = longest < 1 ? 'omitted' : `at most ${longest}`
        assert.ok(refused.body.errors[0].detail.startsWith(`must be ${most}: `))
      }
    }
    const renewed = await rotate(own.client, own.id)
    assert.equal(lengthOf(renewed.body), hours * hour)
    if (longest < 1) continue
    const shorter = await rotate(admin, renewed.body.id, { expires_in_days: longest })
    assert.equal(lengthOf(shorter.body), longest * day)
    const again = await rotate(admin, shorter.body.id, { expires_in_days: longest + 1 })
    assertFieldErrors(again, ['/expires_in_days', 'longer_lifetime'])
  }
  const endless = await made({ expires_in_days: null })
  const still = await rotate(manager, endless.id, { expires_in_days: null })
  assert.equal(still.body.expires_at, null)
})

test('the bootstrap key stays a key of 24 hours', async () => {
  const { token } = await home.issue({ scopes: manageScopes, expiresInHours: 24 })
  const boot = clientWith(token)
  const { id } = (await boot.get('/v1/whoami')).body.key
  const endless = await rotate(boot, id, { expires_in_days: null, overlap_seconds: 604_800 })
  assertFieldErrors(endless, ['/expires_in_days', 'longer_lifetime'])
  assert.equal(lengthOf((await rotate(boot, id)).body), day)
})

test('enforces both the workspace policy and the expiry of the caller', async () => {
  const other = await newWorkspace(host)
  const keeper = await other.manager()
  const { body: old } = await create(keeper, { expires_in_days: 200 })
  const policies = { key_days_max: 5 }
  await keeper.send('PATCH', '/v1/workspace', { body: { policies } })
  const lasting = async (hours: number) =>
    clientWith((await other.issue({ scopes, expiresInHours: hours })).token)

  const brief = await lasting(60)
  assertFieldErrors(await create(brief, { expires_in_days: 6 }), ['/expires_in_days', outlives])
  assertFieldErrors(await create(brief, { expires_in_days: 3 }), ['/expires_in_days', outlives])
  const end = (await brief.get('/v1/whoami')).body.key.expires_at
  assert.equal((await create(brief)).body.expires_at, end)

  const longer = await lasting(24 * 30)
  assertFieldErrors(await create(longer, { expires_in_days: 31 }), ['/expires_in_days', 'policy'])
  assert.equal(lengthOf((await create(longer)).body), 5 * day)
  assertFieldErrors(await rotate(longer, old.id), ['/expires_in_days', 'policy'])
  assert.equal((await rotate(brief, old.id)).body.expires_at, end)
})

test('applies the limits of a key to its console sessions', async () => {
  const own = await caller({ allowedCidrs: [here], expiresInHours: 60 })
  const browser = await signIn(host.base, own.token)
  const inherited = await create(browser)
  const { expires_at: end } = (await manager.get(`/v1/keys/${own.id}`)).body
  assert.deepEqual([inherited.body.allowed_cidrs, inherited.body.expires_at], [[here], end])
  assertFieldErrors(await create(browser, { allowed_cidrs: [] }), ['/allowed_cidrs', outside])
  assertFieldErrors(await create(browser, { expires_in_days: null }), [
    '/expires_in_days',
    outlives,
  ])
  assertFieldErrors(await patch(browser, own.id, { allowed_cidrs: [] }), [
    '/allowed_cidrs',
    outside,
  ])
  const { id } = await made()
  assert.equal(outcome(await rotate(browser, id)), '403 networks_not_covered')
  assert.equal(lengthOf((await rotate(browser, own.id)).body), 60 * hour)
})

test('replays a stored response even after the caller was narrowed', async () => {
  const own = await caller({ scopes: ['keys.manage', 'keys.read'] satisfies Scope[] })
  const { id } = await made({ allowed_cidrs: [here] })
  const send = () =>
    own.client.send('PATCH', `/v1/keys/${id}`, {
      body: { allowed_cidrs: ['10.0.0.0/8'] },
      headers: { 'idempotency-key': 'widen' },
    })
  const first = await send()
  assert.equal(first.status, 200, first.text)
  await patch(manager, own.id, { allowed_cidrs: [here] })
  assert.equal((await send()).text, first.text)
})
