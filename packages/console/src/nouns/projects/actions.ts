import type { Project, ProjectPatch } from '@muster/contract'

import { previousValues } from '#data/change/changes.ts'
import { type Mutation, runMutation } from '#data/change/mutation.ts'
import { client } from '#data/client.ts'
import { projectQuery } from '#kit/references/projects.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

/** Other pages show the name and the code; archiving may also close or move items. */
const invalidates = ['projects', 'risks', 'issues', 'tasks', 'personnel'] as const

export type ProjectChanges = Omit<ProjectPatch, 'metadata'>

function projectMutation(
  project: Project,
  changes: ProjectChanges,
): Omit<Mutation<Project, Project>, 'successMessage'> {
  const params = { project_id: project.id }
  return {
    resource: project,
    queryKey: projectQuery(project.id).queryKey,
    optimistic: changes,
    fetchLatest: () => client.projects.view({ params }),
    send: (ifMatch) => client.projects.update({ params, body: changes }, { ifMatch }),
    invalidates,
    undo: ({ version }, before) => {
      const body = previousValues(before, changes)
      return client.projects.update({ params, body }, { ifMatch: version })
    },
  }
}

export const changeProject = (project: Project, changes: ProjectChanges) =>
  runMutation({
    ...projectMutation(project, changes),
    successMessage: t('project.changed', { code: project.code }),
  })

export type Health = Project['health']

export interface HealthUpdate {
  readonly health: Health
  readonly health_note: string | null
}

const healthLabel = (health: Health) =>
  health === null ? t('health.not-set') : label('projectHealth', health)

export function setHealth(project: Project, update: HealthUpdate) {
  const health = healthLabel(update.health)
  return runMutation({
    ...projectMutation(project, { ...update }),
    successMessage: t('health.done', { code: project.code, health }),
  })
}

type ArchiveBody = Parameters<typeof client.projects.archive>[0]['body']

/** The service often refuses this, so there is no optimistic update. */
export function archiveProject(project: Project, body: ArchiveBody) {
  const params = { project_id: project.id }
  const { status } = project
  return runMutation({
    resource: project,
    optimistic: { status: 'archived' },
    fetchLatest: () => client.projects.view({ params }),
    send: (ifMatch) => client.projects.archive({ params, body }, { ifMatch }),
    invalidates,
    successMessage: t('archive.done', { code: project.code }),
    // Undo cannot restore items that were closed or moved, so it is only offered without them.
    ...(body.if_live_items === undefined &&
      status !== 'archived' && {
        undo: ({ version }) =>
          client.projects.restore({ params, body: { status } }, { ifMatch: version }),
      }),
  } satisfies Mutation<Project, Project>)
}

export type CurrentStatus = Exclude<Project['status'], 'archived'>

export function restoreProject(project: Project, status: CurrentStatus) {
  const params = { project_id: project.id }
  return runMutation({
    resource: project,
    queryKey: projectQuery(project.id).queryKey,
    optimistic: { status },
    fetchLatest: () => client.projects.view({ params }),
    send: (ifMatch) => client.projects.restore({ params, body: { status } }, { ifMatch }),
    invalidates,
    successMessage: t('restore.done', { code: project.code }),
    undo: ({ version }) => client.projects.archive({ params, body: {} }, { ifMatch: version }),
  } satisfies Mutation<Project, Project>)
}
