import { createHash, randomBytes } from 'node:crypto'

/** The most sign-ins and registrations of a workspace that have begun and not ended. */
export const flowsMax = 10_000

/** A new value for the cookie of a sign-in that has begun, and the hash that is stored. */
export function issueFlowToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: flowHashOf(token) }
}

/** Whether a cookie has the form of a token. Anything else was never issued. */
export const isFlowToken = (text: string) => /^[A-Za-z0-9_-]{43}$/.test(text)

export const flowHashOf = (token: string) => createHash('sha256').update(token).digest()
