import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { atEnd } from '@muster/testing/at-end'

import { Sweeper, type SweepOptions } from '#domain/workspace/sweep'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { longTimeouts } from '#test/support/long-timeouts'
import { startProcess } from '#test/support/process'
import { allDue, sweepDue } from '#test/support/sweep'
import { metricsOf } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const homes = await Promise.all(Array.from({ length: 6 }, () => newWorkspace(host)))
const byId = homes.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1))
const [lowest, ...others] = byId
assert.ok(lowest)

/** Half of the pool is for sweeping: `max: 2` sweeps one workspace at a time. */
function databaseOf(max: number): Database {
  const database = new Database(
    createPool({ url: host.url, role: 'muster_app', max, timeouts: longTimeouts }),
  )
  atEnd(() => database[Symbol.asyncDispose]())
  return database
}
const serial = databaseOf(2)

async function sweepAll(database: Database, options: SweepOptions = {}) {
  await host.sql.query(allDue)
  return sweepDue(new Sweeper(database), { ...options, parallel: 4 })
}

async function sweptIds(): Promise<string[]> {
  const { rows } = await host.sql.query(
    'select id from workspaces where sweep_due_at > now() order by id',
  )
  return rows.map(({ id }) => id)
}

const uuids = (workspaces: readonly { uuid: string }[]) => workspaces.map(({ uuid }) => uuid)

/** Runs this PL/pgSQL whenever a workspace is recorded as swept, until the test ends. */
async function beforeRecording(t: TestContext, body: string): Promise<void> {
  const drop = 'drop trigger if exists on_sweep on workspaces; drop function if exists on_sweep'
  await host.sql.query(`
    create function on_sweep() returns trigger language plpgsql
      as $$ begin ${body} return new; end $$;
    create trigger on_sweep before update of sweep_due_at on workspaces
      for each row when (new.sweep_due_at > now()) execute function on_sweep();
    grant execute on function on_sweep to muster_app`)
  t.after(() => host.sql.query(drop))
}

const failLowest = `
  if new.id = '${lowest.uuid}' then raise exception 'no sweep for this one'; end if;`

test('logs and counts a failing workspace, and sweeps all others', async (t) => {
  await beforeRecording(t, failLowest)
  const service = await startProcess(host.url, { SWEEP_SECONDS: '1' })
  const until = async (isDone: () => Promise<boolean>) => {
    for (let tries = 0; tries < 100 && !(await isDone()); tries++) await sleep(100)
  }
  await until(async () => (await sweptIds()).length === others.length)
  assert.deepEqual(await sweptIds(), uuids(others))
  await until(async () => service.log().includes('a job failed'))
  const line =
    service
      .log()
      .split('\n')
      .find((each) => each.includes('a job failed')) ?? '{}'
  const { level, queue, id, err } = JSON.parse(line)
  assert.deepEqual([level, queue, id, err?.causes[0]?.code], [50, 'sweep', lowest.id, 'P0001'])
  const metrics = await metricsOf(service.base)
  assert.ok((metrics['muster_sweep_failures_total'] ?? 0) >= 1)
  assert.equal(metrics['muster_sweep_workspaces_total'], others.length)
  const age = Date.now() / 1000 - (metrics['muster_worker_last_look_timestamp_seconds'] ?? 0)
  assert.ok(age >= 0 && age < 60, `the worker last looked ${age} s ago`)
  assert.equal(metrics['muster_worker_up'], 1)

  await host.sql.query('drop trigger on_sweep on workspaces')
  await until(async () => (await sweptIds()).length === homes.length)
  assert.deepEqual(await sweptIds(), uuids(byId), 'a later sweep retries it')
  service.process.kill('SIGTERM')
  await new Promise((resolve) => service.process.once('exit', resolve))
})

test('limits an unknown time zone to its own workspace', async (t) => {
  const setZone = (zone: string) =>
    host.sql.query('update workspaces set time_zone = $2 where id = $1', [lowest.uuid, zone])
  await setZone('Mars/Olympus')
  t.after(() => setZone('UTC'))
  const unknown: string[] = []
  const onUnknownZone = (workspaceId: string) => unknown.push(workspaceId)
  const swept = await sweepAll(serial, { onUnknownZone })
  assert.deepEqual(swept, { workspaces: homes.length, items: 0, failures: [] })
  assert.deepEqual(unknown, [lowest.id])

  const manager = await lowest.manager()
  const { body: project } = await manager.post('/v1/projects', { code: 'MARS', name: 'Mars' })
  const issue = { title: 'Dust', severity: 1, due_on: '2020-01-01' }
  const added = await manager.post(`/v1/projects/${project.id}/issues`, issue)
  assert.deepEqual([added.status, added.body.flags], [201, ['overdue']])
  const read = await manager.get('/v1/issues')
  assert.deepEqual([read.status, read.body.data.length], [200, 1])
  const repaired = await manager.send('PATCH', '/v1/workspace', { body: { time_zone: 'UTC' } })
  assert.equal(repaired.status, 200, repaired.text)
})

test('sweeps several workspaces concurrently', async (t) => {
  // A session lock marks each connection that arrives here. Each waits for another one.
  await beforeRecording(
    t,
    `perform pg_advisory_lock_shared(1500150015);
     for tries in 1..2000 loop
       if (select count(distinct pid) > 1 from pg_locks
           where locktype = 'advisory' and objid = 1500150015 and database =
             (select oid from pg_database where datname = current_database()))
       then return new; end if;
       perform pg_sleep(0.01);
     end loop;
     raise exception 'no other workspace is being swept';`,
  )
  const swept = await sweepAll(databaseOf(4))
  assert.deepEqual(swept, { workspaces: homes.length, items: 0, failures: [] })
})

test('deletes expired idempotency records of a workspace without writes', async () => {
  const manager = await lowest.manager()
  const headers = { 'idempotency-key': 'recent' }
  const added = await manager.send('POST', '/v1/personnel', { body: { name: 'Ada' }, headers })
  assert.equal(added.status, 201, added.text)
  await host.sql.query(
    `insert into idempotency_records
       (workspace_id, digest, fingerprint, seq, result, is_personal, created_at)
     select workspace_id, sha256(number::text::bytea), fingerprint, seq, result, is_personal,
       now() - interval '25 hours'
     from idempotency_records, generate_series(1, 1200) as number where workspace_id = $1`,
    [lowest.uuid],
  )
  assert.deepEqual((await sweepAll(serial)).failures, [])
  const { rows } = await host.sql.query(
    `select created_at > now() - interval '24 hours' as is_recent from idempotency_records
     where workspace_id = $1`,
    [lowest.uuid],
  )
  assert.deepEqual(rows, [{ is_recent: true }])
})

test('deletes audit entries that are older than 400 days', async () => {
  await host.sql.query(
    `insert into audit_entries (workspace_id, id, type, actor_type, occurred_at)
     select $1, gen_random_uuid(), 'key.created', 'system', now() - make_interval(days => age)
     from unnest(array[399, 401]) as age, generate_series(1, 600)`,
    [lowest.uuid],
  )
  assert.deepEqual((await sweepAll(serial)).failures, [])
  const { rows } = await host.sql.query(
    `select count(*) filter (where occurred_at > now() - interval '400 days')::int as recent,
       count(*) filter (where occurred_at <= now() - interval '400 days')::int as old
     from audit_entries where workspace_id = $1 and actor_type = 'system'`,
    [lowest.uuid],
  )
  assert.deepEqual(rows, [{ recent: 600, old: 0 }])
})
