import type { Issue, IssuePatch, NewIssue } from '@muster/contract'

import { refresh } from '#api/cache.ts'
import { client } from '#api/client.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { act, type Act, actAside } from '#ui/act.ts'
import { asBefore, changesTo, isNothing } from '#ui/changes.ts'
import { sayDone } from '#ui/toast.tsx'

import { issueKey, paramsOf } from './queries.ts'

/** An issue shows in the numbers of its project, and among the assignments of a person. */
const touches = ['issues', 'projects', 'personnel'] as const

/** What all that is done to an issue has in common. */
function onIssue(issue: Issue) {
  const params = paramsOf(issue)
  return {
    params,
    common: {
      thing: issue,
      key: issueKey(issue),
      view: () => client.issues.view({ params }),
      touches,
    } as const satisfies Partial<Act<Issue, unknown>>,
  }
}

/** What can be changed of an issue by hand. */
export type IssueFields = Required<
  Pick<
    Issue,
    | 'title'
    | 'description'
    | 'severity'
    | 'type'
    | 'assignee_user_id'
    | 'due_on'
    | 'status'
    | 'blocked_reason'
    | 'tags'
  >
>

const changing = (issue: Issue, body: Partial<IssueFields>, says: string): Act<Issue, Issue> => {
  const { params, common } = onIssue(issue)
  const update = (fields: IssuePatch, ifMatch: number) =>
    client.issues.update({ params, body: fields }, { ifMatch })
  return {
    ...common,
    expected: body,
    send: (ifMatch) => update(body, ifMatch),
    says,
    undo: ({ version }, before) => update(asBefore(before, body), version),
  }
}

/** Null, and nothing is sent, when nothing was changed. */
export async function editIssue(issue: Issue, wanted: Partial<IssueFields>) {
  const body = changesTo<IssueFields>(issue, wanted)
  if (isNothing(body)) return null
  return act(changing(issue, body, t('issue.edited', { ref: issue.ref })))
}

export function assignIssue(issue: Issue, assignee_user_id: string | null) {
  const says = t(assignee_user_id ? 'issue.assigned' : 'issue.unassigned', { ref: issue.ref })
  return act(changing(issue, { assignee_user_id }, says))
}

/** What held it up does so no longer when it moves on. */
const moving = (issue: Issue, status: Issue['status'], blocked_reason: string | null) =>
  changing(
    issue,
    { status, ...(blocked_reason !== issue.blocked_reason && { blocked_reason }) },
    t('issue.status.changed', { ref: issue.ref, status: label('issueStatus', status) }),
  )

export const moveIssue = (issue: Issue, status: 'open' | 'in_progress') =>
  actAside(moving(issue, status, null))

export const blockIssue = (issue: Issue, reason: string | null) =>
  act(moving(issue, 'blocked', reason))

type CloseReason = NonNullable<Issue['close_reason']>

interface Closing {
  readonly close_reason: CloseReason
  readonly close_note: string | null
}

export function closeIssue(issue: Issue, body: Closing) {
  const { params, common } = onIssue(issue)
  return act({
    ...common,
    expected: { status: 'closed', ...body },
    send: (ifMatch) => client.issues.close({ params, body }, { ifMatch }),
    says: t('issue.closed', { ref: issue.ref }),
    undo: async ({ version }, { status }) => {
      const reopened = await client.issues.reopen({ params, body: {} }, { ifMatch: version })
      // It is reopened as open, whatever it was.
      if (status === 'open' || status === 'closed') return
      await client.issues.update({ params, body: { status } }, { ifMatch: reopened.version })
    },
  })
}

export function reopenIssue(issue: Issue, body: { readonly note?: string }) {
  const { params, common } = onIssue(issue)
  return act({
    ...common,
    expected: { status: 'open', close_reason: null, close_note: null, closed_at: null },
    send: (ifMatch) => client.issues.reopen({ params, body }, { ifMatch }),
    says: t('issue.reopened', { ref: issue.ref }),
    undo: async ({ version }, { close_reason, close_note }) => {
      if (close_reason === null) return
      const closed = { close_reason, close_note }
      await client.issues.close({ params, body: closed }, { ifMatch: version })
    },
  })
}

export async function openIssue(project_id: string, body: NewIssue): Promise<Issue> {
  const issue = await client.issues.create({ params: { project_id }, body })
  sayDone(t('issue.new.done', { ref: issue.ref }))
  await refresh(...touches)
  return issue
}
