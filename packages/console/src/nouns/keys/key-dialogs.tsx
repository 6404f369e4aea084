import type { Key } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'

import { useKeptState } from '#kit/form/draft.ts'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import type { MenuAction } from '#kit/record/action-menu.tsx'
import { t } from '#text/index.ts'

import { isPossible, type KeyAction, reasonsFor, useKeyRights } from './reasons.ts'

const dialogs = {
  edit: lazyRouteComponent(() => import('./edit-key-dialog.tsx'), 'EditKeyDialog'),
  rotate: lazyRouteComponent(() => import('./rotate-dialog.tsx'), 'RotateDialog'),
  revoke: lazyRouteComponent(() => import('./revoke-dialog.tsx'), 'RevokeDialog'),
}

/** The key as it was when the dialog opened. */
export interface KeyDialogProps {
  readonly seen: Key
  readonly onClose: () => void
}

export type StartKeyAction = (action: KeyAction, key: Key) => void

interface Opened {
  readonly action: KeyAction
  readonly seen: Key
}

/** The dialogs about keys. `start` opens one, and `dialog` is rendered by the page. */
export function useKeyDialogs() {
  const [opened, setOpened] = useKeptState<Opened | null>('key/dialog', null)
  const Dialog = opened && dialogs[opened.action]
  const start: StartKeyAction = (action, seen) => setOpened({ action, seen })
  return {
    start,
    dialog: (
      <LazyDialog isOpen={opened !== null}>
        {Dialog && <Dialog seen={opened.seen} onClose={() => setOpened(null)} />}
      </LazyDialog>
    ),
  }
}

/** Returns the possible actions of a key among these, each with the reason why it is disabled. */
export function useKeyMenu(): (
  key: Key,
  start: StartKeyAction,
  names: readonly KeyAction[],
) => readonly MenuAction[][] {
  const rights = useKeyRights()
  return (key, start, names) => {
    const reasons = reasonsFor(key, rights)
    return names
      .filter((name) => isPossible(name, key))
      .map((name) => [
        {
          name: `${t(`key.${name}`)} …`,
          onClick: () => start(name, key),
          reason: reasons[name],
          isDanger: name === 'revoke',
        },
      ])
  }
}
