import assert from 'node:assert/strict'

import { type Compilable, type Expression, type Kysely, sql } from 'kysely'

import {
  type Counted,
  countedNames,
  type Counters,
  type Stamped,
  stampedNames,
} from './counters.ts'
import type { Author, Write } from './database.ts'
import { closeHistory } from './history.ts'
import { encodeId, uuidAt, uuidOf, uuidOfOptional } from './id.ts'
import { instantOf, type Moment } from './moment.ts'
import {
  currentNumber,
  deleteRows,
  insertRows,
  type Row,
  type RowTable,
  rowTables,
  updateRows,
} from './rows.ts'
import type { DB } from './tables.ts'
import { type Tally, TallySheet } from './tallies.ts'

/** Something that happened, to be told by the change feed. */
export interface NewEvent {
  readonly type: string
  readonly subject: string
  readonly project?: string | null
  readonly changed?: readonly string[]
  /** What there is to say about it beside what changed, such as the note of a review. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** The state a thing is in from this write on. */
export interface State {
  readonly noun: string
  readonly id: string
  readonly data: object
  readonly isNew: boolean
}

interface Opening {
  readonly db: Kysely<DB>
  readonly author: Author
  readonly counters: Counters
  readonly moment: Moment
}

const kinds = { delete: deleteRows, insert: insertRows, update: updateRows }

/**
 * A write while it is being thought out. Nothing here goes to the database: rows are collected, and
 * `statements()` puts them in the order in which the one flush sends them.
 */
export class PendingWrite implements Write {
  readonly db: Kysely<DB>
  readonly workspaceId: string
  readonly counters: Counters
  readonly now: string
  readonly today: string
  readonly #author: Author
  readonly #micros: number
  #ids = 0
  #others: Compilable[] = []
  #rows = new Map<string, object[]>()
  #ended: string[] = []
  #events: NewEvent[] = []
  #touched = new Set<Stamped>()
  #counts = new Map<Counted, number>()
  #tallies = new TallySheet()

  constructor({ db, author, counters, moment }: Opening) {
    this.db = db
    this.workspaceId = uuidOf(author.workspaceId)
    this.counters = counters
    this.now = instantOf(moment)
    this.today = moment.today
    this.#micros = moment.micros
    this.#author = author
  }

  get version(): Expression<number> {
    return currentNumber(this)
  }

  newId(prefix: string): string {
    return encodeId(prefix, this.#newUuid())
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

  touch(...collections: Stamped[]): void {
    for (const collection of collections) this.#touched.add(collection)
  }

  count(what: Counted, by: number): void {
    if (by !== 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + by)
  }

  tally(tallies: readonly Tally[], by: 1 | -1): void {
    this.#tallies.add(tallies, by)
  }

  keep({ noun, id, data, isNew }: State): void {
    const uuid = uuidOf(id)
    if (!isNew) this.#ended.push(uuid)
    this.insert('history', { noun, id: uuid, data })
  }

  record(event: NewEvent): void {
    this.#events.push(event)
  }

  /** Whether there is anything to flush: a change that already holds is no change. */
  get isEmpty(): boolean {
    return this.#rows.size === 0 && this.#others.length === 0 && this.#events.length === 0
  }

  /** Whether it changes a person, so that its result may tell something of one. */
  get isPersonal(): boolean {
    return this.#touched.has('personnel')
  }

  /** First the number, which locks the workspace; then everything that is stamped with it. */
  statements(): Compilable[] {
    assert(this.#events.length > 0, 'a write must record what it did')
    this.#collectEvents()
    return [
      this.#bump(),
      ...this.#others,
      ...(this.#ended.length > 0 ? [closeHistory(this, this.#ended)] : []),
      ...rowTables.flatMap((table) => this.#statementsOf(table)),
      ...this.#tallies.statements(this),
    ]
  }

  #collect(kind: keyof typeof kinds, table: RowTable, row: object): void {
    const name = `${kind} ${table}`
    const rows = this.#rows.get(name)
    if (rows) rows.push(row)
    else this.#rows.set(name, [row])
  }

  #statementsOf(table: RowTable): Compilable[] {
    return Object.entries(kinds).flatMap(([kind, statement]) => {
      const rows = this.#rows.get(`${kind} ${table}`)
      return rows ? [statement(this, table, rows)] : []
    })
  }

  /**
   * Two ids of one write differ by a quarter of a microsecond, so that they sort as they were made.
   */
  #newUuid(): string {
    return uuidAt(this.#micros + this.#ids++ * 0.25)
  }

  /** Always the same statement: what was not touched or counted stays as it is. */
  #bump(): Compilable {
    const next = sql<number>`seq + 1`
    const stamps = stampedNames.map((name) => {
      const column = sql.ref(`${name}_seq`)
      const isTouched = this.#touched.has(name)
      return [`${name}_seq`, sql`case when ${isTouched}::boolean then seq + 1 else ${column} end`]
    })
    const counts = countedNames.map((name) => {
      const by = this.#counts.get(name) ?? 0
      return [name, sql`${sql.ref(name)} + ${by}::integer`]
    })
    return this.db
      .updateTable('workspace_counters')
      .set({ seq: next, ...Object.fromEntries(stamps), ...Object.fromEntries(counts) })
      .where('workspace_id', '=', this.workspaceId)
      .returning('seq')
  }

  #collectEvents(): void {
    const { actor, requestId } = this.#author
    for (const [position, event] of this.#events.entries()) {
      const { type, subject, project = null, changed = [], data = {} } = event
      this.insert('events', {
        position,
        id: this.#newUuid(),
        type,
        subject_id: uuidOf(subject),
        project_id: uuidOfOptional(project),
        actor_type: actor.type,
        actor_id: uuidOfOptional(actor.id),
        request_id: uuidOfOptional(requestId),
        changed: [...changed],
        data,
        occurred_at: this.now,
      })
    }
  }
}

/**
 * A result is put together before its number is known: `version: 0`, which no row ever has, stands
 * for it. The same is done to a stored result when a request is repeated.
 */
export function stamp<T>(result: T, seq: number): T {
  if (Array.isArray(result)) return result.map((each) => stamp(each, seq)) as T
  if (typeof result !== 'object' || result === null) return result
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [
      name,
      name === 'version' && value === 0 ? seq : stamp(value, seq),
    ]),
  ) as T
}
