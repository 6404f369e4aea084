import assert from 'node:assert/strict'

import {
  type Assignment,
  type Handover,
  limits,
  prefixes,
  type ReassignWork,
} from '@muster/contract'

import type { Caller } from '#domain/auth/caller'
import { refuseStale } from '#domain/engine/change'
import { Failure, invalid } from '#domain/engine/failure'
import { refuseRows } from '#domain/projects/batch'
import { saveIssue } from '#domain/projects/issues'
import { saveProject } from '#domain/projects/projects'
import { saveRisk } from '#domain/projects/risks'
import { saveTask } from '#domain/projects/tasks'
import type { Write } from '#storage/engine/access'
import { nouns } from '#storage/engine/nouns'
import type { AssignmentCounts } from '#storage/nouns/assignments'
import { lockIssuesAssignedTo } from '#storage/nouns/issues'
import { lockProjects, selectProject } from '#storage/nouns/projects'
import { lockRisksOwnedBy } from '#storage/nouns/risks'
import { lockTasksAssignedTo } from '#storage/nouns/tasks'

import { shareLockPeopleById, refuseUnassignable } from './assignable.ts'
import { type AssignmentScope, assignmentQueries, openProjectStatuses } from './assignments.ts'
import { requirePerson } from './person.ts'

/** Reassigns all work of a person, that of one project, or selected items, in one write. */
export function reassignWork(
  caller: Caller<'projects.manage'>,
  userId: string,
  input: ReassignWork,
): Promise<Handover> {
  const { to_user_id: toUserId, project_id: projectId = null, items } = input
  if (items !== undefined) {
    refuseBesideItems(input)
    return reassignItems(caller, userId, items)
  }
  assert(toUserId, 'the contract requires to_user_id or items')
  refuseSamePerson(userId, toUserId)
  return reassignScope(caller, { userId, projectId }, toUserId)
}

function refuseBesideItems(input: ReassignWork): void {
  const beside = (['to_user_id', 'project_id'] as const).filter((name) => input[name] !== undefined)
  if (beside.length === 0) return
  const detail = 'cannot be sent together with items'
  throw invalid(...beside.map((name) => ({ pointer: `/${name}`, code: 'contradiction', detail })))
}

function refuseSamePerson(userId: string, toUserId: string): void {
  if (toUserId !== userId) return
  const detail = 'must be another person'
  throw invalid({ pointer: '/to_user_id', code: 'contradiction', detail })
}

/** Work that is assigned concurrently stays with the person. */
function reassignScope(
  caller: Caller<'projects.manage'>,
  scope: AssignmentScope,
  toUserId: string,
): Promise<Handover> {
  const { userId, projectId } = scope
  return caller.database.write(caller, async (write) => {
    const people = await shareLockPeopleById(write, [userId, toUserId])
    refuseStale(caller, requirePerson(people.get(userId), userId))
    refuseUnassignable(people, toUserId, '/to_user_id')
    if (projectId !== null) await refuseUnknownProject(write, projectId)
    const work = await lockWork(write, userId, await findAssignedIds(write, scope))
    return transferWork(write, {
      userId,
      work,
      successors: [toUserId],
      successorOf: () => toUserId,
    })
  })
}

type ReassignedItem = NonNullable<ReassignWork['items']>[number]

/** All or none: every item must be assigned to the person when it is locked. */
function reassignItems(
  caller: Caller<'projects.manage'>,
  userId: string,
  items: readonly ReassignedItem[],
): Promise<Handover> {
  refuseInvalidItems(userId, items)
  const successorById = new Map(items.map(({ id, to_user_id }) => [id, to_user_id]))
  const successors = [...new Set(successorById.values())]
  const idsOf = (type: Assignment['type']) =>
    items.filter((item) => item.type === type).map(({ id }) => id)
  const ids = {
    project: idsOf('project'),
    risk: idsOf('risk'),
    issue: idsOf('issue'),
    task: idsOf('task'),
  }
  return caller.database.write(caller, async (write) => {
    const people = await shareLockPeopleById(write, [userId, ...successors])
    refuseStale(caller, requirePerson(people.get(userId), userId))
    const work = await lockWork(write, userId, ids)
    const assigned = new Set(typedItems(work).map(({ id }) => id))
    refuseRows(items, '/items', ({ id, to_user_id }) => {
      refuseUnassignable(people, to_user_id, '/to_user_id')
      if (!assigned.has(id)) throw notAssigned(userId)
    })
    const successorOf = (id: string) => {
      const successor = successorById.get(id)
      assert(successor, 'only the items of the request are locked')
      return successor
    }
    return transferWork(write, { userId, work, successors, successorOf })
  })
}

/** The same for closed, unknown and other people's items. */
function notAssigned(userId: string): Failure {
  const detail =
    `is not assigned to ${userId} now. List the assigned work of the person again, and send ` +
    'only items of that list'
  return invalid({ pointer: '/id', code: 'not_assigned', detail })
}

/** The checks that need no data. */
function refuseInvalidItems(userId: string, items: readonly ReassignedItem[]): void {
  const seen = new Set<string>()
  refuseRows(items, '/items', ({ type, id, to_user_id }) => {
    const { prefix } = nouns[type]
    if (!id.startsWith(prefix)) {
      const detail = `must be the id of ${prefixes[prefix]}, as type says`
      throw invalid({ pointer: '/id', code: 'contradiction', detail })
    }
    if (seen.has(id)) {
      throw invalid({ pointer: '/id', code: 'repeated', detail: 'appears in more than one item' })
    }
    seen.add(id)
    refuseSamePerson(userId, to_user_id)
  })
}

async function refuseUnknownProject(write: Write, projectId: string): Promise<void> {
  if (await selectProject(write, projectId)) return
  const detail = `There is no project ${projectId}.`
  throw new Failure('unknown_reference', detail, { pointer: '/project_id' })
}

type Ids = Readonly<Record<Assignment['type'], readonly string[]>>

/** Returns the ids of all assigned work; fails if there are more than one write can change. */
async function findAssignedIds(write: Write, scope: AssignmentScope): Promise<Ids> {
  const ids: Record<Assignment['type'], string[]> = { project: [], risk: [], issue: [], task: [] }
  let remaining: number = limits.itemsMax
  for (const [type, select] of Object.entries(assignmentQueries(scope))) {
    const { items } = await select(write, { after: null, limit: remaining + 1 })
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
async function lockWork(write: Write, userId: string, ids: Ids) {
  const projects = (await lockProjects(write, ids.project)).map(({ project }) => project)
  const isOpen = ({ status }: { status: string }) => openProjectStatuses.some((s) => s === status)
  return {
    project: projects.filter((each) => each.owner_user_id === userId && isOpen(each)),
    risk: await lockRisksOwnedBy(write, userId, ids.risk),
    issue: await lockIssuesAssignedTo(write, userId, ids.issue),
    task: await lockTasksAssignedTo(write, userId, ids.task),
  }
}

const typedItems = (work: LockedWork) =>
  Object.entries(work).flatMap(([type, items]) => items.map(({ id }) => ({ type, id })))

interface Transfer {
  readonly userId: string
  readonly work: LockedWork
  /** In the order of the request. */
  readonly successors: readonly string[]
  readonly successorOf: (id: string) => string
}

function transferWork(write: Write, { userId, work, successors, successorOf }: Transfer): Handover {
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

function countByType(items: readonly { readonly type: string }[]): AssignmentCounts {
  const count = (type: Assignment['type']) => items.filter((item) => item.type === type).length
  return {
    projects: count('project'),
    risks: count('risk'),
    issues: count('issue'),
    tasks: count('task'),
  }
}
