import type { Project } from '@muster/contract'

import { useMissingScopeReason } from '#data/whoami.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { t } from '#text/index.ts'

import { PinButton } from './pin-button.tsx'
import { useProjectDialogs } from './project-dialogs.ts'

/** Why the project and its items cannot be changed; null if they can. */
export function useReadOnlyReason({ status, code }: Project): string | null {
  const reason = useMissingScopeReason('projects.manage')
  return reason ?? (status === 'archived' ? t('project.is-archived', { code }) : null)
}

/** The pin, the ⋯ menu and the primary action. */
export function ProjectActions({ project }: { readonly project: Project }) {
  const { open, dialog } = useProjectDialogs()
  const reason = useMissingScopeReason('projects.manage')
  const isArchived = project.status === 'archived'
  const edit = { name: t('word.edit-menu'), reason, onClick: () => open('edit', project) }
  const archive = {
    name: t('archive.menu'),
    reason,
    isDanger: true,
    onClick: () => open('archive', project),
  }
  return (
    <>
      <PinButton project={project} />
      <ActionMenu of={project.code} groups={isArchived ? [] : [[edit], [archive]]} />
      <ActionButton
        variant="filled"
        reason={reason}
        onClick={() => open(isArchived ? 'restore' : 'health', project)}
      >
        {isArchived ? t('word.restore') : t('health.set')}
      </ActionButton>
      {dialog}
    </>
  )
}
