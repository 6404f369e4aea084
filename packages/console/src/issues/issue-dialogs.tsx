import type { Issue } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'

import { LazyDialog } from '#ui/lazy-dialog.tsx'

export interface IssueDialogProps {
  readonly issue: Issue
  readonly onClose: () => void
}

const dialogs = {
  edit: lazyRouteComponent(() => import('./edit-dialog.tsx'), 'EditDialog'),
  assign: lazyRouteComponent(() => import('./assign-dialog.tsx'), 'AssignDialog'),
  block: lazyRouteComponent(() => import('./block-dialog.tsx'), 'BlockDialog'),
  close: lazyRouteComponent(() => import('./close-dialog.tsx'), 'CloseDialog'),
  reopen: lazyRouteComponent(() => import('./reopen-dialog.tsx'), 'ReopenDialog'),
}

export type IssueDialogName = keyof typeof dialogs

interface Props extends IssueDialogProps {
  readonly name: IssueDialogName | null
}

/** Shows at most one dialog. */
export function IssueDialog({ name, ...props }: Props) {
  const Dialog = name && dialogs[name]
  return <LazyDialog isOpen={Dialog !== null}>{Dialog && <Dialog {...props} />}</LazyDialog>
}
