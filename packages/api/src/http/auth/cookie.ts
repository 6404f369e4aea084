import type { IncomingMessage } from 'node:http'

import { readToken } from '#domain/auth/token'
import { Failure } from '#domain/engine/failure'

/** What the cookies of a request need: its headers. */
type WithHeaders = Pick<IncomingMessage, 'headers'>

/**
 * A cookie of this host only: with the prefix, a browser refuses it from another host or path, or
 * without TLS. Scripts cannot read it.
 */
export function hostCookie(name: `__Host-${string}`, sameSite: 'Lax' | 'Strict') {
  const set = (value: string, seconds: number) =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=${sameSite}`
  return {
    set,
    /** Deletes the cookie in the browser. */
    expired: set('', 0),
    /** The value in a request; null when there is none. Refuses duplicates. */
    read({ headers }: WithHeaders): string | null {
      const [found, duplicate] = (headers.cookie ?? '')
        .split(';')
        .map((each) => each.trim())
        .filter((each) => each.startsWith(`${name}=`))
      if (duplicate !== undefined) throw new Failure('ambiguous_credentials')
      return found?.slice(name.length + 1) ?? null
    },
  }
}

const session = hostCookie('__Host-muster_session', 'Lax')

export const sessionCookie = (token: string, days: number) => session.set(token, days * 86_400)

export const expiredCookie = session.expired

/**
 * CSRF protection: whether the console sent the request. The browser sets `Sec-Fetch-Site`, and
 * does not let a page of another origin add a custom header.
 */
const isFromConsole = ({ headers }: WithHeaders) =>
  headers['sec-fetch-site'] === 'same-origin' && headers['muster-console'] === '1'

/**
 * The session token of a request. Null when there is none, and when the console did not send the
 * request: another site may have caused it, so its cookie is ignored.
 */
export function sessionIn(request: WithHeaders): string | null {
  if (!isFromConsole(request)) return null
  const token = session.read(request)
  if (token !== null && request.headers.authorization !== undefined)
    throw new Failure('ambiguous_credentials')
  return token
}

/** The session that a sign-in replaces; null without a cookie, or when its checksum is wrong. */
export function previousSession(request: WithHeaders) {
  const token = session.read(request)
  return token === null ? null : readToken(token, 'session')
}

/**
 * CSRF protection: another site cannot send a request that signs a user in or out. It can open the
 * page of a one-time link or of a workspace, where the user has to press a button.
 */
export async function refuseCrossSite(request: WithHeaders): Promise<void> {
  if (isFromConsole(request)) return
  const requiredHeaders = '`Sec-Fetch-Site: same-origin` and `Muster-Console: 1`'
  throw new Failure(
    'bad_header',
    `Only the console can use this path. It sends ${requiredHeaders}.`,
  )
}
