/** One HTTP request. `{n}` in the body is replaced by a number that no other request has. */
export interface Request {
  readonly path: string
  readonly token: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What a load generator sends. */
export interface Load {
  readonly base: string
  /** All connections together send them in turn, again and again. */
  readonly requests: readonly Request[]
  readonly connections: number
  readonly seconds: number
  /** Warm-up, not counted: at least this long, and until every connection got a response. */
  readonly warmSeconds: number
  /** Requests per second of all connections together; null for as many as are answered. */
  readonly rate: number | null
}

/** Throughput and latency of the responses with one status. */
interface StatusReport {
  readonly count: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

export interface LoadReport {
  readonly byStatus: Readonly<Record<string, StatusReport>>
  /** Connections that failed while a request waited for its response. */
  readonly failures: number
  /** Responses, including those of the warm-up. */
  readonly sent: number
}

/** The digits of a number of a request. */
export const numberDigits = 16

/** The text of a request, with `{n}` still in its body. */
export function encode(base: string, request: Request): string {
  const { path, token, method = 'GET', headers = {}, body = '' } = request
  const length = Buffer.byteLength(body.replaceAll('{n}', '0'.repeat(numberDigits)))
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(base).host}`,
    `authorization: Bearer ${token}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`content-length: ${length}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
