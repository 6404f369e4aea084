import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, type Registry } from 'prom-client'

import { Failure } from '#domain/failure'

import type { Admission } from './admission.ts'
import type { ConnectionTable } from './connections.ts'
import type { Drain } from './drain.ts'
import { problemBody } from './problem.ts'

export interface Connections {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

interface VitalTools {
  readonly connections: () => Connections
  readonly admission: Admission
  /** The connections of clients. */
  readonly clients: ConnectionTable
  readonly drain: Drain
  readonly registry: Registry
  /** Why the schema of the database is too old for this release; null when it is not. */
  readonly schemaProblem: () => string | null
}

/** Adds the liveness and readiness probes, and the metrics of the process and its requests. */
export function addVitals(app: FastifyInstance, tools: VitalTools): void {
  const { drain, registry } = tools
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'muster_request_seconds',
    help: 'How long requests took, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 8],
    registers: [registry],
  })
  gaugeLoad(registry, tools)
  gaugeClients(registry, tools.clients)

  // `close` also comes when the client went away, and when a list took the reply over.
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => report(request, reply, seconds))
  })

  const probe = { config: { isHealthCheck: true } }
  app.get('/livez', probe, async () => ({ status: 'alive' }))
  // An outage of the database is no reason to be taken out of service: all processes would be at
  // once.
  app.get('/readyz', probe, async ({ id }, reply) => {
    if (drain.hasBegun) return reply.code(503).send({ status: 'closing' })
    const problem = tools.schemaProblem()
    if (problem === null) return { status: 'ready' }
    const body = problemBody(new Failure('unavailable', problem), id)
    return reply
      .code(503)
      .type('application/problem+json')
      .send(Buffer.from(JSON.stringify(body)))
  })
}

function gaugeLoad(registry: Registry, { connections, admission }: VitalTools): void {
  registry.registerMetric(
    new Gauge({
      name: 'muster_database_connections',
      help: 'Connections to the database, and requests that wait for one.',
      labelNames: ['state'],
      registers: [],
      collect() {
        for (const [state, count] of Object.entries(connections())) this.set({ state }, count)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'muster_requests',
      help: 'Requests that are worked on, and those that wait to be.',
      labelNames: ['state'],
      registers: [],
      collect() {
        const { requests } = admission
        for (const [state, count] of Object.entries(requests)) this.set({ state }, count)
      },
    }),
  )
  registry.registerMetric(
    new Counter({
      name: 'muster_shed_total',
      help: 'Requests that were refused because there was too much to do, by what ran out.',
      labelNames: ['reason'],
      registers: [],
      collect() {
        this.reset()
        for (const [reason, count] of Object.entries(admission.shed)) this.inc({ reason }, count)
      },
    }),
  )
}

function gaugeClients(registry: Registry, clients: ConnectionTable): void {
  registry.registerMetric(
    new Gauge({
      name: 'muster_http_connections',
      help: 'Open connections of clients. A busy one has a request in progress.',
      labelNames: ['state'],
      registers: [],
      collect() {
        for (const [state, count] of Object.entries(clients.counts)) this.set({ state }, count)
      },
    }),
  )
  registry.registerMetric(
    new Counter({
      name: 'muster_http_connections_dropped_total',
      help: 'Connections that the service closed because there were too many, by reason.',
      labelNames: ['reason'],
      registers: [],
      collect() {
        this.reset()
        for (const [reason, count] of Object.entries(clients.dropped)) this.inc({ reason }, count)
      },
    }),
  )
}

/**
 * One line a request, of these fields and no others: nothing that a person or a key could be in.
 * `route` is the pattern of a path, never the path itself. A load balancer asks several times a
 * second: health checks that succeed are logged at debug level, and none is in the histogram.
 */
function report(request: FastifyRequest, reply: FastifyReply, seconds: Histogram): void {
  const { config, url: route } = request.routeOptions
  const { operation = 'none', isHealthCheck = false } = config
  const status = reply.raw.statusCode
  const ms = Math.round(reply.elapsedTime * 10) / 10
  if (!isHealthCheck) seconds.observe({ operation, status }, ms / 1000)
  request.log[isHealthCheck && status < 400 ? 'debug' : 'info']({
    ...(operation === 'none' && route !== undefined ? { route } : { operation }),
    method: request.method,
    status,
    ms,
    is_complete: reply.raw.writableFinished,
    workspace_id: request.visitor?.workspaceId,
    key_id: request.visitor?.keyId,
  })
}
