import type { Issue } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'

import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'

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

type IssueDialogName = keyof typeof dialogs

/** A dialog and the issue that it is about. */
export interface OpenDialog {
  readonly name: IssueDialogName
  readonly issue: Issue
}

interface Props extends OpenDialog {
  readonly onClose: () => void
}

export function IssueDialog({ name, ...props }: Props) {
  const Dialog = dialogs[name]
  return (
    <LazyDialog isOpen>
      <Dialog {...props} />
    </LazyDialog>
  )
}

export interface BulkDialogProps {
  readonly issues: readonly Issue[]
  readonly onClose: () => void
  /** After the issues were changed. */
  readonly onDone: () => void
}

const bulkDialogs = {
  assign: lazyRouteComponent(() => import('./bulk-dialogs.tsx'), 'AssignIssuesDialog'),
  close: lazyRouteComponent(() => import('./bulk-dialogs.tsx'), 'CloseIssuesDialog'),
}

export type BulkDialogName = keyof typeof bulkDialogs

interface BulkProps extends BulkDialogProps {
  readonly name: BulkDialogName | null
}

export function BulkIssueDialog({ name, ...props }: BulkProps) {
  const Dialog = name && bulkDialogs[name]
  return <LazyDialog isOpen={Dialog !== null}>{Dialog && <Dialog {...props} />}</LazyDialog>
}
