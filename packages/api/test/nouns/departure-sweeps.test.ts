import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { uuidOf } from '#storage/values/id'
import { addPerson, giveRole, signInByLink } from '#test/auth/people'
import { code } from '#test/nouns/assigned-work'
import type { Json } from '#test/support/client'
import { connect } from '#test/support/database'
import { startHost } from '#test/support/workspace'

import { setup, startClock } from './departures.ts'

const host = await startHost()
const clocked = await startClock(host)

const fri = '2025-11-28'
const afterFri = '2025-11-29T00:01:00Z'

async function isDue(uuid: string): Promise<boolean> {
  const { rows } = await host.sql.query(
    `select sweep_due_at = '-infinity' as is_due from workspaces where id = $1`,
    [uuid],
  )
  return rows[0].is_due
}

/** Waits until this number of transactions of the database wait for a lock. */
async function waitForLocks(count: number): Promise<void> {
  for (;;) {
    const { rows } = await host.sql.query(
      `select count(*)::int from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows[0].count >= count) return
    await sleep(5)
  }
}

for (const first of ['cancel', 'sweep'] as const) {
  test(`of a cancellation and a sweep at once, the ${first} comes first and decides`, async () => {
    const { depart, view, plan, history, ...scene } = await setup(clocked)
    const { manager, planPath, sweepAt, uuid, ada } = scene
    await depart({ departs_on: fri })
    const acts = {
      cancel: () => manager.send('DELETE', planPath),
      sweep: () => sweepAt(afterFri).then(() => null),
    }
    const blocker = await connect(host.url)
    await blocker.query('begin')
    await blocker.query('select from people where workspace_id = $1 and id = $2 for update', [
      uuid,
      uuidOf(ada),
    ])
    const started = acts[first]()
    await waitForLocks(1)
    const other = acts[first === 'cancel' ? 'sweep' : 'cancel']()
    await waitForLocks(2)
    await blocker.query('commit')
    await blocker.end()
    const cancelled = (await started) ?? (await other)
    await other
    const isDeparted = first === 'sweep'
    assert.equal(cancelled?.status, isDeparted ? 404 : 200)
    assert.equal((await view()).status, isDeparted ? 'departed' : 'active')
    assert.equal(await plan(), null)
    assert.equal((await history()).length, isDeparted ? 2 : 1)
  })
}

test('two processes at once carry each departure out once', async () => {
  const { make, manager, id } = await setup(clocked)
  const people: string[] = []
  for (let index = 0; index < 5; index += 1) {
    people.push((await make('/v1/personnel', { name: `P${index}` })).id)
    await make(`/v1/personnel/${people.at(-1)}/depart`, { departs_on: fri })
  }
  clocked.clock.now = new Date(afterFri)
  const sweepers = [clocked.sweeper, clocked.newSweeper()]
  await Promise.all(sweepers.map((sweeper) => sweeper.sweepWorkspace(id)))
  for (const userId of people) {
    const { data } = (await manager.get(`/v1/personnel/${userId}/history`)).body
    assert.deepEqual(
      data.map(({ type }: Json) => type),
      ['person.created', 'person.departed'],
    )
  }
})

test('a crash leaves nothing, an error in one departure does not stop the others', async () => {
  const { make, manager, id, ada, depart, view, plan, uuid } = await setup(clocked)
  const cy = await make('/v1/personnel', { name: 'Cy' })
  await depart({ departs_on: '2025-11-27' })
  await make(`/v1/personnel/${cy.id}/depart`, { departs_on: fri })
  const before = await view()
  await host.sql.query(
    `create function muster.crash() returns trigger language plpgsql as $$
     begin
       if old.departs_on = '2025-11-27' then raise exception 'crash'; end if;
       return old;
     end $$;
     create trigger crash before delete on departures
       for each row execute function muster.crash()`,
  )
  clocked.clock.now = new Date(afterFri)
  try {
    await assert.rejects(clocked.sweeper.sweepWorkspace(id))
  } finally {
    await host.sql.query('drop function muster.crash cascade')
  }
  assert.deepEqual(await view(), before, 'all statements are rolled back')
  assert.equal((await plan()).refusal, null)
  assert.equal((await view(cy.id)).status, 'departed')
  assert.equal(await isDue(uuid), true, 'the workspace stays due')
  await clocked.sweeper.sweepWorkspace(id)
  assert.equal((await manager.get(`/v1/personnel/${ada}`)).body.status, 'departed')
})

test('a sweep carries out at most 50 departures of a workspace, and the next one the rest', async () => {
  const { make, manager, id, uuid, sweepAt } = await setup(clocked)
  const rows = Array.from({ length: 55 }, (_, index) => ({ name: `P${index}` }))
  const { data } = await make('/v1/personnel/batch', { data: rows })
  for (const person of data) await make(`/v1/personnel/${person.id}/depart`, { departs_on: fri })
  const left = async () => (await manager.get('/v1/departures')).body.data.length
  await sweepAt(afterFri)
  assert.deepEqual([await left(), await isDue(uuid)], [5, true])
  await clocked.sweeper.sweepWorkspace(id)
  assert.deepEqual([await left(), await isDue(uuid)], [0, false])
})

test('a workspace has at most 1000 planned departures', async () => {
  const { depart, uuid, ada, make, manager } = await setup(clocked)
  await depart({ departs_on: fri })
  const rows = Array.from({ length: 1000 }, (_, index) => ({ name: `P${index}` }))
  await make('/v1/personnel/batch', { data: rows })
  await host.sql.query(
    `insert into departures select d.workspace_id, p.id, d.departs_on, null, 'keep', null,
       d.planned_by_type, d.planned_by_id, null, d.planned_at
     from departures d join people p using (workspace_id)
     where workspace_id = $1 and p.name like 'P%' order by p.id limit 999`,
    [uuid],
  )
  assert.equal((await manager.get('/v1/departures')).body.data.length, 1000)
  const last = await make('/v1/personnel', { name: 'Last' })
  const more = manager.post(`/v1/personnel/${last.id}/depart`, { departs_on: fri })
  assert.equal(await code(more), '403 quota_exceeded')
  assert.equal(await code(manager.post(`/v1/personnel/${ada}/depart`, { departs_on: fri })), '200')
  await host.sql.query('delete from departures where workspace_id = $1', [uuid])
})

test('signing in works until the day ends, and not after it', async () => {
  const scene = await setup(clocked)
  const { manager, ada, depart, sweepAt } = scene
  await addPerson(manager, { name: 'Root', role: 'admin' })
  await giveRole(manager, { role: 'reader', user_id: ada })
  const browser = await signInByLink(manager, ada)
  await depart({ departs_on: fri })
  await sweepAt('2025-11-28T23:59:00Z')
  assert.equal((await browser.get('/v1/whoami')).status, 200)
  await sweepAt(afterFri)
  assert.equal((await browser.get('/v1/whoami')).status, 401)
})
