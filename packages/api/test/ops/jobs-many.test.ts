import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { createPool } from '#storage/connection/pool'
import { selectDueSweeps } from '#storage/nouns/sweeps'
import { Database } from '#storage/transaction/database'
import { longTimeouts } from '#test/support/long-timeouts'
import { startProcess } from '#test/support/process'
import { isLong, size } from '#test/support/size'
import { type Host, newWorkspace, startHost } from '#test/support/workspace'

import { countDue, fill, later, slowFlags, startWorkers, stop } from './jobs.ts'

/** Adds workspaces without data, due since midnight. */
async function addEmpty(host: Host, count: number): Promise<void> {
  await host.sql.query(
    `with added as (
       insert into workspaces (id, name, time_zone, created_at, updated_at, sweep_due_at)
       select gen_random_uuid(), 'W' || number, 'UTC', now(), now(), '2040-01-02'
       from generate_series(1, $1::integer) as number returning id)
     insert into workspace_counters (workspace_id, people_max, groups_max, projects_max,
       live_risks_max, open_issues_max, open_tasks_max, keys_max, has_task_states,
       has_search_documents)
     select id, 10, 10, 10, 10, 10, 10, 10, true, true from added`,
    [count],
  )
  await host.sql.query('analyze workspaces; analyze workspace_counters')
}

/** The processor time of a process, in seconds. */
function cpuOf(pid = 0): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const many = size(400, 10_000)

test(`sweeps ${many} workspaces at midnight, also while one has much to do`, async (t) => {
  const host = await startHost()
  await fill(host, 1, 50)
  await addEmpty(host, many)
  // The large workspace takes longer than all others together, and several turns.
  await host.sql.query(slowFlags(size(0.3, 2)))
  const workers = await startWorkers(host, 2)
  const began = performance.now()
  const used = () => workers.reduce((sum, { pid }) => sum + cpuOf(pid), 0)
  const before = used()
  while ((await countDue(host)) > 1) await sleep(50)
  const seconds = (performance.now() - began) / 1000
  const large = await countDue(host)
  t.diagnostic(`${seconds.toFixed(1)} s (bound 120), ${(used() - before).toFixed(1)} s CPU (60)`)
  assert.equal(large, 1, 'the large workspace, which came first, is the last')
  while ((await countDue(host)) > 0) await sleep(50)
  await Promise.all(workers.map(stop))
})

const crowd = size(100_000, 1_000_000)

test(`finds due workspaces among ${crowd} by an index`, async (t) => {
  const host = await startHost()
  await addEmpty(host, crowd)
  const pool = createPool({ url: host.url, role: 'muster_app', max: 1, timeouts: longTimeouts })
  await using database = new Database(pool)
  const look = async (time: string) => {
    const began = performance.now()
    const due = await database.ask((db) =>
      selectDueSweeps(db, { after: null, limit: 1000, time: new Date(time) }),
    )
    return { found: due.length, ms: Math.round(performance.now() - began) }
  }
  await look('2039-01-01')
  const [none, some] = [await look('2039-01-01'), await look(later)]
  assert.deepEqual([none.found, some.found], [0, 1000])
  t.diagnostic(`none due ${none.ms} ms, a page of due ones ${some.ms} ms (bound 100)`)
  const { rows } = await host.sql.query(`
    explain (analyze, buffers, format json)
    select w.id from workspaces w
    where w.sweep_due_at <= '2039-01-01'
      and (w.sweep_due_at, w.id) > ('-infinity', '00000000-0000-0000-0000-000000000000')
    order by w.sweep_due_at, w.id limit 1000`)
  const buffers = rows[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks']
  assert.ok(buffers <= 10, `${buffers} buffers`)
})

test('idle workers cost little', { skip: !isLong && 'only with --long' }, async (t) => {
  const host = await startHost()
  await newWorkspace(host)
  const seconds = 60
  const measure = async (workers: 'on' | 'off') => {
    const services = await Promise.all(
      Array.from({ length: 3 }, () => startProcess(host.url, { WORKERS: workers })),
    )
    await sleep(3000)
    const used = () => services.reduce((sum, { process: { pid } }) => sum + cpuOf(pid), 0)
    const before = used()
    await sleep(seconds * 1000)
    const share = (100 * (used() - before)) / seconds
    for (const { process } of services) process.kill('SIGTERM')
    return share.toFixed(1)
  }
  const [on, off] = [await measure('on'), await measure('off')]
  t.diagnostic(`three processes: ${on} % of a core, without workers ${off} % (bound 3)`)
})
