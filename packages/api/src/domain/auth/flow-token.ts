import { createHash, randomBytes } from 'node:crypto'

/** The most sign-ins and registrations of a workspace that have begun and not ended. */
export const flowsMax = 10_000

/** A new value for the cookie of a sign-in that has begun, and the hash that is stored. */
export function issueFlowToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: flowHashOf(token) }
}

export const flowHashOf = (token: string) => createHash('sha256').update(token).digest()
