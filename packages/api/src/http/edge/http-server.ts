import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

import { limits } from '@muster/contract'
import type { FastifyInstance } from 'fastify'

import type { Admission } from './admission.ts'
import { type ConnectionTable, keepAliveMs } from './connections.ts'
import type { Drain } from './drain.ts'
import type { RequestClassifier } from './request-classifier.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

interface HttpServerDependencies {
  readonly admission: Admission
  readonly classifier: RequestClassifier
  readonly connections: ConnectionTable
  readonly drain: Drain
}

/** Closes a socket without any traffic for this long. No handler takes longer. */
const socketTimeoutMs = 75_000

/**
 * Creates the HTTP server. All time-outs are set here, because Fastify switches off those of node
 * by default. Requests pass admission control before anything else.
 */
export function createHttpServer(handle: Handle, dependencies: HttpServerDependencies): Server {
  const { admission, classifier, connections, drain } = dependencies
  const options = {
    headersTimeout: 5000,
    requestTimeout: 10_000,
    keepAliveTimeout: keepAliveMs.anonymous,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: limits.headerBytesMax,
    // `refuseSmuggling` checks Host instead, because node would refuse without a problem body.
    requireHostHeader: false,
  }
  const server = createServer(options, (request, response) => {
    connections.receive({ request, response }, () => {
      drain.watch(response)
      const requestClass = classifier.classify(request)
      if (requestClass === 'exempt') handle(request, response)
      else {
        const arrival = { requestClass, workspaceId: namedWorkspace(request) }
        admission.admit({ request, response }, arrival, () => handle(request, response))
      }
    })
  })
  connections.watch(server)
  server.timeout = socketTimeoutMs
  server.maxRequestsPerSocket = 1000
  return server
}

const credential = /muster_(?:key|session)_([0-9a-z]{26})_/

/**
 * The workspace that the credential of a request names, before the credential is checked. A forged
 * one takes a slot only until it is refused, and the rate limit of its IP address bounds those.
 */
function namedWorkspace({ headers: { authorization, cookie = '' } }: IncomingMessage): string {
  return credential.exec(authorization ?? cookie)?.[1] ?? ''
}

/** Releases the slot of a request while its body arrives, and when its response is ready. */
export function addAdmissionHooks(app: FastifyInstance, admission: Admission): void {
  app.addHook('preParsing', (...[{ raw }, , , done]) => {
    if (!raw.complete) admission.release(raw)
    done()
  })
  app.addHook('preHandler', ({ raw }, _reply, done) => {
    if (admission.isHeldBy(raw)) done()
    else admission.reacquire(raw).then(() => done(), done)
  })
  app.addHook('onSend', (...[{ raw }, , , done]) => {
    admission.release(raw)
    done()
  })
}

/** Keeps an authenticated connection open longer, and announces that in `Keep-Alive`. */
export function extendKeepAlive(app: FastifyInstance, connections: ConnectionTable): void {
  const keepAliveHint = `timeout=${keepAliveMs.authenticated / 1000}`
  app.addHook('onRequest', ({ raw, principal }, reply, done) => {
    if (principal !== null) {
      connections.authenticate(raw.socket)
      if (reply.raw.shouldKeepAlive) reply.header('keep-alive', keepAliveHint)
    }
    done()
  })
}
