import { type Assignment, openTaskStatuses } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { listing, type Listing } from '#domain/engine/listing'
import { openIssuesFilter } from '#domain/projects/open-issues'
import { projectNames } from '#domain/projects/project-names'
import { registerFilter } from '#domain/projects/register'
import { presentRisk } from '#domain/projects/risk-levels'
import { tasksFilter } from '#domain/projects/tasks'
import { findPerson } from '#domain/roster/person'
import { sortOrder } from '#domain/rules/sort'
import { selectPage } from '#storage/lists/index-ranges'
import { rollupList } from '#storage/lists/rollup'
import { type AssignmentCounts, countAssignments } from '#storage/nouns/assignments'
import { openIssues } from '#storage/nouns/open-issues'
import { projectsList } from '#storage/nouns/projects'
import { register } from '#storage/nouns/register'
import { tasksList } from '#storage/nouns/tasks'
import type { Read } from '#storage/statements/access'
import type { PageResult, Page } from '#storage/statements/keyset'
import type { View } from '#storage/statements/view'

/** Statuses in which a project counts as assigned work of its owner. */
export const openProjectStatuses = ['planned', 'active', 'on_hold'] as const

/** Work of one person, in one project or, with null, in all that the view shows. */
export interface AssignmentScope {
  readonly userId: string
  readonly projectId: string | null
  readonly view: View
}

/** An assignment before its project is looked up. */
type Item = Omit<Assignment, 'project'>

type Select = (read: Read, page: Page) => Promise<PageResult<Item>>

const unrated = { score: null, level: null, severity: null, flags: [] }

/** A query for each type of assigned work, in the order of that type's own list. */
export const assignmentQueries = ({ userId, projectId, view }: AssignmentScope) => {
  const inProject = { ...(projectId !== null && { project_id: [projectId] }) }
  const assigned = { assignee_user_id: [userId], ...inProject }
  return {
    project: async (read, page) => {
      const projects = view.scope(inProject.project_id)
      const filter = {
        query: {},
        projects,
        ownerIds: [userId],
        statuses: openProjectStatuses,
        q: null,
      }
      const result = await selectPage(read, projectsList(filter, sortOrder(undefined)), page)
      return presentAssignments(result, (project) => ({
        ...unrated,
        type: 'project',
        ...project,
        ref: project.code,
        title: project.name,
        project_id: project.id,
      }))
    },
    risk: async (read, page) => {
      const filter = registerFilter(view, { owner_user_id: [userId], ...inProject })
      const result = await selectPage(read, rollupList(register, filter), page)
      return presentAssignments(result, (risk) => ({
        type: 'risk',
        ...presentRisk(risk),
        due_on: risk.review_on,
        severity: null,
      }))
    },
    issue: async (read, page) => {
      const list = rollupList(openIssues, openIssuesFilter(view, assigned))
      const result = await selectPage(read, list, page)
      return presentAssignments(result, (issue) => ({
        ...unrated,
        ...issue,
        type: 'issue',
      }))
    },
    task: async (read, page) => {
      const list = tasksList(tasksFilter(view, assigned, openTaskStatuses))
      const result = await selectPage(read, list, page)
      return presentAssignments(result, (task) => ({ ...unrated, type: 'task', ...task }))
    },
  } satisfies Record<Assignment['type'], Select>
}

function presentAssignments<T>(
  { items, next }: PageResult<T>,
  present: (item: T) => Item,
): PageResult<Item> {
  const assignments = items.map((item) => {
    const { type, id, ref, title, status, project_id, due_on, ...rest } = present(item)
    const { score, level, severity, flags } = rest
    return { type, id, ref, title, status, project_id, due_on, score, level, severity, flags }
  })
  return { items: assignments, next }
}

/** Counts the work of a person in the projects of a view. */
export const countWork = (read: Read, userId: string, view: View): Promise<AssignmentCounts> =>
  countAssignments(read, { userId, projectStatuses: openProjectStatuses, projects: view.scope() })

export function listAssignments(
  caller: Caller<'projects.read'>,
  userId: string,
): Listing<Assignment> {
  const { view } = caller
  const lists = Object.values(assignmentQueries({ userId, projectId: null, view }))
  return listing(caller, {
    counter: null,
    count: async (snapshot) => {
      const counts = await countWork(snapshot, userId, view)
      return Object.values(counts).reduce((sum, count) => sum + count, 0)
    },
    select: async (snapshot, page) => {
      await findPerson(snapshot, userId)
      const [{ items, next }, nameOf] = await Promise.all([
        selectInSequence(snapshot, lists, page),
        projectNames(caller.database, snapshot),
      ])
      return { items: items.map((item) => ({ ...item, project: nameOf(item.project_id) })), next }
    },
  })
}

/** Concatenates the lists. A position starts with the index of its list. */
async function selectInSequence(
  read: Read,
  lists: readonly Select[],
  { after, limit }: Page,
): Promise<PageResult<Item>> {
  const [startIndex = 0, ...startPosition] = after ?? []
  const items: Item[] = []
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
