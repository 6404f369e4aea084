import type { Project, Risk } from '@muster/contract'

import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'

import { isLive } from './risk-level.ts'

/** Each thing that can be done to a risk, and why it cannot be done now; null when it can. */
export type RiskReasons = Readonly<
  Record<'edit' | 'review' | 'accept' | 'occur' | 'close' | 'reopen' | 'treat', string | null>
>

/** The key comes first, then the project, then the risk itself: the order of what it takes. */
export function useRiskReasons(risk: Risk, project: Project | undefined): RiskReasons {
  const notAllowed = useReasonAgainst('projects.manage')
  const never = notAllowed ?? reasonOfProject(project)
  const off = never ?? reasonOffRegister(risk)
  return {
    edit: never,
    treat: never,
    review: off,
    accept: off,
    occur: off,
    close: never ?? (risk.status === 'closed' ? t('risk.reason.closed') : null),
    reopen: never ?? (isLive(risk) ? t('risk.reason.on') : null),
  }
}

const reasonOfProject = (project: Project | undefined) =>
  project?.status === 'archived' ? t('risk.reason.archived', { code: project.code }) : null

function reasonOffRegister(risk: Risk): string | null {
  if (isLive(risk)) return null
  return t(risk.status === 'closed' ? 'risk.reason.off.closed' : 'risk.reason.off.occurred')
}
