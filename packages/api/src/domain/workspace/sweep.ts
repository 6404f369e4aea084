import { randomUUID } from 'node:crypto'

import { limits } from '@muster/contract'

import { system } from '#domain/engine/caller'
import { carryOutDeparture } from '#domain/handover/due-departures'
import { saveIssue, deriveIssueFields } from '#domain/projects/issues'
import { shareLockForItems } from '#domain/projects/projects'
import { saveRisk, deriveRiskFields } from '#domain/projects/risks'
import { later } from '#domain/rules/time'
import { deleteOldEntries, hasOldEntries } from '#storage/nouns/audit'
import { selectDueDepartures, type StoredPlan } from '#storage/nouns/departures'
import { lockIssues } from '#storage/nouns/issues'
import { releaseJobLock, acquireJobLock } from '#storage/nouns/job-locks'
import { hasExpiringKeys, lockExpiringKeys, updateKey } from '#storage/nouns/keys'
import { lockRisks } from '#storage/nouns/risks'
import { hasSearchDocuments, updateHasSearchDocuments } from '#storage/nouns/search-documents'
import {
  selectDueWorkspaces,
  selectStaleIssues,
  selectStaleRisks,
  type StaleItem,
  upsertSweep,
} from '#storage/nouns/sweeps'
import { hasTaskStates, updateHasTaskStates } from '#storage/nouns/task-states'
import { selectCounters } from '#storage/numbers/counters'
import { instantOf, selectMoment } from '#storage/numbers/moment'
import type { Read, Write } from '#storage/statements/access'
import type { Database } from '#storage/transaction/database'
import { deleteExpiredRecords, hasExpiredRecords } from '#storage/transaction/idempotency'

import { addSearchDocuments, type DocumentPosition } from './search-documents.ts'
import { type AddedStates, addTaskStates } from './task-states.ts'

const workspacesPerPage = 1000
/** How many workspaces are swept in parallel, if the pool is large enough. */
const parallelMax = 4
const batchItems = 200
const batchRecords = 500
const batchEntries = 500
/** Departures of one workspace in one sweep. The others wait for the next sweep. */
const batchDepartures = 50
const lockSeconds = 15
const renewEveryMs = 1000

/** The result of one sweep. */
export interface SweepResult {
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
  /** How long it took. */
  readonly lastMs: number
}

export interface SweepOptions {
  readonly signal?: AbortSignal
  readonly onFailure?: (workspaceId: string, error: unknown) => void
  /** The server does not know the time zone of the workspace, so its day is the day in UTC. */
  readonly onUnknownZone?: (workspaceId: string) => void
}

/**
 * Updates flags in every workspace whose day has begun, announces keys that expire soon, carries
 * out departures that were planned for the day before, adds states of tasks of an earlier release,
 * and deletes expired idempotency records and old audit entries. A job lock lets one process sweep
 * at a time. If that process dies, the lock expires and another process takes over. A sweep is
 * idempotent: correct flags are kept.
 *
 * An error in one workspace does not stop the others. The workspace stays due, and the next sweep
 * tries it after all others: workspaces that fail slowly cannot delay the rest.
 */
export class Sweeper {
  readonly #database: Database
  readonly #jobLock = { name: 'sweeper', holder: randomUUID() }
  readonly #totals = { workspaces: 0, failures: 0, lastAt: null as number | null, lastMs: 0 }
  #failed: ReadonlySet<string> = new Set()
  #renewal: Promise<boolean> = Promise.resolve(false)
  #renewedAt = -Infinity

  constructor(database: Database) {
    this.#database = database
  }

  get totals(): SweepTotals {
    return this.#totals
  }

  /** Returns null when another process holds the job lock. */
  async sweep(options: SweepOptions = {}): Promise<SweepResult | null> {
    if (!(await this.#renewLock())) return null
    const began = performance.now()
    const result = { workspaces: 0, items: 0, failures: 0 }
    const failed = new Set<string>()
    const due = this.#dueWorkspaces()
    const runWorker = async () => {
      // The workers share one generator, so a return ends the loop for all of them.
      for await (const workspaceId of due) {
        try {
          result.items += await this.sweepWorkspace(workspaceId, options)
          result.workspaces += 1
          this.#totals.workspaces += 1
        } catch (error) {
          failed.add(workspaceId)
          result.failures += 1
          this.#totals.failures += 1
          options.onFailure?.(workspaceId, error)
          // If the database is unavailable, this throws too and ends the sweep.
          await this.#renewLock()
        }
        if (!(await this.#mayContinue(options))) return
      }
    }
    // At most half of the pool: requests need the rest.
    const half = Math.floor(this.#database.connectionsMax / 2)
    const length = Math.min(parallelMax, Math.max(1, half))
    const workers = await Promise.allSettled(Array.from({ length }, runWorker))
    this.#failed = failed
    const rejected = workers.find((worker) => worker.status === 'rejected')
    if (rejected) throw rejected.reason
    this.#totals.lastAt = Date.now()
    this.#totals.lastMs = performance.now() - began
    return result
  }

  /** Releases the job lock, so that another process can take over immediately. */
  async stop(): Promise<void> {
    await this.#database.ask((db) => releaseJobLock(db, this.#jobLock))
  }

  /** Ordered by id. Workspaces that failed in the previous sweep come last. */
  async *#dueWorkspaces(): AsyncGenerator<string> {
    const last: string[] = []
    for (let after: string | null = null; ;) {
      const page = await this.#selectDuePage(after)
      for (const workspaceId of page) {
        if (this.#failed.has(workspaceId)) last.push(workspaceId)
        else yield workspaceId
      }
      after = page.at(-1) ?? null
      if (page.length < workspacesPerPage) break
    }
    yield* last
  }

  #selectDuePage(after: string | null): Promise<string[]> {
    const time = this.#database.givenTime
    return this.#database.ask((db) =>
      selectDueWorkspaces(db, { after, limit: workspacesPerPage, time }),
    )
  }

  /** False when the process is shutting down or another process holds the job lock. */
  #mayContinue({ signal }: SweepOptions): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false)
    const isFresh = performance.now() - this.#renewedAt < renewEveryMs
    return isFresh ? this.#renewal : this.#renewLock()
  }

  #renewLock(): Promise<boolean> {
    this.#renewedAt = performance.now()
    this.#renewal = this.#database.ask((db) =>
      acquireJobLock(db, { ...this.#jobLock, seconds: lockSeconds }),
    )
    return this.#renewal
  }

  /** Sweeps one workspace and returns the number of changed items. */
  async sweepWorkspace(workspaceId: string, options: SweepOptions = {}): Promise<number> {
    const database = this.#database
    const change: Change = (work) => database.write(system(database, workspaceId), work)
    let items = 0
    let isFirst = true
    for (;;) {
      const work = await database.read({ workspaceId }, (read) => findWork(read, database))
      items += await flagItems(work, change)
      if (work.hasExpiringKeys) await change(announceExpiringKeys)
      if (isFirst && !(await this.#addTaskStates(workspaceId, work, options))) return items
      isFirst = false
      const hasMore = await this.#deleteExpired(workspaceId, work)
      if (!isFull(work) && !hasMore) {
        await this.#finish(workspaceId, work, options)
        return items
      }
      if (!(await this.#mayContinue(options))) return items
    }
  }

  /** The last steps. A workspace whose sweep is interrupted stays due. */
  async #finish(workspaceId: string, work: Work, options: SweepOptions): Promise<void> {
    if (!work.isZoneKnown) options.onUnknownZone?.(workspaceId)
    if (!(await this.#carryOut(workspaceId, work.departures, options))) return
    if (!(await this.#addSearchDocuments(workspaceId, work, options))) return
    await this.#database.writeUnnumbered({ workspaceId }, (read) => upsertSweep(read, work))
  }

  /**
   * Carries out a batch of departures. An error in one does not stop the others. Returns false if
   * there may be more: then the workspace stays due.
   */
  async #carryOut(
    workspaceId: string,
    departures: readonly StoredPlan[],
    options: SweepOptions,
  ): Promise<boolean> {
    const failures: unknown[] = []
    for (const departure of departures) {
      if (!(await this.#mayContinue(options))) return false
      await carryOutDeparture(this.#database, workspaceId, departure).catch((error: unknown) =>
        failures.push(error),
      )
    }
    if (failures.length > 0) throw failures[0]
    return departures.length < batchDepartures
  }

  /**
   * Adds and corrects the search documents that the previous release left. It comes last, because
   * it locks the items. Returns false if it was interrupted.
   */
  async #addSearchDocuments(id: string, work: Work, options: SweepOptions): Promise<boolean> {
    if (work.hasSearchDocuments) return true
    const scope = { workspaceId: id }
    let [from, total]: [DocumentPosition, number] = [{ noun: 0, after: null }, 0]
    for (;;) {
      const add = (read: Read) => addSearchDocuments(read, from)
      const { written, next } = await this.#database.writeUnnumbered(scope, add)
      total += written
      if (next === null) break
      if (!(await this.#mayContinue(options))) return false
      from = next
    }
    if (total === 0) await this.#database.writeUnnumbered(scope, updateHasSearchDocuments)
    return true
  }

  /**
   * Adds the states of all tasks that have none. Returns false if it was interrupted: the next
   * sweep continues. The sweep of another day makes sure that none is missing, because a process of
   * the previous release may still write tasks.
   */
  async #addTaskStates(workspaceId: string, work: Work, options: SweepOptions): Promise<boolean> {
    if (work.hasTaskStates) return true
    const database = this.#database
    const addAfter = (last: string | null): Promise<AddedStates> =>
      database.writeUnnumbered({ workspaceId }, (read) => addTaskStates(read, last))
    let batch = await addAfter(null)
    let { added } = batch
    while (batch.last !== null) {
      if (!(await this.#mayContinue(options))) return false
      batch = await addAfter(batch.last)
      added += batch.added
    }
    if (added === 0) await database.writeUnnumbered({ workspaceId }, updateHasTaskStates)
    return true
  }

  /**
   * Deletes a batch of expired idempotency records and one of old audit entries. Returns whether
   * there may be more.
   */
  async #deleteExpired(workspaceId: string, work: Expired): Promise<boolean> {
    if (!work.hasExpiredRecords && !work.hasOldEntries) return false
    return this.#database.writeUnnumbered({ workspaceId }, async (read) => {
      const deletion = deleteExpiredRecords(read, batchRecords)
      const { numAffectedRows } = await read.db.executeQuery(deletion)
      const entries = await deleteOldEntries(read, work.entriesFrom, batchEntries)
      return Number(numAffectedRows) === batchRecords || entries === batchEntries
    })
  }
}

interface Expired {
  readonly hasExpiredRecords: boolean
  readonly hasOldEntries: boolean
  /** The time of the oldest audit entry to keep. */
  readonly entriesFrom: string
}

/** Selects the next batch of work of a workspace in two round trips. */
async function findWork(read: Read, { givenTime }: Database) {
  const [moment, counters] = await Promise.all([
    selectMoment(read, givenTime),
    selectCounters(read),
  ])
  const { today, isZoneKnown } = moment
  const now = instantOf(moment)
  const entriesFrom = later(now, -limits.auditDays, 'days')
  const stale = { today, limit: batchItems }
  const [risks, issues, departures, hasExpiring, hasOld, hasOlder, hasStates, hasDocuments] =
    await Promise.all([
      selectStaleRisks(read, stale),
      selectStaleIssues(read, stale),
      selectDueDepartures(read, { today, limit: batchDepartures }),
      hasExpiringKeys(read, { now, before: warningEnd(now) }),
      hasExpiredRecords(read),
      hasOldEntries(read, entriesFrom),
      hasTaskStates(read),
      hasSearchDocuments(read),
    ])
  return {
    today,
    isZoneKnown,
    projectsSeq: counters.projects_seq,
    risks,
    issues,
    departures,
    hasExpiringKeys: hasExpiring,
    hasExpiredRecords: hasOld,
    hasOldEntries: hasOlder,
    hasTaskStates: hasStates,
    hasSearchDocuments: hasDocuments,
    entriesFrom,
  }
}

type Work = Awaited<ReturnType<typeof findWork>>
const isFull = ({ risks, issues }: Work) => Math.max(risks.length, issues.length) === batchItems

type Change = (work: (write: Write) => Promise<void>) => Promise<unknown>

/** Updates the flags, project by project, and returns the number of items. */
async function flagItems({ risks, issues }: Work, change: Change): Promise<number> {
  for (const [projectId, ids] of byProject(risks)) {
    await change((write) => flagRisks(write, projectId, ids))
  }
  for (const [projectId, ids] of byProject(issues)) {
    await change((write) => flagIssues(write, projectId, ids))
  }
  return risks.length + issues.length
}

function byProject(stale: readonly StaleItem[]): Map<string, string[]> {
  const grouped = Map.groupBy(stale, ({ projectId }) => projectId)
  return new Map([...grouped].map(([projectId, items]) => [projectId, items.map(({ id }) => id)]))
}

/** Seven days of warning, plus the day until the next sweep. */
const warningDays = 8
const warningEnd = (now: string) => later(now, warningDays, 'days')

/** Records one `key.expiring` event for each key that expires soon. */
async function announceExpiringKeys(write: Write): Promise<void> {
  for (const key of await lockExpiringKeys(write, warningEnd(write.now))) {
    updateKey(write, key, { ...key, is_expiry_notified: true })
    const data = { expires_at: key.expires_at }
    write.record({ type: 'key.expiring', subject: key.id, data })
  }
}

/** A concurrent write may have updated the flags already. Then this is a no-op. */
async function flagRisks(write: Write, projectId: string, ids: readonly string[]): Promise<void> {
  const opened = write.view.open(projectId, 'manage')
  const project = await shareLockForItems(write, opened)
  for (const before of await lockRisks(write, [opened], ids)) {
    const after = deriveRiskFields(before, { write, project })
    saveRisk(write, { before, after, type: 'risk.flagged' })
  }
}

async function flagIssues(write: Write, projectId: string, ids: readonly string[]): Promise<void> {
  const opened = write.view.open(projectId, 'manage')
  await shareLockForItems(write, opened)
  for (const before of await lockIssues(write, [opened], ids)) {
    saveIssue(write, { before, after: deriveIssueFields(before, write), type: 'issue.flagged' })
  }
}
