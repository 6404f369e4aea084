import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOwn } from '#storage/statements/keyset'
import { uuidOf } from '#storage/values/id'

export interface AssignmentCounts {
  readonly projects: number
  readonly risks: number
  readonly issues: number
  readonly tasks: number
}

/** Counts the work that is assigned to a person. */
export async function countAssignments(
  read: Read,
  userId: string,
  projectStatuses: readonly string[],
): Promise<AssignmentCounts> {
  const uuid = uuidOf(userId)
  const { rows } = await sql<AssignmentCounts>`select
    (select count(*) from projects where ${isOwn(read, 'projects')} and owner_user_id = ${uuid}
      and status = any(${projectStatuses}::text[])) as projects,
    (select count(*) from risks where ${isOwn(read, 'risks')} and owner_key = ${uuid}
      and is_live) as risks,
    (select count(*) from issues where ${isOwn(read, 'issues')} and assignee_key = ${uuid}
      and is_open) as issues,
    (select count(*) from tasks where ${isOwn(read, 'tasks')} and assignee_key = ${uuid}
      and is_open) as tasks`.execute(read.db)
  return rows[0] ?? { projects: 0, risks: 0, issues: 0, tasks: 0 }
}
