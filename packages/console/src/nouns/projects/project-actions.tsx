import type { Project } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'

import { useMissingScopeReason } from '#data/whoami.ts'
import { useKeptState } from '#kit/form/draft.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { t } from '#text/index.ts'

import { PinButton } from './pin-button.tsx'

const dialogs = {
  health: lazyRouteComponent(() => import('./health-dialog.tsx'), 'HealthDialog'),
  edit: lazyRouteComponent(() => import('./edit-project-dialog.tsx'), 'EditProjectDialog'),
  archive: lazyRouteComponent(() => import('./archive-dialog.tsx'), 'ArchiveDialog'),
  restore: lazyRouteComponent(() => import('./restore-dialog.tsx'), 'RestoreDialog'),
}

/** Why the project and its items cannot be changed; null if they can. */
export function useReadOnlyReason({ status, code }: Project): string | null {
  const reason = useMissingScopeReason('projects.manage')
  return reason ?? (status === 'archived' ? t('project.is-archived', { code }) : null)
}

/** The pin, the ⋯ menu and the primary action. */
export function ProjectActions({ project }: { readonly project: Project }) {
  const [openDialog, setOpenDialog] = useKeptState<keyof typeof dialogs | null>(
    'project/dialog',
    null,
  )
  const reason = useMissingScopeReason('projects.manage')
  const isArchived = project.status === 'archived'
  const Dialog = openDialog && dialogs[openDialog]
  const primary = isArchived ? 'restore' : 'health'
  const edit = { name: t('project.edit'), reason, onClick: () => setOpenDialog('edit') }
  const archive = {
    name: t('archive.menu'),
    reason,
    isDanger: true,
    onClick: () => setOpenDialog('archive'),
  }
  return (
    <>
      <PinButton project={project} />
      <ActionMenu of={project.code} groups={isArchived ? [] : [[edit], [archive]]} />
      <ActionButton variant="filled" reason={reason} onClick={() => setOpenDialog(primary)}>
        {isArchived ? t('restore.action') : t('health.set')}
      </ActionButton>
      <LazyDialog isOpen={Dialog !== null}>
        {Dialog && <Dialog project={project} onClose={() => setOpenDialog(null)} />}
      </LazyDialog>
    </>
  )
}
