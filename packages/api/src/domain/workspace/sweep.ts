import { randomUUID } from 'node:crypto'

import { system } from '#domain/caller'
import { saveIssue, settled as settledIssue } from '#domain/issues'
import { holdForItems } from '#domain/projects'
import { saveRisk, settled as settledRisk } from '#domain/risks'
import { later } from '#domain/time'
import { selectCounters } from '#storage/counters'
import type { Database, Read, Write } from '#storage/database'
import { deleteOldRecords, hasOldRecords } from '#storage/idempotency'
import { lockIssues } from '#storage/issues'
import { hasExpiringKeys, lockExpiringKeys, updateKey } from '#storage/keys'
import { dropLease, takeLease } from '#storage/leases'
import { instantOf, selectMoment } from '#storage/moment'
import { lockRisks } from '#storage/risks'
import {
  selectDueWorkspaces,
  selectStaleIssues,
  selectStaleRisks,
  type Stale,
  upsertSweep,
} from '#storage/sweeps'

const workspacesPerPage = 1000
/** How many workspaces are swept in parallel, if the pool is large enough. */
const parallelMax = 4
const itemsAtOnce = 200
const recordsAtOnce = 500
const leaseSeconds = 15
const renewEveryMs = 1000

/** The result of one sweep. */
export interface Swept {
  readonly workspaces: number
  readonly items: number
  /** Workspaces that could not be swept. The next sweep tries them again. */
  readonly failures: number
}

/** The sum of all sweeps of this process. */
export interface SweepTotals {
  readonly workspaces: number
  readonly failures: number
  /** When the last sweep of this process ended, in milliseconds; null before the first. */
  readonly lastAt: number | null
}

export interface SweepOptions {
  readonly signal?: AbortSignal
  readonly onFailure?: (workspaceId: string, error: unknown) => void
  /** The server does not know the time zone of the workspace, so its day is the day in UTC. */
  readonly onUnknownZone?: (workspaceId: string) => void
}

/**
 * Brings flags up to date in every workspace whose day has begun, announces keys that expire soon
 * and deletes expired idempotency records. A lease lets one process do so at a time; when it dies,
 * another takes over. Sweeping twice is harmless: correct flags are left alone.
 *
 * An error in one workspace does not stop the others. The workspace stays due, and the next sweep
 * tries it after all others: workspaces that fail slowly cannot delay the rest.
 */
export class Sweeper {
  readonly #database: Database
  readonly #lease = { name: 'sweeper', holder: randomUUID() }
  readonly #totals = { workspaces: 0, failures: 0, lastAt: null as number | null }
  #failed: ReadonlySet<string> = new Set()
  #renewal: Promise<boolean> = Promise.resolve(false)
  #renewedAt = -Infinity

  constructor(database: Database) {
    this.#database = database
  }

  get totals(): SweepTotals {
    return this.#totals
  }

  /** Null when another process holds the lease. */
  async sweep(options: SweepOptions = {}): Promise<Swept | null> {
    if (!(await this.#renewLease())) return null
    const swept = { workspaces: 0, items: 0, failures: 0 }
    const failed = new Set<string>()
    const due = this.#dueWorkspaces()
    const work = async () => {
      // A worker that leaves the loop ends it for all: they share one generator.
      for await (const workspaceId of due) {
        try {
          swept.items += await this.#sweepWorkspace(workspaceId, options)
          swept.workspaces += 1
          this.#totals.workspaces += 1
        } catch (error) {
          failed.add(workspaceId)
          swept.failures += 1
          this.#totals.failures += 1
          options.onFailure?.(workspaceId, error)
          // If the database is gone, this throws too and ends the sweep.
          await this.#renewLease()
        }
        if (!(await this.#mayGoOn(options))) return
      }
    }
    // At most half of the pool: requests need the rest.
    const half = Math.floor(this.#database.connectionsMax / 2)
    const length = Math.min(parallelMax, Math.max(1, half))
    const workers = await Promise.allSettled(Array.from({ length }, work))
    this.#failed = failed
    const broken = workers.find((worker) => worker.status === 'rejected')
    if (broken) throw broken.reason
    this.#totals.lastAt = Date.now()
    return swept
  }

  /** Lets another process take over at once. */
  async stop(): Promise<void> {
    await this.#database.ask((db) => dropLease(db, this.#lease))
  }

  /** By id, in pages; those that failed in the last sweep come last. */
  async *#dueWorkspaces(): AsyncGenerator<string> {
    const last: string[] = []
    for (let after: string | null = null; ;) {
      const page = await this.#duePage(after)
      for (const workspaceId of page) {
        if (this.#failed.has(workspaceId)) last.push(workspaceId)
        else yield workspaceId
      }
      after = page.at(-1) ?? null
      if (page.length < workspacesPerPage) break
    }
    yield* last
  }

  #duePage(after: string | null): Promise<string[]> {
    const time = this.#database.givenTime
    return this.#database.ask((db) =>
      selectDueWorkspaces(db, { after, limit: workspacesPerPage, time }),
    )
  }

  /** False when the process is about to end or another process has taken the lease. */
  #mayGoOn({ signal }: SweepOptions): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false)
    const isFresh = performance.now() - this.#renewedAt < renewEveryMs
    return isFresh ? this.#renewal : this.#renewLease()
  }

  #renewLease(): Promise<boolean> {
    this.#renewedAt = performance.now()
    this.#renewal = this.#database.ask((db) =>
      takeLease(db, { ...this.#lease, seconds: leaseSeconds }),
    )
    return this.#renewal
  }

  async #sweepWorkspace(workspaceId: string, options: SweepOptions): Promise<number> {
    const database = this.#database
    const change = (work: (write: Write) => Promise<void>) =>
      database.write(system(database, workspaceId), work)
    let items = 0
    for (;;) {
      const work = await database.read({ workspaceId }, (read) => findWork(read, database))
      for (const [projectId, ids] of byProject(work.risks)) {
        await change((write) => flagRisks(write, projectId, ids))
      }
      for (const [projectId, ids] of byProject(work.issues)) {
        await change((write) => flagIssues(write, projectId, ids))
      }
      items += work.risks.length + work.issues.length
      if (work.hasExpiringKeys) await change(tellExpiring)
      const hasMoreRecords = work.hasOldRecords && (await this.#deleteRecords(workspaceId))
      const isFull = Math.max(work.risks.length, work.issues.length) === itemsAtOnce
      if (!isFull && !hasMoreRecords) {
        if (!work.isZoneKnown) options.onUnknownZone?.(workspaceId)
        await database.aside({ workspaceId }, (read) => upsertSweep(read, work))
        return items
      }
      if (!(await this.#mayGoOn(options))) return items
    }
  }

  /** Deletes a batch of expired idempotency records. Returns whether there may be more. */
  async #deleteRecords(workspaceId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database.aside({ workspaceId }, (read) =>
      deleteOldRecords(read, recordsAtOnce).executeTakeFirstOrThrow(),
    )
    return Number(numDeletedRows) === recordsAtOnce
  }
}

/** What a sweep has to do in a workspace: the first items of it, in two round trips. */
async function findWork(read: Read, { givenTime }: Database) {
  const [moment, counters] = await Promise.all([
    selectMoment(read, givenTime),
    selectCounters(read),
  ])
  const { today, isZoneKnown } = moment
  const now = instantOf(moment)
  const stale = { today, limit: itemsAtOnce }
  const [risks, issues, hasExpiring, hasOld] = await Promise.all([
    selectStaleRisks(read, stale),
    selectStaleIssues(read, stale),
    hasExpiringKeys(read, { now, before: soonAfter(now) }),
    hasOldRecords(read),
  ])
  return {
    today,
    isZoneKnown,
    projectsSeq: counters.projects_seq,
    risks,
    issues,
    hasExpiringKeys: hasExpiring,
    hasOldRecords: hasOld,
  }
}

function byProject(stale: readonly Stale[]): Map<string, string[]> {
  const grouped = Map.groupBy(stale, ({ projectId }) => projectId)
  return new Map([...grouped].map(([projectId, items]) => [projectId, items.map(({ id }) => id)]))
}

/** A week, and the day until the next sweep. */
const warningDays = 8
const soonAfter = (now: string) => later(now, warningDays, 'days')

/** Tells once of every key that is about to expire, while there is time to rotate it. */
async function tellExpiring(write: Write): Promise<void> {
  for (const key of await lockExpiringKeys(write, soonAfter(write.now))) {
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
