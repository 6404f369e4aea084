import type { Project } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'

import { useDialogs } from '#kit/form/dialogs.tsx'

const form = () => import('./project-form.tsx')
const archive = () => import('./archive-dialogs.tsx')

const dialogs = {
  health: lazyRouteComponent(() => import('./health-dialog.tsx'), 'HealthDialog'),
  edit: lazyRouteComponent(form, 'EditProjectDialog'),
  archive: lazyRouteComponent(archive, 'ArchiveDialog'),
  restore: lazyRouteComponent(archive, 'RestoreDialog'),
}

export const NewProjectDialog = lazyRouteComponent(form, 'NewProjectDialog')

export const useProjectDialogs = () =>
  useDialogs<keyof typeof dialogs, Project>('project/dialog', dialogs)
