import type { Issue, IssuePatch, NewIssue } from '@muster/contract'

import { changedFields, isEmpty, previousValues } from '#data/change/changes.ts'
import { type Mutation, runMutation, runMutationWithToast } from '#data/change/mutation.ts'
import { client } from '#data/client.ts'
import { invalidate } from '#data/query-client.ts'
import { showError, showSuccess, type ToastLink } from '#kit/feedback/toast.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { issueKey, toParams } from './queries.ts'

/** An issue counts in the summary of its project and in the assignments of its assignee. */
export const invalidates = ['issues', 'projects', 'personnel'] as const

const linkTo = (issue: Issue): ToastLink => ({
  text: t('toast.open'),
  to: '/projects/$project_id/issues/$issue_id',
  params: toParams(issue),
})

/** The parts that all mutations of an issue share. */
function issueMutation(issue: Issue) {
  const params = toParams(issue)
  return {
    params,
    base: {
      resource: issue,
      queryKey: issueKey(issue),
      fetchLatest: () => client.issues.view({ params }),
      invalidates,
      link: linkTo(issue),
    } as const satisfies Partial<Mutation<Issue, unknown>>,
  }
}

/** The fields of an issue that a user can edit. */
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
    | 'links'
  >
>

const updateMutation = (
  issue: Issue,
  body: Partial<IssueFields>,
  successMessage: string,
): Mutation<Issue, Issue> => {
  const { params, base } = issueMutation(issue)
  const update = (fields: IssuePatch, ifMatch: number) =>
    client.issues.update({ params, body: fields }, { ifMatch })
  return {
    ...base,
    optimistic: body,
    send: (ifMatch) => update(body, ifMatch),
    successMessage,
    undo: ({ version }, before) => update(previousValues(before, body), version),
  }
}

/** Returns null and sends nothing if no field changed. */
export async function editIssue(issue: Issue, wanted: Partial<IssueFields>) {
  const body = changedFields<IssueFields>(issue, wanted)
  if (isEmpty(body)) return null
  return runMutation(updateMutation(issue, body, t('issue.edited', { ref: issue.ref })))
}

/** For fields that save at once: shows an error as a notification. */
export const saveIssue = (issue: Issue, wanted: Partial<IssueFields>) =>
  editIssue(issue, wanted).catch(showError)

export function assignIssue(issue: Issue, assignee_user_id: string | null) {
  const successMessage = t(assignee_user_id ? 'issue.assigned' : 'issue.unassigned', {
    ref: issue.ref,
  })
  return runMutation(updateMutation(issue, { assignee_user_id }, successMessage))
}

/** A status other than blocked clears the blocking reason. */
const statusMutation = (issue: Issue, status: Issue['status'], blocked_reason: string | null) =>
  updateMutation(
    issue,
    { status, ...(blocked_reason !== issue.blocked_reason && { blocked_reason }) },
    t('issue.status.changed', { ref: issue.ref, status: label('issueStatus', status) }),
  )

export const moveIssue = (issue: Issue, status: 'open' | 'in_progress') =>
  runMutationWithToast(statusMutation(issue, status, null))

export const blockIssue = (issue: Issue, reason: string | null) =>
  runMutation(statusMutation(issue, 'blocked', reason))

type CloseReason = NonNullable<Issue['close_reason']>

interface CloseBody {
  readonly close_reason: CloseReason
  readonly close_note: string | null
}

export function closeIssue(issue: Issue, body: CloseBody) {
  const { params, base } = issueMutation(issue)
  return runMutation({
    ...base,
    optimistic: { status: 'closed', ...body },
    send: (ifMatch) => client.issues.close({ params, body }, { ifMatch }),
    successMessage: t('issue.closed', { ref: issue.ref }),
    undo: async ({ version }, { status }) => {
      const reopened = await client.issues.reopen({ params, body: {} }, { ifMatch: version })
      // Reopening sets the status to open, so restore the previous one.
      if (status === 'open' || status === 'closed') return
      await client.issues.update({ params, body: { status } }, { ifMatch: reopened.version })
    },
  })
}

export function reopenIssue(issue: Issue, body: { readonly note?: string }) {
  const { params, base } = issueMutation(issue)
  return runMutation({
    ...base,
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
  showSuccess(t('issue.new.done', { ref: issue.ref }), undefined, linkTo(issue))
  await invalidate(...invalidates)
  return issue
}
