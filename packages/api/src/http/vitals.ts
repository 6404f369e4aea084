import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Connections {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

/** Whether the process is alive, whether it should be sent requests, and how it is doing. */
export function addVitals(app: FastifyInstance, connections: () => Connections): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'muster_request_seconds',
    help: 'How long requests took, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 8],
    registers: [registry],
  })
  const gauge = new Gauge({
    name: 'muster_database_connections',
    help: 'Connections to the database, and requests that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(connections())) this.set({ state }, count)
    },
  })
  registry.registerMetric(gauge)

  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  // `close` also comes when the client went away, and when a list took the reply over.
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => report(request, reply, seconds))
  })

  app.get('/livez', async () => ({ status: 'alive' }))
  // An outage of the database is no reason to be taken out of service: all processes would be at
  // once.
  app.get('/readyz', async (_request, reply) => {
    if (isClosing) return reply.code(503).send({ status: 'closing' })
    return { status: 'ready' }
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}

/**
 * One line a request, of these fields and no others: nothing that a person or a key could be in.
 */
function report(request: FastifyRequest, reply: FastifyReply, seconds: Histogram): void {
  const operation = request.routeOptions.config.operation ?? 'none'
  const status = reply.raw.statusCode
  const ms = Math.round(reply.elapsedTime * 10) / 10
  seconds.observe({ operation, status }, ms / 1000)
  request.log.info({
    operation,
    method: request.method,
    status,
    ms,
    is_complete: reply.raw.writableFinished,
    workspace_id: request.visitor?.workspaceId,
    key_id: request.visitor?.keyId,
  })
}
