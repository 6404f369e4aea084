import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

import { limits } from '@muster/contract'
import type { FastifyInstance } from 'fastify'

import type { Admission } from './admission.ts'
import type { Drain } from './drain.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Who asks for these asks how we are doing, and is always told. */
const vitals = new Set(['/livez', '/readyz'])

/**
 * Where connections come in. Every time-out is said here: by default Fastify switches node's off,
 * and a client could take for ever. Requests pass the admission before anything else looks at them.
 */
export function openEntrance(handle: Handle, admission: Admission, drain: Drain): Server {
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
    if (vitals.has(request.url ?? '')) handle(request, response)
    else admission.admit(request, response, () => handle(request, response))
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
