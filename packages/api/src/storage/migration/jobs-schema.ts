/** The schema of pg-boss, which holds the jobs. Its tables have ids only, and can be dropped. */

import { type Kysely, sql } from 'kysely'
import { getConstructionPlans, getMigrationPlans } from 'pg-boss'

import type { DB } from '#storage/schema/tables'

/** The version of the tables that pg-boss 12.35 needs. A test compares it with the package. */
export const jobsVersion = 43

const rights = `
  grant usage on schema pgboss to muster_app;
  grant select, insert, update, delete on all tables in schema pgboss to muster_app;
  grant execute on all functions in schema pgboss to muster_app`

/** The version of the tables; null if there are none. */
export async function selectJobsVersion(db: Kysely<DB>): Promise<number | null> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('pgboss.version') is not null as exists`.execute(db)
  if (rows[0]?.exists !== true) return null
  const { rows: versions } = await sql<{ version: number }>`
    select version from pgboss.version`.execute(db)
  return versions[0]?.version ?? null
}

/** Creates the tables, or changes them for this version of pg-boss. Returns whether it did. */
export async function migrateJobs(db: Kysely<DB>): Promise<boolean> {
  const version = await selectJobsVersion(db)
  // A newer release may have migrated them already.
  if (version !== null && version >= jobsVersion) return false
  const plan =
    version === null
      ? getConstructionPlans('pgboss', { createSchema: false })
      : getMigrationPlans('pgboss', version)
  await sql.raw(plan).execute(db)
  await sql.raw(rights).execute(db)
  return true
}
