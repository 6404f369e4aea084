import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'

import { scopes } from '@muster/contract'
import type { Client } from 'pg'

import { connect } from '#test/database'
import { findDrift } from '#test/drift'
import { type Host, newWorkspace } from '#test/workspace'

import { checkNumbers } from './check-numbers.ts'
import { checkWrites, type Found } from './check-writes.ts'
import { type KeyedWrite, type Wish, writeKeyed } from './keyed.ts'
import { chance, pick, soakMs } from './length.ts'
import { committedEvents } from './record.ts'
import { assertHolds } from './verdict.ts'

const clients = 16

export interface Faults {
  readonly host: Host
  /** Where the service is to be found now. */
  readonly bases: () => readonly string[]
  /** Does something bad, and is over when it is good again. */
  readonly strike: (next: () => number) => Promise<void>
  readonly what: string
}

export interface Outcome {
  /** How many writes were in doubt at least once, */
  readonly doubted: number
  /** and how many of these had been made. */
  readonly landed: number
  /** How many had to be sent more than once. */
  readonly heldUp: number
}

/**
 * Clients write, each write with its key, while one bad thing happens after another. In the end
 * every write that was acknowledged is there once, nothing else is, and all agrees with itself.
 */
export async function writeUnderFaults(t: TestContext, faults: Faults): Promise<Outcome> {
  const { host, bases, strike, what } = faults
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const project = await manager.post('/v1/projects', { code: 'SOAK', name: 'Soak' })
  await manager.post('/v1/personnel', { name: 'Taken', email: taken })
  const { token } = await home.issue({ scopes })

  const end = performance.now() + soakMs
  const strikes = { count: 0 }
  const striking = (async () => {
    const next = chance(clients)
    for (; performance.now() < end; strikes.count++) await strike(next)
  })()
  const writing = Array.from({ length: clients }, async (_, client) => {
    // Who is asked depends on how often; what is wished for must not, or no seed could repeat it.
    const [next, turn] = [chance(client), chance(1000 + client)]
    const ended: KeyedWrite[] = []
    const base = () => pick(bases(), turn)
    for (let index = 0; performance.now() < end; index++) {
      const mark = `mark-${client}-${index}`
      ended.push(await writeKeyed({ token, base }, wishOf(mark, project.body.id, next)))
    }
    return ended
  })
  const ended = (await Promise.all(writing)).flat()
  await striking

  const made = ended.filter(({ version }) => version !== null)
  const doubted = ended.filter(({ doubts }) => doubts > 0)
  const landed = doubted.filter(({ isReplay }) => isReplay)
  t.diagnostic(
    `${strikes.count} ${what}; ${made.length} acknowledged, ${ended.length - made.length} refused; ` +
      `${doubted.length} in doubt, of which ${landed.length} had been made`,
  )
  const codes = new Set(ended.map(({ code }) => code))
  assert.deepEqual(codes, new Set([null, 'email_taken']), 'nothing was refused but what had to be')
  assert.ok(strikes.count > 0 && made.length > 0, 'something was at stake')
  const sql = await connect(host.url)
  assertHolds(checkWrites(ended, await marksIn(sql, home.uuid)))
  const { events, counter } = await committedEvents(sql, home.uuid)
  assertHolds(checkNumbers(events, counter))
  assert.deepEqual(await findDrift(sql, { workspace: home.uuid }), [], 'no row is an orphan')
  await sql.end()
  const heldUp = ended.filter(({ tries }) => tries > 1).length
  return { doubted: doubted.length, landed: landed.length, heldUp }
}

const taken = 'taken@example.com'

/** Something new that bears the mark; one of ten is refused. */
function wishOf(mark: string, projectId: string, next: () => number): Wish {
  const project = `/v1/projects/${projectId}`
  const risk = { title: mark, likelihood: 1 + Math.floor(next() * 5), impact: 3 }
  const kinds = [
    { path: '/v1/personnel', body: { name: mark }, rows: 1 },
    { path: `${project}/risks`, body: risk, rows: 1 },
    { path: `${project}/issues`, body: { title: mark, severity: 3 }, rows: 1 },
    { path: `${project}/tasks`, body: { title: mark }, rows: 1 },
    { path: `${project}/risks/batch`, body: { data: [risk, risk, risk] }, rows: 3 },
  ]
  const refused = { path: '/v1/personnel', body: { name: mark, email: taken }, rows: 1 }
  return { mark, ...(next() < 0.1 ? refused : pick(kinds, next)) }
}

async function marksIn(sql: Client, workspaceId: string): Promise<Found[]> {
  const { rows } = await sql.query<Found>(
    `select mark, version::int from (
       select workspace_id, name as mark, version from people
       union all select workspace_id, title, version from risks
       union all select workspace_id, title, version from issues
       union all select workspace_id, title, version from tasks
     ) as item where workspace_id = $1 and mark like 'mark-%'`,
    [workspaceId],
  )
  return rows
}
