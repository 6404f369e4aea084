import { randomUUID } from 'node:crypto'

import { limits } from '@muster/contract'

import { system } from '#domain/engine/caller'
import { carryOutDeparture } from '#domain/handover/due-departures'
import { saveIssue, deriveIssueFields } from '#domain/projects/issues'
import { shareLockForItems } from '#domain/projects/projects'
import { saveRisk, deriveRiskFields } from '#domain/projects/risks'
import { later } from '#domain/rules/time'
import { closeDays } from '#domain/time/closing'
import { deleteOldEntries, hasOldEntries } from '#storage/nouns/audit'
import { markComplete, selectCompleteness } from '#storage/nouns/completeness'
import { selectDueDepartures, type StoredPlan } from '#storage/nouns/departures'
import { lockIssues } from '#storage/nouns/issues'
import { hasExpiringKeys, lockExpiringKeys, updateKey } from '#storage/nouns/keys'
import { lockRisks } from '#storage/nouns/risks'
import {
  beginSweep,
  type DueSweep,
  endSweep,
  selectDueSweeps,
  selectStaleIssues,
  selectStaleRisks,
  type StaleItem,
} from '#storage/nouns/sweeps'
import { instantOf, selectMoment } from '#storage/numbers/moment'
import type { Read, Write } from '#storage/statements/access'
import type { Database } from '#storage/transaction/database'
import { deleteExpiredRecords, hasExpiredRecords } from '#storage/transaction/idempotency'

import { addSearchDocuments, type DocumentPosition } from './search-documents.ts'
import { type AddedStates, addTaskStates } from './task-states.ts'

const batchItems = 200
const batchRecords = 500
const batchEntries = 500
/** Departures of one workspace in one sweep. The others wait for the next sweep. */
const batchDepartures = 50

/** The result of the sweep of a workspace. */
export interface SweepResult {
  /** The number of changed items. */
  readonly items: number
  /** False if it was stopped: the workspace stays due. */
  readonly isDone: boolean
}

export interface SweepOptions {
  /** Stops the sweep after its current step. */
  readonly signal?: AbortSignal
  /** The server does not know the time zone of the workspace, so its day is the day in UTC. */
  readonly onUnknownZone?: (workspaceId: string) => void
}

/**
 * Updates flags of a workspace whose day has begun, announces keys that expire soon, closes the
 * days that have ended, carries out departures that were planned for the day before, adds what an
 * earlier release did not write, and deletes expired idempotency records and old audit entries. A
 * sweep is idempotent: correct flags are kept. Two processes can sweep a workspace at the same
 * time. The one that began last says when the next sweep is due.
 */
export class Sweeper {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The next workspaces whose sweep is due, the longest waiting first. */
  due(after: DueSweep | null, limit: number): Promise<DueSweep[]> {
    const time = this.#database.givenTime
    return this.#database.ask((db) => selectDueSweeps(db, { after, limit, time }))
  }

  async sweepWorkspace(workspaceId: string, options: SweepOptions = {}): Promise<SweepResult> {
    const { signal } = options
    const database = this.#database
    const turn = randomUUID()
    await database.writeUnnumbered({ workspaceId }, (read) => beginSweep(read, turn))
    const change: Change = (work) => database.write(system(database, workspaceId), work)
    let items = 0
    for (let isFirst = true; ; isFirst = false) {
      const work = await database.read({ workspaceId }, (read) => findWork(read, database))
      items += await flagItems(work, change)
      if (work.hasExpiringKeys) await change(announceExpiringKeys)
      if (isFirst && !(await this.#addTaskStates(workspaceId, work, options))) break
      const hasMore = await this.#deleteExpired(workspaceId, work)
      if (!isFull(work) && !hasMore) {
        if (!(await this.#finish(workspaceId, work, options))) break
        await database.writeUnnumbered({ workspaceId }, (read) =>
          endSweep(read, { turn, today: work.today }),
        )
        return { items, isDone: true }
      }
      if (signal?.aborted) break
    }
    return { items, isDone: false }
  }

  /**
   * The last steps. Returns false if there may be more to do. Days are closed after all tasks have
   * states, and before departures, which can fail.
   */
  async #finish(workspaceId: string, work: Work, options: SweepOptions): Promise<boolean> {
    if (!work.isZoneKnown) options.onUnknownZone?.(workspaceId)
    if (!(await closeDays(this.#database, workspaceId, options.signal))) return false
    if (!(await this.#carryOut(workspaceId, work.departures, options))) return false
    return this.#addSearchDocuments(workspaceId, work, options)
  }

  /**
   * Carries out a batch of departures. An error in one does not stop the others. Returns false if
   * there may be more: then the workspace stays due.
   */
  async #carryOut(
    workspaceId: string,
    departures: readonly StoredPlan[],
    { signal }: SweepOptions,
  ): Promise<boolean> {
    const failures: unknown[] = []
    for (const departure of departures) {
      if (signal?.aborted) return false
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
  async #addSearchDocuments(id: string, work: Work, { signal }: SweepOptions): Promise<boolean> {
    if (work.hasSearchDocuments) return true
    const scope = { workspaceId: id }
    let [from, total]: [DocumentPosition, number] = [{ noun: 0, after: null }, 0]
    for (;;) {
      const add = (read: Read) => addSearchDocuments(read, from)
      const { written, next } = await this.#database.writeUnnumbered(scope, add)
      total += written
      if (next === null) break
      if (signal?.aborted) return false
      from = next
    }
    if (total === 0)
      await this.#database.writeUnnumbered(scope, (read) =>
        markComplete(read, 'has_search_documents'),
      )
    return true
  }

  /**
   * Adds the states of all tasks that have none. Returns false if it was interrupted: the next
   * sweep continues. The sweep of another day makes sure that none is missing, because a process of
   * the previous release may still write tasks.
   */
  async #addTaskStates(
    workspaceId: string,
    work: Work,
    { signal }: SweepOptions,
  ): Promise<boolean> {
    if (work.hasTaskStates) return true
    const database = this.#database
    const addAfter = (last: string | null): Promise<AddedStates> =>
      database.writeUnnumbered({ workspaceId }, (read) => addTaskStates(read, last))
    let batch = await addAfter(null)
    let { added } = batch
    while (batch.last !== null) {
      if (signal?.aborted) return false
      batch = await addAfter(batch.last)
      added += batch.added
    }
    if (added === 0)
      await database.writeUnnumbered({ workspaceId }, (read) =>
        markComplete(read, 'has_task_states'),
      )
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
  const moment = await selectMoment(read, givenTime)
  const { today, isZoneKnown } = moment
  const now = instantOf(moment)
  const entriesFrom = later(now, -limits.auditDays, 'days')
  const stale = { today, limit: batchItems }
  const [risks, issues, departures, hasExpiring, hasOld, hasOlder, completeness] =
    await Promise.all([
      selectStaleRisks(read, stale),
      selectStaleIssues(read, stale),
      selectDueDepartures(read, { today, limit: batchDepartures }),
      hasExpiringKeys(read, { now, before: warningEnd(now) }),
      hasExpiredRecords(read),
      hasOldEntries(read, entriesFrom),
      selectCompleteness(read),
    ])
  return {
    today,
    isZoneKnown,
    risks,
    issues,
    departures,
    hasExpiringKeys: hasExpiring,
    hasExpiredRecords: hasOld,
    hasOldEntries: hasOlder,
    hasTaskStates: completeness.has_task_states,
    hasSearchDocuments: completeness.has_search_documents,
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
