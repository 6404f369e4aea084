import type { Quota } from '@muster/contract'

import { Failure } from '#domain/failure'
import { selectCounters } from '#storage/counters'
import type { Write } from '#storage/database'

/**
 * Says in good time that the workspace is full. The counters are those of when the write began, so
 * before it refuses it looks again: whoever had to wait may have waited for the very change that
 * made room. When several writes pass here at once, the constraint on the counter lets only as many
 * through as there is room for, and the others come here again.
 */
export async function refuseOverQuota(write: Write, quota: Quota, more = 1): Promise<void> {
  const max = `${quota}_max` as const
  if (write.counters[quota] + more <= write.counters[max]) return
  const { [quota]: used, [max]: limit } = await selectCounters(write)
  if (used + more <= limit) return
  const what = quota.replace('_', ' ')
  throw new Failure('quota_exceeded', `The workspace holds ${used} of ${limit} ${what}.`, {
    quota,
    limit,
    used,
  })
}
