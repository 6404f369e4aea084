import type { Risk } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentType, useCallback } from 'react'

import { type OpenDialog, useDialogs } from '#kit/form/dialogs.tsx'
import { useKeptState } from '#kit/form/draft.ts'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'

import type { ReviewProps } from './review-dialog.tsx'
import type { ReviewRound } from './review-round.ts'
import type { SelectedRisks } from './verb-dialogs.tsx'

const reviews = () => import('./review-dialog.tsx')
const verbs = () => import('./verb-dialogs.tsx')

const dialogs = {
  review: lazyRouteComponent(reviews, 'ReviewDialog'),
  rate: lazyRouteComponent(reviews, 'RateDialog'),
  edit: lazyRouteComponent(() => import('./edit-dialog.tsx'), 'EditDialog'),
  accept: lazyRouteComponent(() => import('./accept-dialog.tsx'), 'AcceptDialog'),
  assign: lazyRouteComponent(verbs, 'AssignDialog'),
  treat: lazyRouteComponent(verbs, 'TreatDialog'),
  occur: lazyRouteComponent(verbs, 'OccurDialog'),
  close: lazyRouteComponent(verbs, 'CloseDialog'),
  reopen: lazyRouteComponent(verbs, 'ReopenDialog'),
}

/** `rate` is a review that starts at the rating. */
export type RiskAction = keyof typeof dialogs
export type OpenRiskDialog = OpenDialog<RiskAction, Risk>

interface Opened {
  readonly action: RiskAction
  readonly seen: Risk
}

const isReview = ({ action }: Opened) => action === 'review' || action === 'rate'

/**
 * The dialogs of a risk. A review goes on with the next risk of the round. `first` is the dialog
 * that is open from the start.
 */
export function useRiskDialogs(round: ReviewRound, first: Opened | null = null) {
  const [opened, setOpened] = useKeptState('risk/dialog', first)
  const open: OpenRiskDialog = useCallback(
    (action, seen) => {
      if (isReview({ action, seen })) round.start()
      setOpened({ action, seen })
    },
    [round, setOpened],
  )
  const goOn = async (seen: Risk) => {
    const next = await round.next(seen)
    setOpened(next && { action: 'review', seen: next })
  }
  const Dialog: ComponentType<ReviewProps> | null = opened && dialogs[opened.action]
  const hasNext = opened !== null && isReview(opened) && round.hasNext(opened.seen)
  return {
    open,
    dialog: (
      <LazyDialog isOpen={opened !== null}>
        {opened && Dialog && (
          <Dialog
            key={opened.seen.id}
            seen={opened.seen}
            onClose={() => setOpened(null)}
            onNext={hasNext ? () => goOn(opened.seen) : undefined}
          />
        )}
      </LazyDialog>
    ),
  }
}

const bulkDialogs = {
  assign: lazyRouteComponent(verbs, 'AssignRisksDialog'),
  close: lazyRouteComponent(verbs, 'CloseRisksDialog'),
}

export type OpenBulkDialog = OpenDialog<keyof typeof bulkDialogs, SelectedRisks>

export const useBulkDialogs = () => useDialogs('risks/bulk', bulkDialogs)
