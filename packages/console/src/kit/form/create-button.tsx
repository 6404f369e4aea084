import type { Scope } from '@muster/contract'
import type { ComponentType } from 'react'

import { useMissingScopeReason } from '#data/whoami.ts'
import { IconPlus } from '#kit/icons/index.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'

import { useCreateDialog } from './create-dialog.ts'

interface Options {
  /** The name in the address that opens the dialog, such as `risk`. */
  readonly noun: string
  readonly label: string
  readonly scope: Scope
  /** Another reason why the user may not create the record; null if there is none. */
  readonly reason?: string | null
  readonly Dialog: ComponentType<{ readonly onClose: () => void }>
}

export type CreateButton = ReturnType<typeof useCreateButton>

/** The button for a new record, and the dialog that it opens. */
export function useCreateButton({ noun, label, scope, Dialog, ...options }: Options) {
  const missingScope = useMissingScopeReason(scope)
  const reason = missingScope ?? options.reason ?? null
  const { isOpen, open, close } = useCreateDialog(noun, reason)
  return {
    open,
    reason,
    button: (
      <ActionButton
        variant="filled"
        leftSection={<IconPlus size={16} />}
        onClick={open}
        reason={reason}
      >
        {label}
      </ActionButton>
    ),
    dialog: (
      <LazyDialog isOpen={isOpen}>
        <Dialog onClose={close} />
      </LazyDialog>
    ),
  }
}
