/** The access log: one line for each request, built by hand from ids and numbers. */

import type { ServerResponse } from 'node:http'

import { levels } from 'pino'
import { Counter, Histogram, type Registry } from 'prom-client'

import type { RecordedRequest } from '#http/edge/fast-path'
import { traceIdIn } from '#http/response/trace-context'

import { type LogOutput, openLogOutput } from './log-output.ts'

/** The duration of one operation with one status. */
type Observed = ReturnType<Histogram['labels']>

/**
 * Logs and measures requests. A line has these fields only: none can contain personal data or a
 * key, so nothing is redacted. `route` is the pattern of a path, never the path itself. Through
 * pino and its redaction a line takes three times as long.
 */
export class AccessLog {
  /** Null without a log. */
  readonly #output: LogOutput | null
  readonly #levelMin: number
  readonly #duration: Histogram<'operation' | 'status'>
  readonly #observed = new Map<string, Observed>()

  constructor(registry: Registry, level: string | null) {
    this.#output = level === null ? null : openLogOutput()
    this.#levelMin = levels.values[level ?? 'silent'] ?? Infinity
    this.#duration = new Histogram({
      name: 'muster_http_request_duration_seconds',
      help: 'Duration of requests, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 8],
      registers: [registry],
    })
    addDropMetric(registry, this.#output)
  }

  /**
   * Load balancers check health several times a second, so successful checks are logged at debug
   * level, and none is in the histogram.
   */
  record(request: RecordedRequest, { statusCode: status, writableFinished }: ServerResponse): void {
    const { config, route, principal } = request
    const { operation = 'none', isHealthCheck = false } = config
    const ms = Math.round((performance.now() - request.startedAt) * 10) / 10
    if (!isHealthCheck) this.#observe(operation, status, ms / 1000)
    const level = isHealthCheck && status < 400 ? 20 : 30
    if (level < this.#levelMin) return
    this.#output?.append(
      `{"level":${level},"time":${Date.now()},"request_id":"${request.id}",` +
        `"trace_id":"${traceIdIn(request.traceparent)}",${subjectOf(operation, route)}` +
        `"method":"${request.method}","status":${status},"ms":${ms},` +
        `"is_complete":${writableFinished}${fieldsOf(principal)}}\n`,
    )
  }

  #observe(operation: string, status: number, seconds: number): void {
    const name = `${operation} ${status}`
    let observed = this.#observed.get(name)
    if (observed === undefined) {
      observed = this.#duration.labels({ operation, status })
      this.#observed.set(name, observed)
    }
    observed.observe(seconds)
  }
}

/** A page has no operation, and an unknown path has no pattern either. */
const subjectOf = (operation: string, route: string | undefined) =>
  operation === 'none' && route !== undefined
    ? `"route":${JSON.stringify(route)},`
    : `"operation":"${operation}",`

function fieldsOf(principal: RecordedRequest['principal']): string {
  if (principal === null) return ''
  const { workspaceId, keyId, userId } = principal
  return `,"workspace_id":"${workspaceId}","key_id":${quoted(keyId)},"user_id":${quoted(userId)}`
}

const quoted = (id: string | null) => (id === null ? 'null' : `"${id}"`)

function addDropMetric(registry: Registry, output: LogOutput | null): void {
  registry.registerMetric(
    new Counter({
      name: 'muster_log_lines_dropped_total',
      help: 'Log lines that were dropped, because nothing read standard output.',
      registers: [],
      collect() {
        this.reset()
        this.inc(output?.dropped ?? 0)
      },
    }),
  )
}
