import { type Assignment, type Handover, limits, openTaskStatuses } from '@muster/contract'

import type { Caller } from '#domain/auth/caller'
import { refuseStale } from '#domain/engine/change'
import { Failure, invalid } from '#domain/engine/failure'
import { listing, type Listing } from '#domain/engine/listing'
import { saveIssue } from '#domain/projects/issues'
import { openIssuesFilter } from '#domain/projects/open-issues'
import { saveProject } from '#domain/projects/projects'
import { registerFilter } from '#domain/projects/register'
import { saveRisk } from '#domain/projects/risks'
import { saveTask, tasksFilter } from '#domain/projects/tasks'
import { sortOrder } from '#domain/rules/sort'
import type { Read, Write } from '#storage/engine/access'
import { selectPage } from '#storage/lists/index-ranges'
import type { PageResult, Page } from '#storage/lists/keyset'
import { rollupList } from '#storage/lists/rollup'
import { countAssignments } from '#storage/nouns/assignments'
import { lockIssuesAssignedTo } from '#storage/nouns/issues'
import { openIssues } from '#storage/nouns/open-issues'
import { lockProjects, selectProject, projectsList } from '#storage/nouns/projects'
import { register } from '#storage/nouns/register'
import { lockRisksOwnedBy } from '#storage/nouns/risks'
import { lockTasksAssignedTo, tasksList } from '#storage/nouns/tasks'

import { shareLockPeopleById, refuseUnassignable } from './assignable.ts'
import { findPerson, requirePerson } from './person.ts'

/** Statuses in which a project counts as assigned work of its owner. */
export const openProjectStatuses = ['planned', 'active', 'on_hold'] as const

/** Work of one person, in one project or, with null, in all of them. */
interface AssignmentScope {
  readonly userId: string
  readonly projectId: string | null
}

type Select = (read: Read, page: Page) => Promise<PageResult<Assignment>>

/** A query for each type of assigned work, in the order of that type's own list. */
const assignmentQueries = ({ userId, projectId }: AssignmentScope) => {
  const inProject = projectId === null ? {} : { project_id: [projectId] }
  const assigned = { assignee_user_id: [userId], ...inProject }
  return {
    project: async (read, page) => {
      const ids = projectId === null ? null : [projectId]
      const filter = { ids, ownerIds: [userId], statuses: openProjectStatuses, q: null }
      const result = await selectPage(read, projectsList(filter, sortOrder(undefined)), page)
      return presentAssignments(result, (project) => ({
        type: 'project',
        ...project,
        ref: project.code,
        title: project.name,
        project_id: project.id,
      }))
    },
    risk: async (read, page) => {
      const filter = registerFilter({ owner_user_id: [userId], ...inProject })
      const result = await selectPage(read, rollupList(register, filter), page)
      return presentAssignments(result, (risk) => ({
        type: 'risk',
        ...risk,
        due_on: risk.review_on,
      }))
    },
    issue: async (read, page) => {
      const list = rollupList(openIssues, openIssuesFilter(assigned))
      const result = await selectPage(read, list, page)
      return presentAssignments(result, (issue) => ({ ...issue, type: 'issue' }))
    },
    task: async (read, page) => {
      const list = tasksList(tasksFilter(assigned, openTaskStatuses))
      const result = await selectPage(read, list, page)
      return presentAssignments(result, (task) => ({ type: 'task', ...task }))
    },
  } satisfies Record<Assignment['type'], Select>
}

function presentAssignments<T>(
  { items, next }: PageResult<T>,
  present: (item: T) => Assignment,
): PageResult<Assignment> {
  const assignments = items.map((item) => {
    const { type, id, ref, title, status, project_id, due_on } = present(item)
    return { type, id, ref, title, status, project_id, due_on }
  })
  return { items: assignments, next }
}

export function listAssignments(
  caller: Caller<'projects.read'>,
  userId: string,
): Listing<Assignment> {
  const lists = Object.values(assignmentQueries({ userId, projectId: null }))
  return listing(caller, {
    counter: null,
    count: async (snapshot) => {
      const counts = await countAssignments(snapshot, userId, openProjectStatuses)
      return Object.values(counts).reduce((sum, count) => sum + count, 0)
    },
    select: async (snapshot, page) => {
      await findPerson(snapshot, userId)
      return selectInSequence(snapshot, lists, page)
    },
  })
}

/** Concatenates the lists. A position starts with the index of its list. */
async function selectInSequence(
  read: Read,
  lists: readonly Select[],
  { after, limit }: Page,
): Promise<PageResult<Assignment>> {
  const [startIndex = 0, ...startPosition] = after ?? []
  const items: Assignment[] = []
  for (const [index, select] of lists.entries()) {
    if (index < Number(startIndex)) continue
    const start = index === Number(startIndex) && startPosition.length > 0 ? startPosition : null
    // When the page is full, reads one more row to find out whether there is a next page.
    const isFull = items.length === limit
    const result = await select(read, { after: start, limit: isFull ? 1 : limit - items.length })
    if (isFull && result.items.length > 0) return { items, next: [index] }
    items.push(...result.items)
    if (result.next !== null) return { items, next: [index, ...result.next] }
  }
  return { items, next: null }
}

export interface ReassignInput {
  readonly to_user_id: string
  readonly project_id?: string
}

/** Reassigns all work in one write. Work that is assigned concurrently stays with the person. */
export function reassignWork(
  caller: Caller<'projects.manage'>,
  userId: string,
  { to_user_id: toUserId, project_id }: ReassignInput,
): Promise<Handover> {
  const projectId = project_id ?? null
  if (toUserId === userId) {
    const detail = 'must be another person'
    throw invalid({ pointer: '/to_user_id', code: 'contradiction', detail })
  }
  return caller.database.write(caller, async (write) => {
    const people = await shareLockPeopleById(write, [userId, toUserId])
    refuseStale(caller, requirePerson(people.get(userId), userId))
    refuseUnassignable(people, toUserId, '/to_user_id')
    if (projectId !== null) await refuseUnknownProject(write, projectId)
    const ids = await findAssignedIds(write, { userId, projectId })
    return {
      user_id: userId,
      to_user_id: toUserId,
      reassigned: await transferWork(write, { from: userId, to: toUserId, ids }),
    }
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
  const advice = projectId === null ? 'Reassign one project at a time: send project_id.' : ''
  const detail = `${userId} has more than ${limit} work items. ${advice}`.trim()
  return new Failure('too_many_items', detail, { limit })
}

interface Transfer {
  readonly from: string
  readonly to: string
  readonly ids: Ids
}

/** Skips work that was reassigned concurrently, before it was locked. */
async function transferWork(write: Write, { from, to, ids }: Transfer) {
  const locked = await lockProjects(write, ids.project)
  const projects = locked.filter(({ project }) => project.owner_user_id === from)
  const risks = await lockRisksOwnedBy(write, from, ids.risk)
  const issues = await lockIssuesAssignedTo(write, from, ids.issue)
  const tasks = await lockTasksAssignedTo(write, from, ids.task)
  for (const { project: before } of projects) {
    saveProject(write, { before, after: { ...before, owner_user_id: to }, type: 'project.updated' })
  }
  for (const before of risks) {
    saveRisk(write, { before, after: { ...before, owner_user_id: to }, type: 'risk.updated' })
  }
  for (const before of issues) {
    saveIssue(write, { before, after: { ...before, assignee_user_id: to }, type: 'issue.updated' })
  }
  for (const before of tasks) {
    saveTask(write, { before, after: { ...before, assignee_user_id: to }, type: 'task.updated' })
  }
  return {
    projects: projects.length,
    risks: risks.length,
    issues: issues.length,
    tasks: tasks.length,
  }
}
