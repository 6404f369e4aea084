import type { Risk } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useCallback, useEffect, useRef } from 'react'

import { useKeptState } from '#kit/form/draft.ts'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'

import type { ReviewRound } from './review-round.ts'

interface OneRiskProps {
  readonly risk: Risk
  readonly onClose: () => void
  /** Goes on to the next risk after a review. */
  readonly onNext?: (() => Promise<void>) | undefined
}

// Dialogs load when they are first opened, which keeps the pages small.
const AssignDialog = lazyRouteComponent(() => import('./assign-dialog.tsx'), 'AssignDialog')
const CloseDialog = lazyRouteComponent(() => import('./close-dialog.tsx'), 'CloseDialog')
const AddTaskDialog = lazyRouteComponent(
  () => import('#nouns/tasks/add-task-dialog.tsx'),
  'AddTaskDialog',
)
const ofOneRisk: Readonly<Record<OneRiskAction, ComponentType<OneRiskProps>>> = {
  review: lazyRouteComponent(() => import('./review-dialog.tsx'), 'ReviewDialog'),
  rate: lazyRouteComponent(() => import('./review-dialog.tsx'), 'RateDialog'),
  edit: lazyRouteComponent(() => import('./edit-dialog.tsx'), 'EditDialog'),
  accept: lazyRouteComponent(() => import('./accept-dialog.tsx'), 'AcceptDialog'),
  occur: lazyRouteComponent(() => import('./occur-dialog.tsx'), 'OccurDialog'),
  reopen: lazyRouteComponent(() => import('./reopen-dialog.tsx'), 'ReopenDialog'),
}

/** `rate` is a review that starts at the rating. */
type OneRiskAction = 'review' | 'rate' | 'edit' | 'accept' | 'occur' | 'reopen'
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

interface Options {
  /** Called after several risks were changed. */
  readonly onBulkDone?: () => void
  readonly round: ReviewRound
  /** The dialog that is open from the start. */
  readonly first?: OpenDialog | null
}

const isReview = (action: RiskAction) => action === 'review' || action === 'rate'

/** The dialogs of risks: a function that opens one, and the open dialog. */
export function useRiskDialog({ onBulkDone, round, first = null }: Options): RiskDialogs {
  const [shown, setShown] = useKeptState<OpenDialog | null>('risk/dialog', first)
  const startRound = useRef(round.start)
  useEffect(() => {
    startRound.current = round.start
  })
  const open: OpenRiskDialog = useCallback(
    (action, ...risks) => {
      if (isReview(action)) startRound.current()
      setShown({ action, risks })
    },
    [setShown],
  )
  const [risk] = shown?.risks ?? []
  const hasNext = shown !== null && isReview(shown.action) && risk && round.hasNext(risk)
  const goOn = async () => {
    const next = risk ? await round.next(risk) : null
    setShown(next && { action: 'review', risks: [next] })
  }
  return {
    open,
    dialog: (
      <LazyDialog isOpen={shown !== null}>
        {shown && (
          <Dialog
            key={risk?.id}
            {...shown}
            onClose={() => setShown(null)}
            onNext={hasNext ? goOn : undefined}
            onBulkDone={onBulkDone}
          />
        )}
      </LazyDialog>
    ),
  }
}

interface Props extends OpenDialog {
  readonly onClose: () => void
  readonly onNext: (() => Promise<void>) | undefined
  readonly onBulkDone: (() => void) | undefined
}

function Dialog({ action, risks, onClose, onNext, onBulkDone }: Props) {
  const [risk] = risks
  const forSeveral = { risks, onClose, onBulkDone }
  if (action === 'assign') return <AssignDialog {...forSeveral} />
  if (action === 'close') return <CloseDialog {...forSeveral} />
  if (!risk) return null
  if (action === 'treat')
    return <AddTaskDialog subject={risk} defaultAssignee={risk.owner_user_id} onClose={onClose} />
  const OfOneRisk = ofOneRisk[action]
  return <OfOneRisk risk={risk} onClose={onClose} onNext={onNext} />
}
