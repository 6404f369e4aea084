import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'

import { readCredential } from '#domain/door'
import { Failure } from '#domain/failure'
import type { Sessions } from '#domain/sessions'
import { readToken } from '#domain/token'

import { endedCookie, isFromConsole, sessionCookie, sessionIn } from './cookie.ts'
import { inputReader } from './input.ts'
import { chooseType } from './negotiate.ts'
import type { Throttle } from './throttle.ts'

const SignIn = Type.Object(
  { key: Type.String({ maxLength: 200 }) },
  { additionalProperties: false },
)

interface SessionTools {
  readonly sessions: Sessions
  readonly throttle: Throttle
}

/**
 * Where the console signs in and out. These are not operations of the contract: a program has no
 * use for them, and sends its key itself.
 */
export function addSession(app: FastifyInstance, tools: SessionTools): void {
  const { sessions, throttle } = tools
  const readSignIn = inputReader({ method: 'POST', body: SignIn })
  const readSignOut = inputReader({ method: 'DELETE' })
  const noStore = { 'cache-control': 'no-store' }
  app.route({
    method: 'POST',
    url: '/session',
    config: { operation: 'session.start', scope: 'none' },
    onRequest: refuseForeign,
    handler: async (request, reply) => {
      chooseType(request.headers, ['application/json'])
      // The cast holds because the body was checked against this schema.
      const { key } = readSignIn(request).body as Static<typeof SignIn>
      const former = storedSession(request)
      const visitor = await throttle.admit(request, reply, () => readCredential(key, 'key'))
      const { token, days, expires_at } = await sessions.start(visitor)
      if (former !== null) await sessions.end(former)
      return reply
        .code(201)
        .headers({ ...noStore, 'set-cookie': sessionCookie(token, days) })
        .type('application/json')
        .send(Buffer.from(JSON.stringify({ expires_at })))
    },
  })
  app.route({
    method: 'DELETE',
    url: '/session',
    config: { operation: 'session.end', scope: 'none' },
    onRequest: refuseForeign,
    handler: async (request, reply) => {
      readSignOut(request)
      const session = storedSession(request)
      if (session !== null) {
        await throttle.attempt(request, reply, { ...session, work: () => sessions.end(session) })
      }
      return reply
        .code(204)
        .headers({ ...noStore, 'set-cookie': endedCookie })
        .send()
    },
  })
}

/** The session of the cookie as it is stored; null when there is none or its checksum is wrong. */
function storedSession(request: FastifyRequest) {
  const token = sessionIn(request)
  return token === null ? null : readToken(token, 'session')
}

/** Nobody is signed in or out by a page that is not ours. */
async function refuseForeign(request: FastifyRequest): Promise<void> {
  if (isFromConsole(request)) return
  const needed = '`Sec-Fetch-Site: same-origin` and `Muster-Console: 1`'
  throw new Failure('bad_header', `Only the console signs in and out here, with ${needed}.`)
}
