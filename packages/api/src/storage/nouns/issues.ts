import { isOpen, severityKey } from '@muster/contract'
import type { Selectable } from 'kysely'

import { writeDerived, indexRowsAt } from '#storage/derived/consequences'
import { summaryCountsOf } from '#storage/derived/summary-counts'
import type { Read, RowWrite, Write } from '#storage/engine/access'
import { presentLinks } from '#storage/engine/evidence-links'
import { encodeId, encodeOptional, uuidOf, uuidOfOptional } from '#storage/engine/id'
import type { DB } from '#storage/engine/tables'
import { fold } from '#storage/lists/fold'
import { isOneOf } from '#storage/lists/keyset'

import type { InProject } from './projects.ts'

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
  'links',
  'metadata',
  'version',
  'created_at',
  'updated_at',
] as const satisfies (keyof DB['issues'])[]

export type SelectedIssue = Pick<Selectable<DB['issues']>, (typeof issueColumns)[number]>
export type StoredIssue = ReturnType<typeof presentIssue>

export function presentIssue(row: SelectedIssue) {
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
    links: presentLinks(row.links),
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

/** In any project: the issue of an occurred risk may have been moved. */
export async function selectIssueById(read: Read, id: string) {
  const row = await read.db
    .selectFrom('issues')
    .select(issueColumns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  return row ? presentIssue(row) : null
}

/** Locks rows until the write ends, in id order to avoid deadlocks. */
const lockQuery = ({ db, workspaceId }: Write) =>
  db
    .selectFrom('issues')
    .select(issueColumns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .forNoKeyUpdate()

/** Locks issues of a project by id. */
export async function lockIssues(write: Write, projectId: string, ids: readonly string[]) {
  const rows = await lockQuery(write)
    .where('project_id', '=', uuidOf(projectId))
    .where(isOneOf('id', ids.map(uuidOf)))
    .execute()
  return rows.map(presentIssue)
}

/** Locks at most `limit` open issues of a project. */
export async function lockOpenIssues(write: Write, projectId: string, limit: number) {
  const rows = await lockQuery(write)
    .where('project_id', '=', uuidOf(projectId))
    .where((eb) => eb.ref('is_open'))
    .limit(limit)
    .execute()
  return rows.map(presentIssue)
}

/** Locks those of the issues that are open and assigned to this person. */
export async function lockIssuesAssignedTo(
  write: Write,
  assigneeId: string,
  ids: readonly string[],
) {
  const rows = await lockQuery(write)
    .where(isOneOf('id', ids.map(uuidOf)))
    .where('assignee_user_id', '=', uuidOf(assigneeId))
    .where((eb) => eb.ref('is_open'))
    .execute()
  return rows.map(presentIssue)
}

/** Writes an issue and its derived rows. `before` is null for a new one. */
export function upsertIssue(write: RowWrite, before: StoredIssue | null, after: StoredIssue): void {
  const row = { id: uuidOf(after.id), ...mutableColumns(after) }
  if (before === null) {
    const { ref, opened_at, created_at } = after
    write.insert('issues', { ...row, ref, opened_at, created_at })
  } else write.update('issues', row)
  const [was, is] = [before && derivedRowsOf(before), derivedRowsOf(after)]
  writeDerived(write, { noun: 'issue', table: 'issue_index_rows', before, after, was, is })
}

/** Index rows and summary counts of an open issue. */
function derivedRowsOf(issue: StoredIssue) {
  if (!isOpen(issue.status)) return null
  const { severity, opened_at } = issue
  return {
    indexRows: indexRowsAt(issue, {
      severity_key: severityKey(severity),
      opened_at,
      id: uuidOf(issue.id),
    }),
    counts: summaryCountsOf('issue', uuidOf(issue.project_id), {
      severity: String(severity),
      cell: `${severity} ${opened_at.slice(0, 7)}`,
      status: issue.status,
      assignee: uuidOfOptional(issue.assignee_user_id) ?? 'none',
      flag: issue.flags,
    }),
  }
}

/** The columns that an update can change. */
function mutableColumns(issue: StoredIssue) {
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
    links: issue.links,
    metadata: issue.metadata,
    updated_at: issue.updated_at,
  }
}
