import assert from 'node:assert/strict'

import {
  type Assignment,
  type Handover,
  limits,
  prefixes,
  type ReassignWork,
} from '@muster/contract'

import { refuseRows } from '#domain/engine/batch'
import type { Caller } from '#domain/engine/caller'
import { refuseStale } from '#domain/engine/change'
import { Failure, invalid } from '#domain/engine/failure'
import { saveIssue } from '#domain/projects/issues'
import { saveProject } from '#domain/projects/projects'
import { saveRisk } from '#domain/projects/risks'
import { saveTask } from '#domain/projects/tasks'
import {
  type LockedPeople,
  shareLockPeopleById,
  refuseUnassignable,
} from '#domain/roster/assignable'
import { requirePerson } from '#domain/roster/person'
import type { AssignmentCounts } from '#storage/nouns/assignments'
import { lockIssuesAssignedTo } from '#storage/nouns/issues'
import { lockProjects, selectProject } from '#storage/nouns/projects'
import { lockRisksOwnedBy } from '#storage/nouns/risks'
import { lockTasksAssignedTo } from '#storage/nouns/tasks'
import { nouns } from '#storage/schema/nouns'
import type { Read, Write } from '#storage/statements/access'

import { type AssignmentScope, assignmentQueries, openProjectStatuses } from './assignments.ts'

/** Reassigns all work of a person, that of one project, or selected items, in one write. */
export function reassignWork(
  caller: Caller<'projects.manage'>,
  userId: string,
  input: ReassignWork,
): Promise<Handover> {
  refuseInvalidHandover({ userId, input })
  return caller.database.write(caller, async (write) => {
    const people = await shareLockPeopleById(write, [userId, ...successorsIn(input)])
    refuseStale(caller, requirePerson(people.get(userId), userId))
    return transferWork(write, await prepareHandover(write, { userId, input, people }))
  })
}

interface HandoverInput {
  readonly userId: string
  readonly input: ReassignWork
  /** The place of the input in the body. */
  readonly pointer?: string
}

/** The checks that need no data. */
export function refuseInvalidHandover({ userId, input, pointer = '' }: HandoverInput): void {
  const { to_user_id: toUserId, items } = input
  if (items === undefined) {
    assert(toUserId, 'the contract requires to_user_id or items')
    refuseSamePerson(userId, toUserId, pointer)
    return
  }
  refuseBesideItems(input, pointer)
  refuseInvalidItems(userId, items, `${pointer}/items`)
}

/** The new owners and assignees, in the order of the request. */
export const successorsIn = ({ to_user_id: toUserId, items = [] }: ReassignWork): string[] =>
  toUserId === undefined ? [...new Set(items.map((item) => item.to_user_id))] : [toUserId]

function refuseBesideItems(input: ReassignWork, pointer: string): void {
  const beside = (['to_user_id', 'project_id'] as const).filter((name) => input[name] !== undefined)
  if (beside.length === 0) return
  const detail = 'cannot be sent together with items'
  throw invalid(
    ...beside.map((name) => ({ pointer: `${pointer}/${name}`, code: 'contradiction', detail })),
  )
}

function refuseSamePerson(userId: string, toUserId: string, pointer: string): void {
  if (toUserId !== userId) return
  const detail = 'must be another person'
  throw invalid({ pointer: `${pointer}/to_user_id`, code: 'contradiction', detail })
}

interface LockedHandover extends HandoverInput {
  /** The person and all successors, locked. */
  readonly people: LockedPeople
  /** Whether items that are no longer assigned to the person are left out, not refused. */
  readonly isLenient?: boolean
}

/** Checks and locks the work. Nothing is written. Work that is assigned concurrently stays. */
export async function prepareHandover(
  read: Read,
  { userId, input, people, pointer = '', isLenient = false }: LockedHandover,
): Promise<Transfer> {
  const { to_user_id: toUserId, project_id: projectId = null, items } = input
  if (items !== undefined) {
    return prepareItems(read, { userId, people, items, pointer: `${pointer}/items`, isLenient })
  }
  assert(toUserId, 'the contract requires to_user_id or items')
  refuseUnassignable(people, toUserId, `${pointer}/to_user_id`)
  if (projectId !== null) await refuseUnknownProject(read, projectId, pointer)
  const ids = await findAssignedIds(read, { userId, projectId, view: read.view })
  const work = await lockWork(read, userId, ids)
  return { userId, work, successors: [toUserId], successorOf: () => toUserId }
}

type ReassignedItem = NonNullable<ReassignWork['items']>[number]

interface LockedItems {
  readonly userId: string
  readonly people: LockedPeople
  readonly items: readonly ReassignedItem[]
  readonly pointer: string
  readonly isLenient: boolean
}

/** All or none: every item must be assigned to the person when it is locked. */
async function prepareItems(
  read: Read,
  { userId, people, items, pointer, isLenient }: LockedItems,
): Promise<Transfer> {
  const successorById = new Map(items.map(({ id, to_user_id }) => [id, to_user_id]))
  const idsOf = (type: Assignment['type']) =>
    items.filter((item) => item.type === type).map(({ id }) => id)
  const ids = {
    project: idsOf('project'),
    risk: idsOf('risk'),
    issue: idsOf('issue'),
    task: idsOf('task'),
  }
  const work = await lockWork(read, userId, ids)
  const assigned = new Set(typedItems(work).map(({ id }) => id))
  refuseRows(items, pointer, ({ id, to_user_id }) => {
    if (isLenient && !assigned.has(id)) return
    refuseUnassignable(people, to_user_id, '/to_user_id')
    if (!assigned.has(id)) throw notAssigned(userId)
  })
  const successorOf = (id: string) => {
    const successor = successorById.get(id)
    assert(successor, 'only the items of the request are locked')
    return successor
  }
  return { userId, work, successors: [...new Set(successorById.values())], successorOf }
}

/** The same for closed, unknown and other people's items. */
function notAssigned(userId: string): Failure {
  const detail =
    `is not assigned to ${userId} now. List the assigned work of the person again, and send ` +
    'only items of that list'
  return invalid({ pointer: '/id', code: 'not_assigned', detail })
}

function refuseInvalidItems(
  userId: string,
  items: readonly ReassignedItem[],
  pointer: string,
): void {
  const seen = new Set<string>()
  refuseRows(items, pointer, ({ type, id, to_user_id }) => {
    const { prefix } = nouns[type]
    if (!id.startsWith(prefix)) {
      const detail = `must be the id of ${prefixes[prefix]}, as type says`
      throw invalid({ pointer: '/id', code: 'contradiction', detail })
    }
    if (seen.has(id)) {
      throw invalid({ pointer: '/id', code: 'repeated', detail: 'appears in more than one item' })
    }
    seen.add(id)
    refuseSamePerson(userId, to_user_id, '')
  })
}

async function refuseUnknownProject(read: Read, projectId: string, pointer: string): Promise<void> {
  if (await selectProject(read, read.view.open(projectId, 'manage'))) return
  const detail = `There is no project ${projectId}.`
  throw new Failure('unknown_reference', detail, { pointer: `${pointer}/project_id` })
}

type Ids = Readonly<Record<Assignment['type'], readonly string[]>>

/** Returns the ids of all assigned work; fails if there are more than one write can change. */
async function findAssignedIds(read: Read, scope: AssignmentScope): Promise<Ids> {
  const ids: Record<Assignment['type'], string[]> = { project: [], risk: [], issue: [], task: [] }
  let remaining: number = limits.itemsMax
  for (const [type, select] of Object.entries(assignmentQueries(scope))) {
    const { items } = await select(read, { after: null, limit: remaining + 1 })
    remaining -= items.length
    if (remaining < 0) throw tooManyItems(scope)
    // The cast holds because the keys are assignment types.
    ids[type as Assignment['type']] = items.map(({ id }) => id)
  }
  return ids
}

function tooManyItems({ userId, projectId }: AssignmentScope): Failure {
  const limit = limits.itemsMax
  const advice = projectId === null ? 'Send project_id or items to reassign a part' : 'Send items'
  const detail = `${userId} has more than ${limit} work items. ${advice}.`
  return new Failure('too_many_items', detail, { limit })
}

type LockedWork = Awaited<ReturnType<typeof lockWork>>

/** Locks the items that are still open and assigned to the person. */
async function lockWork(read: Read, userId: string, ids: Ids) {
  const opened = ids.project.map((id) => read.view.open(id, 'manage'))
  const projects = (await lockProjects(read, opened)).map(({ project }) => project)
  const isOpen = ({ status }: { status: string }) => openProjectStatuses.some((s) => s === status)
  return {
    project: projects.filter((each) => each.owner_user_id === userId && isOpen(each)),
    risk: await lockRisksOwnedBy(read, userId, ids.risk),
    issue: await lockIssuesAssignedTo(read, userId, ids.issue),
    task: await lockTasksAssignedTo(read, userId, ids.task),
  }
}

const typedItems = (work: LockedWork) =>
  Object.entries(work).flatMap(([type, items]) => items.map(({ id }) => ({ type, id })))

/** A reassignment that is checked and locked. */
export interface Transfer {
  readonly userId: string
  readonly work: LockedWork
  /** In the order of the request. */
  readonly successors: readonly string[]
  readonly successorOf: (id: string) => string
}

export function transferWork(
  write: Write,
  { userId, work, successors, successorOf }: Transfer,
): Handover {
  for (const before of work.project) {
    const after = { ...before, owner_user_id: successorOf(before.id) }
    saveProject(write, { before, after, type: 'project.updated' })
  }
  for (const before of work.risk) {
    const after = { ...before, owner_user_id: successorOf(before.id) }
    saveRisk(write, { before, after, type: 'risk.updated' })
  }
  for (const before of work.issue) {
    const after = { ...before, assignee_user_id: successorOf(before.id) }
    saveIssue(write, { before, after, type: 'issue.updated' })
  }
  for (const before of work.task) {
    const after = { ...before, assignee_user_id: successorOf(before.id) }
    saveTask(write, { before, after, type: 'task.updated' })
  }
  const items = typedItems(work)
  const parts = Map.groupBy(items, ({ id }) => successorOf(id))
  const [only, ...others] = successors
  return {
    user_id: userId,
    ...(only !== undefined && others.length === 0 && { to_user_id: only }),
    reassigned: countByType(items),
    handovers: successors.map((id) => ({
      to_user_id: id,
      reassigned: countByType(parts.get(id) ?? []),
    })),
  }
}

/** The work of a reassignment by type. */
export const countTransfer = ({ work }: Transfer) => countByType(typedItems(work))

function countByType(items: readonly { readonly type: string }[]): AssignmentCounts {
  const count = (type: Assignment['type']) => items.filter((item) => item.type === type).length
  return {
    projects: count('project'),
    risks: count('risk'),
    issues: count('issue'),
    tasks: count('task'),
  }
}
