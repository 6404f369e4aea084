import assert from 'node:assert/strict'
import { test } from 'node:test'

import { atEnd } from '@muster/testing/at-end'

import { administrator } from '#domain/engine/caller'
import type { Listing } from '#domain/engine/listing'
import { listClosedRisks } from '#domain/projects/closed-items'
import { listRegister, summarizeRegister } from '#domain/projects/register'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { uuidOf } from '#storage/values/id'
import { assertNoScan, isRead, openPlans, probe } from '#test/large/plans'
import { longTimeouts } from '#test/support/long-timeouts'
import { size } from '#test/support/size'
import { sentDuring } from '#test/support/statements'
import { newWorkspace, startHost } from '#test/support/workspace'

import { apart, insertPast } from './past-rows.ts'

const [live, closed, states] = [size(300, 10_000), size(900, 90_000), size(4, 20)]

// Rows are inserted with SQL, so derived rows differ from them.
const host = await startHost({ skipsDriftCheck: true })
const home = await newWorkspace(host)
const manager = await home.manager()
const { body: project } = await manager.post('/v1/projects', { code: 'PAST', name: 'Past' })
const { body: risk } = await manager.post(`/v1/projects/${project.id}/risks`, {
  title: 'Uplift under the stilling basin',
  description: 'Drains are clogged; at high water the slab could lift and crack. '.repeat(8),
  likelihood: 3,
  impact: 4,
  metadata: { source: 'workshop' },
})
const workspace = home.uuid
await insertPast(host.sql, { workspace, pattern: uuidOf(risk.id), live, closed, states })

const pool = { url: host.url, role: 'muster_app', max: 2, timeouts: longTimeouts } as const
const database = new Database(createPool(pool), longTimeouts)
atEnd(() => database[Symbol.asyncDispose]())
const caller = administrator(database, home.id)
const plansOf = await openPlans(host.url, home.uuid)

const points = {
  'after the last change': states * apart,
  'after half of the last changes': (states - 1) * apart + apart / 2 + 100,
  'in the middle': Math.floor(states / 2) * apart + 100,
}

/** The row, its last state, and the state with its metadata. Each is found by key. */
const buffersEach = 3 * probe

const readAll = async (list: Listing<object>): Promise<number> => {
  let count = 0
  await list.all(async (items) => {
    count += items.length
  })
  return count
}

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

for (const [when, seq] of Object.entries(points)) {
  const as_of = String(seq)

  test(`the register ${when} reads each state by its key`, async (t) => {
    const sent = await sentDuring(() => readAll(listRegister(caller, { as_of })))
    const read = sent.filter((each) => isRead(each) && each.sql.includes('as kept'))
    const count = await readAll(listRegister(caller, { as_of }))
    let buffers = 0
    for (const { buffers: each, scanned, text, mode } of await plansOf(read)) {
      assertNoScan({ scanned, text })
      if (mode === 'force_generic_plan') buffers += each
    }
    t.diagnostic(`${count} of ${live + closed} risks: ${buffers} buffers`)
    assert.ok(count >= live)
    assert.ok(buffers <= 2 * (live + closed + 1) * buffersEach, `${buffers} buffers`)
  })

  test(`the register ${when} takes a bounded multiple of the live list`, async (t) => {
    const lists = { register: listRegister(caller, {}), past: listRegister(caller, { as_of }) }
    await readAll(lists.past)
    const now = await timeOf(() => readAll(lists.register))
    const then = await timeOf(() => readAll(lists.past))
    t.diagnostic(`live list ${now.toFixed(0)} ms, as of ${then.toFixed(0)} ms`)
    const page = await timeOf(() =>
      listRegister(caller, { as_of }).page({ after: null, limit: 50, countMax: null }),
    )
    const summary = await timeOf(() => summarizeRegister(caller, { as_of }))
    const closedList = await timeOf(() => readAll(listClosedRisks(caller, { as_of })))
    t.diagnostic(
      `page ${page.toFixed(0)}, summary ${summary.toFixed(0)}, closed ${closedList.toFixed(0)} ms`,
    )
    t.diagnostic(`ratio ${(then / now).toFixed(1)}`)
  })
}
