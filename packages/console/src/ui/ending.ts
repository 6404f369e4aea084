import type { Key } from '@muster/contract'

/** Time enough to make another key, also when someone is away for a week. */
const soonMs = 8 * 86_400_000

/** Whether it will end before long; one that has ended already does not. */
export function endsSoon({ expires_at, status }: Key): boolean {
  if (expires_at === null || status !== 'active') return false
  return Date.parse(expires_at) - Date.now() < soonMs
}
