import type { Selectable } from 'kysely'

import { follow, marksAt } from './consequences.ts'
import type { Read, Write } from './database.ts'
import { fold } from './fold.ts'
import { encodeId, encodeOptional, uuidOf, uuidOfOptional } from './id.ts'
import { isOneOf } from './keyset.ts'
import type { InProject } from './projects.ts'
import type { DB } from './tables.ts'
import { talliesOf } from './tallies.ts'

export const issueColumns = [
  'id',
  'ref',
  'project_id',
  'title',
  'description',
  'type',
  'status',
  'severity',
  'severity_key',
  'assignee_user_id',
  'risk_id',
  'opened_at',
  'due_on',
  'blocked_reason',
  'close_reason',
  'close_note',
  'closed_at',
  'reopened_count',
  'flags',
  'tags',
  'metadata',
  'version',
  'created_at',
  'updated_at',
] as const satisfies (keyof DB['issues'])[]

export type IssueRow = Pick<Selectable<DB['issues']>, (typeof issueColumns)[number]>
export type StoredIssue = ReturnType<typeof presentIssue>

export function presentIssue(row: IssueRow) {
  return {
    id: encodeId('iss', row.id),
    ref: row.ref,
    project_id: encodeId('prj', row.project_id),
    title: row.title,
    description: row.description,
    type: row.type,
    status: row.status,
    severity: row.severity,
    assignee_user_id: encodeOptional('usr', row.assignee_user_id),
    risk_id: encodeOptional('rsk', row.risk_id),
    opened_at: row.opened_at,
    due_on: row.due_on,
    blocked_reason: row.blocked_reason,
    close_reason: row.close_reason,
    close_note: row.close_note,
    closed_at: row.closed_at,
    reopened_count: row.reopened_count,
    flags: row.flags,
    tags: row.tags,
    metadata: row.metadata,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

export async function selectIssue(read: Read, { projectId, id }: InProject) {
  const row = await read.db
    .selectFrom('issues')
    .select(issueColumns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .where('project_id', '=', uuidOf(projectId))
    .executeTakeFirst()
  return row ? presentIssue(row) : null
}

/** An issue wherever it is: one that a risk became may have been moved since. */
export async function selectIssueById(read: Read, id: string) {
  const row = await read.db
    .selectFrom('issues')
    .select(issueColumns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  return row ? presentIssue(row) : null
}

/** Held until the write ends, each in its turn. */
const locked = ({ db, workspaceId }: Write) =>
  db
    .selectFrom('issues')
    .select(issueColumns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .forNoKeyUpdate()

/** These issues of a project as they are now. */
export async function lockIssues(write: Write, projectId: string, ids: readonly string[]) {
  const rows = await locked(write)
    .where('project_id', '=', uuidOf(projectId))
    .where(isOneOf('id', ids.map(uuidOf)))
    .execute()
  return rows.map(presentIssue)
}

/** The open issues of a project, at most `limit`. */
export async function lockOpenIssues(write: Write, projectId: string, limit: number) {
  const rows = await locked(write)
    .where('project_id', '=', uuidOf(projectId))
    .where((eb) => eb.ref('is_open'))
    .limit(limit)
    .execute()
  return rows.map(presentIssue)
}

/** Of these issues those that are open and in these hands. */
export async function lockIssuesOf(write: Write, assigneeId: string, ids: readonly string[]) {
  const rows = await locked(write)
    .where(isOneOf('id', ids.map(uuidOf)))
    .where('assignee_user_id', '=', uuidOf(assigneeId))
    .where((eb) => eb.ref('is_open'))
    .execute()
  return rows.map(presentIssue)
}

/** Writes an issue, with all that follows from it. `before` is null for a new one. */
export function storeIssue(write: Write, before: StoredIssue | null, after: StoredIssue): void {
  const row = { id: uuidOf(after.id), ...changing(after) }
  if (before === null) {
    const { ref, opened_at, created_at } = after
    write.insert('issues', { ...row, ref, opened_at, created_at })
  } else write.update('issues', row)
  const [noun, collection, counted] = ['issue', 'issues', 'open_issues'] as const
  const [was, is] = [before && listed(before), listed(after)]
  follow(write, { noun, collection, counted, table: 'issue_marks', before, after, was, is })
}

/** What an open issue can be looked for by, and what it is counted under. */
function listed(issue: StoredIssue) {
  if (issue.status === 'closed') return null
  const { severity, opened_at } = issue
  return {
    marks: marksAt(issue, { severity_key: -severity, opened_at, id: uuidOf(issue.id) }),
    tallies: talliesOf('issue', uuidOf(issue.project_id), {
      severity: String(severity),
      cell: `${severity} ${opened_at.slice(0, 7)}`,
      status: issue.status,
      assignee: uuidOfOptional(issue.assignee_user_id) ?? 'none',
      flag: issue.flags,
    }),
  }
}

/** Everything of an issue that a write can change. */
function changing(issue: StoredIssue) {
  return {
    project_id: uuidOf(issue.project_id),
    title: issue.title,
    search_text: fold(`${issue.ref} ${issue.title}`),
    description: issue.description,
    type: issue.type,
    status: issue.status,
    severity: issue.severity,
    assignee_user_id: uuidOfOptional(issue.assignee_user_id),
    risk_id: uuidOfOptional(issue.risk_id),
    due_on: issue.due_on,
    blocked_reason: issue.blocked_reason,
    close_reason: issue.close_reason,
    close_note: issue.close_note,
    closed_at: issue.closed_at,
    reopened_count: issue.reopened_count,
    flags: issue.flags,
    tags: issue.tags,
    metadata: issue.metadata,
    updated_at: issue.updated_at,
  }
}
