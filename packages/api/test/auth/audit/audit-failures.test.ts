import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits } from '@muster/contract'

import { RefusalLog } from '#domain/auth/refusal-log'
import { issueToken } from '#domain/auth/token'
import { startService } from '#service'
import { encodeId } from '#storage/values/id'
import { fromConsole } from '#test/auth/browser'
import { Client } from '#test/support/client'
import { connect } from '#test/support/database'
import { longTimeouts } from '#test/support/long-timeouts'
import { untilQuiet } from '#test/support/statements'
import { isolated, newWorkspace, startHost, unlimited } from '#test/support/workspace'

const host = await startHost()

const anonymous = { type: 'system', id: null, user_id: null } as const
const newKeyId = (place: number) =>
  encodeId('key', `01900000-0000-7000-8000-${String(place).padStart(12, '0')}`)

/** A failure that names no credential, and one of a credential that exists. */
const failureOf = (workspaceId: string) => ({
  workspaceId,
  type: 'sign_in.failed' as const,
  actor: anonymous,
  reason: 'link_refused',
  network: '203.0.113.0/24',
  userAgent: 'Tester/1.0',
})
const refusalOf = (workspaceId: string, place = 0) => ({
  ...failureOf(workspaceId),
  type: 'request.refused' as const,
  reason: 'key_revoked',
  subjectId: newKeyId(place),
})

async function refusalsOf(uuid: string) {
  const { rows } = await host.sql.query(
    `select type, reason, subject_id, network, user_agent, count, is_anonymous
     from audit_entries where workspace_id = $1
       and type in ('sign_in.failed', 'request.refused') order by written_xid, id`,
    [uuid],
  )
  return rows
}

test('writes the first refusal of a kind at once, and the rest of the minute as one', async () => {
  const { id, uuid } = await newWorkspace(host)
  const log = new RefusalLog(host.owner)
  for (let count = 0; count < 1000; count++) log.record(failureOf(id))
  await untilQuiet()
  const [first, ...others] = await refusalsOf(uuid)
  assert.deepEqual(others, [])
  assert.equal(first.count, 1)
  await log.endMinute()
  const [same, rest] = await refusalsOf(uuid)
  assert.deepEqual(same, first, 'the first entry is not changed')
  assert.deepEqual(rest, { ...first, count: 999 })
})

test('has an entry for each reason, network and credential', async () => {
  const [here, there] = [await newWorkspace(host), await newWorkspace(host)]
  const log = new RefusalLog(host.owner)
  log.record(refusalOf(here.id))
  log.record({ ...refusalOf(here.id), reason: 'key_expired' })
  log.record({ ...refusalOf(here.id), network: '198.51.100.0/24' })
  log.record(refusalOf(here.id, 1))
  log.record(failureOf(here.id))
  log.record(refusalOf(there.id))
  await log.endMinute()
  assert.equal((await refusalsOf(here.uuid)).length, 5)
  assert.equal((await refusalsOf(there.uuid)).length, 1)
})

test('names the client of counted refusals only if they have the same', async () => {
  const { id, uuid } = await newWorkspace(host)
  const log = new RefusalLog(host.owner)
  for (const userAgent of ['One', 'Two', 'Three']) log.record({ ...refusalOf(id), userAgent })
  await log.endMinute()
  const clients = (await refusalsOf(uuid)).map(({ user_agent }) => user_agent)
  assert.deepEqual(clients, ['One', null])
})

test('bounds genuine and anonymous kinds apart, and counts further kinds', async () => {
  const { id, uuid } = await newWorkspace(host)
  const log = new RefusalLog(host.owner)
  const most = limits.refusalKindsMax
  for (let place = 0; place < most + 30; place++) {
    log.record({ ...failureOf(id), network: `10.0.${place}.0/24` })
  }
  for (let place = 0; place < most + 5; place++) log.record(refusalOf(id, place))
  await log.endMinute()
  const rows = await refusalsOf(uuid)
  const of = (isAnonymous: boolean) => rows.filter((row) => row.is_anonymous === isAnonymous)
  const others = rows.filter(({ reason }) => reason === 'other')
  assert.deepEqual(of(true).length, most + 1)
  assert.deepEqual(of(false).length, most + 1)
  assert.deepEqual(others.map(({ is_anonymous, count }) => `${is_anonymous} ${count}`).toSorted(), [
    'false 5',
    'true 30',
  ])
})

test('ignores a workspace that does not exist', async () => {
  const log = new RefusalLog(host.owner)
  const uuid = '01900000-0000-7000-8000-000000000000'
  log.record(failureOf(encodeId('wsp', uuid)))
  await log.endMinute()
  assert.deepEqual(await refusalsOf(uuid), [])
})

test('takes no sequence number', async () => {
  const home = await newWorkspace(host)
  const seqOf = async () => {
    const text = 'select seq from workspace_counters where workspace_id = $1'
    return (await host.sql.query(text, [home.uuid])).rows[0].seq
  }
  const before = await seqOf()
  const log = new RefusalLog(host.owner)
  log.record(failureOf(home.id))
  await log.endMinute()
  assert.equal((await refusalsOf(home.uuid)).length, 1)
  assert.equal(await seqOf(), before)
})

test('keeps the newest refusals of each sort, up to the limit', async () => {
  const home = await newWorkspace(host)
  await host.sql.query(
    `insert into audit_entries (workspace_id, id, type, actor_type, is_anonymous, occurred_at)
     select $1, gen_random_uuid(), 'sign_in.failed', 'system', is_anonymous,
       timestamptz '2026-01-01' + place * interval '1 minute'
     from generate_series(1, $2::integer) as place,
       (values (true), (false)) as sort (is_anonymous)`,
    [home.uuid, limits.auditFailuresMax],
  )
  const log = new RefusalLog(host.owner)
  for (let place = 0; place < 5; place++) {
    log.record({ ...failureOf(home.id), network: `10.0.${place}.0/24` })
  }
  await log.endMinute()
  const rows = await refusalsOf(home.uuid)
  const of = (isAnonymous: boolean) => rows.filter((row) => row.is_anonymous === isAnonymous)
  assert.equal(of(true).length, limits.auditFailuresMax)
  assert.equal(of(true).filter(({ reason }) => reason === 'link_refused').length, 5)
  assert.equal(of(false).length, limits.auditFailuresMax, 'anonymous refusals displace no others')
})

test('the service can change only details of entries', async () => {
  const home = await newWorkspace(host)
  const service = await connect(host.url)
  await service.query(`set role muster_app; set app.ws = '${home.uuid}'`)
  for (const column of ['type', 'actor_type', 'actor_id', 'occurred_at', 'written_xid']) {
    const change = service.query(`update audit_entries set ${column} = ${column}`)
    await assert.rejects(change, /permission denied/)
  }
  await service.end()
})

/** A deterministic order of the items (mulberry32). */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed
  const random = () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

for (const seed of [1, 2, 3]) {
  test(`50 anonymous requests change and hide nothing, in order ${seed}`, async () => {
    const home = await newWorkspace(host)
    const manager = await home.manager()
    const stolen = await home.issue({ allowedCidrs: ['203.0.113.0/24'] })
    const thief = new Client(host.base, stolen.token)
    const headers = { ...fromConsole, 'user-agent': 'noise' }
    const post = (path: string, body: object) =>
      fetch(`${host.base}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const noise = Array.from({ length: 50 }, (_, place) => () => {
      if (place % 3 === 0) return post(`/sign-in/${home.id}/link`, { token: `x${place}` })
      if (place % 3 === 1) return fetch(`${host.base}/sign-in/${home.id}/oidc/callback?state=x`)
      return new Client(host.base, issueToken(home.id, 'key').token).get('/v1/scale', {
        'user-agent': 'noise',
      })
    })
    const theft = () => thief.get('/v1/scale', { 'user-agent': 'curl-of-the-thief' })

    let earlier: unknown[] = []
    for (const send of shuffled([...noise, theft], seed)) {
      await send()
      const entries = (await manager.get('/v1/audit?limit=100')).body.data as { id: string }[]
      const kept = new Set(entries.map((entry) => JSON.stringify(entry)))
      for (const entry of earlier) assert.ok(kept.has(JSON.stringify(entry)), 'no entry changes')
      earlier = entries
    }
    await untilQuiet()
    const { body } = await manager.get('/v1/audit?type=request.refused')
    const found = body.data.filter(
      ({ reason }: { reason: string }) => reason === 'address_not_allowed',
    )
    assert.equal(found.length, 1)
    const [{ subject_id, actor, network, user_agent, count }] = found
    assert.deepEqual(
      { subject_id, actor, network, user_agent, count },
      {
        subject_id: stolen.id,
        actor: { type: 'key', id: stolen.id, user_id: null },
        network: '127.0.0.0/24',
        user_agent: 'curl-of-the-thief',
        count: 1,
      },
    )
  })
}

test('writes what the minute counted when the service stops', async () => {
  const home = await newWorkspace(host)
  const { id, token } = await home.issue({ scopes: ['keys.read'] })
  const service = await startService({
    url: host.url,
    logLevel: null,
    rates: unlimited,
    timeouts: longTimeouts,
    ...isolated,
  })
  const base = await service.app.listen({ host: '127.0.0.1', port: 0 })
  const reader = new Client(base, token)
  for (let count = 0; count < 12; count++) {
    assert.equal((await reader.get('/v1/personnel')).status, 403)
  }
  await service[Symbol.asyncDispose]()
  const rows = await refusalsOf(home.uuid)
  assert.deepEqual(
    rows.map(({ reason, subject_id, count }) => `${reason} ${subject_id} ${count}`),
    [`insufficient_scope ${id} 1`, `insufficient_scope ${id} 11`],
  )
})
