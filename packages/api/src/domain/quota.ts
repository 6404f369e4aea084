import type { Quota } from '@muster/contract'

import { Failure } from '#domain/failure'
import type { Write } from '#storage/database'

/**
 * Says in good time that the workspace is full. When several writes pass here at once, the
 * constraint on the counter lets only as many through as there is room for, and the others come
 * here again.
 */
export function refuseOverQuota({ counters }: Write, quota: Quota, more = 1): void {
  const [used, limit] = [counters[quota], counters[`${quota}_max`]]
  if (used + more <= limit) return
  const what = quota.replace('_', ' ')
  throw new Failure('quota_exceeded', `The workspace holds ${used} of ${limit} ${what}.`, {
    quota,
    limit,
    used,
  })
}
