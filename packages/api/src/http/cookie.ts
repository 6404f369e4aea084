import type { FastifyRequest } from 'fastify'

import { Failure } from '#domain/failure'

/** The prefix makes a browser refuse it from another host, another path, or without TLS. */
const name = '__Host-muster_session'

const cookie = (value: string, seconds: number) =>
  `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`

export const sessionCookie = (token: string, days: number) => cookie(token, days * 86_400)

/** Makes the browser forget the session. */
export const endedCookie = cookie('', 0)

/**
 * Whether our own page is asking. A browser says where a request comes from, and lets no page of
 * another origin add a header of its own.
 */
export const isFromConsole = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] === 'same-origin' && headers['muster-console'] === '1'

/**
 * The session that a request carries. Null when there is none, and when the request is not the
 * console's: then its cookie counts for nothing, because another page may be behind it.
 */
export function sessionIn(request: FastifyRequest): string | null {
  const { cookie: sent = '', authorization } = request.headers
  if (!isFromConsole(request)) return null
  const [session, twin] = sent
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
  if (session === undefined) return null
  if (twin !== undefined || authorization !== undefined) throw new Failure('ambiguous_credentials')
  return session.slice(name.length + 1)
}
