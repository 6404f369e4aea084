import type { Project } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { LazyDialog } from '#ui/lazy-dialog.tsx'

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

/** Why the project and its items cannot be changed; null if they can. */
export function useReadOnlyReason({ status, code }: Project): string | null {
  const reason = useMissingScopeReason('projects.manage')
  return reason ?? (status === 'archived' ? t('project.is-archived', { code }) : null)
}

export function ProjectActions({ project }: { readonly project: Project }) {
  const { code } = project
  const [openDialog, setOpenDialog] = useState<keyof typeof dialogs | null>(null)
  const reason = useMissingScopeReason('projects.manage')
  const change = useReadOnlyReason(project)
  const isArchived = project.status === 'archived'
  const archive = reason ?? (isArchived ? t('project.is-archived-already', { code }) : null)
  const restore = reason ?? (isArchived ? null : t('project.is-not-archived', { code }))
  const Dialog = openDialog && dialogs[openDialog]
  return (
    <>
      <ActionButton reason={change} onClick={() => setOpenDialog('health')}>
        {t('health.set')}
      </ActionButton>
      <ActionButton variant="default" reason={change} onClick={() => setOpenDialog('edit')}>
        {t('project.edit')}
      </ActionButton>
      <ActionButton variant="default" reason={archive} onClick={() => setOpenDialog('archive')}>
        {t('archive.action')}
      </ActionButton>
      <ActionButton variant="default" reason={restore} onClick={() => setOpenDialog('restore')}>
        {t('restore.action')}
      </ActionButton>
      <LazyDialog isOpen={Dialog !== null}>
        {Dialog && <Dialog project={project} onClose={() => setOpenDialog(null)} />}
      </LazyDialog>
    </>
  )
}
