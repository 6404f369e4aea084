import { Group } from '@mantine/core'
import type { Risk } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { LazyDialog } from '#ui/lazy-dialog.tsx'

import type { RiskReasons } from './risk-reasons.ts'

// Dialogs load when they are first opened, which keeps the page small.
const dialogs = {
  review: lazyRouteComponent(() => import('./review-dialog.tsx'), 'ReviewDialog'),
  edit: lazyRouteComponent(() => import('./edit-dialog.tsx'), 'EditDialog'),
  accept: lazyRouteComponent(() => import('./accept-dialog.tsx'), 'AcceptDialog'),
  occur: lazyRouteComponent(() => import('./occur-dialog.tsx'), 'OccurDialog'),
  close: lazyRouteComponent(() => import('./close-dialog.tsx'), 'CloseDialog'),
  reopen: lazyRouteComponent(() => import('./reopen-dialog.tsx'), 'ReopenDialog'),
} as const

type RiskAction = keyof typeof dialogs

/** In the order of the life cycle. */
const riskActions: readonly RiskAction[] = ['review', 'edit', 'accept', 'occur', 'close', 'reopen']

interface Props {
  readonly risk: Risk
  readonly reasons: RiskReasons
}

/** All actions of a risk. A disabled one shows its reason. */
export function RiskActions({ risk, reasons }: Props) {
  const [shown, setShown] = useState<RiskAction | null>(null)
  const Dialog = shown && dialogs[shown]
  return (
    <>
      <Group
        gap="xs"
        role="group"
        aria-label={t('risk.actions', { ref: risk.ref })}
        className="no-print"
      >
        {riskActions.map((action) => (
          <ActionButton
            key={action}
            variant={action === 'review' ? 'filled' : 'default'}
            reason={reasons[action]}
            onClick={() => setShown(action)}
          >
            {t(`risk.${action}`)}
          </ActionButton>
        ))}
      </Group>
      <LazyDialog isOpen={shown !== null}>
        {Dialog && <Dialog risk={risk} onClose={() => setShown(null)} />}
      </LazyDialog>
    </>
  )
}
