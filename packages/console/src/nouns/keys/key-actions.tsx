import type { ButtonProps } from '@mantine/core'
import type { Key } from '@muster/contract'

import { ActionButton } from '#kit/parts/action-button.tsx'
import type { MenuAction } from '#kit/record/action-menu.tsx'
import { t } from '#text/index.ts'

import type { OpenKeyDialog } from './key-dialogs.ts'
import { isPossible, type KeyAction, reasonsFor, useKeyRights } from './reasons.ts'

/** Returns the possible actions of a key among these, each with the reason why it is disabled. */
export function useKeyMenu(open: OpenKeyDialog) {
  const rights = useKeyRights()
  return (key: Key, names: readonly KeyAction[]): readonly MenuAction[][] =>
    names
      .filter((name) => isPossible(name, key))
      .map((name) => [
        {
          name: `${t(`key.${name}`)} …`,
          onClick: () => open(name, key),
          reason: reasonsFor(key, rights)[name],
          isDanger: name === 'revoke',
        },
      ])
}

interface RenewProps extends Pick<ButtonProps, 'variant'> {
  /** The prop is not named `key`, because React reserves that name. */
  readonly apiKey: Key
  readonly open: OpenKeyDialog
}

/** Not shown for a key that cannot be renewed. */
export function RenewButton({ apiKey: key, open, ...props }: RenewProps) {
  const rights = useKeyRights()
  if (!isPossible('rotate', key)) return null
  return (
    <ActionButton
      {...props}
      reason={reasonsFor(key, rights).rotate}
      onClick={() => open('rotate', key)}
    >
      {`${t('key.rotate')} …`}
    </ActionButton>
  )
}
