import type { Project, Risk } from '@muster/contract'

import { useMissingScopeReason } from '#data/whoami.ts'
import { t } from '#text/index.ts'

import type { RiskAction } from './risk-dialogs.tsx'
import { isLive } from './risk-level.ts'

/** Why each action is disabled; null if it is enabled. */
export type RiskReasons = Readonly<Record<RiskAction, string | null>>

/** Checks the scope first, then the project if it is known, then the risk. */
export function useRiskReasons(risk: Risk, project?: Project): RiskReasons {
  const missingScope = useMissingScopeReason('projects.manage')
  const readOnly = missingScope ?? projectReason(project)
  const offRegister = readOnly ?? offRegisterReason(risk)
  return {
    edit: readOnly,
    treat: readOnly,
    assign: readOnly,
    review: offRegister,
    rate: offRegister,
    accept: offRegister,
    occur: offRegister,
    close: readOnly ?? (risk.status === 'closed' ? t('risk.reason.closed') : null),
    reopen: readOnly ?? (isLive(risk) ? t('risk.reason.on') : null),
  }
}

const projectReason = (project: Project | undefined) =>
  project?.status === 'archived' ? t('risk.reason.archived', { code: project.code }) : null

function offRegisterReason(risk: Risk): string | null {
  if (isLive(risk)) return null
  return t(risk.status === 'closed' ? 'risk.reason.off.closed' : 'risk.reason.off.occurred')
}
