import { t } from '#text/index.ts'

import type { Move } from './moves.ts'

/** What happened to a risk that moved, in one or two words. */
export function moveText({ risk, group }: Move, issues: ReadonlyMap<string, string>): string {
  if (group === 'rose' || group === 'fell') return t(`changes.moved.${group}`)
  if (group === 'entered')
    return t(risk.before === null ? 'changes.moved.new' : 'changes.moved.reopened')
  if (risk.after === null) return t('changes.moved.moved')
  if (risk.after.status !== 'occurred') return t('changes.moved.closed')
  const ref = issues.get(risk.id)
  return ref === undefined ? t('changes.moved.occurred') : t('changes.moved.became', { ref })
}
