import { type Selectable, sql } from 'kysely'

import type { Read } from './database.ts'
import { epochOf } from './epoch.ts'
import type { WorkspaceCounters } from './tables.ts'

/**
 * How far a workspace has come and how much it holds, and in which life of the database.
 */
export type Counters = Readonly<Selectable<WorkspaceCounters> & { epoch: string }>

/** What has a sequence number of its own. */
export const stampedNames = [
  'personnel',
  'groups',
  'projects',
  'risks',
  'issues',
  'tasks',
  'keys',
] as const
export type Stamped = (typeof stampedNames)[number]

/** What is counted, and bounded by a quota. */
export const countedNames = [
  'people',
  'groups',
  'projects',
  'live_risks',
  'open_issues',
  'open_tasks',
  'keys',
] as const
export type Counted = (typeof countedNames)[number]

export async function selectCounters(read: Read): Promise<Counters> {
  const { life, ...counters } = await read.db
    .selectFrom('workspace_counters')
    .select([
      'workspace_id',
      'seq',
      'personnel_seq',
      'groups_seq',
      'projects_seq',
      'risks_seq',
      'issues_seq',
      'tasks_seq',
      'keys_seq',
      'people',
      'groups',
      'projects',
      'live_risks',
      'open_issues',
      'open_tasks',
      'keys',
      'people_max',
      'groups_max',
      'projects_max',
      'live_risks_max',
      'open_issues_max',
      'open_tasks_max',
      'keys_max',
      sql<string>`(select epoch from cluster) || left(pg_walfile_name(pg_current_wal_lsn()), 8)`.as(
        'life',
      ),
    ])
    .where('workspace_id', '=', read.workspaceId)
    .executeTakeFirstOrThrow()
  return { ...counters, epoch: epochOf(life, read.workspaceId) }
}
