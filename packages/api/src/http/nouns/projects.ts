import { asDryRun } from '#domain/engine/caller'
import { archiveProject, restoreProject } from '#domain/projects/project-archive'
import { batchProjects } from '#domain/projects/project-batch'
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
  batch: (caller, { query, body, lookups }) =>
    batchProjects(asDryRun(caller, query.dry_run), { ...body, lookups, match: query.match }),
  view: (caller, { params, query }) => viewProject(caller, params.project_id, query),
  update: (caller, { params, body }) => updateProject(caller, params.project_id, body),
  archive: (caller, { params, body }) => archiveProject(caller, params.project_id, body),
  restore: (caller, { params, body }) => restoreProject(caller, params.project_id, body),
  history: (caller, { params, query }) => listProjectHistory(caller, params.project_id, query),
}
