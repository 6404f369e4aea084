import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

import { limits } from '@muster/contract'
import type { FastifyInstance } from 'fastify'

import type { Admission } from './admission.ts'
import type { Drain } from './drain.ts'
import type { RequestClassifier } from './request-classifier.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

interface EntranceTools {
  readonly admission: Admission
  readonly classifier: RequestClassifier
  readonly drain: Drain
}

/**
 * Where connections come in. Every time-out is said here: by default Fastify switches node's off,
 * and a client could take for ever. Requests pass the admission before anything else looks at them.
 */
export function openEntrance(handle: Handle, tools: EntranceTools): Server {
  const { admission, classifier, drain } = tools
  const options = {
    headersTimeout: 5000,
    requestTimeout: 10_000,
    keepAliveTimeout: 72_000,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: limits.headerBytesMax,
    // Node would refuse a request without one by itself, and not with a problem.
    requireHostHeader: false,
  }
  const server = createServer(options, (request, response) => {
    drain.watch(response)
    const kind = classifier.classify(request)
    if (kind === 'exempt') handle(request, response)
    else admission.admit({ request, response }, kind, () => handle(request, response))
  })
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
