import { type Kysely, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'
import type { Database } from '#storage/transaction/database'
import { toStorageError } from '#storage/values/storage-error'

import { selectFirstDifference } from './catalog.ts'
import type { MigrationFile } from './migrations.ts'

/** Why this release cannot use the schema, and what to do next. */
export interface SchemaProblem {
  readonly found: string
  readonly next: string
}

/** One line for the operator. */
export const adviceOf = ({ found, next }: SchemaProblem) => `${found} ${next}`

type RequiredMigration = Pick<MigrationFile, 'name' | 'checksum'>
/** The checksums of the applied migrations; null where none is stored. */
export type AppliedMigrations = ReadonlyMap<string, string | null>

/**
 * Why this release cannot use the schema; null if it can. More migrations than `required` may have
 * been applied: an older release stays ready while a newer one is installed.
 */
export async function selectSchemaProblem(
  db: Kysely<DB>,
  required: readonly RequiredMigration[],
): Promise<SchemaProblem | null> {
  const applied = await selectAppliedMigrations(db)
  const problem = await selectChecksumProblem(db, { required, applied })
  if (problem !== null) return problem
  const missing = required.flatMap(({ name }) => (applied.has(name) ? [] : [name]))
  if (missing.length > 0) {
    const found = `The database lacks the migrations ${missing.join(', ')}.`
    return { found, next: 'Run: npm run migrate' }
  }
  if (!hasNoChecksum(applied)) return null
  return { found: 'The database has no migration checksums.', next: 'Run: npm run migrate' }
}

const guide = 'docs/operate/migrations.md'

/**
 * Why the applied migrations are not those of this release; null if they are. A database of a
 * release before 0.2.0 has no checksums: its schema is compared with that of the frozen migrations.
 */
export async function selectChecksumProblem(
  db: Kysely<DB>,
  { required, applied }: { required: readonly RequiredMigration[]; applied: AppliedMigrations },
): Promise<SchemaProblem | null> {
  if (!hasNoChecksum(applied)) {
    const changed = required.find(
      ({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum,
    )
    if (changed === undefined) return null
    return {
      found: `Migration checksum mismatch: ${changed.name}.sql is not the file that was applied.`,
      next: `Restore the file and add a new one, or move the data to a new database: ${guide}`,
    }
  }
  const difference = await selectFirstDifference(db)
  if (difference === null) return null
  return {
    found: `The schema differs from the migrations 0001 to 0008: ${difference}.`,
    next: `Move the data to a new database: ${guide}`,
  }
}

const hasNoChecksum = (applied: AppliedMigrations) =>
  applied.size > 0 && applied.values().every((checksum) => checksum === null)

/** The migrations that were applied, in order. */
export async function selectAppliedMigrations(db: Kysely<DB>): Promise<AppliedMigrations> {
  const names = sql<{ name: string }>`select name from kysely_migration order by name`
  const applied = await noneIfAbsent(names.execute(db).then(({ rows }) => rows))
  const checksums = db.selectFrom('migration_checksums').select(['name', 'checksum'])
  const stored = await noneIfAbsent(checksums.execute())
  const byName = new Map(stored.map(({ name, checksum }) => [name, checksum]))
  return new Map(applied.map(({ name }) => [name, byName.get(name) ?? null]))
}

/** The service may read these tables only after the first migration, or after `migrate`. */
async function noneIfAbsent<T>(rows: Promise<T[]>): Promise<T[]> {
  try {
    return await rows
  } catch (error) {
    const { meaning, code } = toStorageError(error)
    // A refused connection can have the same code, and means `unavailable`.
    if (meaning === 'bug' && (code === '42P01' || code === '42501')) return []
    throw error
  }
}

const checkEveryMs = 2000

/** Whether the schema has what this release needs, for health checks. */
export class SchemaCheck {
  readonly #database: Database
  readonly #required: readonly RequiredMigration[]
  #problem: string | null = null
  #isAnswered = false
  #checkedAt = -Infinity

  /**
   * `required` is read once, at start: an upgrade in place adds files that the running release does
   * not need.
   */
  constructor(database: Database, required: readonly RequiredMigration[]) {
    this.#database = database
    this.#required = required
  }

  /**
   * The problem at the last check, in one line. Health checks come often and must not wait for a
   * database that does not answer: the next check runs in the background, every 2 seconds at most,
   * and an unavailable database does not change the result.
   */
  get problem(): string | null {
    if (performance.now() - this.#checkedAt > checkEveryMs) this.check().catch(() => {})
    return this.#problem
  }

  /** Whether the database answered the last check. */
  get isAnswered(): boolean {
    return this.#isAnswered
  }

  async check(): Promise<string | null> {
    this.#checkedAt = performance.now()
    try {
      const problem = await this.#database.ask((db) => selectSchemaProblem(db, this.#required))
      this.#problem = problem && adviceOf(problem)
      this.#isAnswered = true
    } catch (error) {
      this.#isAnswered = false
      throw error
    }
    return this.#problem
  }
}
