import { type ButtonProps, Group } from '@mantine/core'
import type { Key } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { LazyDialog } from '#ui/lazy-dialog.tsx'

import { useDisabledReasons } from './reasons.ts'

const dialogs = {
  edit: lazyRouteComponent(() => import('./edit-key-dialog.tsx'), 'EditKeyDialog'),
  rotate: lazyRouteComponent(() => import('./rotate-dialog.tsx'), 'RotateDialog'),
  revoke: lazyRouteComponent(() => import('./revoke-dialog.tsx'), 'RevokeDialog'),
}

const keyActions = ['edit', 'rotate', 'revoke'] as const
type KeyAction = (typeof keyActions)[number]

interface Props {
  readonly apiKey: Key
  readonly size?: NonNullable<ButtonProps['size']>
}

/** The key as it was when the dialog opened. */
export interface KeyDialogProps {
  readonly seen: Key
  readonly onClose: () => void
}

export function KeyActions({ apiKey: key, size = 'sm' }: Props) {
  const reasons = useDisabledReasons(key)
  const [opened, setOpened] = useState<{ readonly action: KeyAction; readonly seen: Key } | null>(
    null,
  )
  const Dialog = opened && dialogs[opened.action]
  return (
    <Group gap="xs" className="no-print">
      {keyActions.map((action) => (
        <ActionButton
          key={action}
          size={size}
          variant="default"
          reason={reasons[action]}
          onClick={() => setOpened({ action, seen: key })}
        >
          {t(`key.${action}`)}
        </ActionButton>
      ))}
      <LazyDialog isOpen={opened !== null}>
        {Dialog && <Dialog seen={opened.seen} onClose={() => setOpened(null)} />}
      </LazyDialog>
    </Group>
  )
}
