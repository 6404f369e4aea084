import { type ButtonProps, Group } from '@mantine/core'
import type { Key } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { WhileOpen } from '#ui/while-open.tsx'

import { useReasonsAgainst } from './reasons.ts'

const dialogs = {
  edit: lazyRouteComponent(() => import('./edit-key-dialog.tsx'), 'EditKeyDialog'),
  rotate: lazyRouteComponent(() => import('./rotate-dialog.tsx'), 'RotateDialog'),
  revoke: lazyRouteComponent(() => import('./revoke-dialog.tsx'), 'RevokeDialog'),
}

const deeds = ['edit', 'rotate', 'revoke'] as const
type Deed = (typeof deeds)[number]

interface Props {
  readonly of: Key
  readonly size?: NonNullable<ButtonProps['size']>
}

/** What every dialog about a key is given: the key as it was when the dialog was opened. */
export interface DialogProps {
  readonly seen: Key
  readonly onClose: () => void
}

/** What can be done to a key, here and on its own page. */
export function KeyActions({ of: key, size = 'sm' }: Props) {
  const reasons = useReasonsAgainst(key)
  const [opened, setOpened] = useState<{ readonly deed: Deed; readonly seen: Key } | null>(null)
  const Dialog = opened && dialogs[opened.deed]
  return (
    <Group gap="xs" className="no-print">
      {deeds.map((deed) => (
        <ActionButton
          key={deed}
          size={size}
          variant="default"
          reason={reasons[deed]}
          onClick={() => setOpened({ deed, seen: key })}
        >
          {t(`key.${deed}`)}
        </ActionButton>
      ))}
      <WhileOpen isOpen={opened !== null}>
        {Dialog && <Dialog seen={opened.seen} onClose={() => setOpened(null)} />}
      </WhileOpen>
    </Group>
  )
}
