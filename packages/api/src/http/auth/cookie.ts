import type { FastifyRequest } from 'fastify'

import { Failure } from '#domain/engine/failure'

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
export const isFromConsole = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] === 'same-origin' && headers['muster-console'] === '1'

/**
 * The session token of a request. Null when there is none, and when the console did not send the
 * request: another site may have caused it, so its cookie is ignored.
 */
export function sessionIn(request: FastifyRequest): string | null {
  const { cookie: cookieHeader = '', authorization } = request.headers
  if (!isFromConsole(request)) return null
  const [session, duplicate] = cookieHeader
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${cookieName}=`))
  if (session === undefined) return null
  if (duplicate !== undefined || authorization !== undefined)
    throw new Failure('ambiguous_credentials')
  return session.slice(cookieName.length + 1)
}
