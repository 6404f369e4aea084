import type { Risk } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useCallback, useState } from 'react'

import { LazyDialog } from '#ui/lazy-dialog.tsx'

interface OneRiskProps {
  readonly risk: Risk
  readonly onClose: () => void
}

// Dialogs load when they are first opened, which keeps the pages small.
const AssignDialog = lazyRouteComponent(() => import('./assign-dialog.tsx'), 'AssignDialog')
const CloseDialog = lazyRouteComponent(() => import('./close-dialog.tsx'), 'CloseDialog')
const AddTaskDialog = lazyRouteComponent(
  () => import('#tasks/add-task-dialog.tsx'),
  'AddTaskDialog',
)
const ofOneRisk: Readonly<Record<OneRiskAction, ComponentType<OneRiskProps>>> = {
  review: lazyRouteComponent(() => import('./review-dialog.tsx'), 'ReviewDialog'),
  edit: lazyRouteComponent(() => import('./edit-dialog.tsx'), 'EditDialog'),
  accept: lazyRouteComponent(() => import('./accept-dialog.tsx'), 'AcceptDialog'),
  occur: lazyRouteComponent(() => import('./occur-dialog.tsx'), 'OccurDialog'),
  reopen: lazyRouteComponent(() => import('./reopen-dialog.tsx'), 'ReopenDialog'),
}

type OneRiskAction = 'review' | 'edit' | 'accept' | 'occur' | 'reopen'
export type RiskAction = OneRiskAction | 'assign' | 'close' | 'treat'

/** Opens the dialog of an action for one risk; `assign` and `close` take several. */
export type OpenRiskDialog = (action: RiskAction, ...risks: readonly Risk[]) => void

interface OpenDialog {
  readonly action: RiskAction
  readonly risks: readonly Risk[]
}

interface RiskDialogs {
  readonly open: OpenRiskDialog
  readonly dialog: ReactNode
}

/**
 * The dialogs of risks: a function that opens one, and the open dialog. `onBulkDone` is called
 * after several risks were changed.
 */
export function useRiskDialog(onBulkDone?: () => void): RiskDialogs {
  const [shown, setShown] = useState<OpenDialog | null>(null)
  const close = () => setShown(null)
  return {
    open: useCallback((action, ...risks) => setShown({ action, risks }), []),
    dialog: (
      <LazyDialog isOpen={shown !== null}>
        {shown && <Dialog {...shown} onClose={close} onBulkDone={onBulkDone} />}
      </LazyDialog>
    ),
  }
}

interface Props extends OpenDialog {
  readonly onClose: () => void
  readonly onBulkDone: (() => void) | undefined
}

function Dialog({ action, risks, onClose, onBulkDone }: Props) {
  const [risk] = risks
  const forSeveral = { risks, onClose, onBulkDone }
  if (action === 'assign') return <AssignDialog {...forSeveral} />
  if (action === 'close') return <CloseDialog {...forSeveral} />
  if (!risk) return null
  if (action === 'treat')
    return <AddTaskDialog subject={risk} defaultAssignee={risk.owner_user_id} onClose={onClose} />
  const OfOneRisk = ofOneRisk[action]
  return <OfOneRisk risk={risk} onClose={onClose} />
}
