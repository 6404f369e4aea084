import { NoAnswerError, type Problem, ProblemError } from './problem.ts'

export interface Transport {
  /** The origin of the service; in a browser, the origin of the page. */
  readonly base: string
  /** Headers of every request, such as Authorization. */
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
  /** The maximum number of retries of one request. */
  readonly retriesMax: number
  readonly wait: (ms: number) => Promise<void>
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal | undefined
}

export interface ParsedResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

const waitMsMax = 30_000

/**
 * Sends a request. Retries it if there is no valid response, or if the service sends a Retry-After
 * of at most 30 seconds. Retries are safe: every request that writes carries an Idempotency-Key.
 */
export async function send(transport: Transport, request: Request): Promise<ParsedResponse> {
  for (let retries = 0; ; retries++) {
    const result = await attempt(transport, request)
    if (result.response) return result.response
    if (retries === transport.retriesMax || result.retryMs === null) throw result.error
    await transport.wait(result.retryMs ?? backoffMs(retries))
    request.signal?.throwIfAborted()
  }
}

/** Exponential backoff with jitter. */
const backoffMs = (retries: number) => 2 ** retries * 250 * (0.5 + Math.random())

interface AttemptResult {
  readonly response?: ParsedResponse
  readonly error?: Error
  /** Null: do not retry. Undefined: retry after the backoff. */
  readonly retryMs?: number | null
}

async function attempt(
  { base, headers, fetch: fetchFn }: Transport,
  request: Request,
): Promise<AttemptResult> {
  const { method, path, body, signal } = request
  try {
    const rawResponse = await fetchFn(new URL(path, base), {
      method,
      headers: { ...headers, ...request.headers },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
    return await parseResponse(rawResponse)
  } catch (error) {
    signal?.throwIfAborted()
    const message = `${method} ${path} got no response.`
    return { error: new NoAnswerError(message, { cause: error }) }
  }
}

async function parseResponse(rawResponse: Response): Promise<AttemptResult> {
  const text = await rawResponse.text()
  const body: unknown = text === '' || !isJson(rawResponse) ? text : JSON.parse(text)
  const { status, headers } = rawResponse
  if (status < 400) return { response: { status, headers, body } }
  if (!isProblem(body))
    return { error: new NoAnswerError(`Unexpected response with status ${status}.`) }
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const isRetryable = headers.has('retry-after') && seconds * 1000 <= waitMsMax
  return { error: new ProblemError(body), retryMs: isRetryable ? seconds * 1000 : null }
}

const isJson = ({ headers }: Response) => /\bjson\b/.test(headers.get('content-type') ?? '')

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body
