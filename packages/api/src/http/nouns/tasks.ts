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
  view: (caller, { params }) => viewTask(caller, idsOf(params)),
  update: (caller, { params, body }) => updateTask(caller, idsOf(params), body),
}
