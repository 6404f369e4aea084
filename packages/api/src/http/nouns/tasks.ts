import { asDryRun } from '#domain/engine/caller'
import { batchTasks } from '#domain/projects/task-batch'
import {
  addTask,
  listProjectTasks,
  listTasks,
  summarizeTasks,
  updateTask,
  viewTask,
} from '#domain/projects/tasks'
import type { Handlers } from '#http/operations/handlers'

const idsOf = (params: { project_id: string; task_id: string }) => ({
  projectId: params.project_id,
  id: params.task_id,
})

export const tasks: Handlers['tasks'] = {
  list: (caller, { query }) => listTasks(caller, query),
  summary: (caller, { query }) => summarizeTasks(caller, query),
  list_in_project: (caller, { params, query }) =>
    listProjectTasks(caller, params.project_id, query),
  create: (caller, { params, body }) => addTask(caller, params.project_id, body),
  batch: (caller, { params, query, body, lookups }) =>
    batchTasks(asDryRun(caller, query.dry_run), {
      ...body,
      lookups,
      match: query.match,
      projectId: params.project_id,
    }),
  batch_across: (caller, { query, body, lookups }) =>
    batchTasks(asDryRun(caller, query.dry_run), {
      ...body,
      lookups,
      match: query.match,
      projectId: null,
    }),
  view: (caller, { params }) => viewTask(caller, idsOf(params)),
  update: (caller, { params, body }) => updateTask(caller, idsOf(params), body),
}
