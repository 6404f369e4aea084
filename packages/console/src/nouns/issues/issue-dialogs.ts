import type { Issue } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'

import { type OpenDialog, useDialogs } from '#kit/form/dialogs.tsx'

const form = () => import('./issue-form.tsx')
const verbs = () => import('./verb-dialogs.tsx')

const dialogs = {
  edit: lazyRouteComponent(form, 'EditDialog'),
  assign: lazyRouteComponent(verbs, 'AssignDialog'),
  block: lazyRouteComponent(verbs, 'BlockDialog'),
  close: lazyRouteComponent(verbs, 'CloseDialog'),
  reopen: lazyRouteComponent(verbs, 'ReopenDialog'),
}

export const NewIssueDialog = lazyRouteComponent(form, 'NewIssueDialog')

export type OpenIssueDialog = OpenDialog<keyof typeof dialogs, Issue>

export const useIssueDialogs = (draft: string) => useDialogs(draft, dialogs)
