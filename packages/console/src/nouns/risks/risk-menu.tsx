import type { Risk } from '@muster/contract'

import { copyLink } from '#kit/feedback/copy-link.ts'
import { ActionMenu, type MenuAction } from '#kit/record/action-menu.tsx'
import { t } from '#text/index.ts'

import { isLive } from './risk-level.ts'
import type { RiskReasons } from './risk-reasons.ts'
import type { OpenRiskDialog } from './use-risk-dialog.tsx'

interface Props {
  readonly risk: Risk
  readonly reasons: RiskReasons
  readonly open: OpenRiskDialog
}

/** Everything that can be done with a risk except its primary action. */
export function RiskMenu({ risk, reasons, open }: Props) {
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
