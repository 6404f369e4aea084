/** How far the clock of an identity provider may differ from that of the service. */
export const clockToleranceSeconds = 60

/**
 * Seconds since the person authenticated at the provider, by the claim `auth_time` (OpenID Connect
 * Core, section 2). Null if the claim is missing, is no time, or is in the future.
 */
export function secondsSinceAuthentication(authTime: unknown, nowMs: number): number | null {
  if (typeof authTime !== 'number' || !(authTime >= 0)) return null
  const seconds = nowMs / 1000 - authTime
  return seconds < -clockToleranceSeconds ? null : Math.max(0, seconds)
}
