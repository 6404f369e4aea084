import type { Group } from '@muster/contract'

import { useMissingScopeReason } from '#data/whoami.ts'
import { t } from '#text/index.ts'

/** Why the group and its members cannot be changed; null if they can. */
export function useReadOnlyReason({ status }: Group): string | null {
  const missingScope = useMissingScopeReason('personnel.manage')
  return missingScope ?? (status === 'archived' ? t('group.is-archived') : null)
}
