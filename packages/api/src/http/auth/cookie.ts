import type { IncomingMessage } from 'node:http'

import { readToken } from '#domain/auth/token'
import { Failure } from '#domain/engine/failure'

/** What the cookies of a request need: its headers. */
type WithHeaders = Pick<IncomingMessage, 'headers'>

/** With this prefix a browser refuses the cookie from another host or path, or without TLS. */
const cookieName = '__Host-muster_session'

const cookie = (value: string, seconds: number) =>
  `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`

export const sessionCookie = (token: string, days: number) => cookie(token, days * 86_400)

/** Deletes the session cookie in the browser. */
export const expiredCookie = cookie('', 0)

/**
 * CSRF protection: whether the console sent the request. The browser sets `Sec-Fetch-Site`, and
 * does not let a page of another origin add a custom header.
 */
const isFromConsole = ({ headers }: WithHeaders) =>
  headers['sec-fetch-site'] === 'same-origin' && headers['muster-console'] === '1'

/** The session token of the cookie; null when there is none. */
const cookieIn = (request: WithHeaders) => valueOf(request, cookieName)

/** The value of a cookie; null when there is none. */
export function valueOf({ headers }: WithHeaders, name: string): string | null {
  const [found, duplicate] = (headers.cookie ?? '')
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
  if (duplicate !== undefined) throw new Failure('ambiguous_credentials')
  return found?.slice(name.length + 1) ?? null
}

/**
 * The session token of a request. Null when there is none, and when the console did not send the
 * request: another site may have caused it, so its cookie is ignored.
 */
export function sessionIn(request: WithHeaders): string | null {
  if (!isFromConsole(request)) return null
  const session = cookieIn(request)
  if (session !== null && request.headers.authorization !== undefined)
    throw new Failure('ambiguous_credentials')
  return session
}

/** The session that a sign-in replaces; null without a cookie, or when its checksum is wrong. */
export function previousSession(request: WithHeaders) {
  const token = cookieIn(request)
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
