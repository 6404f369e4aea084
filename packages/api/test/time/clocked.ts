import assert from 'node:assert/strict'

import type { TrendPoint } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { Sweeper } from '#domain/workspace/sweep'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { Client, type Json } from '#test/support/client'
import { longTimeouts } from '#test/support/long-timeouts'
import { sweepDue } from '#test/support/sweep'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

/** A service whose clock a test moves, and the sweeps of that time. */
export async function startClocked(start: string, skipsDriftCheck = false) {
  const host = await startHost({ skipsDriftCheck })
  const clock = { now: new Date(start) }
  const base = await listen(host.url, { clock: () => clock.now })
  const pool = createPool({ url: host.url, role: 'muster_app', max: 4, timeouts: longTimeouts })
  const database = new Database(pool, { clock: () => clock.now })
  atEnd(() => database[Symbol.asyncDispose]())
  const sweep = async () => {
    const { failures } = await sweepDue(new Sweeper(database))
    assert.deepEqual(failures, [])
  }
  return { host, base, clock, database, sweep }
}

export type Clocked = Awaited<ReturnType<typeof startClocked>>

/** A new workspace whose first change is at the time of the clock. */
export async function newHome({ host, base, clock }: Clocked, timeZone: string) {
  const workspace = await newWorkspace({ ...host, owner: host.owner.withClock(() => clock.now) })
  await host.sql.query('update workspaces set time_zone = $2 where id = $1', [
    workspace.uuid,
    timeZone,
  ])
  const { token } = await workspace.manager()
  const manager = new Client(base, token)
  const send = async (method: string, path: string, body: object): Promise<Json> => {
    const reply = await manager.send(method, path, { body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
    return reply.body
  }
  const read = async (path: string, by = manager): Promise<Json> => {
    const reply = await by.get(path)
    assert.equal(reply.status, 200, `${path}: ${reply.text}`)
    return reply.body
  }
  const points = async (query: string, by = manager): Promise<TrendPoint[]> =>
    (await read(`/v1/trend?${query}`, by)).points
  return { ...workspace, client: manager, send, read, points }
}

export type Home = Awaited<ReturnType<typeof newHome>>

/** The counts of a point. */
export type Counts = Omit<TrendPoint, 'day' | 'is_closed'>

const levelOf = (score: number) =>
  score <= 5 ? 'low' : score <= 11 ? 'medium' : score <= 19 ? 'high' : 'critical'

/** Counts the lists as they are now, of all projects or of one. What happened is not in them. */
export async function countLists({ read }: Home, today: string, project?: string) {
  const of = project === undefined ? '' : `&project_id=${project}`
  const { data: risks } = await read(`/v1/risks?format=json${of}`)
  const { data: issues } = await read(`/v1/issues?format=json${of}`)
  const { data: tasks } = await read(`/v1/tasks?status=todo,in_progress,blocked${of}`)
  const zero = () => ({ low: 0, medium: 0, high: 0, critical: 0 })
  const [by_level, exposure_by_level] = [zero(), zero()]
  for (const { score } of risks) {
    by_level[levelOf(score)] += 1
    exposure_by_level[levelOf(score)] += score
  }
  const flagged = (items: Json[], flag: string): Json[] =>
    items.filter(({ flags }) => flags.includes(flag))
  const above = flagged(risks, 'above_appetite')
  return {
    live_risks: risks.length,
    exposure: risks.reduce((sum: number, { score }: Json) => sum + score, 0),
    by_level,
    exposure_by_level,
    above_appetite: above.length,
    above_appetite_accepted: above.filter(
      ({ response, flags }) => response === 'accept' && !flags.includes('acceptance_expired'),
    ).length,
    reviews_overdue: flagged(risks, 'review_overdue').length,
    issues_open: issues.length,
    issues_overdue: flagged(issues, 'overdue').length,
    tasks_open: tasks.length,
    tasks_overdue: tasks.filter(({ due_on }: Json) => due_on !== null && due_on < today).length,
  }
}

export const noFlows = {
  entered: 0,
  left: 0,
  occurred: 0,
  issues_opened: 0,
  issues_closed: 0,
  tasks_done: 0,
}
