import type { Task } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'

import { type OpenDialog, useDialogs } from '#kit/form/dialogs.tsx'

const form = () => import('./task-form.tsx')
const dialogs = { edit: lazyRouteComponent(form, 'EditTaskDialog') }

export const NewTaskDialog = lazyRouteComponent(form, 'NewTaskDialog')

export type OpenTaskDialog = OpenDialog<keyof typeof dialogs, Task>

export const useTaskDialogs = (draft: string) => useDialogs(draft, dialogs)
