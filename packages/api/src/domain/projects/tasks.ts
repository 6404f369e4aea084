import {
  type NewTask,
  openTaskStatuses,
  type Task,
  type TaskPatch,
  taskStatuses,
} from '@muster/contract'

import { holdAll, refuseUnassignable } from '#domain/assignable'
import type { Caller } from '#domain/caller'
import { patched, refuseStale, save, type Saving } from '#domain/change'
import { Failure, invalid } from '#domain/failure'
import { filtersIn, listing, type Listing } from '#domain/listing'
import { findProject, holdForItems, lockProject, refuseArchived } from '#domain/projects'
import { refuseOverQuota } from '#domain/quota'
import type { Write } from '#storage/database'
import { selectIssue } from '#storage/issues'
import { type InProject, updateNumbers } from '#storage/projects'
import { selectRisk } from '#storage/risks'
import {
  countTasks,
  lockTask,
  selectTask,
  selectTasks,
  type StoredTask,
  storeTask,
  type TasksFilter,
} from '#storage/tasks'

export interface TasksQuery {
  readonly project_id?: readonly string[]
  /** An id, or `none`. */
  readonly assignee_user_id?: readonly string[]
  readonly risk_id?: readonly string[]
  readonly issue_id?: readonly string[]
  readonly status?: readonly Task['status'][]
}

export const tasksFilter = (query: TasksQuery, statuses: readonly string[]): TasksFilter => ({
  projectIds: query.project_id ?? null,
  assigneeIds: query.assignee_user_id ?? null,
  riskIds: query.risk_id ?? null,
  issueIds: query.issue_id ?? null,
  statuses: query.status ?? statuses,
})

/** The open tasks of all projects, or those that the query names instead; due first. */
export function listTasks(caller: Caller<'projects.read'>, query: TasksQuery): Listing<Task> {
  const filter = tasksFilter(query, openTaskStatuses)
  return listing(caller, {
    counter: filtersIn(query).length > 0 ? null : 'open_tasks',
    count: (snapshot, max) => countTasks(snapshot, filter, max),
    select: (snapshot, page) => selectTasks(snapshot, filter, page),
  })
}

/** The tasks of one project, whatever their status. */
export function listProjectTasks(
  caller: Caller<'projects.read'>,
  projectId: string,
  query: Omit<TasksQuery, 'project_id'>,
): Listing<Task> {
  const filter = tasksFilter({ ...query, project_id: [projectId] }, taskStatuses)
  return listing(caller, {
    counter: null,
    count: (snapshot, max) => countTasks(snapshot, filter, max),
    select: async (snapshot, page) => {
      await findProject(snapshot, projectId)
      return selectTasks(snapshot, filter, page)
    },
  })
}

export async function viewTask(caller: Caller<'projects.read'>, at: InProject): Promise<Task> {
  const task = await caller.database.read(caller, (read) => selectTask(read, at))
  if (task === null) throw noTask(at)
  return task
}

const noTask = ({ id, projectId }: InProject) =>
  new Failure('not_found', `There is no task ${id} in the project ${projectId}.`)

export function addTask(
  caller: Caller<'projects.manage'>,
  projectId: string,
  input: NewTask,
): Promise<Task> {
  return caller.database.write(caller, async (write) => {
    const people = await holdAll(write, [input.assignee_user_id])
    const { project, task_number } = await lockProject(write, projectId)
    refuseArchived(project)
    const status = input.status ?? 'todo'
    const task: StoredTask = {
      description: null,
      assignee_user_id: null,
      due_on: null,
      risk_id: null,
      issue_id: null,
      ...input,
      status,
      id: write.newId('tsk'),
      ref: `${project.code}-T${task_number + 1}`,
      project_id: projectId,
      completed_at: status === 'done' ? write.now : null,
      version: 0,
      created_at: write.now,
      updated_at: write.now,
    }
    if (isOpen(task)) await refuseOverQuota(write, 'open_tasks')
    refuseUnassignable(people, input.assignee_user_id, '/assignee_user_id')
    await refuseElsewhere(write, task)
    updateNumbers(write, projectId, { task_number: task_number + 1 })
    storeTask(write, null, task)
    const changed = Object.keys(input)
    write.record({ type: 'task.created', subject: task.id, project: projectId, changed })
    return task
  })
}

const isOpen = ({ status }: Pick<Task, 'status'>) => status !== 'done' && status !== 'cancelled'

/** A task is about one risk or one issue of its own project, or about neither. */
async function refuseElsewhere(write: Write, { project_id, risk_id, issue_id }: StoredTask) {
  if (risk_id !== null && issue_id !== null) {
    const detail = 'cannot be set together with risk_id'
    throw invalid({ pointer: '/issue_id', code: 'contradiction', detail })
  }
  if (risk_id !== null && !(await selectRisk(write, { projectId: project_id, id: risk_id }))) {
    const detail = `There is no risk ${risk_id} in this project.`
    throw new Failure('unknown_reference', detail, { pointer: '/risk_id' })
  }
  if (issue_id !== null && !(await selectIssue(write, { projectId: project_id, id: issue_id }))) {
    const detail = `There is no issue ${issue_id} in this project.`
    throw new Failure('unknown_reference', detail, { pointer: '/issue_id' })
  }
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

const advice = { completed_at: 'It follows status' }

export function updateTask(
  caller: Caller<'projects.manage'>,
  at: InProject,
  patch: TaskPatch,
): Promise<Task> {
  return caller.database.write(caller, async (write) => {
    const people = await holdAll(write, [patch.assignee_user_id])
    const project = await holdForItems(write, at.projectId)
    const task = await lockTask(write, at)
    if (task === null) throw noTask(at)
    refuseStale(caller, task)
    refuseArchived(project)
    const fields = patched(task, patch, { writable, advice })
    if (fields.assignee_user_id !== task.assignee_user_id) {
      refuseUnassignable(people, fields.assignee_user_id, '/assignee_user_id')
    }
    const after = completed({ ...task, ...fields }, task, write.now)
    const isMoved = after.risk_id !== task.risk_id || after.issue_id !== task.issue_id
    if (isMoved) await refuseElsewhere(write, after)
    if (isOpen(after) && !isOpen(task)) await refuseOverQuota(write, 'open_tasks')
    return saveTask(write, { before: task, after, type: 'task.updated' })
  })
}

function completed(after: StoredTask, before: StoredTask, now: string): StoredTask {
  if (after.status === before.status) return after
  return { ...after, completed_at: after.status === 'done' ? now : null }
}

export const saveTask = (write: Write, saving: Saving<StoredTask>) => save(write, saving, storeTask)
