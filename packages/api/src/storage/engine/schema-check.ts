import { readdir } from 'node:fs/promises'

import { type Kysely, sql } from 'kysely'

import type { Database } from './database.ts'
import { StorageError } from './storage-error.ts'
import type { DB } from './tables.ts'

const ours = new URL('../../../migrations/', import.meta.url)

/** The names of the migrations in a folder, by default those of this release, in order. */
export async function migrationNames(folder: URL = ours): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'))
  return files.map((file) => file.replace('.sql', '')).toSorted()
}

export const migrationFile = (name: string, folder: URL = ours) => new URL(`${name}.sql`, folder)

/**
 * The migrations among `required` that have not been applied. More than these may have been: an
 * older release stays ready while a newer one is installed.
 */
async function selectMissingMigrations(
  db: Kysely<DB>,
  required: readonly string[],
): Promise<string[]> {
  try {
    const applied = new Set(await selectAppliedMigrations(db))
    return required.filter((name) => !applied.has(name))
  } catch (error) {
    // The first migration lets the service read the table. A refused connection can have the same
    // code, and means `unavailable`.
    const code = error instanceof StorageError && error.meaning === 'bug' ? error.code : null
    if (code === '42P01' || code === '42501') return [...required]
    throw error
  }
}

/** The names of the migrations that were applied, in order. */
export async function selectAppliedMigrations(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

const checkEveryMs = 2000

/** Whether the schema has what this release needs, for health checks. */
export class SchemaCheck {
  readonly #database: Database
  readonly #required: readonly string[]
  #missing: readonly string[] = []
  #isAnswered = false
  #checkedAt = -Infinity

  /**
   * `required` is read once, at start: an upgrade in place adds files that the running release does
   * not need.
   */
  constructor(database: Database, required: readonly string[]) {
    this.#database = database
    this.#required = required
  }

  /**
   * The migrations that were missing at the last check. Health checks come often and must not wait
   * for a database that does not answer: the next check runs in the background, every 2 seconds at
   * most, and an unavailable database does not change the result.
   */
  get missing(): readonly string[] {
    if (performance.now() - this.#checkedAt > checkEveryMs) this.check().catch(() => {})
    return this.#missing
  }

  /** Whether the database answered the last check. */
  get isAnswered(): boolean {
    return this.#isAnswered
  }

  async check(): Promise<readonly string[]> {
    this.#checkedAt = performance.now()
    try {
      this.#missing = await this.#database.ask((db) => selectMissingMigrations(db, this.#required))
      this.#isAnswered = true
    } catch (error) {
      this.#isAnswered = false
      throw error
    }
    return this.#missing
  }
}

/** One line for the operator. */
export const missingAdvice = (missing: readonly string[]) =>
  `The database lacks the migrations ${missing.join(', ')}. Run: npm run migrate`
