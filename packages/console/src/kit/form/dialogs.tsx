import { type ComponentType, useCallback } from 'react'

import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'

import { useKeptState } from './draft.ts'

export interface DialogProps<T> {
  /** The record as it was when the dialog opened: a refetch does not change it. */
  readonly seen: T
  readonly onClose: () => void
}

type Dialogs<N extends string, T> = Readonly<Record<N, ComponentType<DialogProps<T>>>>

interface Opened<N, T> {
  readonly name: N
  readonly seen: T
}

/** Opens a dialog by its name. */
export type OpenDialog<N extends string, T> = (name: N, seen: T) => void

/**
 * The dialogs about the records of a noun: a function that opens one, and the open dialog. Drafts
 * keep it under the name `draft`.
 */
export function useDialogs<N extends string, T>(draft: string, dialogs: Dialogs<N, T>) {
  const [opened, setOpened] = useKeptState<Opened<N, T> | null>(draft, null)
  const open: OpenDialog<N, T> = useCallback((name, seen) => setOpened({ name, seen }), [setOpened])
  const Dialog: ComponentType<DialogProps<T>> | null = opened && dialogs[opened.name]
  return {
    open,
    dialog: (
      <LazyDialog isOpen={opened !== null}>
        {opened && Dialog && <Dialog seen={opened.seen} onClose={() => setOpened(null)} />}
      </LazyDialog>
    ),
  }
}
