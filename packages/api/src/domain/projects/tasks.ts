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
import { Failure } from '#domain/engine/failure'
import { type Listing, listingOf, sourceOf, wholeCounter } from '#domain/engine/listing'
import { refuseOverQuota } from '#domain/engine/quota'
import {
  type LockedPeople,
  shareLockPeopleById,
  refuseUnassignable,
} from '#domain/roster/assignable'
import { type StoredProject, updateReferenceNumbers } from '#storage/nouns/projects'
import {
  aggregateTasks,
  countOverdueTasks,
  lockTasks,
  selectTask,
  tasksList,
  type StoredTask,
  upsertTask,
  type TasksFilter,
} from '#storage/nouns/tasks'
import { selectMoment } from '#storage/numbers/moment'
import type { Snapshot, Write } from '#storage/statements/access'
import type { View } from '#storage/statements/view'

import { reserveExternalId } from './external-ids.ts'
import { completionOfNewTask } from './imported-dates.ts'
import { listByNames } from './named-filters.ts'
import { type ItemPath, openItem, openProject } from './open-project.ts'
import { findProject, shareLockForItems, lockProject, refuseArchived } from './projects.ts'
import { countEach, countsIn, summarize, sumOf } from './rollup.ts'
import { TaskSubjects } from './task-subjects.ts'

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
  return summarize(caller, source, (counts) => ({
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
    const subjects = await TaskSubjects.find(write, [opened], [input])
    const task = buildTask(input, { write, project, people, subjects, number: task_number + 1 })
    if (isOpen(task)) await refuseOverQuota(write, 'open_tasks')
    await reserveExternalId(write, 'tasks', { before: null, after: task })
    updateReferenceNumbers(write, opened, { task_number: task_number + 1 })
    return saveNewTask(write, task, Object.keys(input))
  })
}

/** What a change of a task depends on. */
export interface TaskContext {
  readonly write: Write
  readonly people: LockedPeople
  readonly subjects: TaskSubjects
}

interface NewTaskContext extends TaskContext {
  readonly project: StoredProject
  readonly number: number
}

export function buildTask(
  input: NewTask,
  { write, people, subjects, project, number }: NewTaskContext,
): StoredTask {
  const given = { ...initialOf(taskFields), ...input }
  const task = {
    ...given,
    id: write.newId('tsk'),
    ref: `${project.code}-T${number}`,
    project_id: project.id,
    completed_at: completionOfNewTask(given, write),
    version: 0,
    created_at: write.now,
    updated_at: write.now,
  }
  refuseUnassignable(people, input.assignee_user_id, '/assignee_user_id')
  subjects.refuseInvalid(task)
  return task
}

export function saveNewTask(write: Write, task: StoredTask, changed: string[]): StoredTask {
  upsertTask(write, null, task)
  const { id: subject, project_id: project } = task
  write.record({ type: 'task.created', subject, project, changed })
  return task
}

export const isOpen = ({ status }: Pick<Task, 'status'>) =>
  status !== 'done' && status !== 'cancelled'

const writable = patchNames(taskFields)

export const taskAdvice = { completed_at: 'The service sets it when the status changes' }

export function updateTask(
  caller: Caller<'projects.manage'>,
  at: ItemPath,
  patch: TaskPatch,
): Promise<Task> {
  return caller.database.write(caller, async (write) => {
    const people = await shareLockPeopleById(write, [patch.assignee_user_id])
    const opened = openItem(caller, at, 'manage')
    const project = await shareLockForItems(write, opened.project)
    const [task] = await lockTasks(write, [opened.project], [at.id])
    if (task === undefined) throw taskNotFound(at)
    refuseStale(caller, task)
    refuseArchived(project)
    const subjects = await TaskSubjects.find(write, [opened.project], [patch])
    const after = applyTaskPatch(task, patch, { write, people, subjects })
    await reserveExternalId(write, 'tasks', { before: task, after })
    if (isOpen(after) && !isOpen(task)) await refuseOverQuota(write, 'open_tasks')
    return saveTask(write, { before: task, after, type: 'task.updated' })
  })
}

export function applyTaskPatch(
  task: StoredTask,
  patch: object,
  { write, people, subjects }: TaskContext,
): StoredTask {
  const fields = applyPatch(task, patch, { writable, advice: taskAdvice })
  if (fields.assignee_user_id !== task.assignee_user_id) {
    refuseUnassignable(people, fields.assignee_user_id, '/assignee_user_id')
  }
  const after = withCompletedAt({ ...task, ...fields }, task, write.now)
  const isSubjectChanged = after.risk_id !== task.risk_id || after.issue_id !== task.issue_id
  if (isSubjectChanged) subjects.refuseInvalid(after)
  return after
}

function withCompletedAt(after: StoredTask, before: StoredTask, now: string): StoredTask {
  if (after.status === before.status) return after
  return { ...after, completed_at: after.status === 'done' ? now : null }
}

export const saveTask = (write: Write, saving: SaveInput<StoredTask>) =>
  save(write, saving, upsertTask)
