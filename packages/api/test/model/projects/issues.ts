import type { Issue, Project } from '@muster/contract'

import {
  attempt,
  type Command,
  type Outcome,
  patchedMap,
  readPatch,
  realChanges,
  refused,
  refuseArchived,
  refuseStale,
  refuseAssignee,
  unless,
  type ModelState,
} from './model.ts'

export const isOpen = ({ status }: Pick<Issue, 'status'>) => status !== 'closed'

/** Recomputes tags and flags of an issue. */
export function withDerivedIssue(state: ModelState, issue: Issue): Issue {
  const isOverdue = isOpen(issue) && issue.due_on !== null && issue.due_on < state.today
  return { ...issue, tags: issue.tags.toSorted(), flags: isOverdue ? ['overdue'] : [] }
}

interface NewIssue {
  readonly project: Project
  readonly id: string
  readonly body: object
}

export function newIssue(state: ModelState, { project, id, body }: NewIssue): Issue {
  return withDerivedIssue(state, {
    description: null,
    type: 'problem',
    status: 'open',
    assignee_user_id: null,
    risk_id: null,
    due_on: null,
    blocked_reason: null,
    external_id: null,
    tags: [],
    links: [],
    metadata: {},
    ...body,
    id,
    ref: state.nextRef(project, 'I'),
    project_id: project.id,
    opened_at: state.now,
    close_reason: null,
    close_note: null,
    closed_at: null,
    reopened_count: 0,
    created_at: state.now,
  } as unknown as Issue)
}

export function createIssue(state: ModelState, { body, at }: Command, id: string): Outcome {
  const project = state.project.get(at['project_id'] ?? '')
  if (project === undefined) return refused('not_found')
  const after = newIssue(state, { project, id, body })
  return attempt({
    refusals: [refuseArchived(project), refuseAssignee(state, body['assignee_user_id'])],
    changes: () => [
      { noun: 'issue', before: null, after, type: 'issue.created', changed: Object.keys(body) },
    ],
    responseBody: (then) => then.issue.get(id),
  })
}

interface Step {
  readonly refusals?: readonly (Outcome['refusals'][number] | null)[]
  readonly after: Issue
  readonly type: string
}

/** A change to an existing issue. An unchanged one is not written. */
function change(state: ModelState, command: Command, step: (issue: Issue) => Step): Outcome {
  const { at } = command
  const project = state.project.get(at['project_id'] ?? '')
  const before = state.issue.get(at['issue_id'] ?? '')
  if (!project || before?.project_id !== project.id) return refused('not_found')
  const { refusals = [], after, type } = step(before)
  return attempt({
    refusals: [...refusals, refuseStale(command, before), refuseArchived(project)],
    changes: () =>
      realChanges([{ noun: 'issue', before, after, type }]).length > 0
        ? [{ noun: 'issue', before, after: withDerivedIssue(state, after), type }]
        : [],
    responseBody: (then) => then.issue.get(before.id),
  })
}

const writable = [
  'title',
  'description',
  'type',
  'status',
  'severity',
  'assignee_user_id',
  'due_on',
  'blocked_reason',
  'tags',
  'links',
] as const

export const updateIssue = (state: ModelState, command: Command) =>
  change(state, command, (issue) => {
    const { metadata, ...body } = command.body
    const { fields, refusals } = readPatch(issue, body, writable)
    const { status = issue.status } = fields
    const isAllowed = status === issue.status || (isOpen({ status }) && isOpen(issue))
    const isReassigned = fields.assignee_user_id !== issue.assignee_user_id
    return {
      type: 'issue.updated',
      refusals: [
        ...refusals,
        unless(isAllowed, 'invalid_transition'),
        isReassigned ? refuseAssignee(state, fields.assignee_user_id) : null,
      ],
      after: { ...issue, ...fields, metadata: patchedMap(issue.metadata, metadata as never) },
    }
  })

export const closedIssue = (
  state: ModelState,
  issue: Issue,
  { close_reason, close_note = null }: Pick<Issue, 'close_reason'> & { close_note?: string | null },
): Issue =>
  withDerivedIssue(state, {
    ...issue,
    status: 'closed',
    closed_at: state.now,
    close_reason,
    close_note,
  })

export const closeIssue = (state: ModelState, command: Command) =>
  change(state, command, (issue) => ({
    type: 'issue.closed',
    after: isOpen(issue) ? closedIssue(state, issue, command.body as never) : issue,
  }))

export const reopenIssue = (state: ModelState, command: Command) =>
  change(state, command, (issue) => {
    const open = { status: 'open', closed_at: null, close_reason: null, close_note: null } as const
    const reopened_count = issue.reopened_count + 1
    return {
      type: 'issue.reopened',
      after: isOpen(issue) ? issue : { ...issue, ...open, reopened_count },
    }
  })
