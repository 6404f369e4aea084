import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits } from '@muster/contract'

import { recordFailure } from '#domain/auth/audit'
import { encodeId, uuidOf } from '#storage/engine/id'
import { startHost, newWorkspace } from '#test/support/workspace'

const host = await startHost()

const origin = { network: '203.0.113.0/24', userAgent: 'Tester/1.0' }
const failure = { reason: 'link_used', origin }

/** The service with a clock that stands still. */
const stopped = (minute: number) =>
  host.owner.withClock(() => new Date(Date.UTC(2026, 2, 1, 8, minute)))

async function failuresOf(workspaceId: string) {
  const { rows } = await host.sql.query(
    `select reason, user_id, subject_id, network, user_agent, count from audit_entries
     where workspace_id = $1 and type = 'sign_in.failed' order by occurred_at, id`,
    [uuidOf(workspaceId)],
  )
  return rows
}

test('counts 1000 failures of a network within a minute in one row', async () => {
  const { id } = await newWorkspace(host)
  for (let batch = 0; batch < 20; batch++) {
    const failures = Array.from({ length: 50 }, () => recordFailure(stopped(0), id, failure))
    await Promise.all(failures)
  }
  const [only, ...others] = await failuresOf(id)
  assert.deepEqual(others, [])
  assert.equal(only.count, 1000)
  assert.equal(only.reason, 'link_used')
  assert.equal(only.user_agent, 'Tester/1.0')
})

test('adds a row for another network, another minute and another workspace', async () => {
  const [here, there] = [await newWorkspace(host), await newWorkspace(host)]
  const elsewhere = { ...origin, network: '198.51.100.0/24' }
  await recordFailure(stopped(0), here.id, failure)
  await recordFailure(stopped(0), here.id, { ...failure, origin: elsewhere })
  await recordFailure(stopped(1), here.id, failure)
  await recordFailure(stopped(0), there.id, failure)
  const networks = (await failuresOf(here.id)).map(({ network, count }) => `${network} ${count}`)
  assert.deepEqual(networks.toSorted(), [
    '198.51.100.0/24 1',
    '203.0.113.0/24 1',
    '203.0.113.0/24 1',
  ])
  assert.equal((await failuresOf(there.id)).length, 1)
})

test('counts failures without a known network together', async () => {
  const { id } = await newWorkspace(host)
  const unknown = { network: null, userAgent: null }
  await recordFailure(stopped(0), id, { ...failure, origin: unknown })
  await recordFailure(stopped(0), id, { ...failure, origin: unknown })
  const [only] = await failuresOf(id)
  assert.equal(only.count, 2)
  assert.equal(only.network, null)
})

test('removes the details in which the failures of a row differ', async () => {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const { body: person } = await manager.post('/v1/personnel', { name: 'Ada' })
  const other = { network: origin.network, userAgent: 'Other/2.0' }
  await recordFailure(stopped(0), home.id, { ...failure, userId: person.id })
  await recordFailure(stopped(0), home.id, { ...failure, userId: person.id, origin: other })
  const [same] = await failuresOf(home.id)
  assert.equal(same.reason, 'link_used')
  assert.equal(same.user_id, uuidOf(person.id))
  assert.equal(same.user_agent, null)
  await recordFailure(stopped(0), home.id, { reason: 'link_expired', origin })
  const [mixed] = await failuresOf(home.id)
  assert.deepEqual(mixed, {
    reason: null,
    user_id: null,
    subject_id: null,
    network: origin.network,
    user_agent: null,
    count: 3,
  })
})

test('ignores a workspace that does not exist', async () => {
  const unknown = encodeId('wsp', '01900000-0000-7000-8000-000000000000')
  await recordFailure(host.owner, unknown, failure)
  assert.deepEqual(await failuresOf(unknown), [])
})

test('takes no sequence number', async () => {
  const home = await newWorkspace(host)
  const seqOf = async () => {
    const text = 'select seq from workspace_counters where workspace_id = $1'
    return (await host.sql.query(text, [home.uuid])).rows[0].seq
  }
  const before = await seqOf()
  await recordFailure(host.owner, home.id, failure)
  assert.equal((await failuresOf(home.id)).length, 1)
  assert.equal(await seqOf(), before)
})

test('keeps the newest failures of a workspace, up to the limit', async () => {
  const [home, other] = [await newWorkspace(host), await newWorkspace(host)]
  for (const { uuid } of [home, other]) {
    await host.sql.query(
      `insert into audit_entries (workspace_id, id, type, actor_type, failure_key, occurred_at)
       select $1, gen_random_uuid(), 'sign_in.failed', 'system', 'filled ' || place,
         timestamptz '2026-01-01' + place * interval '1 minute'
       from generate_series(1, $2::integer) as place`,
      [uuid, limits.auditFailuresMax + 20],
    )
  }
  await recordFailure(host.owner, home.id, failure)
  const rows = await failuresOf(home.id)
  assert.equal(rows.length, limits.auditFailuresMax)
  assert.equal(rows.at(-1).reason, 'link_used')
  assert.equal((await failuresOf(other.id)).length, limits.auditFailuresMax + 20)
})
