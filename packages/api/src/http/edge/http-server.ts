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
      else admission.admit({ request, response }, requestClass, () => handle(request, response))
    })
  })
  connections.watch(server)
  server.timeout = socketTimeoutMs
  server.maxRequestsPerSocket = 1000
  return server
}

/** Releases the slot of a request while its body arrives, and when its response is ready. */
export function addAdmissionHooks(app: FastifyInstance, admission: Admission): void {
  app.addHook('preParsing', async ({ raw }) => {
    if (!raw.complete) admission.release(raw)
  })
  app.addHook('preHandler', async ({ raw }) => admission.reacquire(raw))
  app.addHook('onSend', async ({ raw }) => admission.release(raw))
}

/** Keeps an authenticated connection open longer, and announces that in `Keep-Alive`. */
export function extendKeepAlive(app: FastifyInstance, connections: ConnectionTable): void {
  const keepAliveHint = `timeout=${keepAliveMs.authenticated / 1000}`
  app.addHook('onRequest', async ({ raw, principal }, reply) => {
    if (principal === null) return
    connections.authenticate(raw.socket)
    if (reply.raw.shouldKeepAlive) reply.header('keep-alive', keepAliveHint)
  })
}
