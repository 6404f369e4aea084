import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

import { limits } from '@muster/contract'
import type { FastifyInstance } from 'fastify'

import type { Admission } from './admission.ts'
import { type ConnectionTable, keepAliveMs } from './connections.ts'
import type { Drain } from './drain.ts'
import type { RequestClassifier } from './request-classifier.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

interface EntranceTools {
  readonly admission: Admission
  readonly classifier: RequestClassifier
  readonly connections: ConnectionTable
  readonly drain: Drain
}

/** A client that reads nothing of its response for this long is cut off. No handler takes longer. */
const unreadMsMax = 75_000

/**
 * Where connections come in. Every time-out is said here: by default Fastify switches node's off,
 * and a client could take for ever. Requests pass the admission before anything else looks at them.
 */
export function openEntrance(handle: Handle, tools: EntranceTools): Server {
  const { admission, classifier, connections, drain } = tools
  const options = {
    headersTimeout: 5000,
    requestTimeout: 10_000,
    keepAliveTimeout: keepAliveMs.anonymous,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: limits.headerBytesMax,
    // Node would refuse a request without one by itself, and not with a problem.
    requireHostHeader: false,
  }
  const server = createServer(options, (request, response) => {
    connections.receive({ request, response }, () => {
      drain.watch(response)
      const kind = classifier.classify(request)
      if (kind === 'exempt') handle(request, response)
      else admission.admit({ request, response }, kind, () => handle(request, response))
    })
  })
  connections.watch(server)
  server.timeout = unreadMsMax
  server.maxRequestsPerSocket = 1000
  return server
}

/** Gives places up while we wait for the client, and when there is an answer. */
export function keepPlaces(app: FastifyInstance, admission: Admission): void {
  app.addHook('preParsing', async ({ raw }) => {
    if (!raw.complete) admission.leave(raw)
  })
  app.addHook('preHandler', async ({ raw }) => admission.return(raw))
  app.addHook('onSend', async ({ raw }) => admission.leave(raw))
}

/** Keeps a connection longer once it has authenticated, and tells the client so. */
export function extendKeepAlive(app: FastifyInstance, connections: ConnectionTable): void {
  const hint = `timeout=${keepAliveMs.authenticated / 1000}`
  app.addHook('onRequest', async ({ raw, visitor }, reply) => {
    if (visitor === null) return
    connections.authenticate(raw.socket)
    if (reply.raw.shouldKeepAlive) reply.header('keep-alive', hint)
  })
}
