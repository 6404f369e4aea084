import type { Group } from '@muster/contract'

import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'

/** Why the group and its members cannot be changed now; null when they can. */
export function useReasonAgainstChange({ status }: Group): string | null {
  const mayNot = useReasonAgainst('personnel.manage')
  return mayNot ?? (status === 'archived' ? t('group.is-archived') : null)
}
