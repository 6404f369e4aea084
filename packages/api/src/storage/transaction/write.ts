import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import { isDeepStrictEqual } from 'node:util'

import type { Collection, Quota } from '@muster/contract'
import {
  type Compilable,
  type CompiledQuery,
  type Expression,
  type Kysely,
  type RawBuilder,
  sql,
} from 'kysely'

import { writeDocument } from '#storage/derived/search-documents'
import { instantOf, type Moment } from '#storage/numbers/moment'
import { termsMax } from '#storage/numbers/terms'
import { collectionNames, projectOfState, quotaNames } from '#storage/schema/nouns'
import { type Row, type RowTable, rowTableNames } from '#storage/schema/row-tables'
import type { DB } from '#storage/schema/tables'
import type {
  Author,
  Counters,
  HistoryState,
  NewEvent,
  SummaryCount,
  Write,
} from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import { currentNumber, deleteRows, insertRows, updateRows } from '#storage/statements/rows'
import { template } from '#storage/statements/template'
import type { View } from '#storage/statements/view'
import { encodeId, uuidAt, uuidOf, uuidOfOptional, uuidOfTime } from '#storage/values/id'

import { type NewState, recordChanges } from './recorded-changes.ts'
import { SummaryCountChanges } from './summary-count-changes.ts'

interface Opening {
  readonly db: Kysely<DB>
  readonly author: Author
  readonly counters: Counters
  readonly moment: Moment
}

/** The events that operations record. Tests compare them with those that the contract declares. */
export const recordedEvents = channel('muster.event')

const kinds = { delete: deleteRows, insert: insertRows, update: updateRows }

/**
 * A write that is being prepared. It collects rows and sends nothing; `statements()` returns them
 * in the order of the flush.
 */
export class PendingWrite implements Write {
  readonly db: Kysely<DB>
  readonly workspaceId: string
  readonly view: View
  readonly counters: Counters
  readonly now: string
  readonly today: string
  readonly timeZone: string
  readonly #author: Author
  readonly #micros: number
  #ids = 0
  #others: Compilable[] = []
  #rows = new Map<string, object[]>()
  #states: NewState[] = []
  #events: NewEvent[] = []
  #touched = new Set<Collection>()
  #counts = new Map<Quota, number>()
  #summaryCounts = new SummaryCountChanges()

  constructor({ db, author, counters, moment }: Opening) {
    this.db = db
    this.workspaceId = uuidOf(author.workspaceId)
    this.view = author.view
    this.counters = counters
    this.now = instantOf(moment)
    this.today = moment.today
    this.timeZone = moment.timeZone
    this.#micros = moment.micros
    this.#author = author
  }

  get version(): Expression<number> {
    return currentNumber(this)
  }

  newId(prefix: string): string {
    return encodeId(prefix, this.#newUuid())
  }

  newIdAt(prefix: string, time: string): string {
    return encodeId(prefix, uuidOfTime(Date.parse(time), this.#nextMicros()))
  }

  add(query: Compilable): void {
    this.#others.push(query)
  }

  insert<T extends RowTable>(table: T, row: Row<T>): void {
    this.#collect('insert', table, row)
  }

  update<T extends RowTable>(table: T, row: Partial<Row<T>>): void {
    this.#collect('update', table, row)
  }

  delete<T extends RowTable>(table: T, row: Partial<Row<T>>): void {
    this.#collect('delete', table, row)
  }

  touch(...collections: Collection[]): void {
    for (const collection of collections) this.#touched.add(collection)
  }

  count(quota: Quota, by: number): void {
    if (by !== 0) this.#counts.set(quota, (this.#counts.get(quota) ?? 0) + by)
  }

  addSummaryCounts(counts: readonly SummaryCount[], by: 1 | -1): void {
    this.#summaryCounts.add(counts, by)
  }

  keep(state: HistoryState): void {
    writeDocument(this, this.workspaceId, state)
    const { noun, before, after } = state
    const id = uuidOf(after.id)
    const { metadata, ...data } = after
    const isKept = before !== null && isDeepStrictEqual(before.metadata, metadata)
    const project_id = projectOfState(noun, after)
    this.#states.push({ noun, id, project_id, data, metadata: isKept ? null : metadata })
  }

  record(event: NewEvent): void {
    if (recordedEvents.hasSubscribers) {
      recordedEvents.publish({ operation: this.#author.operation, type: event.type })
    }
    this.#events.push(event)
  }

  /** The UUIDs of the projects that the result is about. */
  get projects(): string[] {
    return [...new Set(this.#events.flatMap(({ project }) => (project ? [uuidOf(project)] : [])))]
  }

  /** Whether there is nothing to flush, as for a no-op. */
  get isEmpty(): boolean {
    return this.#rows.size === 0 && this.#others.length === 0 && this.#events.length === 0
  }

  /** Whether it changes a person, so that its result may contain personal data. */
  get isPersonal(): boolean {
    return this.#touched.has('personnel')
  }

  /**
   * The counters come first, because they lock the workspace; then the rows that store the number.
   */
  *statements(): Generator<CompiledQuery> {
    assert(this.#events.length > 0, 'a write must record what it did')
    yield this.#bump()
    for (const query of this.#others) yield query.compile()
    for (const table of rowTableNames) yield* this.#statementsOf(table)
    yield recordChanges(this, { states: this.#states, events: this.#eventRows() })
    yield* this.#summaryCounts.statements(this)
  }

  #collect(kind: keyof typeof kinds, table: RowTable, row: object): void {
    const name = `${kind} ${table}`
    const rows = this.#rows.get(name)
    if (rows) rows.push(row)
    else this.#rows.set(name, [row])
  }

  *#statementsOf(table: RowTable): Generator<CompiledQuery> {
    for (const [kind, statement] of Object.entries(kinds)) {
      const rows = this.#rows.get(`${kind} ${table}`)
      if (rows) yield statement(this, table, rows)
    }
  }

  /**
   * The ids of one write differ by a quarter of a microsecond, so that they sort in order of
   * creation.
   */
  #nextMicros(): number {
    return this.#micros + this.#ids++ * 0.25
  }

  #newUuid(): string {
    return uuidAt(this.#nextMicros())
  }

  #bump(): CompiledQuery {
    const touched = collectionNames.map((name) => [`${name}_seq`, this.#touched.has(name)])
    const counts = quotaNames.map((name) => [name, this.#counts.get(name) ?? 0])
    const values = { workspaceId: this.workspaceId, ...Object.fromEntries([...touched, ...counts]) }
    return bumped.compile(this, values)
  }

  #eventRows() {
    const { actor, requestId, isPlanned = false } = this.#author
    return this.#events.map(
      ({ type, subject, project = null, changed = [], data = {} }, position) => ({
        position,
        id: this.#newUuid(),
        type,
        subject_id: uuidOf(subject),
        project_id: uuidOfOptional(project),
        actor_type: actor.type,
        actor_id: uuidOfOptional(actor.id),
        actor_user_id: uuidOfOptional(actor.user_id),
        request_id: uuidOfOptional(requestId),
        changed: [...changed],
        data: isPlanned ? { ...data, is_planned: true } : data,
        occurred_at: this.now,
      }),
    )
  }
}

interface BumpValues extends Record<string, string | number | boolean> {
  readonly workspaceId: string
}

const isSameServer = sql`term_server = server_identity()`

const withNew = (list: string, value: RawBuilder<unknown>) =>
  sql`(${sql.ref(list)} || ${value})[greatest(1, cardinality(terms) + 2 - ${termsMax}::integer):]`

/** A term starts with the first number that a server gives. */
const startedTerm = {
  terms: sql<string[]>`case when ${isSameServer} then terms else
    ${withNew('terms', sql`left(replace(gen_random_uuid()::text, '-', ''), 12)`)} end`,
  term_firsts: sql<number[]>`case when ${isSameServer} then term_firsts else
    ${withNew('term_firsts', sql`(seq + 1)`)} end`,
  term_server: sql<string>`server_identity()`,
}

/** Also rows of earlier terms that are missing: another release may have started them. */
const startedRows = sql<never>`(
  insert into term_starts (workspace_id, first_seq, term, started_at)
  select bumped.workspace_id, started.first_seq, started.term, now()
  from bumped cross join lateral unnest(term_firsts, terms) as started (first_seq, term)
  where term_firsts[cardinality(term_firsts)] = seq
  on conflict do nothing)`

/** The statement is always the same; counters that did not change keep their values. */
const bumped = template<BumpValues, { seq: number }>((given, db) => {
  const stamps = collectionNames.map((name) => {
    const column = `${name}_seq`
    const isTouched = given[column]
    return [column, sql`case when ${isTouched}::boolean then seq + 1 else ${sql.ref(column)} end`]
  })
  const counts = quotaNames.map((name) => [name, sql`${sql.ref(name)} + ${given[name]}::integer`])
  return db
    .with('bumped', (counters) =>
      counters
        .updateTable('workspace_counters')
        .set({
          seq: sql<number>`seq + 1`,
          ...startedTerm,
          ...Object.fromEntries(stamps),
          ...Object.fromEntries(counts),
        })
        .where(isOwn(given, 'workspace_counters'))
        .returning(['workspace_id', 'seq', 'terms', 'term_firsts']),
    )
    .with('started', () => startedRows)
    .selectFrom('bumped')
    .select('seq')
})

/**
 * Replaces `version: 0` and `as_of: 0`, which no result has, by the sequence number: a result is
 * built before the number is known. A replayed result is treated the same way.
 */
export function stamp<T>(result: T, seq: number): T {
  if (Array.isArray(result)) return result.map((each) => stamp(each, seq)) as T
  if (typeof result !== 'object' || result === null) return result
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [
      name,
      (name === 'version' || name === 'as_of') && value === 0 ? seq : stamp(value, seq),
    ]),
  ) as T
}
