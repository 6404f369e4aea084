import type { Risk } from '@muster/contract'

import { copyLink } from '#kit/feedback/copy-link.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { ActionMenu, type MenuAction } from '#kit/record/action-menu.tsx'
import { t } from '#text/index.ts'

import type { OpenRiskDialog } from './risk-dialogs.tsx'
import { isLive } from './risk-level.ts'
import { type RiskReasons, useRiskReasons } from './risk-reasons.ts'

interface Props {
  readonly risk: Risk
  readonly open: OpenRiskDialog
}

/** The likeliest actions of a row, and the menu with the rest. */
export function RiskRowActions({ risk, open }: Props) {
  const reasons = useRiskReasons(risk)
  const actions = isLive(risk) ? (['review', 'assign'] as const) : (['reopen'] as const)
  return (
    <>
      {actions.map((action) => (
        <ActionButton
          key={action}
          size="compact-sm"
          reason={reasons[action]}
          {...(action === 'review' && { 'data-shortcut': 'r' })}
          onClick={() => open(action, risk)}
        >
          {t(`risk.${action}`)}
        </ActionButton>
      ))}
      <RiskMenu risk={risk} reasons={reasons} open={open} />
    </>
  )
}

export const primaryOf = (risk: Risk) => (isLive(risk) ? 'review' : 'reopen')

interface MenuProps extends Props {
  readonly reasons: RiskReasons
}

/** Everything that can be done with a risk except its primary action. */
export function RiskMenu({ risk, reasons, open }: MenuProps) {
  const item = (action: 'edit' | 'accept' | 'occur' | 'close'): MenuAction => ({
    name: t(`risk.menu.${action}`),
    reason: reasons[action],
    onClick: () => open(action, risk),
  })
  return (
    <ActionMenu
      of={risk.ref}
      groups={[
        [item('edit')],
        [
          ...(isLive(risk) ? [item('accept'), item('occur')] : []),
          ...(risk.status === 'closed' ? [] : [item('close')]),
        ],
        [
          {
            name: t('record.copy-link'),
            onClick: () => void copyLink(`/projects/${risk.project_id}/risks/${risk.id}`),
          },
        ],
      ]}
    />
  )
}
