import { randomUUID } from 'node:crypto'

import { system } from '#domain/caller'
import { saveIssue, settled as settledIssue } from '#domain/issues'
import { holdForItems } from '#domain/projects'
import { saveRisk, settled as settledRisk } from '#domain/risks'
import { later } from '#domain/time'
import { selectCounters } from '#storage/counters'
import type { Database, Write } from '#storage/database'
import { lockIssues } from '#storage/issues'
import { lockExpiringKeys, updateKey } from '#storage/keys'
import { dropLease, takeLease } from '#storage/leases'
import { selectMoment } from '#storage/moment'
import { lockRisks } from '#storage/risks'
import {
  selectDueWorkspaces,
  selectStaleIssues,
  selectStaleRisks,
  type Stale,
  upsertSweep,
} from '#storage/sweeps'

const workspacesAtOnce = 100
const itemsAtOnce = 200
const leaseSeconds = 15

/** What a sweep came to. */
export interface Swept {
  readonly workspaces: number
  readonly items: number
}

/**
 * Makes writes of what turned true with time, in every workspace whose day has begun. One process
 * does so at a time, by a lease; when it dies, another goes on. It cannot do harm twice: what is
 * flagged as it should be is left alone.
 */
export class Sweeper {
  readonly #database: Database
  readonly #lease = { name: 'sweeper', holder: randomUUID() }

  constructor(database: Database) {
    this.#database = database
  }

  /** Null when another process holds the lease. */
  async sweep(signal?: AbortSignal): Promise<Swept | null> {
    if (!(await this.#isHolder())) return null
    const swept = { workspaces: 0, items: 0 }
    let after: string | null = null
    for (;;) {
      const due = await this.#dueAfter(after)
      for (const workspaceId of due) {
        swept.items += await this.#sweepWorkspace(workspaceId, signal)
        swept.workspaces += 1
        if (signal?.aborted || !(await this.#isHolder())) return swept
      }
      after = due.at(-1) ?? null
      if (due.length < workspacesAtOnce) return swept
    }
  }

  /** Lets another process go on at once. */
  async stop(): Promise<void> {
    await this.#database.ask((db) => dropLease(db, this.#lease))
  }

  #isHolder(): Promise<boolean> {
    return this.#database.ask((db) => takeLease(db, { ...this.#lease, seconds: leaseSeconds }))
  }

  #dueAfter(after: string | null): Promise<string[]> {
    const time = this.#database.givenTime
    return this.#database.ask((db) =>
      selectDueWorkspaces(db, { after, limit: workspacesAtOnce, time }),
    )
  }

  async #sweepWorkspace(workspaceId: string, signal?: AbortSignal): Promise<number> {
    const database = this.#database
    const [{ today }, { projects_seq: projectsSeq }] = await database.read(
      { workspaceId },
      (read) => Promise.all([selectMoment(read, database.givenTime), selectCounters(read)]),
    )
    const ask = { today, limit: itemsAtOnce }
    let items = 0
    for (const [find, flag] of [
      [selectStaleRisks, flagRisks],
      [selectStaleIssues, flagIssues],
    ] as const) {
      for (;;) {
        const stale = await database.read({ workspaceId }, (read) => find(read, ask))
        for (const [projectId, ids] of byProject(stale)) {
          await database.write(system(database, workspaceId), (write) =>
            flag(write, projectId, ids),
          )
        }
        items += stale.length
        if (stale.length < itemsAtOnce) break
        if (signal?.aborted || !(await this.#isHolder())) return items
      }
    }
    await database.write(system(database, workspaceId), tellExpiring)
    await database.aside({ workspaceId }, (read) => upsertSweep(read, { today, projectsSeq }))
    return items
  }
}

function byProject(stale: readonly Stale[]): Map<string, string[]> {
  const grouped = Map.groupBy(stale, ({ projectId }) => projectId)
  return new Map([...grouped].map(([projectId, items]) => [projectId, items.map(({ id }) => id)]))
}

/** A week, and the day until the next sweep. */
const warningDays = 8

/** Tells once of every key that is about to expire, while there is time to rotate it. */
async function tellExpiring(write: Write): Promise<void> {
  const soon = later(write.now, warningDays, 'days')
  for (const key of await lockExpiringKeys(write, soon)) {
    updateKey(write, key, { ...key, is_expiry_told: true })
    const data = { expires_at: key.expires_at }
    write.record({ type: 'key.expiring', subject: key.id, data })
  }
}

/** Whoever was faster has flagged them already; then nothing is left to do here. */
async function flagRisks(write: Write, projectId: string, ids: readonly string[]): Promise<void> {
  const project = await holdForItems(write, projectId)
  for (const before of await lockRisks(write, projectId, ids)) {
    const after = settledRisk(before, { write, project })
    saveRisk(write, { before, after, type: 'risk.flagged' })
  }
}

async function flagIssues(write: Write, projectId: string, ids: readonly string[]): Promise<void> {
  await holdForItems(write, projectId)
  for (const before of await lockIssues(write, projectId, ids)) {
    saveIssue(write, { before, after: settledIssue(before, write), type: 'issue.flagged' })
  }
}
