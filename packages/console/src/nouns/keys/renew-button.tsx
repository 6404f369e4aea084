import type { ButtonProps } from '@mantine/core'
import type { Key } from '@muster/contract'

import { ActionButton } from '#kit/parts/action-button.tsx'
import { t } from '#text/index.ts'

import type { StartKeyAction } from './key-dialogs.tsx'
import { isPossible, reasonsFor, useKeyRights } from './reasons.ts'

interface Props extends Pick<ButtonProps, 'variant'> {
  readonly apiKey: Key
  readonly start: StartKeyAction
}

/** Not shown for a key that cannot be renewed. */
export function RenewButton({ apiKey: key, start, ...props }: Props) {
  const rights = useKeyRights()
  if (!isPossible('rotate', key)) return null
  return (
    <ActionButton
      {...props}
      reason={reasonsFor(key, rights).rotate}
      onClick={() => start('rotate', key)}
    >
      {t('key.rotate')} …
    </ActionButton>
  )
}
