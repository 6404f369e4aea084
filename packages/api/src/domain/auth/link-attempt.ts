import type { SignInPlace } from '#domain/engine/caller'

import { failedSignIn, type RefusalLog } from './refusal-log.ts'
import { readToken } from './token.ts'

interface LinkAttempt {
  readonly place: SignInPlace
  readonly token: string
}

/**
 * Does work with the hash of a one-time link of this workspace. Returns null for a link that is
 * refused, and records that.
 */
export async function attemptLink<T>(
  refusals: RefusalLog,
  { place, token }: LinkAttempt,
  work: (hash: Buffer) => Promise<T | null>,
): Promise<T | null> {
  const read = readToken(token, 'link')
  const result = read?.workspaceId === place.workspaceId ? await work(read.hash) : null
  if (result === null) refusals.record(failedSignIn({ ...place, reason: 'link_refused' }))
  return result
}
