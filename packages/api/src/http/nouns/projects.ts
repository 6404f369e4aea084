import { archiveProject, restoreProject } from '#domain/projects/project-archive'
import {
  addProject,
  listProjectHistory,
  listProjects,
  updateProject,
  viewProject,
} from '#domain/projects/projects'
import type { Handlers } from '#http/operations/handlers'

export const projects: Handlers['projects'] = {
  list: (caller, { query }) => listProjects(caller, query),
  create: (caller, { body }) => addProject(caller, body),
  view: (caller, { params }) => viewProject(caller, params.project_id),
  update: (caller, { params, body }) => updateProject(caller, params.project_id, body),
  archive: (caller, { params, body }) => archiveProject(caller, params.project_id, body),
  restore: (caller, { params, body }) => restoreProject(caller, params.project_id, body),
  history: (caller, { params, query }) => listProjectHistory(caller, params.project_id, query),
}
