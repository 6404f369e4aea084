import { sql } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isOneOf, isOwn } from '#storage/statements/keyset'
import type { ProjectScope } from '#storage/statements/view'
import { uuidOf } from '#storage/values/id'

export interface AssignmentCounts {
  readonly projects: number
  readonly risks: number
  readonly issues: number
  readonly tasks: number
}

interface Assigned {
  readonly userId: string
  readonly projectStatuses: readonly string[]
  readonly projects: ProjectScope
}

/** Counts the work that is assigned to a person. */
export async function countAssignments(
  read: Read,
  { userId, projectStatuses, projects: { uuids } }: Assigned,
): Promise<AssignmentCounts> {
  const uuid = uuidOf(userId)
  const isIn = (column: string) => (uuids ? sql` and ${isOneOf(column, uuids)}` : sql``)
  const { rows } = await sql<AssignmentCounts>`select
    (select count(*) from projects where ${isOwn(read, 'projects')} and owner_user_id = ${uuid}
      and status = any(${projectStatuses}::text[])${isIn('id')}) as projects,
    (select count(*) from risks where ${isOwn(read, 'risks')} and owner_key = ${uuid}
      and is_live${isIn('project_id')}) as risks,
    (select count(*) from issues where ${isOwn(read, 'issues')} and assignee_key = ${uuid}
      and is_open${isIn('project_id')}) as issues,
    (select count(*) from tasks where ${isOwn(read, 'tasks')} and assignee_key = ${uuid}
      and is_open${isIn('project_id')}) as tasks`.execute(read.db)
  return rows[0] ?? { projects: 0, risks: 0, issues: 0, tasks: 0 }
}
