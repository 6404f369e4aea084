import type { Assignment, Person } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentType, useState } from 'react'

import { useMissingScopeReason } from '#data/whoami.ts'
import { useKeptState } from '#kit/form/draft.ts'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import type { MenuAction } from '#kit/record/action-menu.tsx'
import { t } from '#text/index.ts'

import type { HandoverResult } from './actions.ts'
import type { PersonDialogProps } from './dialog-props.ts'

const form = () => import('./person-form.tsx')
const statusDialogs = () => import('./status-dialogs.tsx')

const dialogs = {
  edit: lazyRouteComponent(form, 'EditPersonDialog'),
  suspend: lazyRouteComponent(statusDialogs, 'SuspendDialog'),
  resume: lazyRouteComponent(statusDialogs, 'ResumeDialog'),
  depart: lazyRouteComponent(() => import('./depart-dialog.tsx'), 'DepartDialog'),
  rejoin: lazyRouteComponent(statusDialogs, 'RejoinDialog'),
  reassign: lazyRouteComponent(() => import('./reassign-dialog.tsx'), 'ReassignDialog'),
  erase: lazyRouteComponent(statusDialogs, 'EraseDialog'),
}

const ReceiptDialog = lazyRouteComponent(() => import('./receipt-dialog.tsx'), 'ReceiptDialog')
export const NewPersonDialog = lazyRouteComponent(form, 'NewPersonDialog')

type Action = keyof typeof dialogs

export type OpenPersonDialog = (
  action: Action,
  person: Person,
  items?: readonly Assignment[],
) => void

interface Opened extends Pick<PersonDialogProps, 'seen' | 'items'> {
  readonly action: Action
}

interface Receipt {
  readonly person: Person
  readonly result: HandoverResult
}

/** The dialogs about people, as `useDialogs` has them, and the receipt that follows two of them. */
export function usePersonDialogs() {
  const [opened, setOpened] = useKeptState<Opened | null>('people/dialog', null)
  const [receipt, setReceipt] = useState<Receipt | null>(null)
  const Dialog: ComponentType<PersonDialogProps> | null = opened && dialogs[opened.action]
  const open: OpenPersonDialog = (action, seen, items) => setOpened({ action, seen, items })
  return {
    open,
    dialog: (
      <>
        <LazyDialog isOpen={opened !== null}>
          {opened && Dialog && (
            <Dialog
              seen={opened.seen}
              items={opened.items}
              onClose={() => setOpened(null)}
              onResult={(result) => setReceipt({ person: opened.seen, result })}
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

/** The statuses in which each action of the menu is possible. */
const possibleIn = {
  edit: ['active', 'suspended', 'departed'],
  suspend: ['active'],
  resume: ['suspended'],
  rejoin: ['departed'],
  depart: ['active', 'suspended'],
  erase: ['departed'],
} as const satisfies Partial<Record<Action, readonly Person['status'][]>>

const menu = [['edit'], ['suspend', 'resume', 'rejoin'], ['depart', 'erase']] as const

const isPossible = (action: keyof typeof possibleIn, { status, erased_at }: Person) =>
  erased_at === null && possibleIn[action].some((each) => each === status)

/** The ⋯ menu of a person: what is possible in the current status. */
export function usePersonMenu() {
  const reason = useMissingScopeReason('personnel.manage')
  return (person: Person, open: OpenPersonDialog): readonly MenuAction[][] =>
    menu.map((group) =>
      group
        .filter((action) => isPossible(action, person))
        .map((action) => ({
          name: `${t(`person.${action}`)} …`,
          onClick: () => open(action, person),
          reason,
          isDanger: action === 'depart' || action === 'erase',
        })),
    )
}
