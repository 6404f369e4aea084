import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { scopes } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import type { Principal } from '#domain/auth/authenticate'
import { issueToken, readToken } from '#domain/auth/token'
import { Failure } from '#domain/engine/failure'
import { credentialId } from '#http/auth/credential'
import { Outcome } from '#http/auth/outcome'
import type { RateLimiter } from '#http/auth/rate-limits'
import { RecentCredentials } from '#http/auth/recent-credentials'
import { Admission, requestTimeouts } from '#http/edge/admission'
import { Arrivals } from '#http/edge/arrivals'
import { ConnectionTable } from '#http/edge/connections'
import { Drain } from '#http/edge/drain'
import { createHttpServer } from '#http/edge/http-server'
import { timed } from '#test/support/watch'

import { classifierOf } from './classifier.ts'

interface Begun {
  readonly request: IncomingMessage
  readonly path: string
  readonly from: string
  readonly end: () => void
  /** Waits for another server, without the place. */
  readonly waitOutside: (work: Promise<void>) => Promise<void>
}

/** A server that admits few requests, whose responses the test ends. */
export async function startPlaces(
  concurrencyMax = 1,
  options: { queueMs?: number; waitingMax?: number; isAuthenticating?: Promise<void> } = {},
) {
  const begun: Begun[] = []
  const timeouts = { ...requestTimeouts, ...options }
  const admission = new Admission({ ...options, concurrencyMax, timeouts })
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const end = () => {
      admission.release(request)
      if (!response.writableEnded) response.end('{}')
    }
    const from = String(request.headers['x-from'] ?? '')
    const waitOutside = (work: Promise<void>) => admission.releaseDuring(request, () => work)
    begun.push({ request, path: `${request.method} ${request.url}`, from, end, waitOutside })
  }
  const recentCredentials = new RecentCredentials()
  const workspaces = new Map<string, string>()
  /** Knows these keys, and refuses all others. */
  const admit: RateLimiter['admit'] = async (_client, { read }) => {
    await options.isAuthenticating
    const outcome = new Outcome()
    try {
      const workspaceId = workspaces.get(credentialId(read()))
      if (workspaceId === undefined) throw new Failure('unknown_key')
      const key = { type: 'key', userId: null, session: null, rotatedAt: null } as const
      // The cast holds because admission and the checks of scopes read nothing else.
      outcome.principal = { ...key, workspaceId, scopes: [...scopes] } as unknown as Principal
    } catch (error) {
      outcome.refusal = error
    }
    return outcome
  }
  const arrivals = new Arrivals({
    ...options,
    admission,
    classifier: classifierOf(),
    recentCredentials,
    rateLimiter: { admit },
    // It knows no pages.
    fastPath: { answer: async () => false },
    trustedProxies: ['127.0.0.1'],
  })
  const server = createHttpServer(handle, {
    admit: (exchange, next) => arrivals.admit(exchange, next),
    connections: new ConnectionTable(100),
    drain: new Drain(),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => server.close())
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === 'object' && address?.port}`
  const answers: Promise<{ status: number }>[] = []
  const sendWith = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const { working, waiting } = admission.requests
    answers.push(timed(new URL(path, base), { method, headers }))
    while (admission.requests.working + admission.requests.waiting === working + waiting) {
      await sleep(1)
    }
  }
  const keys = new Map<string, string>()
  /** A key of a workspace that has not authenticated yet. */
  const newKey = (workspace: string) => {
    const workspaceId = `wsp_0${workspace.repeat(25)}`
    const { token, hash } = issueToken(workspaceId)
    workspaces.set(credentialId({ hash }), workspaceId)
    return token
  }
  /** A key of a workspace that has authenticated. */
  const knownKey = (workspace: string) => {
    const token = newKey(workspace)
    const { hash } = readToken(token) ?? { hash: Buffer.alloc(0) }
    recentCredentials.add(credentialId({ hash }), `wsp_0${workspace.repeat(25)}`)
    return token
  }
  /** Sends a request of a workspace, and waits until it runs or waits. */
  const send = (method: string, path: string, workspace = '0') => {
    const key = keys.get(workspace) ?? knownKey(workspace)
    keys.set(workspace, key)
    return sendWith(path, { authorization: `Bearer ${key}`, 'x-from': workspace }, method)
  }
  /** Ends the responses in the order in which they began, until all have been sent. */
  const endAll = async () => {
    for (let index = 0; index < answers.length; index++) {
      while (begun[index] === undefined && admission.requests.waiting > 0) await sleep(1)
      begun[index]?.end()
    }
    return Promise.all(answers)
  }
  return { base, begun, answers, admission, send, sendWith, newKey, knownKey, endAll }
}
