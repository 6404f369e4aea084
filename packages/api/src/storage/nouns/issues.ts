import { isOpen, type Issue, issueFields, severityKey } from '@muster/contract'

import { writeDerived, indexRowsAt } from '#storage/derived/derived-rows'
import { summaryCountsOf } from '#storage/derived/summary-counts'
import type { Read, RowWrite, Write } from '#storage/statements/access'
import { isOneOf } from '#storage/statements/keyset'
import type { OpenedItem, OpenedProject } from '#storage/statements/view'
import { fold } from '#storage/values/fold'
import { uuidOf, uuidOfOptional } from '#storage/values/id'

import { linksForm } from './links-form.ts'
import { storedFields } from './stored-fields.ts'

export type StoredIssue = Issue

const stored = storedFields<'issues', StoredIssue, 'search_text'>(issueFields, {
  also: ['severity_key'],
  fixed: ['ref', 'opened_at', 'created_at'],
  computed: ['version'],
  forms: { links: linksForm },
})

export const { columns: issueColumns, present: presentIssue } = stored

export async function selectIssue(read: Read, { project, id }: OpenedItem) {
  const row = await read.db
    .selectFrom('issues')
    .select(issueColumns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .where('project_id', '=', project.uuid)
    .executeTakeFirst()
  return row ? presentIssue(row) : null
}

/** In any project that the view shows: the issue of an occurred risk may have been moved. */
export async function selectIssueById(read: Read, id: string) {
  const row = await read.db
    .selectFrom('issues')
    .select(issueColumns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  const issue = row ? presentIssue(row) : null
  return issue && read.view.shows(issue.project_id) ? issue : null
}

/** Locks rows until the write ends, in id order to avoid deadlocks. */
const lockQuery = ({ db, workspaceId }: Read) =>
  db
    .selectFrom('issues')
    .select(issueColumns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .forNoKeyUpdate()

/** Locks issues of these projects by id. */
export async function lockIssues(
  write: Write,
  projects: readonly OpenedProject<'manage'>[],
  ids: readonly string[],
) {
  const rows = await lockQuery(write)
    .where(
      isOneOf(
        'project_id',
        projects.map(({ uuid }) => uuid),
      ),
    )
    .where(isOneOf('id', ids.map(uuidOf)))
    .execute()
  return rows.map(presentIssue)
}

/** Locks at most `limit` open issues of a project. */
export async function lockOpenIssues(
  write: Write,
  project: OpenedProject<'manage'>,
  limit: number,
) {
  const rows = await lockQuery(write)
    .where('project_id', '=', project.uuid)
    .where((eb) => eb.ref('is_open'))
    .limit(limit)
    .execute()
  return rows.map(presentIssue)
}

/** Locks those of the issues that are open and assigned to this person. */
export async function lockIssuesAssignedTo(read: Read, assigneeId: string, ids: readonly string[]) {
  const rows = await lockQuery(read)
    .where(isOneOf('id', ids.map(uuidOf)))
    .where('assignee_user_id', '=', uuidOf(assigneeId))
    .where((eb) => eb.ref('is_open'))
    .execute()
  return rows.map(presentIssue).filter(({ project_id }) => read.view.shows(project_id))
}

/** Writes an issue and its derived rows. `before` is null for a new one. */
export function upsertIssue(write: RowWrite, before: StoredIssue | null, after: StoredIssue): void {
  const keys = { search_text: fold(`${after.ref} ${after.title}`) }
  if (before === null) write.insert('issues', stored.newRow(after, keys))
  else write.update('issues', stored.changedRow(after, keys))
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
    counts: countsOfIssue(issue),
  }
}

/** What the summary counts an open issue under. */
export const countsOfIssue = (issue: StoredIssue) =>
  summaryCountsOf('issue', uuidOf(issue.project_id), {
    severity: String(issue.severity),
    cell: `${issue.severity} ${issue.opened_at.slice(0, 7)}`,
    status: issue.status,
    assignee: uuidOfOptional(issue.assignee_user_id) ?? 'none',
    flag: issue.flags,
  })
