import type { Project } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { WhileOpen } from '#ui/while-open.tsx'

const ArchiveDialog = lazyRouteComponent(() => import('./archive-dialog.tsx'), 'ArchiveDialog')
const EditProjectDialog = lazyRouteComponent(
  () => import('./edit-project-dialog.tsx'),
  'EditProjectDialog',
)
const HealthDialog = lazyRouteComponent(() => import('./health-dialog.tsx'), 'HealthDialog')
const RestoreDialog = lazyRouteComponent(() => import('./restore-dialog.tsx'), 'RestoreDialog')

const dialogs = {
  health: HealthDialog,
  edit: EditProjectDialog,
  archive: ArchiveDialog,
  restore: RestoreDialog,
}

/** Why nothing in the project can be changed now; null when it can. */
export function useReasonAgainstChange({ status, code }: Project): string | null {
  const reason = useReasonAgainst('projects.manage')
  return reason ?? (status === 'archived' ? t('project.is-archived', { code }) : null)
}

/** What can be done to a project. */
export function ProjectActions({ project }: { readonly project: Project }) {
  const { code } = project
  const [asking, setAsking] = useState<keyof typeof dialogs | null>(null)
  const reason = useReasonAgainst('projects.manage')
  const change = useReasonAgainstChange(project)
  const isArchived = project.status === 'archived'
  const archive = reason ?? (isArchived ? t('project.is-archived-already', { code }) : null)
  const restore = reason ?? (isArchived ? null : t('project.is-not-archived', { code }))
  const Dialog = asking && dialogs[asking]
  return (
    <>
      <ActionButton reason={change} onClick={() => setAsking('health')}>
        {t('health.set')}
      </ActionButton>
      <ActionButton variant="default" reason={change} onClick={() => setAsking('edit')}>
        {t('project.edit')}
      </ActionButton>
      <ActionButton variant="default" reason={archive} onClick={() => setAsking('archive')}>
        {t('archive.action')}
      </ActionButton>
      <ActionButton variant="default" reason={restore} onClick={() => setAsking('restore')}>
        {t('restore.action')}
      </ActionButton>
      <WhileOpen isOpen={Dialog !== null}>
        {Dialog && <Dialog project={project} onClose={() => setAsking(null)} />}
      </WhileOpen>
    </>
  )
}
