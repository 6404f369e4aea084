import type { Collection, EventType, Quota } from '@muster/contract'
import type { Compilable, Expression, Kysely, Selectable } from 'kysely'

import type { NounName } from '#storage/schema/nouns'
import type { Row, RowTable } from '#storage/schema/row-tables'
import type { DB, WorkspaceCounters } from '#storage/schema/tables'

import type { View } from './view.ts'

/** The workspace that a unit of work is about. */
export interface Tenant {
  readonly workspaceId: string
  /** The projects that the work may see; none, if it is not given. */
  readonly view?: View
}

/** A request that carries an Idempotency-Key. */
export interface IdempotentRequest {
  /** SHA-256 of key lineage, method, path and Idempotency-Key. */
  readonly digest: Buffer
  /** SHA-256 of the body. */
  readonly fingerprint: Buffer
  /** Set when the result is that of an earlier request. */
  isReplay: boolean
}

/** Who makes a change. A personal key has the id of the key and of its person. */
export interface Actor {
  readonly type: 'key' | 'person' | 'admin' | 'system'
  /** The id of the key or the person; null for others. */
  readonly id: string | null
  readonly user_id: string | null
}

/** The author of a write, and the request that it came with. */
export interface Author extends Tenant {
  readonly view: View
  readonly actor: Actor
  readonly requestId: string | null
  /** `noun.verb` of the contract; null for commands and jobs. */
  readonly operation: string | null
  readonly idempotentRequest: IdempotentRequest | null
  /** The server that authenticated the request. A write on another one is refused. */
  readonly server?: string
  /** Whether the actor planned the change, and the service carries it out. Its events say so. */
  readonly isPlanned?: boolean
  /** Whether to validate and compute the result without writing it. */
  readonly isDryRun?: boolean
}

/**
 * Terms of sequence numbers, as in Raft: a number that was lost with a server and is given again
 * by the next one is of another term.
 */
export interface Terms {
  readonly epoch: string
  /** The running server. What another one stated may be lost. */
  readonly server: string
  /** Whether the next write starts a term. */
  readonly isTermDue: boolean
  /** Random names, the oldest first, and the first number of each. */
  readonly terms: readonly string[]
  readonly firsts: readonly number[]
  /** The terms of numbers before these terms, as far as they were looked up. */
  readonly older?: ReadonlyMap<number, string>
}

/** The sequence numbers and the counts of a workspace, and the terms of the numbers. */
export type Counters = Readonly<
  Omit<
    Selectable<WorkspaceCounters>,
    'terms' | 'cursor_secret' | 'has_task_states' | 'has_search_documents'
  > &
    Terms
>

/** Permission to read one workspace. Every select takes one, so none can omit the tenant. */
export interface Read {
  readonly db: Kysely<DB>
  /** The UUID. */
  readonly workspaceId: string
  readonly view: View
}

/** Permission to read one workspace in one snapshot, whose sequence number is known. */
export interface Snapshot extends Read {
  readonly counters: Promise<Counters>
}

/** An entry of the event log. */
export interface NewEvent {
  readonly type: EventType
  readonly subject: string
  readonly project?: string | null
  readonly changed?: readonly string[]
  /** Details beside the names of changed fields, such as the note of a review. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** What every item with a history has. */
export interface WithMetadata {
  readonly id: string
  readonly metadata: Readonly<Record<string, string>>
}

/** The state of an item from this write on. */
export interface HistoryState {
  readonly noun: NounName
  /** The last state in the history; null for a new item. */
  readonly before: WithMetadata | null
  readonly after: WithMetadata
}

export type SummaryNoun = 'risk' | 'issue' | 'task'

/** A value of a dimension that a live risk, an open issue or an open task is counted under. */
export interface SummaryCount {
  readonly noun: SummaryNoun
  /** A UUID; nil for the whole workspace. */
  readonly project: string
  readonly dimension: string
  readonly value: string
}

/** What the functions that write an item need. An import inserts rows with it, too. */
export type RowWrite = Pick<
  Write,
  'now' | 'insert' | 'update' | 'delete' | 'touch' | 'count' | 'addSummaryCounts' | 'keep'
>

/**
 * Permission to change one workspace in one numbered write. Reads and locks are sent at once.
 * Changes are collected and sent in one flush, so that the row lock on the counters lasts for the
 * time of the server, not of the network.
 */
export interface Write extends Read {
  /** The database's time, and the time of everything that this write creates. */
  readonly now: string
  /** The date in the time zone of the workspace. */
  readonly today: string
  /** The time zone of the workspace. */
  readonly timeZone: string
  /** As they were when the write began. The constraints decide at the end. */
  readonly counters: Counters
  /** The sequence number of this write, as SQL: it is known only at the flush. */
  readonly version: Expression<number>
  newId(prefix: string): string
  /**
   * An id whose time is earlier: of something that another register had before. Ids of the same
   * time sort in order of creation, also those of several writes.
   */
  newIdAt(prefix: string, time: string): string
  add(query: Compilable): void
  insert<T extends RowTable>(table: T, row: Row<T>): void
  update<T extends RowTable>(table: T, row: Partial<Row<T>>): void
  delete<T extends RowTable>(table: T, row: Partial<Row<T>>): void
  touch(...collections: Collection[]): void
  count(quota: Quota, by: number): void
  addSummaryCounts(counts: readonly SummaryCount[], by: 1 | -1): void
  keep(state: HistoryState): void
  record(event: NewEvent): void
}
