import type { Issue, OpenIssue } from '@muster/contract'

import { refuseUnassignable } from '#domain/assignable'
import type { Caller } from '#domain/caller'
import { Failure } from '#domain/failure'
import { listing, type Listing } from '#domain/listing'
import { projectNames } from '#domain/project-names'
import { takeRef } from '#domain/projects'
import { refuseOverQuota } from '#domain/quota'
import { severitiesWhere } from '#domain/score'
import {
  countOpenIssues,
  insertIssue,
  lockIssue,
  selectOpenIssues,
  type StoredIssue,
  updateIssue,
} from '#storage/issues'

export interface OpenIssuesQuery {
  readonly project_id?: readonly string[]
  /** An id, or `none`. */
  readonly assignee_user_id?: readonly string[]
  readonly severity?: readonly number[]
  readonly q?: string
}

/** The issues of all projects that are not closed, worst first. A query can only narrow it. */
export function listOpenIssues(
  caller: Caller<'projects.read'>,
  query: OpenIssuesQuery,
): Listing<OpenIssue> {
  const { project_id, assignee_user_id, severity, q } = query
  const filter = {
    projectIds: project_id ?? null,
    assigneeIds: assignee_user_id?.map((id) => (id === 'none' ? null : id)) ?? null,
    severities: severitiesWhere(severity),
    q: q ?? null,
  }
  const isFiltered = [project_id, assignee_user_id, severity, q].some(
    (value) => value !== undefined,
  )
  return listing(caller, {
    collection: 'issues',
    counter: isFiltered ? null : 'open_issues',
    count: (snapshot, max) => countOpenIssues(snapshot, filter, max),
    select: async (snapshot, page) => {
      const [{ items, next }, nameOf] = await Promise.all([
        selectOpenIssues(snapshot, filter, page),
        projectNames(caller.database, snapshot),
      ])
      const open = items.map((issue) => ({ ...issue, project: nameOf(issue.project_id) }))
      return { items: open, next }
    },
  })
}

export type NewIssue = Pick<Issue, 'title' | 'severity'> &
  Partial<
    Pick<Issue, 'description' | 'type' | 'assignee_user_id' | 'due_on' | 'blocked_reason' | 'tags'>
  > & { readonly status?: Exclude<Issue['status'], 'closed'> }

export function addIssue(
  caller: Caller<'projects.manage'>,
  projectId: string,
  input: NewIssue,
): Promise<Issue> {
  return caller.database.write(caller, async (write) => {
    refuseOverQuota(write, 'open_issues')
    await refuseUnassignable(write, input.assignee_user_id ?? null)
    const ref = await takeRef(write, projectId, 'I')
    const issue = {
      description: null,
      type: 'problem',
      status: 'open',
      assignee_user_id: null,
      risk_id: null,
      due_on: null,
      blocked_reason: null,
      ...input,
      id: write.newId('iss'),
      ref,
      project_id: projectId,
      opened_at: write.now,
      close_reason: null,
      close_note: null,
      closed_at: null,
      reopened_count: 0,
      flags: [],
      tags: input.tags?.toSorted() ?? [],
      metadata: {},
      version: 0,
      created_at: write.now,
      updated_at: write.now,
    } satisfies StoredIssue
    insertIssue(write, issue)
    write.count('open_issues', 1)
    write.record({ type: 'issue.created', subject: issue.id, project: projectId })
    return issue
  })
}

/** Closing it again changes nothing. */
export function closeIssue(
  caller: Caller<'projects.manage'>,
  id: string,
  { reason, note }: { reason: NonNullable<Issue['close_reason']>; note: string | null },
): Promise<Issue> {
  return caller.database.write(caller, async (write) => {
    const issue = await lockIssue(write, id)
    if (issue === null) throw new Failure('not_found', `There is no issue ${id}.`)
    if (issue.status === 'closed') return issue
    const closed: StoredIssue = {
      ...issue,
      status: 'closed',
      closed_at: write.now,
      close_reason: reason,
      close_note: note,
      version: 0,
      updated_at: write.now,
    }
    updateIssue(write, closed)
    write.count('open_issues', -1)
    write.record({ type: 'issue.closed', subject: id, project: issue.project_id })
    return closed
  })
}
