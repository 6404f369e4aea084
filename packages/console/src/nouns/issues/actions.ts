import type { Issue, IssuePatch, NewIssue } from '@muster/contract'

import { issueAddress } from '#data/addresses.ts'
import { runMutation, runMutationWithToast } from '#data/change/mutation.ts'
import { resource, withToast } from '#data/change/resource.ts'
import { client } from '#data/client.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { type IssueRef, toParams } from './queries.ts'

/** An issue counts in the summary of its project and in the assignments of its assignee. */
export const invalidates = ['issues', 'projects', 'personnel'] as const

const issues = resource<Issue, IssueRef, IssuePatch>({
  noun: 'issues',
  invalidates,
  view: (ref, options) => client.issues.view({ params: toParams(ref) }, options),
  update: (issue, body, ifMatch) =>
    client.issues.update({ params: toParams(issue), body }, { ifMatch }),
  linkTo: (issue) => ({ text: t('word.open'), ...issueAddress(issue) }),
})

export const issueQuery = issues.query

/** Returns null and sends nothing if no field changed. */
export const editIssue = (issue: Issue, wanted: IssuePatch) =>
  issues.edit(issue, wanted, t('item.edited', { ref: issue.ref }))

export const saveIssue = (issue: Issue, wanted: IssuePatch) => withToast(editIssue(issue, wanted))

export function assignIssue(issue: Issue, assignee_user_id: string | null) {
  const successMessage = t(assignee_user_id ? 'issue.assigned' : 'issue.unassigned', {
    ref: issue.ref,
  })
  return runMutation(issues.updating(issue, { assignee_user_id }, successMessage))
}

type OpenStatus = NonNullable<IssuePatch['status']>

/** A status other than blocked clears the blocking reason. */
const moving = (issue: Issue, status: OpenStatus, blocked_reason: string | null) =>
  issues.updating(
    issue,
    { status, ...(blocked_reason !== issue.blocked_reason && { blocked_reason }) },
    t('item.moved', { ref: issue.ref, status: label('issueStatus', status) }),
  )

export const moveIssue = (issue: Issue, status: OpenStatus) =>
  runMutationWithToast(moving(issue, status, null))

export const blockIssue = (issue: Issue, reason: string | null) =>
  runMutation(moving(issue, 'blocked', reason))

export type CloseBody = Pick<Issue, 'close_note'> & {
  readonly close_reason: NonNullable<Issue['close_reason']>
}

export function closeIssue(issue: Issue, body: CloseBody) {
  const params = toParams(issue)
  return runMutation({
    ...issues.base(issue),
    optimistic: { status: 'closed', ...body },
    send: (ifMatch) => client.issues.close({ params, body }, { ifMatch }),
    successMessage: t('item.closed', { ref: issue.ref }),
    undo: async ({ version }, { status }) => {
      const reopened = await client.issues.reopen({ params, body: {} }, { ifMatch: version })
      // Reopening sets the status to open, so restore the previous one.
      if (status === 'open' || status === 'closed') return
      await client.issues.update({ params, body: { status } }, { ifMatch: reopened.version })
    },
  })
}

export function reopenIssue(issue: Issue, body: { readonly note?: string }) {
  const params = toParams(issue)
  return runMutation({
    ...issues.base(issue),
    optimistic: { status: 'open', close_reason: null, close_note: null, closed_at: null },
    send: (ifMatch) => client.issues.reopen({ params, body }, { ifMatch }),
    successMessage: t('issue.reopened', { ref: issue.ref }),
    undo: async ({ version }, { close_reason, close_note }) => {
      if (close_reason === null) return
      const closed = { close_reason, close_note }
      await client.issues.close({ params, body: closed }, { ifMatch: version })
    },
  })
}

export async function openIssue(project_id: string, body: NewIssue): Promise<Issue> {
  const issue = await client.issues.create({ params: { project_id }, body })
  return issues.created(issue, t('item.created', { ref: issue.ref }))
}
