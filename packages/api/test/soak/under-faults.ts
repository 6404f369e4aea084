import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'

import { scopes } from '@muster/contract'
import type { Client } from 'pg'

import { findDrift } from '#test/drift/drift'
import { checkNumbers } from '#test/soak/checks/numbers'
import { checkWrites, type StoredRow } from '#test/soak/checks/writes'
import { connect } from '#test/support/database'
import { type Host, newWorkspace } from '#test/support/workspace'

import { type KeyedWrite, type KeyedRequest, writeKeyed } from './keyed.ts'
import { chance, pick, soakMs, untilEnough } from './length.ts'
import { committedEvents } from './record.ts'
import { assertHolds } from './verdict.ts'

const clients = 16

export interface Faults {
  readonly host: Host
  /** The current base URLs of the service. */
  readonly bases: () => readonly string[]
  /** Injects a fault and resolves when it is over. */
  readonly inject: (next: () => number) => Promise<void>
  /** The name of the fault, for output. */
  readonly fault: string
  /** What the faults must cause at least once: a write in doubt, or one that is sent again. */
  readonly effect: (write: KeyedWrite) => boolean
}

export interface Outcome {
  /** Writes whose outcome was unknown at least once. */
  readonly doubted: number
  /** Those of them that had been committed. */
  readonly committed: number
  /** Writes that were sent more than once. */
  readonly retried: number
}

/**
 * 16 clients write with idempotency keys while faults are injected. Afterwards every acknowledged
 * write is stored exactly once, nothing else is stored, and derived data is consistent.
 */
export async function writeUnderFaults(t: TestContext, faults: Faults): Promise<Outcome> {
  const { host, bases, inject, fault, effect } = faults
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const project = await manager.post('/v1/projects', { code: 'SOAK', name: 'Soak' })
  await manager.post('/v1/personnel', { name: 'Taken', email: taken })
  const { token } = await home.issue({ scopes })

  const injected = { count: 0 }
  const ended: KeyedWrite[] = []
  const isOver = untilEnough(soakMs, () => injected.count > 0 && ended.some(effect))
  const injecting = (async () => {
    const next = chance(clients)
    for (; !isOver(); injected.count++) await inject(next)
  })()
  const writing = Array.from({ length: clients }, async (_, client) => {
    // Separate generators: the number of attempts varies, but a seed must repeat the same requests.
    const [next, turn] = [chance(client), chance(1000 + client)]
    const base = () => pick(bases(), turn)
    for (let index = 0; !isOver(); index++) {
      const marker = `marker-${client}-${index}`
      ended.push(await writeKeyed({ token, base }, requestOf(marker, project.body.id, next)))
    }
  })
  await Promise.all([...writing, injecting])

  const made = ended.filter(({ version }) => version !== null)
  const doubted = ended.filter(({ doubts }) => doubts > 0)
  const committed = doubted.filter(({ isReplay }) => isReplay)
  t.diagnostic(
    `${injected.count} ${fault}; ${made.length} acknowledged, ${ended.length - made.length} refused; ` +
      `${doubted.length} in doubt, of which ${committed.length} were committed`,
  )
  const codes = new Set(ended.map(({ code }) => code))
  assert.deepEqual(codes, new Set([null, 'email_taken']), 'only duplicate emails are refused')
  assert.ok(made.length > 0, 'writes were made')
  assert.ok(ended.some(effect), 'the faults had an effect')
  const sql = await connect(host.url)
  assertHolds(checkWrites(ended, await storedRows(sql, home.uuid)))
  const { events, counter } = await committedEvents(sql, home.uuid)
  assertHolds(checkNumbers(events, counter))
  assert.deepEqual(await findDrift(sql, { workspace: home.uuid }), [], 'no drift')
  await sql.end()
  const retried = ended.filter(({ tries }) => tries > 1).length
  return { doubted: doubted.length, committed: committed.length, retried }
}

const taken = 'taken@example.com'

/** A random create request with the marker in its text. 1 in 10 is refused. */
function requestOf(marker: string, projectId: string, next: () => number): KeyedRequest {
  const project = `/v1/projects/${projectId}`
  const risk = { title: marker, likelihood: 1 + Math.floor(next() * 5), impact: 3 }
  const kinds = [
    { path: '/v1/personnel', body: { name: marker }, rows: 1 },
    { path: `${project}/risks`, body: risk, rows: 1 },
    { path: `${project}/issues`, body: { title: marker, severity: 3 }, rows: 1 },
    { path: `${project}/tasks`, body: { title: marker }, rows: 1 },
    { path: `${project}/risks/batch`, body: { data: [risk, risk, risk] }, rows: 3 },
  ]
  const refused = { path: '/v1/personnel', body: { name: marker, email: taken }, rows: 1 }
  return { marker, ...(next() < 0.1 ? refused : pick(kinds, next)) }
}

async function storedRows(sql: Client, workspaceId: string): Promise<StoredRow[]> {
  const { rows } = await sql.query<StoredRow>(
    `select marker, version::int from (
       select workspace_id, name as marker, version from people
       union all select workspace_id, title, version from risks
       union all select workspace_id, title, version from issues
       union all select workspace_id, title, version from tasks
     ) as item where workspace_id = $1 and marker like 'marker-%'`,
    [workspaceId],
  )
  return rows
}
