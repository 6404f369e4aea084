import type { IncomingMessage } from 'node:http'

import { type Credential, readCredential } from '#domain/auth/authenticate'
import { Failure } from '#domain/engine/failure'

import { sessionIn } from './cookie.ts'

const known = new WeakMap<IncomingMessage, Credential>()

/**
 * The credential that authentication uses: the session of the console, or the key. Admission
 * control asks first, and authentication gets the same credential.
 */
export function credentialIn(message: IncomingMessage): Credential {
  const before = known.get(message)
  if (before !== undefined) return before
  const session = sessionIn(message)
  const credential =
    session === null
      ? readCredential(bearerToken(message), 'key')
      : readCredential(session, 'session')
  known.set(message, credential)
  return credential
}

/** The credential of a request; null if it has none that can be valid. */
export function possibleCredentialIn(message: IncomingMessage): Credential | null {
  const { authorization, cookie } = message.headers
  if (authorization === undefined && cookie === undefined) return null
  try {
    return credentialIn(message)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** Identifies a credential in memory. */
export const credentialId = ({ hash }: Pick<Credential, 'hash'>) => hash.toString('base64')

/** The token of `Authorization: Bearer`. */
export function bearerToken({ headers, rawHeaders }: IncomingMessage): string {
  const authorizations = rawHeaders.filter(
    (name, index) => index % 2 === 0 && isAuthorization(name),
  )
  if (authorizations.length > 1) throw new Failure('ambiguous_credentials')
  const [scheme, token, ...rest] = (headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer') throw new Failure('missing_credentials')
  if (!token || rest.length > 0) throw new Failure('malformed_key')
  return token
}

const isAuthorization = (name: string) => name.toLowerCase() === 'authorization'
