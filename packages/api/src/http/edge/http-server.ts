import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

import { limits } from '@muster/contract'
import type { FastifyInstance } from 'fastify'

import type { Admission, HttpExchange } from './admission.ts'
import { type ConnectionTable, keepAliveMs } from './connections.ts'
import type { Drain } from './drain.ts'
import { isBatch } from './request-classifier.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Runs work that waits for another server. The request holds no place meanwhile. */
    releaseDuring<T>(work: () => Promise<T>): Promise<T>
  }
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void

interface HttpServerDependencies {
  /** Runs `handle` when the request may be handled, or responds to it. */
  readonly admit: (exchange: HttpExchange, handle: () => void) => void
  readonly connections: ConnectionTable
  readonly drain: Drain
}

/** Closes a socket without any traffic for this long. No handler takes longer. */
const socketTimeoutMs = 75_000

/**
 * Creates the HTTP server. All time-outs are set here, because Fastify switches off those of node
 * by default. Requests are authenticated and pass admission control before anything else.
 */
export function createHttpServer(handle: Handle, dependencies: HttpServerDependencies): Server {
  const { admit, connections, drain } = dependencies
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
      admit({ request, response }, () => handle(request, response))
    })
  })
  connections.watch(server)
  server.timeout = socketTimeoutMs
  server.maxRequestsPerSocket = 1000
  return server
}

/**
 * Releases the place of a request while its body arrives, while it waits for another server, and
 * when its response is ready.
 */
export function addAdmissionHooks(app: FastifyInstance, admission: Admission): void {
  app.decorateRequest('releaseDuring', function releaseDuring(work) {
    return admission.releaseDuring(this.raw, work)
  })
  app.addHook('preParsing', (...[{ raw }, , , done]) => {
    if (!raw.complete) admission.release(raw)
    done()
  })
  app.addHook('preHandler', ({ raw, routeOptions }, _reply, done) => {
    // The body of a batch has arrived, and parsing it is the first of the work.
    const change = isBatch(routeOptions.config.operation) ? batch : {}
    if (change !== batch && admission.isHeldBy(raw)) done()
    else admission.reacquire(raw, change).then(() => done(), done)
  })
  app.addHook('onSend', (...[{ raw }, , , done]) => {
    admission.release(raw)
    done()
  })
}

const batch = { requestClass: 'large' } as const

/** Keeps an authenticated connection open longer, and announces that in `Keep-Alive`. */
export function extendKeepAlive(app: FastifyInstance, connections: ConnectionTable): void {
  app.addHook('onRequest', ({ raw, principal }, reply, done) => {
    const exchange = { request: raw, response: reply.raw }
    if (principal !== null) reply.headers(connections.authenticate(exchange))
    done()
  })
}
