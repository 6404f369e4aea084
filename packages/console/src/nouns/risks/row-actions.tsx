import { ActionButton } from '#kit/parts/action-button.tsx'
import { t } from '#text/index.ts'

import type { ListedRisk } from './risk-columns.tsx'
import { isLive } from './risk-level.ts'
import { RiskMenu } from './risk-menu.tsx'
import { useRiskReasons } from './risk-reasons.ts'
import type { OpenRiskDialog } from './use-risk-dialog.tsx'

interface Props {
  readonly risk: ListedRisk
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
