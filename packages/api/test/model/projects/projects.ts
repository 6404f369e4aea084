import type { Project } from '@muster/contract'

import { closedIssue } from './issues.ts'
import {
  attempt,
  type Change,
  type Command,
  type Outcome,
  patchedMap,
  readPatch,
  refused,
  refuseArchived,
  refuseStale,
  refuseAssignee,
  unless,
  type ModelState,
} from './model.ts'
import { closedRisk, withDerived } from './risks.ts'

const responseOf = (id: string) => (state: ModelState) => state.project.get(id)

const refuseDateOrder = ({ starts_on, due_on }: Pick<Project, 'starts_on' | 'due_on'>) =>
  unless(!starts_on || !due_on || starts_on <= due_on, 'validation_failed')

export function createProject(state: ModelState, { body }: Command, id: string): Outcome {
  const codes = [...state.project.values()].map(({ code }) => code)
  // The cast holds because the required fields are in the body.
  const after = {
    description: null,
    status: 'active',
    health: null,
    health_note: null,
    owner_user_id: null,
    starts_on: null,
    due_on: null,
    risk_appetite: null,
    external_id: null,
    metadata: {},
    ...body,
    id,
    health_set_at: body['health'] ? state.now : null,
    created_at: state.now,
  } as unknown as Project
  return attempt({
    refusals: [
      unless(!codes.includes(after.code), 'project_code_taken'),
      refuseAssignee(state, after.owner_user_id),
      refuseDateOrder(after),
    ],
    changes: () => [
      {
        noun: 'project',
        before: null,
        after,
        type: 'project.created',
        changed: Object.keys(body),
      },
    ],
    responseBody: responseOf(id),
  })
}

const writable = [
  'name',
  'description',
  'status',
  'health',
  'health_note',
  'owner_user_id',
  'starts_on',
  'due_on',
  'risk_appetite',
] as const

export function updateProject(state: ModelState, command: Command): Outcome {
  const before = state.project.get(command.at['project_id'] ?? '')
  if (before === undefined) return refused('not_found')
  const { metadata, ...body } = command.body
  const { fields, refusals } = readPatch(before, body, writable)
  const after = { ...before, ...fields, metadata: patchedMap(before.metadata, metadata as never) }
  const isHealthChanged = after.health !== before.health || after.health_note !== before.health_note
  if (isHealthChanged) after.health_set_at = after.health === null ? null : state.now
  const isReassigned = after.owner_user_id !== before.owner_user_id
  return attempt({
    refusals: [
      ...refusals,
      refuseStale(command, before),
      refuseArchived(before),
      unless(body['status'] !== 'archived', 'validation_failed'),
      isReassigned ? refuseAssignee(state, after.owner_user_id) : null,
      refuseDateOrder(after),
    ],
    changes: () => [{ noun: 'project', before, after, type: 'project.updated' }],
    responseBody: responseOf(before.id),
  })
}

/** Live risks, open issues and open tasks of a project. */
function liveIn(state: ModelState, projectId: string) {
  const { risks, issues, tasks } = state.in(projectId)
  return {
    risks: risks.filter(({ status }) => !['occurred', 'closed'].includes(status)),
    issues: issues.filter(({ status }) => status !== 'closed'),
    tasks: tasks.filter(({ status }) => !['done', 'cancelled'].includes(status)),
  }
}

type Live = ReturnType<typeof liveIn>

export function archiveProject(state: ModelState, command: Command): Outcome {
  const { if_live_items: ifLiveItems, to_project_id: targetId } = command.body
  const id = command.at['project_id'] ?? ''
  const isInvalid = (ifLiveItems === 'transfer') !== (targetId !== undefined) || targetId === id
  const before = state.project.get(id)
  if (before === undefined) return refused('not_found', ...(isInvalid ? wrong : []))
  const refusals = [unless(!isInvalid, 'validation_failed'), refuseStale(command, before)]
  const responseBody = responseOf(id)
  if (before.status === 'archived') return attempt({ refusals, changes: () => [], responseBody })
  const live = liveIn(state, id)
  const isEmpty = Object.values(live).every((items) => items.length === 0)
  const target = state.project.get(String(targetId))
  const hasTarget = ifLiveItems !== 'transfer' || target !== undefined
  return attempt({
    refusals: [
      ...refusals,
      unless(isEmpty || ifLiveItems !== undefined, 'project_has_live_items'),
      unless(hasTarget, 'unknown_reference'),
      ifLiveItems === 'transfer' ? refuseArchived(target) : null,
    ],
    changes: () => [
      ...(ifLiveItems === 'close' ? closed(state, before, live) : []),
      ...(ifLiveItems === 'transfer' && target ? transferred(state, target, live) : []),
      {
        noun: 'project',
        before,
        after: { ...before, status: 'archived' },
        type: 'project.archived',
      },
    ],
    responseBody,
  })
}

const wrong = ['validation_failed'] as const

function closed(state: ModelState, project: Project, { risks, issues, tasks }: Live): Change[] {
  const close_note = `The project ${project.code} was archived.`
  const cancelled = { close_reason: 'cancelled', close_note } as const
  const obsolete = { close_reason: 'no_longer_possible', close_note } as const
  return [
    ...risks.map((before): Change => ({
      noun: 'risk',
      before,
      after: closedRisk(state, before, obsolete),
      type: 'risk.closed',
    })),
    ...issues.map((before): Change => ({
      noun: 'issue',
      before,
      after: closedIssue(state, before, cancelled),
      type: 'issue.closed',
    })),
    ...tasks.map((before): Change => ({
      noun: 'task',
      before,
      after: { ...before, status: 'cancelled' },
      type: 'task.updated',
    })),
  ]
}

/** Refs are kept; the flags of a risk follow the appetite of its new project. */
function transferred(
  state: ModelState,
  { id: project_id }: Project,
  { risks, issues, tasks }: Live,
): Change[] {
  return [
    ...risks.map((before): Change => ({
      noun: 'risk',
      before,
      after: withDerived(state, { ...before, project_id }),
      type: 'risk.updated',
    })),
    ...issues.map((before): Change => ({
      noun: 'issue',
      before,
      after: { ...before, project_id },
      type: 'issue.updated',
    })),
    ...tasks.map((before): Change => ({
      noun: 'task',
      before,
      after: { ...before, project_id },
      type: 'task.updated',
    })),
  ]
}

export function restoreProject(state: ModelState, command: Command): Outcome {
  const before = state.project.get(command.at['project_id'] ?? '')
  if (before === undefined) return refused('not_found')
  const status = (command.body['status'] ?? 'active') as Project['status']
  const after = before.status === 'archived' ? { ...before, status } : before
  return attempt({
    refusals: [refuseStale(command, before)],
    changes: () => [{ noun: 'project', before, after, type: 'project.restored' }],
    responseBody: responseOf(before.id),
  })
}
