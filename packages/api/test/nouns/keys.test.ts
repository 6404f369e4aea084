import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { keyPattern, scopes } from '@muster/contract'

import { Sweeper } from '#domain/sweep'
import { Database } from '#storage/database'
import { uuidOf } from '#storage/id'
import { createPool } from '#storage/pool'

import { Client, type Json, type Reply } from './client.ts'
import { listen, newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

const told = ({ status, body }: Reply) => `${status} ${body?.code ?? ''}`.trim()
const holding = (secret: string) => new Client(host.base, secret)

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

/** What is told beside the request is there a little later. */
async function eventually(keyId: string, type: string): Promise<Json> {
  for (let tries = 0; tries < 100; tries++) {
    const found = (await eventsOf(keyId)).find((event) => event.type === type)
    if (found) return found
    await sleep(20)
  }
  throw new Error(`${type} was not told of ${keyId}`)
}

test('a key is made, and its secret is shown once', async () => {
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
  const { body } = await holding(secret).get('/v1/whoami')
  assert.deepEqual(body.key.scopes, ['personnel.read', 'projects.read'])
  const dump = await host.sql.query('select k::text from api_keys k')
  assert.ok(!JSON.stringify(dump.rows).includes(secret.slice(38)))
})

test('a key lives 90 days unless said otherwise, and for ever only when that is said', async () => {
  const usual = await make()
  assert.equal(Date.parse(usual.expires_at) - Date.parse(usual.created_at), 90 * 86_400_000)
  assert.equal((await make({ expires_in_days: null })).expires_at, null)
})

test('a key gives only what it holds', async () => {
  const lesser = await home.key('keys.manage', 'personnel.manage')
  const give = (...held: string[]) => lesser.post('/v1/keys', { name: 'x', scopes: held })
  assert.equal((await give('personnel.read', 'personnel.manage', 'keys.read')).status, 201)
  const refused = await give('personnel.read', 'projects.read')
  assert.equal(told(refused), '403 insufficient_scope')
  assert.equal(refused.body.required_scope, 'projects.read')

  const { id } = await make({ scopes: ['projects.manage'] })
  const rotated = await lesser.post(`/v1/keys/${id}/rotate`, {})
  assert.equal(told(rotated), '403 insufficient_scope', 'nor takes it by rotating another')
  assert.equal((await lesser.post(`/v1/keys/${id}/revoke`, {})).status, 200, 'but it can end it')
})

test('keys are listed without those that are revoked, unless they are asked for', async () => {
  const other = await newWorkspace(host)
  const keeper = await other.manager()
  const { id: gone } = (await keeper.post('/v1/keys', { name: 'a', scopes: ['keys.read'] })).body
  await keeper.post(`/v1/keys/${gone}/revoke`, {})
  const { id: ended } = await other.issue({ expiresInHours: -1 })
  const { id: kept } = await other.issue()
  const list = async (query = '') =>
    (await keeper.get(`/v1/keys${query}`)).body.data.map(({ id }: Json) => id)

  const all = await list()
  assert.deepEqual(all.slice(1), [ended, kept], 'in the order they were made')
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

test('name and networks can be changed, and nothing else', async () => {
  const { id, secret: _, ...before } = await make()
  const patch = (body: object) => manager.send('PATCH', `/v1/keys/${id}`, { body })
  const renamed = await patch({ ...before, id, name: 'Payroll, nightly' })
  assert.equal(renamed.status, 200, renamed.text)
  assert.equal(renamed.body.name, 'Payroll, nightly')
  const count = (await eventsOf(id)).length
  assert.equal((await patch({ name: 'Payroll, nightly' })).status, 200)
  assert.equal((await eventsOf(id)).length, count, 'what is so already is no change')
  assert.equal(told(await patch({ scopes: ['keys.manage'] })), '422 read_only_field')
  assert.equal(told(await patch({ expires_at: null })), '422 read_only_field')
  assert.equal(told(await patch({ name: 'x', version: 1 })), '412 version_mismatch')
  const odd = await patch({
    allowed_cidrs: ['10.0.0.0/8', '300.1.1.1', '10.0.0.0/33', 'fe80::/129'],
  })
  assert.equal(told(odd), '422 validation_failed')
  assert.deepEqual(
    odd.body.errors.map(({ pointer }: Json) => pointer),
    ['/allowed_cidrs/1', '/allowed_cidrs/2', '/allowed_cidrs/3'],
  )
  await manager.post(`/v1/keys/${id}/revoke`, {})
  assert.equal(told(await patch({ name: 'Too late' })), '409 invalid_transition')
})

test('a key that is bound to networks opens from there alone, and a refusal is told once', async () => {
  const here = await make({ allowed_cidrs: ['127.0.0.0/8'] })
  assert.equal((await holding(here.secret).get('/v1/whoami')).status, 200)
  const elsewhere = await make({ allowed_cidrs: ['203.0.113.0/24', '::1'] })
  for (let times = 0; times < 3; times++) {
    const refused = await holding(elsewhere.secret).get('/v1/whoami')
    assert.equal(told(refused), '403 address_not_allowed')
  }
  const event = await eventually(elsewhere.id, 'key.refused')
  assert.deepEqual(event.data, { code: 'address_not_allowed', from: '127.0.0.0/24' })
  assert.equal(event.actor_type, 'system')
  await holding(elsewhere.secret).get('/v1/whoami')
  await sleep(200)
  const refusals = (await eventsOf(elsewhere.id)).filter(({ type }) => type === 'key.refused')
  assert.equal(refusals.length, 1, 'at most one an hour')
  const body = { allowed_cidrs: [] }
  await manager.send('PATCH', `/v1/keys/${elsewhere.id}`, { body })
  assert.equal((await holding(elsewhere.secret).get('/v1/whoami')).status, 200)
})

test('when and from where a key was last used is known', async () => {
  const { id, secret } = await make()
  await holding(secret).get('/v1/scale')
  await sleep(300)
  const { body } = await manager.get(`/v1/keys/${id}`)
  assert.equal(body.last_used_from, '127.0.0.0/24')
  assert.ok(Date.now() - Date.parse(body.last_used_at) < 60_000)
})

test('rotation drill: the old key never fails through the overlap, and has then expired', async () => {
  const old = await make({ expires_in_days: 30 })
  const client = holding(old.secret)
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
  assert.equal((await holding(secret).get('/v1/personnel')).headers.get('sunset'), null)

  await sleep(Math.max(0, end - Date.now() - 300))
  over.abort()
  await using
  assert.ok(answers.length > 5)
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  await sleep(Math.max(0, end - Date.now()) + 100)
  assert.equal(told(await client.get('/v1/personnel')), '401 key_expired')
  assert.equal((await holding(secret).get('/v1/personnel')).status, 200)
  assert.equal((await eventually(old.id, 'key.refused')).data.code, 'key_expired')
  assert.equal(told(await manager.post(`/v1/keys/${old.id}/rotate`, {})), '409 invalid_transition')
})

test('a key that is rotated again and again does not fill the workspace', async () => {
  const used = async () => (await manager.get('/v1/whoami')).body.usage.keys
  let { id } = await make()
  const before = await used()
  for (let times = 0; times < 5; times++) {
    const { body } = await manager.post(`/v1/keys/${id}/rotate`, { overlap_seconds: 0 })
    assert.equal(told(await manager.post(`/v1/keys/${id}/rotate`, {})), '409 invalid_transition')
    id = body.id
  }
  assert.equal(await used(), before + 1, 'the last, and the one that it replaced')
})

test('what an old key did under an Idempotency-Key is known to the one that replaced it', async () => {
  const old = await make({ scopes: ['personnel.manage'] })
  const add = (secret: string) =>
    holding(secret).post('/v1/personnel', { name: 'Ada' }, { 'idempotency-key': 'before' })
  const first = await add(old.secret)
  const { body } = await manager.post(`/v1/keys/${old.id}/rotate`, {})
  assert.equal((await add(body.secret)).text, first.text)
})

test('any key can end itself, and its session with it', async () => {
  const { id, secret } = await make({ scopes: ['personnel.read'] })
  const ended = await holding(secret).post('/v1/keys/self/revoke', undefined)
  assert.equal(ended.status, 200)
  assert.equal(ended.body.status, 'revoked')
  assert.equal(told(await holding(secret).get('/v1/whoami')), '401 key_revoked')
  const again = await manager.post(`/v1/keys/${id}/revoke`, {})
  assert.equal(again.body.revoked_at, ended.body.revoked_at, 'revoked again, nothing changes')
})

const races = Number(process.env['RACES'] ?? 60)

test(`of ${races} keys none is taken after its revocation, rotation or expiry was answered`, async () => {
  const two = await listen(host.url)
  for (let race = 0; race < races; race++) {
    const { id, secret } = await make()
    let isEnded = false
    let late = 0
    const knocking = [host.base, two].map(async (base) => {
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
    await Promise.all(knocking)
    assert.equal(late, 0, `${end} of ${id}`)
  }
})

test('who holds a key is warned once before it expires', async () => {
  const soon = await make({ expires_in_days: 7 })
  const later = await make({ expires_in_days: 9 })
  const replaced = await make({ expires_in_days: 7 })
  await manager.post(`/v1/keys/${replaced.id}/rotate`, { expires_in_days: 90 })
  const pool = createPool({ url: host.url, role: 'muster_app', max: 2 })
  await using service = new Database(pool)
  const sweeper = new Sweeper(service)
  for (let times = 0; times < 2; times++) {
    await host.sql.query('delete from sweeps')
    assert.ok(await sweeper.sweep())
  }
  await sweeper.stop()
  const warnings = async (id: string) =>
    (await eventsOf(id)).filter(({ type }) => type === 'key.expiring')
  assert.equal((await warnings(soon.id)).length, 1)
  assert.equal((await warnings(soon.id))[0]?.data.expires_at, soon.expires_at)
  assert.deepEqual(await warnings(later.id), [])
  assert.deepEqual(await warnings(replaced.id), [], 'its holder has another already')
})

test('a suspended workspace lets nobody in, and nothing is lost', async () => {
  const other = await newWorkspace(host)
  const keeper = await other.manager()
  await keeper.post('/v1/personnel', { name: 'Ada' })
  const set = (status: string) =>
    host.sql.query('update workspaces set status = $2 where id = $1', [other.uuid, status])
  await set('suspended')
  for (const path of ['/v1/whoami', '/v1/personnel', '/v1/scale']) {
    assert.equal(told(await keeper.get(path)), '403 workspace_suspended')
  }
  assert.equal((await manager.get('/v1/whoami')).status, 200, 'others are not concerned')
  await set('active')
  assert.equal((await keeper.get('/v1/personnel')).body.count, 1)
})

test('every scope can be given', async () => {
  for (const scope of scopes) assert.deepEqual((await make({ scopes: [scope] })).scopes, [scope])
})
