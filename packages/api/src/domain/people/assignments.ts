import { type Assignment, type Handover, limits, openTaskStatuses } from '@muster/contract'

import { holdAll, refuseUnassignable } from '#domain/assignable'
import type { Caller } from '#domain/caller'
import { refuseStale } from '#domain/change'
import { Failure, invalid } from '#domain/failure'
import { saveIssue } from '#domain/issues'
import { listing, type Listing } from '#domain/listing'
import { openIssuesFilter } from '#domain/open-issues'
import { findPerson, thePerson } from '#domain/person'
import { saveProject } from '#domain/projects'
import { registerFilter } from '#domain/register'
import { saveRisk } from '#domain/risks'
import { sortOrder } from '#domain/sort'
import { saveTask, tasksFilter } from '#domain/tasks'
import { countAssignments } from '#storage/assignments'
import type { Read, Write } from '#storage/database'
import { lockIssuesOf } from '#storage/issues'
import type { Found, Page } from '#storage/keyset'
import { selectOpenIssues } from '#storage/open-issues'
import { lockProjects, selectProject, selectProjects } from '#storage/projects'
import { selectRegister } from '#storage/register'
import { lockRisksOf } from '#storage/risks'
import { lockTasksOf, selectTasks } from '#storage/tasks'

/** The projects that someone still has to see through. */
export const openProjectStatuses = ['planned', 'active', 'on_hold'] as const

/** Whose, and of which project; null for all of them. */
interface Holding {
  readonly userId: string
  readonly projectId: string | null
}

type Select = (read: Read, page: Page) => Promise<Found<Assignment>>

/** What someone holds, kind by kind; each kind in the order in which it is listed elsewhere. */
const holdings = ({ userId, projectId }: Holding) => {
  const inProject = projectId === null ? {} : { project_id: [projectId] }
  const assigned = { assignee_user_id: [userId], ...inProject }
  return {
    project: async (read, page) => {
      const ids = projectId === null ? null : [projectId]
      const filter = { ids, ownerIds: [userId], statuses: openProjectStatuses, q: null }
      const found = await selectProjects(read, { filter, order: sortOrder(undefined), page })
      return shown(found, (project) => ({
        type: 'project',
        ...project,
        ref: project.code,
        title: project.name,
        project_id: project.id,
      }))
    },
    risk: async (read, page) => {
      const filter = registerFilter({ owner_user_id: [userId], ...inProject })
      const found = await selectRegister(read, filter, page)
      return shown(found, (risk) => ({ type: 'risk', ...risk, due_on: risk.review_on }))
    },
    issue: async (read, page) => {
      const found = await selectOpenIssues(read, openIssuesFilter(assigned), page)
      return shown(found, (issue) => ({ ...issue, type: 'issue' }))
    },
    task: async (read, page) => {
      const found = await selectTasks(read, tasksFilter(assigned, openTaskStatuses), page)
      return shown(found, (task) => ({ type: 'task', ...task }))
    },
  } satisfies Record<Assignment['type'], Select>
}

function shown<T>({ items, next }: Found<T>, present: (item: T) => Assignment): Found<Assignment> {
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
  const lists = Object.values(holdings({ userId, projectId: null }))
  return listing(caller, {
    counter: null,
    count: async (snapshot) => {
      const counts = await countAssignments(snapshot, userId, openProjectStatuses)
      return Object.values(counts).reduce((sum, count) => sum + count, 0)
    },
    select: async (snapshot, page) => {
      await findPerson(snapshot, userId)
      return selectInTurn(snapshot, lists, page)
    },
  })
}

/** One list after the other. A position tells in which list it is, before its place there. */
async function selectInTurn(
  read: Read,
  lists: readonly Select[],
  { after, limit }: Page,
): Promise<Found<Assignment>> {
  const [reached = 0, ...place] = after ?? []
  const items: Assignment[] = []
  for (const [index, select] of lists.entries()) {
    if (index < Number(reached)) continue
    const start = index === Number(reached) && place.length > 0 ? place : null
    // When the page is full, one more tells whether anything follows.
    const isFull = items.length === limit
    const found = await select(read, { after: start, limit: isFull ? 1 : limit - items.length })
    if (isFull && found.items.length > 0) return { items, next: [index] }
    items.push(...found.items)
    if (found.next !== null) return { items, next: [index, ...found.next] }
  }
  return { items, next: null }
}

export interface Reassigning {
  readonly to_user_id: string
  readonly project_id?: string
}

/** All of it in one step, or nothing. What comes into their hands meanwhile stays there. */
export function reassignWork(
  caller: Caller<'projects.manage'>,
  userId: string,
  { to_user_id: heir, project_id }: Reassigning,
): Promise<Handover> {
  const projectId = project_id ?? null
  if (heir === userId) {
    const detail = 'must be another person'
    throw invalid({ pointer: '/to_user_id', code: 'contradiction', detail })
  }
  return caller.database.write(caller, async (write) => {
    const people = await holdAll(write, [userId, heir])
    refuseStale(caller, thePerson(people.get(userId), userId))
    refuseUnassignable(people, heir, '/to_user_id')
    if (projectId !== null) await refuseUnknownProject(write, projectId)
    const ids = await idsHeld(write, { userId, projectId })
    return {
      user_id: userId,
      to_user_id: heir,
      reassigned: await handOver(write, { from: userId, to: heir, ids }),
    }
  })
}

async function refuseUnknownProject(write: Write, projectId: string): Promise<void> {
  if (await selectProject(write, projectId)) return
  const detail = `There is no project ${projectId}.`
  throw new Failure('unknown_reference', detail, { pointer: '/project_id' })
}

type Ids = Readonly<Record<Assignment['type'], readonly string[]>>

/** The ids of all that someone holds, as long as it can be handed over at once. */
async function idsHeld(write: Write, holding: Holding): Promise<Ids> {
  const ids: Record<Assignment['type'], string[]> = { project: [], risk: [], issue: [], task: [] }
  let left: number = limits.itemsMax
  for (const [type, select] of Object.entries(holdings(holding))) {
    const { items } = await select(write, { after: null, limit: left + 1 })
    left -= items.length
    if (left < 0) throw tooMany(holding)
    // The cast holds because these are the names of the holdings.
    ids[type as Assignment['type']] = items.map(({ id }) => id)
  }
  return ids
}

function tooMany({ userId, projectId }: Holding): Failure {
  const most = limits.itemsMax
  const where = projectId === null ? 'Hand it over project by project: send project_id.' : ''
  const detail = `${userId} holds more than ${most} things. ${where}`.trim()
  return new Failure('too_many_items', detail, { limit: most })
}

interface HandingOver {
  readonly from: string
  readonly to: string
  readonly ids: Ids
}

/** Whatever is no longer in these hands when it is locked has found others by itself. */
async function handOver(write: Write, { from, to, ids }: HandingOver) {
  const held = await lockProjects(write, ids.project)
  const projects = held.filter(({ project }) => project.owner_user_id === from)
  const risks = await lockRisksOf(write, from, ids.risk)
  const issues = await lockIssuesOf(write, from, ids.issue)
  const tasks = await lockTasksOf(write, from, ids.task)
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
