import { Group } from '@mantine/core'
import type { Risk } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { WhileOpen } from '#ui/while-open.tsx'

import type { RiskReasons } from './risk-reasons.ts'

// A dialog is loaded when it is first opened: the page is there sooner.
const dialogs = {
  review: lazyRouteComponent(() => import('./review-dialog.tsx'), 'ReviewDialog'),
  edit: lazyRouteComponent(() => import('./edit-dialog.tsx'), 'EditDialog'),
  accept: lazyRouteComponent(() => import('./accept-dialog.tsx'), 'AcceptDialog'),
  occur: lazyRouteComponent(() => import('./occur-dialog.tsx'), 'OccurDialog'),
  close: lazyRouteComponent(() => import('./close-dialog.tsx'), 'CloseDialog'),
  reopen: lazyRouteComponent(() => import('./reopen-dialog.tsx'), 'ReopenDialog'),
} as const

type Deed = keyof typeof dialogs

/** In the order of a risk's life. */
const deeds: readonly Deed[] = ['review', 'edit', 'accept', 'occur', 'close', 'reopen']

interface Props {
  readonly risk: Risk
  readonly reasons: RiskReasons
}

/** All that can be done to a risk, also what cannot be done now, with the reason. */
export function RiskActions({ risk, reasons }: Props) {
  const [shown, setShown] = useState<Deed | null>(null)
  const Dialog = shown && dialogs[shown]
  return (
    <>
      <Group
        gap="xs"
        role="group"
        aria-label={t('risk.actions', { ref: risk.ref })}
        className="no-print"
      >
        {deeds.map((deed) => (
          <ActionButton
            key={deed}
            variant={deed === 'review' ? 'filled' : 'default'}
            reason={reasons[deed]}
            onClick={() => setShown(deed)}
          >
            {t(`risk.${deed}`)}
          </ActionButton>
        ))}
      </Group>
      <WhileOpen isOpen={shown !== null}>
        {Dialog && <Dialog risk={risk} onClose={() => setShown(null)} />}
      </WhileOpen>
    </>
  )
}
