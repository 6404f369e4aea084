import type { Project } from '@muster/contract'

import { closedIssue } from './model-issues.ts'
import { closedRisk, settled } from './model-risks.ts'
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
  refuseWork,
  unless,
  type World,
} from './model.ts'

const answerOf = (id: string) => (world: World) => world.project.get(id)

const refuseDisorder = ({ starts_on, due_on }: Pick<Project, 'starts_on' | 'due_on'>) =>
  unless(!starts_on || !due_on || starts_on <= due_on, 'validation_failed')

export function createProject(world: World, { body }: Command, id: string): Outcome {
  const codes = [...world.project.values()].map(({ code }) => code)
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
    metadata: {},
    ...body,
    id,
    health_set_at: body['health'] ? world.now : null,
    created_at: world.now,
  } as unknown as Project
  return attempt({
    refusals: [
      unless(!codes.includes(after.code), 'project_code_taken'),
      refuseWork(world, after.owner_user_id),
      refuseDisorder(after),
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
    answer: answerOf(id),
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

export function updateProject(world: World, command: Command): Outcome {
  const before = world.project.get(command.at['project_id'] ?? '')
  if (before === undefined) return refused('not_found')
  const { metadata, ...body } = command.body
  const { fields, refusals } = readPatch(before, body, writable)
  const after = { ...before, ...fields, metadata: patchedMap(before.metadata, metadata as never) }
  const isSaid = after.health !== before.health || after.health_note !== before.health_note
  if (isSaid) after.health_set_at = after.health === null ? null : world.now
  const isGiven = after.owner_user_id !== before.owner_user_id
  return attempt({
    refusals: [
      ...refusals,
      refuseStale(command, before),
      refuseArchived(before),
      unless(body['status'] !== 'archived', 'validation_failed'),
      isGiven ? refuseWork(world, after.owner_user_id) : null,
      refuseDisorder(after),
    ],
    changes: () => [{ noun: 'project', before, after, type: 'project.updated' }],
    answer: answerOf(before.id),
  })
}

/** What in a project still needs someone. */
function liveIn(world: World, projectId: string) {
  const { risks, issues, tasks } = world.in(projectId)
  return {
    risks: risks.filter(({ status }) => !['occurred', 'closed'].includes(status)),
    issues: issues.filter(({ status }) => status !== 'closed'),
    tasks: tasks.filter(({ status }) => !['done', 'cancelled'].includes(status)),
  }
}

type Live = ReturnType<typeof liveIn>

export function archiveProject(world: World, command: Command): Outcome {
  const { if_live_items: fate, to_project_id: heirId } = command.body
  const id = command.at['project_id'] ?? ''
  const isNonsense = (fate === 'transfer') !== (heirId !== undefined) || heirId === id
  const before = world.project.get(id)
  if (before === undefined) return refused('not_found', ...(isNonsense ? wrong : []))
  const refusals = [unless(!isNonsense, 'validation_failed'), refuseStale(command, before)]
  const answer = answerOf(id)
  if (before.status === 'archived') return attempt({ refusals, changes: () => [], answer })
  const live = liveIn(world, id)
  const isEmpty = Object.values(live).every((items) => items.length === 0)
  const heir = world.project.get(String(heirId))
  const hasHeir = fate !== 'transfer' || heir !== undefined
  return attempt({
    refusals: [
      ...refusals,
      unless(isEmpty || fate !== undefined, 'project_has_live_items'),
      unless(hasHeir, 'unknown_reference'),
      fate === 'transfer' ? refuseArchived(heir) : null,
    ],
    changes: () => [
      ...(fate === 'close' ? closed(world, before, live) : []),
      ...(fate === 'transfer' && heir ? moved(world, heir, live) : []),
      {
        noun: 'project',
        before,
        after: { ...before, status: 'archived' },
        type: 'project.archived',
      },
    ],
    answer,
  })
}

const wrong = ['validation_failed'] as const

function closed(world: World, project: Project, { risks, issues, tasks }: Live): Change[] {
  const close_note = `The project ${project.code} was archived.`
  const cancelled = { close_reason: 'cancelled', close_note } as const
  const impossible = { close_reason: 'no_longer_possible', close_note } as const
  return [
    ...risks.map((before): Change => ({
      noun: 'risk',
      before,
      after: closedRisk(world, before, impossible),
      type: 'risk.closed',
    })),
    ...issues.map((before): Change => ({
      noun: 'issue',
      before,
      after: closedIssue(world, before, cancelled),
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

/** References stay; the flags of a risk follow the appetite of the project that it comes to. */
function moved(
  world: World,
  { id: project_id }: Project,
  { risks, issues, tasks }: Live,
): Change[] {
  return [
    ...risks.map((before): Change => ({
      noun: 'risk',
      before,
      after: settled(world, { ...before, project_id }),
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

export function restoreProject(world: World, command: Command): Outcome {
  const before = world.project.get(command.at['project_id'] ?? '')
  if (before === undefined) return refused('not_found')
  const status = (command.body['status'] ?? 'active') as Project['status']
  const after = before.status === 'archived' ? { ...before, status } : before
  return attempt({
    refusals: [refuseStale(command, before)],
    changes: () => [{ noun: 'project', before, after, type: 'project.restored' }],
    answer: answerOf(before.id),
  })
}
