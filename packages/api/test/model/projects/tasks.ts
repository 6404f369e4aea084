import type { ProblemName, Task } from '@muster/contract'

import {
  attempt,
  type Command,
  type Outcome,
  readPatch,
  refused,
  refuseArchived,
  refuseStale,
  refuseAssignee,
  unless,
  type ModelState,
} from './model.ts'

/** A task may refer to one risk or issue, of its own project. */
function refuseOtherProject(state: ModelState, task: Task): (ProblemName | null)[] {
  const { risk_id, issue_id, project_id } = task
  const isHere = (item: { project_id: string } | undefined) => item?.project_id === project_id
  return [
    unless(risk_id === null || issue_id === null, 'validation_failed'),
    unless(risk_id === null || isHere(state.risk.get(risk_id)), 'unknown_reference'),
    unless(issue_id === null || isHere(state.issue.get(issue_id)), 'unknown_reference'),
  ]
}

export function createTask(state: ModelState, { body, at }: Command, id: string): Outcome {
  const project = state.project.get(at['project_id'] ?? '')
  if (project === undefined) return refused('not_found')
  const after = {
    description: null,
    status: 'todo',
    assignee_user_id: null,
    due_on: null,
    risk_id: null,
    issue_id: null,
    external_id: null,
    links: [],
    ...body,
    id,
    ref: state.nextRef(project, 'T'),
    project_id: project.id,
    completed_at: body['status'] === 'done' ? state.now : null,
    created_at: state.now,
  } as unknown as Task
  return attempt({
    refusals: [
      refuseArchived(project),
      refuseAssignee(state, after.assignee_user_id),
      ...refuseOtherProject(state, after),
    ],
    changes: () => [
      { noun: 'task', before: null, after, type: 'task.created', changed: Object.keys(body) },
    ],
    responseBody: (then) => then.task.get(id),
  })
}

const writable = [
  'title',
  'description',
  'status',
  'assignee_user_id',
  'due_on',
  'risk_id',
  'issue_id',
  'links',
] as const

export function updateTask(state: ModelState, command: Command): Outcome {
  const { at, body } = command
  const project = state.project.get(at['project_id'] ?? '')
  const before = state.task.get(at['task_id'] ?? '')
  if (!project || before?.project_id !== project.id) return refused('not_found')
  const { fields, refusals } = readPatch(before, body, writable)
  const after = { ...before, ...fields }
  if (after.status !== before.status) {
    after.completed_at = after.status === 'done' ? state.now : null
  }
  const isReassigned = after.assignee_user_id !== before.assignee_user_id
  const isMoved = after.risk_id !== before.risk_id || after.issue_id !== before.issue_id
  return attempt({
    refusals: [
      ...refusals,
      refuseStale(command, before),
      refuseArchived(project),
      isReassigned ? refuseAssignee(state, after.assignee_user_id) : null,
      ...(isMoved ? refuseOtherProject(state, after) : []),
    ],
    changes: () => [{ noun: 'task', before, after, type: 'task.updated' }],
    responseBody: (then) => then.task.get(before.id),
  })
}
