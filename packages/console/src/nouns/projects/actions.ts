import type { NewProject, Project, ProjectPatch } from '@muster/contract'

import { runMutation } from '#data/change/mutation.ts'
import { resource, withToast } from '#data/change/resource.ts'
import { client } from '#data/client.ts'
import { invalidate } from '#data/query-client.ts'
import { showSuccess } from '#kit/feedback/toast.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

type ProjectRef = Pick<Project, 'id'>

const toParams = ({ id }: ProjectRef) => ({ project_id: id })

const projects = resource<Project, ProjectRef, ProjectPatch>({
  noun: 'projects',
  // Other pages show the name and the code; archiving may also close or move items.
  invalidates: ['projects', 'risks', 'issues', 'tasks', 'personnel'],
  view: (ref, options) => client.projects.view({ params: toParams(ref) }, options),
  update: (project, body, ifMatch) =>
    client.projects.update({ params: toParams(project), body }, { ifMatch }),
})

export async function openProject(body: NewProject): Promise<Project> {
  const project = await client.projects.create({ body })
  showSuccess(t('project.opened', { code: project.code }))
  // Who is signed in comes with the number of projects, on which the first pages depend.
  await invalidate('projects', 'keys')
  return project
}

/** Returns null and sends nothing if no field changed. */
export const editProject = (project: Project, wanted: ProjectPatch) =>
  projects.edit(project, wanted, t('project.changed', { code: project.code }))

export const saveProject = (project: Project, wanted: ProjectPatch) =>
  withToast(editProject(project, wanted))

export type HealthReport = Pick<Project, 'health' | 'health_note'>

export function reportHealth(project: Project, report: HealthReport) {
  const { health } = report
  const name = health === null ? t('word.not-set') : label('projectHealth', health)
  const successMessage = t('health.done', { code: project.code, health: name })
  return runMutation(projects.updating(project, report, successMessage))
}

type ArchiveBody = Parameters<typeof client.projects.archive>[0]['body']

/** The service often refuses this, so the cache keeps the project until its response. */
export function archiveProject(project: Project, body: ArchiveBody) {
  const params = toParams(project)
  const { status } = project
  const { fetchLatest, invalidates } = projects.base(project)
  return runMutation<Project, Project>({
    resource: project,
    optimistic: { status: 'archived' },
    fetchLatest,
    send: (ifMatch) => client.projects.archive({ params, body }, { ifMatch }),
    invalidates,
    successMessage: t('archive.done', { code: project.code }),
    // Undo cannot restore items that were closed or moved, so it is only offered without them.
    ...(body.if_live_items === undefined &&
      status !== 'archived' && {
        undo: ({ version }) =>
          client.projects.restore({ params, body: { status } }, { ifMatch: version }),
      }),
  })
}

export type CurrentStatus = Exclude<Project['status'], 'archived'>

export function restoreProject(project: Project, status: CurrentStatus) {
  const params = toParams(project)
  return runMutation<Project, Project>({
    ...projects.base(project),
    optimistic: { status },
    send: (ifMatch) => client.projects.restore({ params, body: { status } }, { ifMatch }),
    successMessage: t('restore.done', { code: project.code }),
    undo: ({ version }) => client.projects.archive({ params, body: {} }, { ifMatch: version }),
  })
}
