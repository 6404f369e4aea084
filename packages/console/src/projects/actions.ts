import type { Project, ProjectPatch } from '@muster/contract'

import { client } from '#api/client.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { act, type Act } from '#ui/act.ts'
import { asBefore } from '#ui/changes.ts'
import { projectQuery } from '#ui/projects.ts'

/** A name or a code stands on other pages too, and an archived project takes much with it. */
const touches = ['projects', 'risks', 'issues', 'tasks', 'personnel'] as const

export type ProjectChanges = Omit<ProjectPatch, 'metadata'>

function changeOf(project: Project, changes: ProjectChanges): Omit<Act<Project, Project>, 'says'> {
  const params = { project_id: project.id }
  return {
    thing: project,
    key: projectQuery(project.id).queryKey,
    expected: changes,
    view: () => client.projects.view({ params }),
    send: (ifMatch) => client.projects.update({ params, body: changes }, { ifMatch }),
    touches,
    undo: ({ version }, before) => {
      const body = asBefore(before, changes)
      return client.projects.update({ params, body }, { ifMatch: version })
    },
  }
}

export const changeProject = (project: Project, changes: ProjectChanges) =>
  act({ ...changeOf(project, changes), says: t('project.changed', { code: project.code }) })

export type Health = Project['health']

export interface HealthStatement {
  readonly health: Health
  readonly health_note: string | null
}

const nameOfHealth = (health: Health) =>
  health === null ? t('health.unsaid') : label('projectHealth', health)

export function setHealth(project: Project, said: HealthStatement) {
  const health = nameOfHealth(said.health)
  return act({
    ...changeOf(project, { ...said }),
    says: t('health.done', { code: project.code, health }),
  })
}

type Archiving = Parameters<typeof client.projects.archive>[0]['body']

/** It is often refused, so it is not shown before it is done. */
export function archiveProject(project: Project, body: Archiving) {
  const params = { project_id: project.id }
  const { status } = project
  return act({
    thing: project,
    expected: { status: 'archived' },
    view: () => client.projects.view({ params }),
    send: (ifMatch) => client.projects.archive({ params, body }, { ifMatch }),
    touches,
    says: t('archive.done', { code: project.code }),
    // What was closed or moved with it does not come back, so that is no way back.
    ...(body.if_live_items === undefined &&
      status !== 'archived' && {
        undo: ({ version }) =>
          client.projects.restore({ params, body: { status } }, { ifMatch: version }),
      }),
  } satisfies Act<Project, Project>)
}

export type CurrentStatus = Exclude<Project['status'], 'archived'>

export function restoreProject(project: Project, status: CurrentStatus) {
  const params = { project_id: project.id }
  return act({
    thing: project,
    key: projectQuery(project.id).queryKey,
    expected: { status },
    view: () => client.projects.view({ params }),
    send: (ifMatch) => client.projects.restore({ params, body: { status } }, { ifMatch }),
    touches,
    says: t('restore.done', { code: project.code }),
    undo: ({ version }) => client.projects.archive({ params, body: {} }, { ifMatch: version }),
  } satisfies Act<Project, Project>)
}
