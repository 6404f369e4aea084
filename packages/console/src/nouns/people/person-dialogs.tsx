import type { Assignment, Person } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentType, useState } from 'react'

import { useMissingScopeReason } from '#data/whoami.ts'
import { useKeptState } from '#kit/form/draft.ts'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import type { MenuAction } from '#kit/record/action-menu.tsx'
import { t } from '#text/index.ts'

import type { HandoverResult } from './actions.ts'
import type { DialogProps } from './dialog-props.ts'
import { isPossible, type StatusAction } from './reasons.ts'

const statusDialogs = () => import('./status-dialogs.tsx')
const ReceiptDialog = lazyRouteComponent(() => import('./receipt-dialog.tsx'), 'ReceiptDialog')

type Action = StatusAction | 'edit' | 'reassign'

const dialogs: Readonly<Record<Action, ComponentType<DialogProps>>> = {
  edit: lazyRouteComponent(() => import('./edit-person-dialog.tsx'), 'EditPersonDialog'),
  suspend: lazyRouteComponent(statusDialogs, 'SuspendDialog'),
  resume: lazyRouteComponent(statusDialogs, 'ResumeDialog'),
  depart: lazyRouteComponent(() => import('./depart-dialog.tsx'), 'DepartDialog'),
  rejoin: lazyRouteComponent(statusDialogs, 'RejoinDialog'),
  reassign: lazyRouteComponent(() => import('./reassign-dialog.tsx'), 'ReassignDialog'),
  erase: lazyRouteComponent(() => import('./erase-dialog.tsx'), 'EraseDialog'),
}

export type Start = (action: Action, person: Person, items?: readonly Assignment[]) => void

interface Opened {
  readonly action: Action
  /** Kept as it was: background refetches must not change an open dialog. */
  readonly person: Person
  readonly items: readonly Assignment[] | undefined
}

interface Receipt {
  readonly person: Person
  readonly result: HandoverResult
}

/** The dialogs about people. `start` opens one, and `dialog` is rendered by the page. */
export function usePersonDialogs() {
  const [opened, setOpened] = useKeptState<Opened | null>('person/dialog', null)
  const [receipt, setReceipt] = useState<Receipt | null>(null)
  const Dialog = opened && dialogs[opened.action]
  const start: Start = (action, person, items) => setOpened({ action, person, items })
  return {
    start,
    dialog: (
      <>
        <LazyDialog isOpen={opened !== null}>
          {opened && Dialog && (
            <Dialog
              person={opened.person}
              items={opened.items}
              onClose={() => setOpened(null)}
              onResult={(result) => setReceipt({ person: opened.person, result })}
            />
          )}
        </LazyDialog>
        <LazyDialog isOpen={opened === null && receipt !== null}>
          {receipt && <ReceiptDialog {...receipt} onClose={() => setReceipt(null)} />}
        </LazyDialog>
      </>
    ),
  }
}

/** The ⋯ menu of a person: what is possible in the current status. */
export function usePersonMenu(): (person: Person, start: Start) => readonly MenuAction[][] {
  const reason = useMissingScopeReason('personnel.manage')
  return (person, start) => {
    const actions = (names: readonly (StatusAction | 'edit')[]): MenuAction[] =>
      names
        .filter((name) => isPossible(name, person))
        .map((name) => ({
          name: `${t(`person.${name}`)} …`,
          onClick: () => start(name, person),
          reason,
          isDanger: name === 'depart' || name === 'erase',
        }))
    return [
      actions(['edit']),
      actions(['suspend', 'resume', 'rejoin']),
      actions(['depart', 'erase']),
    ]
  }
}
