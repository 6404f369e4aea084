import { type Kysely, sql } from 'kysely'

import type { DB } from '#storage/schema/tables'

import { onlyRow } from './server.ts'

/** The archive of the write-ahead log (WAL). Only a primary has a current WAL file. */
export interface ArchiverState {
  readonly mode: string
  readonly hasCommand: boolean
  readonly lastArchived: string | null
  readonly lastFailed: string | null
  readonly failures: number
  /** Whether the latest attempt failed. */
  readonly isFailing: boolean
  readonly archivedSecondsAgo: number | null
  readonly currentFile: string
  readonly fileBytes: number
}

export async function selectArchiver(db: Kysely<DB>): Promise<ArchiverState> {
  const { rows } = await sql<ArchiverState>`
    select current_setting('archive_mode') as mode,
      current_setting('archive_command') not in ('', '(disabled)')
        or current_setting('archive_library') <> '' as "hasCommand",
      last_archived_wal as "lastArchived", last_failed_wal as "lastFailed",
      failed_count as failures,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing",
      extract(epoch from now() - last_archived_time)::float8 as "archivedSecondsAgo",
      pg_walfile_name(pg_current_wal_lsn()) as "currentFile",
      (select setting::bigint from pg_settings where name = 'wal_segment_size') as "fileBytes"
    from pg_stat_archiver`.execute(db)
  return onlyRow(rows)
}

/** A standby or another receiver of WAL. Without privilege all but the number is null. */
export interface Standby {
  readonly name: string | null
  readonly state: string | null
  readonly syncState: string | null
  readonly lagBytes: number | null
}

export async function selectStandbys(db: Kysely<DB>): Promise<Standby[]> {
  const { rows } = await sql<Standby>`
    select application_name as name, state, sync_state as "syncState",
      pg_wal_lsn_diff(
        pg_current_wal_lsn(), coalesce(replay_lsn, flush_lsn, sent_lsn)
      )::bigint as "lagBytes"
    from pg_stat_replication order by application_name, pid`.execute(db)
  return rows
}

export interface ReplicationSlot {
  readonly name: string
  readonly isActive: boolean
  /** Null when the slot retains nothing. */
  readonly retainedBytes: number | null
  /** `reserved`, `extended`, `unreserved` or `lost`. */
  readonly walStatus: string | null
}

export async function selectReplicationSlots(db: Kysely<DB>): Promise<ReplicationSlot[]> {
  const { rows } = await sql<ReplicationSlot>`
    select slot_name::text as name, active as "isActive", wal_status as "walStatus",
      pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint as "retainedBytes"
    from pg_replication_slots order by slot_name`.execute(db)
  return rows
}

/** Settings of a point-in-time recovery that are set, or will be after a restart. */
export async function selectRecoveryTargets(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings
    where starts_with(name, 'recovery_target')
      and (setting is distinct from boot_val or pending_restart)
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}
