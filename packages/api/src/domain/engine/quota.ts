import type { Quota } from '@muster/contract'

import { selectCounters } from '#storage/numbers/counters'
import type { Write } from '#storage/statements/access'

import { Failure } from './failure.ts'

/**
 * Refuses a write that exceeds a quota. The counters of the write may be outdated, so they are read
 * again before it is refused. The constraint on the counter is the final check for concurrent
 * writes.
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
