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
  refuseWork,
  unless,
  type World,
} from './model.ts'

export const isOpen = ({ status }: Pick<Issue, 'status'>) => status !== 'closed'

/** An issue with what follows from the rest of it. */
export function settledIssue(world: World, issue: Issue): Issue {
  const isOverdue = isOpen(issue) && issue.due_on !== null && issue.due_on < world.today
  return { ...issue, tags: issue.tags.toSorted(), flags: isOverdue ? ['overdue'] : [] }
}

interface NewIssue {
  readonly project: Project
  readonly id: string
  readonly body: object
}

export function newIssue(world: World, { project, id, body }: NewIssue): Issue {
  return settledIssue(world, {
    description: null,
    type: 'problem',
    status: 'open',
    assignee_user_id: null,
    risk_id: null,
    due_on: null,
    blocked_reason: null,
    tags: [],
    metadata: {},
    ...body,
    id,
    ref: world.nextRef(project, 'I'),
    project_id: project.id,
    opened_at: world.now,
    close_reason: null,
    close_note: null,
    closed_at: null,
    reopened_count: 0,
    created_at: world.now,
  } as unknown as Issue)
}

export function createIssue(world: World, { body, at }: Command, id: string): Outcome {
  const project = world.project.get(at['project_id'] ?? '')
  if (project === undefined) return refused('not_found')
  const after = newIssue(world, { project, id, body })
  return attempt({
    refusals: [refuseArchived(project), refuseWork(world, body['assignee_user_id'])],
    changes: () => [
      { noun: 'issue', before: null, after, type: 'issue.created', changed: Object.keys(body) },
    ],
    answer: (then) => then.issue.get(id),
  })
}

interface Step {
  readonly refusals?: readonly (Outcome['refusals'][number] | null)[]
  readonly after: Issue
  readonly type: string
}

/** A change of one issue that is there; a wish for what is so already changes nothing. */
function change(world: World, command: Command, step: (issue: Issue) => Step): Outcome {
  const { at } = command
  const project = world.project.get(at['project_id'] ?? '')
  const before = world.issue.get(at['issue_id'] ?? '')
  if (!project || before?.project_id !== project.id) return refused('not_found')
  const { refusals = [], after, type } = step(before)
  return attempt({
    refusals: [...refusals, refuseStale(command, before), refuseArchived(project)],
    changes: () =>
      realChanges([{ noun: 'issue', before, after, type }]).length > 0
        ? [{ noun: 'issue', before, after: settledIssue(world, after), type }]
        : [],
    answer: (then) => then.issue.get(before.id),
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
] as const

export const updateIssue = (world: World, command: Command) =>
  change(world, command, (issue) => {
    const { metadata, ...body } = command.body
    const { fields, refusals } = readPatch(issue, body, writable)
    const { status = issue.status } = fields
    const isPossible = status === issue.status || (isOpen({ status }) && isOpen(issue))
    const isGiven = fields.assignee_user_id !== issue.assignee_user_id
    return {
      type: 'issue.updated',
      refusals: [
        ...refusals,
        unless(isPossible, 'invalid_transition'),
        isGiven ? refuseWork(world, fields.assignee_user_id) : null,
      ],
      after: { ...issue, ...fields, metadata: patchedMap(issue.metadata, metadata as never) },
    }
  })

export const closedIssue = (
  world: World,
  issue: Issue,
  { close_reason, close_note = null }: Pick<Issue, 'close_reason'> & { close_note?: string | null },
): Issue =>
  settledIssue(world, {
    ...issue,
    status: 'closed',
    closed_at: world.now,
    close_reason,
    close_note,
  })

export const closeIssue = (world: World, command: Command) =>
  change(world, command, (issue) => ({
    type: 'issue.closed',
    after: isOpen(issue) ? closedIssue(world, issue, command.body as never) : issue,
  }))

export const reopenIssue = (world: World, command: Command) =>
  change(world, command, (issue) => {
    const open = { status: 'open', closed_at: null, close_reason: null, close_note: null } as const
    const reopened_count = issue.reopened_count + 1
    return {
      type: 'issue.reopened',
      after: isOpen(issue) ? issue : { ...issue, ...open, reopened_count },
    }
  })
