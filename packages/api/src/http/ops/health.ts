import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, type Registry } from 'prom-client'

import { Failure } from '#domain/engine/failure'
import type { RowTexts } from '#domain/engine/row-texts'
import type { Admission } from '#http/edge/admission'
import type { BodyMemory } from '#http/edge/body-memory'
import type { ConnectionTable } from '#http/edge/connections'
import type { Drain } from '#http/edge/drain'
import type { PageCache } from '#http/response/page-cache'
import { problemBody } from '#http/response/problem'

interface HealthDependencies {
  readonly admission: Admission
  /** The client connections. */
  readonly clients: ConnectionTable
  readonly pages: PageCache
  readonly rowTexts: RowTexts
  readonly bodies: BodyMemory
  readonly drain: Drain
  readonly registry: Registry
  /** Why this release cannot use the database schema; null if it can. */
  readonly schemaProblem: () => string | null
}

/** Adds the liveness and readiness probes, and the metrics of the process. */
export function addHealth(app: FastifyInstance, dependencies: HealthDependencies): void {
  const { drain, registry } = dependencies
  collectDefaultMetrics({ register: registry })
  addReadiness(registry, dependencies)
  addLoadMetrics(registry, dependencies)
  addBodyMetric(registry, dependencies.bodies)
  addConnectionMetrics(registry, dependencies.clients)
  addPageMetrics(registry, dependencies.pages)
  addRowTextMetric(registry, dependencies.rowTexts)

  const probe = { config: { isHealthCheck: true } }
  app.get('/livez', probe, async () => ({ status: 'alive' }))
  // A database outage does not fail the readiness probe, because it would remove all processes.
  app.get('/readyz', probe, async ({ id }, reply) => {
    if (drain.hasBegun) return reply.code(503).send({ status: 'closing' })
    const problem = dependencies.schemaProblem()
    if (problem === null) return { status: 'ready' }
    const body = problemBody(new Failure('unavailable', problem), id)
    return reply
      .code(503)
      .type('application/problem+json')
      .send(Buffer.from(JSON.stringify(body)))
  })
}

function addReadiness(registry: Registry, { drain, schemaProblem }: HealthDependencies): void {
  registry.registerMetric(
    new Gauge({
      name: 'muster_ready',
      help: '1 if `/readyz` returns 200.',
      registers: [],
      collect() {
        this.set(!drain.hasBegun && schemaProblem() === null ? 1 : 0)
      },
    }),
  )
}

function addLoadMetrics(registry: Registry, { admission }: HealthDependencies): void {
  registry.registerMetric(
    new Gauge({
      name: 'muster_http_requests_in_flight',
      help: 'Requests in progress, and requests queued by admission control.',
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
      name: 'muster_http_requests_shed_total',
      help: 'Requests refused by load shedding, by reason.',
      labelNames: ['reason'],
      registers: [],
      collect() {
        this.reset()
        for (const [reason, count] of Object.entries(admission.shed)) this.inc({ reason }, count)
      },
    }),
  )
}

function addBodyMetric(registry: Registry, bodies: BodyMemory): void {
  registry.registerMetric(
    new Gauge({
      name: 'muster_http_body_bytes',
      help: 'Announced bytes of the request bodies in memory, by the pool that they share.',
      labelNames: ['pool'],
      registers: [],
      collect() {
        for (const [pool, bytes] of Object.entries(bodies.bytes)) this.set({ pool }, bytes)
      },
    }),
  )
}

function addConnectionMetrics(registry: Registry, clients: ConnectionTable): void {
  registry.registerMetric(
    new Gauge({
      name: 'muster_http_connections',
      help: 'Open client connections. A busy one has a request in progress.',
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
      help: 'Connections closed by the connection limits, by reason.',
      labelNames: ['reason'],
      registers: [],
      collect() {
        this.reset()
        for (const [reason, count] of Object.entries(clients.dropped)) this.inc({ reason }, count)
      },
    }),
  )
}

function addRowTextMetric(registry: Registry, rowTexts: RowTexts): void {
  registry.registerMetric(
    new Counter({
      name: 'muster_row_texts_total',
      help: 'Rows of pages whose ids were read, by whether their text was in memory.',
      labelNames: ['result'],
      registers: [],
      collect() {
        this.reset()
        const { hits, misses } = rowTexts.counts
        this.inc({ result: 'hit' }, hits)
        this.inc({ result: 'miss' }, misses)
      },
    }),
  )
}

function addPageMetrics(registry: Registry, pages: PageCache): void {
  registry.registerMetric(
    new Counter({
      name: 'muster_page_cache_requests_total',
      help: 'Requests for a page, by whether it was in memory.',
      labelNames: ['result'],
      registers: [],
      collect() {
        this.reset()
        const { hits, misses } = pages.counts
        this.inc({ result: 'hit' }, hits)
        this.inc({ result: 'miss' }, misses)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'muster_page_cache_bytes',
      help: 'Memory that pages and the texts of rows take.',
      registers: [],
      collect() {
        this.set(pages.counts.bytes)
      },
    }),
  )
}
