import { setTimeout as sleep } from 'node:timers/promises'

import { Kysely, PostgresAdapter, PostgresDialect, type QueryExecutorProvider, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Pool } from 'pg'

import { createPool } from '#storage/connection/pool'
import { requireSessionSettings } from '#storage/connection/session-settings'
import type { DB } from '#storage/schema/tables'
import { codeOf } from '#storage/values/sqlstate'
import { SchemaMismatchError } from '#storage/values/storage-error'

import { migrateJobs } from './jobs-schema.ts'
import { checksumsTable, type MigrationFile, readMigrations } from './migrations.ts'
import { adviceOf, selectAppliedMigrations, selectChecksumProblem } from './schema-check.ts'

const lockId = 7_304_166_318

interface MigrateOptions {
  /** The folder with the migrations. */
  readonly folder?: URL | undefined
  /** The last migration to apply; all by default. */
  readonly last?: string | null
}

/**
 * Applies the missing migrations and returns their names. Each is one transaction, and the service
 * keeps running. Several processes can migrate at once: each migration is applied by one of them.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { folder, last = null } = options
  await requireSessionSettings({ url, role: null, hasLongTimeouts: true })
  await prepare(url)
  const pool = createPool({ url, role: 'muster_owner', max: 1, hasLongTimeouts: true })
  const db = new Kysely<DB>({ dialect: new PollingDialect({ pool }) })
  try {
    const files = await readMigrations(folder)
    await refuseOlderSchema(db, files)
    await locked(db, (locking) => verifyChecksums(locking, files))
    const wanted = files.filter(({ name }) => last === null || name <= last)
    const migrations = Object.fromEntries(wanted.map((file) => [file.name, migrationOf(file)]))
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrations },
      migrationTableSchema: 'muster',
    })
    const done: string[] = []
    for (;;) {
      const name = await step(migrator)
      if (name === null) break
      done.push(name)
    }
    if (last === null) {
      await locked(db, async (locking) => {
        if (await migrateJobs(locking)) done.push('pgboss')
      })
    }
    return done
  } finally {
    await db.destroy()
  }
}

/**
 * Refuses a database that was created before the baseline. A database of a newer release has all
 * migrations of this one, and further ones after them.
 */
async function refuseOlderSchema(db: Kysely<DB>, files: readonly MigrationFile[]): Promise<void> {
  const known = files.map(({ name }) => name)
  const latest = known.at(-1) ?? ''
  const applied = (await selectAppliedMigrations(db)).keys()
  const unknown = applied.filter((name) => name < latest && !known.includes(name)).toArray()
  if (unknown.length === 0) return
  throw new SchemaMismatchError(
    `The database was created before the baseline schema (migration ${unknown[0]}) and cannot be ` +
      'migrated. Create a new database, set DATABASE_URL to it, and run: npm run migrate',
  )
}

/**
 * Creates the table of the checksums, and refuses a database whose migrations are not these files.
 * A database of a release before 0.2.0 has no checksums, and gets them if its schema is the same.
 */
async function verifyChecksums(db: Kysely<DB>, files: readonly MigrationFile[]): Promise<void> {
  await sql.raw(checksumsTable).execute(db)
  const applied = await selectAppliedMigrations(db)
  const problem = await selectChecksumProblem(db, { required: files, applied })
  if (problem !== null) throw new SchemaMismatchError(adviceOf(problem))
  const stored = files.filter(({ name }) => applied.get(name) === null)
  if (stored.length > 0) await insertChecksums(db, stored)
}

async function insertChecksums(db: Kysely<DB>, files: readonly MigrationFile[]): Promise<void> {
  const rows = files.map(({ name, checksum }) => ({ name, checksum }))
  await db.insertInto('migration_checksums').values(rows).execute()
}

/**
 * A statement that waits for a table lock blocks all later ones, also readers. So a migration waits
 * briefly, gives up and tries again.
 */
const lockMs = 100
const triesMax = 300
const lockNotAvailable = '55P03'

/** Applies the next migration and returns its name; null if there is none. */
async function step(migrator: Migrator): Promise<string | null> {
  for (let tries = 1; ; tries++) {
    const { error, results = [] } = await migrator.migrateUp()
    const [result] = results
    if (!error) return result?.migrationName ?? null
    if (codeOf(error) !== lockNotAvailable || tries === triesMax) {
      const name = result?.migrationName ?? 'of the ledger'
      throw new Error(`Migration ${name} failed.`, { cause: error })
    }
    await sleep(lockMs + Math.random() * 4 * lockMs)
  }
}

/** Kysely runs `up` in the transaction that records the migration as applied. */
const migrationOf = (file: MigrationFile): Migration => ({
  up: async (db) => {
    await sql`${sql.raw(`set local lock_timeout = ${lockMs}`)}`.execute(db)
    await sql`${sql.raw(file.text)}`.execute(db)
    await insertChecksums(db, [file])
  },
})

/**
 * Polls for the advisory lock instead of waiting for it: a waiting statement holds a snapshot, and
 * `create index concurrently` waits for that snapshot to end.
 */
class PollingDialect extends PostgresDialect {
  override createAdapter() {
    return new PollingAdapter()
  }
}

class PollingAdapter extends PostgresAdapter {
  override async acquireMigrationLock(db: QueryExecutorProvider): Promise<void> {
    const ask = sql<{ is_held: boolean }>`select pg_try_advisory_lock(${lockId}) as is_held`
    for (;;) {
      const { rows } = await ask.execute(db)
      if (rows[0]?.is_held) return
      await sleep(50)
    }
  }

  override async releaseMigrationLock(db: QueryExecutorProvider): Promise<void> {
    await sql`select pg_advisory_unlock(${lockId})`.execute(db)
  }
}

/** Does work on one connection while no other process migrates. */
function locked(db: Kysely<DB>, work: (db: Kysely<DB>) => Promise<void>): Promise<void> {
  const adapter = new PollingAdapter()
  return db.connection().execute(async (connection) => {
    await adapter.acquireMigrationLock(connection)
    try {
      await work(connection)
    } finally {
      await adapter.releaseMigrationLock(connection)
    }
  })
}

export const roles = ['muster_owner', 'muster_app', 'muster_auth']

/**
 * Creates the roles and the schema as the user of the URL. Roles belong to the server: another
 * database may have created them, or be creating them now.
 */
async function prepare(url: string): Promise<void> {
  const client = createPool({ url, role: null, max: 1, hasLongTimeouts: true })
  try {
    for (const role of roles) await ensureRole(client, role)
    await grant(client, 'muster_auth', 'muster_owner')
    await tolerant(client, 'create schema if not exists muster authorization muster_owner')
    await tolerant(client, 'grant usage on schema muster to muster_app, muster_auth')
    await tolerant(client, 'create schema if not exists pgboss authorization muster_owner')
  } finally {
    await client.end()
  }
}

async function ensureRole(client: Pool, role: string): Promise<void> {
  const { rows } = await client.query('select 1 from pg_roles where rolname = $1', [role])
  if (rows.length === 0) await tolerant(client, `create role ${role} nologin noinherit`)
  const { rows: me } = await client.query<{ name: string }>(
    `select quote_ident(current_user) as name where not pg_has_role(current_user, $1, 'member')`,
    [role],
  )
  if (me[0]) await grant(client, role, me[0].name)
}

async function grant(client: Pool, role: string, to: string): Promise<void> {
  const { rows } = await client.query(
    `select 1 from pg_auth_members m
     where m.roleid = $1::regrole and m.member = $2::regrole`,
    [role, to],
  )
  if (rows.length === 0) await tolerant(client, `grant ${role} to ${to}`)
}

const alreadyThere = new Set(['42710', '42P06', '23505'])
const changedMeanwhile = 'XX000' // "tuple concurrently updated"

async function tolerant(client: Pool, statement: string, tries = 20): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (alreadyThere.has(code)) return
    if (code !== changedMeanwhile || tries === 0) throw error
    await sleep(20 + Math.random() * 80)
    await tolerant(client, statement, tries - 1)
  }
}
