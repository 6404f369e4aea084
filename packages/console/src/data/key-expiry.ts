import type { Key } from '@muster/contract'

/** 8 days: time to replace a key even after a week of absence. */
const expiryWarningMs = 8 * 86_400_000

/** True if an active key expires within 8 days. */
export function expiresSoon({ expires_at, status }: Key): boolean {
  if (expires_at === null || status !== 'active') return false
  return Date.parse(expires_at) - Date.now() < expiryWarningMs
}
