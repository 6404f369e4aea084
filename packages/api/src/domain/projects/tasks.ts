import {
  initialOf,
  type NewTask,
  openTaskStatuses,
  type Operations,
  patchNames,
  type QueryOf,
  type Task,
  taskFields,
  type TaskPatch,
  taskStatuses,
  type TaskSummary,
} from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { applyPatch, refuseStale, save, type SaveInput } from '#domain/engine/change'
import { Failure, invalid } from '#domain/engine/failure'
import { type Listing, listingOf, sourceOf, wholeCounter } from '#domain/engine/listing'
import { refuseOverQuota } from '#domain/engine/quota'
import { shareLockPeopleById, refuseUnassignable } from '#domain/roster/assignable'
import { selectIssue } from '#storage/nouns/issues'
import { updateReferenceNumbers } from '#storage/nouns/projects'
import { selectRisk } from '#storage/nouns/risks'
import {
  aggregateTasks,
  countOverdueTasks,
  lockTask,
  selectTask,
  tasksList,
  type StoredTask,
  upsertTask,
  type TasksFilter,
} from '#storage/nouns/tasks'
import { selectMoment } from '#storage/numbers/moment'
import type { Snapshot, Write } from '#storage/statements/access'
import type { OpenedProject, View } from '#storage/statements/view'

import { reserveExternalId } from './external-ids.ts'
import { listByNames } from './named-filters.ts'
import { type ItemPath, openItem, openProject } from './open-project.ts'
import { findProject, shareLockForItems, lockProject, refuseArchived } from './projects.ts'
import { countEach, countsIn, summarize, sumOf } from './rollup.ts'

export type TasksQuery = QueryOf<Operations['tasks']['list']>

export const tasksFilter = (
  view: View,
  query: TasksQuery,
  statuses: readonly string[],
): TasksFilter => ({
  query,
  projects: view.scope(query.project_id),
  days: { from: query.due_from, before: query.due_before },
  statuses: query.status ?? statuses,
  q: query.q ?? null,
})

/** Lists tasks of all projects by due date: open ones, unless the query filters by status. */
export const listTasks = (caller: Caller<'projects.read'>, asked: TasksQuery): Listing<Task> =>
  listByNames(caller, asked, (query) =>
    sourceOf(caller, {
      counter: wholeCounter(caller, query, 'open_tasks'),
      list: tasksList(tasksFilter(caller.view, query, openTaskStatuses), query.sort),
      present: (tasks) => tasks,
      item: (task) => task,
    }),
  )

/** Summarises the open tasks. A task is overdue from the day after its due date. */
export function summarizeTasks(
  caller: Caller<'projects.read'>,
  query: Pick<TasksQuery, 'project_id' | 'assignee_user_id'>,
): Promise<TaskSummary> {
  const filter = tasksFilter(caller.view, query, openTaskStatuses)
  const todayIn = async (snapshot: Snapshot) =>
    (await selectMoment(snapshot, caller.database.givenTime)).today
  const source = {
    noun: 'task',
    query,
    unstored: async (snapshot: Snapshot) =>
      countOverdueTasks(snapshot, { ...filter, today: await todayIn(snapshot) }),
    aggregate: async (snapshot: Snapshot) =>
      aggregateTasks(snapshot, { filter, today: await todayIn(snapshot) }),
  } as const
  return summarize(caller, source, (counts, { numbers }) => ({
    as_of: numbers.tasks,
    count: sumOf(countsIn(counts, 'status')),
    overdue: countsIn(counts, 'flag').get('overdue') ?? 0,
    by_status: countEach(openTaskStatuses, countsIn(counts, 'status')),
  }))
}

/** Lists the tasks of one project, with any status. */
export function listProjectTasks(
  caller: Caller<'projects.read'>,
  projectId: string,
  query: Omit<TasksQuery, 'project_id'>,
): Listing<Task> {
  const filter = tasksFilter(caller.view, { ...query, project_id: [projectId] }, taskStatuses)
  return listingOf(caller, {
    counter: null,
    list: tasksList(filter, query.sort),
    context: (snapshot) => findProject(snapshot, openProject(caller, projectId, 'read')),
    present: (tasks) => tasks,
  })
}

export async function viewTask(caller: Caller<'projects.read'>, at: ItemPath): Promise<Task> {
  const opened = openItem(caller, at, 'read')
  const task = await caller.database.read(caller, (read) => selectTask(read, opened))
  if (task === null) throw taskNotFound(at)
  return task
}

const taskNotFound = ({ id, projectId }: ItemPath) =>
  new Failure('not_found', `There is no task ${id} in the project ${projectId}.`)

export function addTask(
  caller: Caller<'projects.manage'>,
  projectId: string,
  input: NewTask,
): Promise<Task> {
  return caller.database.write(caller, async (write) => {
    const people = await shareLockPeopleById(write, [input.assignee_user_id])
    const opened = openProject(caller, projectId, 'manage')
    const { project, task_number } = await lockProject(write, opened)
    refuseArchived(project)
    const given = { ...initialOf(taskFields), ...input }
    const task: StoredTask = {
      ...given,
      id: write.newId('tsk'),
      ref: `${project.code}-T${task_number + 1}`,
      project_id: projectId,
      completed_at: given.status === 'done' ? write.now : null,
      version: 0,
      created_at: write.now,
      updated_at: write.now,
    }
    if (isOpen(task)) await refuseOverQuota(write, 'open_tasks')
    refuseUnassignable(people, input.assignee_user_id, '/assignee_user_id')
    await refuseInvalidReferences(write, opened, task)
    await reserveExternalId(write, 'tasks', { before: null, after: task })
    updateReferenceNumbers(write, opened, { task_number: task_number + 1 })
    upsertTask(write, null, task)
    const changed = Object.keys(input)
    write.record({ type: 'task.created', subject: task.id, project: projectId, changed })
    return task
  })
}

const isOpen = ({ status }: Pick<Task, 'status'>) => status !== 'done' && status !== 'cancelled'

/** A task refers to at most one risk or issue, which must be in the same project. */
async function refuseInvalidReferences(
  write: Write,
  project: OpenedProject,
  { risk_id, issue_id }: StoredTask,
) {
  if (risk_id !== null && issue_id !== null) {
    const detail = 'cannot be set together with risk_id'
    throw invalid({ pointer: '/issue_id', code: 'contradiction', detail })
  }
  if (risk_id !== null && !(await selectRisk(write, { project, id: risk_id }))) {
    const detail = `There is no risk ${risk_id} in this project.`
    throw new Failure('unknown_reference', detail, { pointer: '/risk_id' })
  }
  if (issue_id !== null && !(await selectIssue(write, { project, id: issue_id }))) {
    const detail = `There is no issue ${issue_id} in this project.`
    throw new Failure('unknown_reference', detail, { pointer: '/issue_id' })
  }
}

const writable = patchNames(taskFields)

const advice = { completed_at: 'The service sets it when the status changes' }

export function updateTask(
  caller: Caller<'projects.manage'>,
  at: ItemPath,
  patch: TaskPatch,
): Promise<Task> {
  return caller.database.write(caller, async (write) => {
    const people = await shareLockPeopleById(write, [patch.assignee_user_id])
    const opened = openItem(caller, at, 'manage')
    const project = await shareLockForItems(write, opened.project)
    const task = await lockTask(write, opened)
    if (task === null) throw taskNotFound(at)
    refuseStale(caller, task)
    refuseArchived(project)
    const fields = applyPatch(task, patch, { writable, advice })
    if (fields.assignee_user_id !== task.assignee_user_id) {
      refuseUnassignable(people, fields.assignee_user_id, '/assignee_user_id')
    }
    const after = withCompletedAt({ ...task, ...fields }, task, write.now)
    const isReferenceChanged = after.risk_id !== task.risk_id || after.issue_id !== task.issue_id
    if (isReferenceChanged) await refuseInvalidReferences(write, opened.project, after)
    await reserveExternalId(write, 'tasks', { before: task, after })
    if (isOpen(after) && !isOpen(task)) await refuseOverQuota(write, 'open_tasks')
    return saveTask(write, { before: task, after, type: 'task.updated' })
  })
}

function withCompletedAt(after: StoredTask, before: StoredTask, now: string): StoredTask {
  if (after.status === before.status) return after
  return { ...after, completed_at: after.status === 'done' ? now : null }
}

export const saveTask = (write: Write, saving: SaveInput<StoredTask>) =>
  save(write, saving, upsertTask)
