import assert from 'node:assert/strict'

import { type Compilable, type Expression, type Kysely, sql } from 'kysely'

import type { Counted, Counters, Stamped } from './counters.ts'
import type { Author, Write } from './database.ts'
import { encodeId, uuidAt, uuidOf, uuidOfOptional } from './id.ts'
import type { DB } from './tables.ts'

/** Something that happened, to be told by the change feed. */
export interface NewEvent {
  readonly type: string
  readonly subject: string
  readonly project?: string | null
  readonly changed?: readonly string[]
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
}

/**
 * A write while it is being thought out. Nothing here goes to the database: statements are
 * collected, and `statements()` puts them in the order in which the one flush sends them.
 */
export class PendingWrite implements Write {
  readonly db: Kysely<DB>
  readonly workspaceId: string
  readonly counters: Counters
  readonly now: string
  readonly #author: Author
  #ids = 0
  #rows: Compilable[] = []
  #events: NewEvent[] = []
  #touched = new Set<Stamped>()
  #counts = new Map<Counted, number>()

  constructor({ db, author, counters }: Opening) {
    this.db = db
    this.workspaceId = uuidOf(author.workspaceId)
    this.counters = counters
    this.now = new Date(Math.floor(counters.micros / 1000)).toISOString()
    this.#author = author
  }

  get version(): Expression<number> {
    return this.db
      .selectFrom('workspace_counters')
      .select('seq')
      .where('workspace_id', '=', this.workspaceId)
      .$asScalar()
      .$castTo<number>()
  }

  newId(prefix: string): string {
    return encodeId(prefix, this.#newUuid())
  }

  add(query: Compilable): void {
    this.#rows.push(query)
  }

  touch(...collections: Stamped[]): void {
    for (const collection of collections) this.#touched.add(collection)
  }

  count(what: Counted, by: number): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by)
  }

  keep({ noun, id, data, isNew }: State): void {
    const uuid = uuidOf(id)
    if (!isNew) {
      this.add(
        this.db
          .updateTable('history')
          .set({ to_seq: this.version })
          .where('workspace_id', '=', this.workspaceId)
          .where('id', '=', uuid)
          .where('to_seq', 'is', null),
      )
    }
    this.add(
      this.db.insertInto('history').values({
        workspace_id: this.workspaceId,
        noun,
        id: uuid,
        from_seq: this.version,
        data: JSON.stringify(data),
      }),
    )
  }

  record(event: NewEvent): void {
    this.#events.push(event)
  }

  /** Whether there is anything to flush: a change that already holds is no change. */
  get isEmpty(): boolean {
    return this.#rows.length === 0 && this.#events.length === 0
  }

  /** First the number, which locks the workspace; then everything that is stamped with it. */
  statements(): Compilable[] {
    assert(this.#events.length > 0, 'a write must record what it did')
    return [this.#bump(), ...this.#rows, this.#insertEvents()]
  }

  /**
   * Two ids of one write differ by a quarter of a microsecond, so that they sort as they were made.
   */
  #newUuid(): string {
    return uuidAt(this.counters.micros + this.#ids++ * 0.25)
  }

  #bump(): Compilable {
    const next = sql<number>`seq + 1`
    const stamps = Array.from(this.#touched, (name) => [`${name}_seq`, next])
    const counts = Array.from(this.#counts, ([name, by]) => [name, sql`${sql.ref(name)} + ${by}`])
    return this.db
      .updateTable('workspace_counters')
      .set({ seq: next, ...Object.fromEntries(stamps), ...Object.fromEntries(counts) })
      .where('workspace_id', '=', this.workspaceId)
      .returning('seq')
  }

  #insertEvents(): Compilable {
    const { actor, requestId } = this.#author
    return this.db.insertInto('events').values(
      this.#events.map(({ type, subject, project = null, changed = [] }, position) => ({
        workspace_id: this.workspaceId,
        seq: this.version,
        position,
        id: this.#newUuid(),
        type,
        subject_id: uuidOf(subject),
        project_id: uuidOfOptional(project),
        actor_type: actor.type,
        actor_id: uuidOfOptional(actor.id),
        request_id: uuidOfOptional(requestId),
        changed: [...changed],
        occurred_at: this.now,
      })),
    )
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
