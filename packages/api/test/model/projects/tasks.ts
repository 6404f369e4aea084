import type { ProblemName, Task } from '@muster/contract'

import {
  attempt,
  type Command,
  type Outcome,
  readPatch,
  refused,
  refuseArchived,
  refuseStale,
  refuseWork,
  unless,
  type World,
} from './model.ts'

/** A task is about one risk or one issue of its project, or about neither. */
function refuseElsewhere(world: World, task: Task): (ProblemName | null)[] {
  const { risk_id, issue_id, project_id } = task
  const isHere = (item: { project_id: string } | undefined) => item?.project_id === project_id
  return [
    unless(risk_id === null || issue_id === null, 'validation_failed'),
    unless(risk_id === null || isHere(world.risk.get(risk_id)), 'unknown_reference'),
    unless(issue_id === null || isHere(world.issue.get(issue_id)), 'unknown_reference'),
  ]
}

export function createTask(world: World, { body, at }: Command, id: string): Outcome {
  const project = world.project.get(at['project_id'] ?? '')
  if (project === undefined) return refused('not_found')
  const after = {
    description: null,
    status: 'todo',
    assignee_user_id: null,
    due_on: null,
    risk_id: null,
    issue_id: null,
    ...body,
    id,
    ref: world.nextRef(project, 'T'),
    project_id: project.id,
    completed_at: body['status'] === 'done' ? world.now : null,
    created_at: world.now,
  } as unknown as Task
  return attempt({
    refusals: [
      refuseArchived(project),
      refuseWork(world, after.assignee_user_id),
      ...refuseElsewhere(world, after),
    ],
    changes: () => [
      { noun: 'task', before: null, after, type: 'task.created', changed: Object.keys(body) },
    ],
    answer: (then) => then.task.get(id),
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
] as const

export function updateTask(world: World, command: Command): Outcome {
  const { at, body } = command
  const project = world.project.get(at['project_id'] ?? '')
  const before = world.task.get(at['task_id'] ?? '')
  if (!project || before?.project_id !== project.id) return refused('not_found')
  const { fields, refusals } = readPatch(before, body, writable)
  const after = { ...before, ...fields }
  if (after.status !== before.status) {
    after.completed_at = after.status === 'done' ? world.now : null
  }
  const isGiven = after.assignee_user_id !== before.assignee_user_id
  const isMoved = after.risk_id !== before.risk_id || after.issue_id !== before.issue_id
  return attempt({
    refusals: [
      ...refusals,
      refuseStale(command, before),
      refuseArchived(project),
      isGiven ? refuseWork(world, after.assignee_user_id) : null,
      ...(isMoved ? refuseElsewhere(world, after) : []),
    ],
    changes: () => [{ noun: 'task', before, after, type: 'task.updated' }],
    answer: (then) => then.task.get(before.id),
  })
}
