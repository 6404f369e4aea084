import { NoAnswerError, type Problem, ProblemError } from './problem.ts'

export interface Transport {
  /** The address of the service, with its path if it has one; in a browser, that of the page. */
  readonly base: string
  /** Headers of every request, such as Authorization. */
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
  /** The maximum number of retries of one request. */
  readonly retriesMax: number
  /** How long an attempt waits for the first byte of the response, and for each next one. */
  readonly timeoutMs: number
  /** Ends early, with the reason of the signal, when it is aborted. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal | undefined
  /** The media type of a successful response. */
  readonly accepts: 'application/json' | 'text/csv' | 'application/x-ndjson'
  /**
   * How long the service may wait before it responds. Many clients wait at once, so each spreads
   * its retries over at least 3 seconds: they do not all return when a process of the service ends.
   */
  readonly waitMs?: number
}

export interface OpenResponse {
  readonly status: number
  readonly headers: Headers
  /** The text in parts, as they arrive. */
  readonly parts: AsyncIterable<string>
}

const retryMsMax = 30_000
/** A program that follows changes can wait longer, such as for a rate limit. */
const followerRetryMsMax = 600_000

/**
 * Sends a request and resolves once a successful response begins. Retries it if there is no valid
 * response, or if the service sends a Retry-After of at most 30 seconds. Retries are safe: every
 * request that writes carries an Idempotency-Key.
 */
export const open = (transport: Transport, request: Request): Promise<OpenResponse> =>
  retrying(transport, request, async (response) => response)

/** Sends a request, reads the complete response, and retries as `open` does. */
export const send = (transport: Transport, request: Request) =>
  retrying(transport, request, async (response) => {
    const text = await joined(response.parts)
    const isJson = request.accepts === 'application/json' && text !== ''
    return { ...response, body: isJson ? (JSON.parse(text) as unknown) : text }
  })

async function retrying<T>(
  transport: Transport,
  request: Request,
  read: (response: OpenResponse) => Promise<T>,
): Promise<T> {
  for (let retries = 0; ; retries++) {
    const result = await attempt(transport, request, read)
    if ('value' in result) return result.value
    if (retries === transport.retriesMax || result.retryMs === null) throw result.error
    await transport.wait(result.retryMs ?? backoffMs(retries, request), request.signal)
  }
}

/** Exponential backoff with jitter. */
function backoffMs(retries: number, { waitMs }: Request): number {
  const ms = Math.min(2 ** retries * 250, retryMsMax)
  return waitMs === undefined ? ms * (0.5 + Math.random()) : jitterMs(Math.max(ms, 3000))
}

export const jitterMs = (most: number) => Math.random() * most

interface Failed {
  readonly error: Error
  /** Null: do not retry. Undefined: retry after the backoff. */
  readonly retryMs?: number | null
}

async function attempt<T>(
  transport: Transport,
  request: Request,
  read: (response: OpenResponse) => Promise<T>,
): Promise<{ readonly value: T } | Failed> {
  const { method, path, body, signal } = request
  const silence = watchSilence(transport.timeoutMs + (request.waitMs ?? 0))
  try {
    const response = await transport.fetch(new URL(`${prefixOf(transport.base)}${path}`), {
      method,
      headers: { ...transport.headers, accept: request.accepts, ...request.headers },
      ...(body !== undefined && { body }),
      signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    })
    const parts = partsOf(response, silence)
    const refusal = await refusalOf(response, request, parts)
    if (refusal) return refusal
    return { value: await read({ status: response.status, headers: response.headers, parts }) }
  } catch (error) {
    signal?.throwIfAborted()
    const message = `${method} ${path} got no response.`
    return { error: new NoAnswerError(message, { cause: error }) }
  } finally {
    silence.stop()
  }
}

/** The address without a slash at its end, so that the path of the base is kept. */
const prefixOf = (base: string) => base.replace(/\/+$/, '')

interface Silence {
  readonly signal: AbortSignal
  /** Starts the time anew. */
  readonly renew: () => void
  readonly stop: () => void
}

/** Aborts its signal when nothing has arrived for this time. */
function watchSilence(ms: number): Silence {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  const renew = () => {
    stop()
    // Timers of JavaScript end at once above this number.
    if (ms >= 2 ** 31) return
    timer = setTimeout(() => {
      controller.abort(new DOMException(`Nothing arrived for ${ms} ms.`, 'TimeoutError'))
    }, ms)
  }
  renew()
  return { signal: controller.signal, renew, stop }
}

async function* partsOf({ body }: Response, silence: Silence): AsyncGenerator<string> {
  if (body === null) return
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      silence.renew()
      const { done, value } = await reader.read()
      silence.stop()
      if (done) break
      yield decoder.decode(value, { stream: true })
    }
    yield decoder.decode()
  } finally {
    await reader.cancel()
  }
}

async function joined(parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) text += part
  return text
}

/** Why a response is not the expected one, or null. */
async function refusalOf(
  { status, headers }: Response,
  { method, path, accepts, waitMs }: Request,
  parts: AsyncIterable<string>,
): Promise<Failed | null> {
  const type = headers.get('content-type') ?? 'no content type'
  if (status < 400 && (status === 304 || type.startsWith(accepts))) return null
  const text = await joined(parts)
  const body: unknown = /\bjson\b/.test(type) ? JSON.parse(text) : null
  if (isProblem(body))
    return { error: new ProblemError(body), retryMs: retryAfterMs(headers, waitMs) }
  const message =
    `${method} ${path} got status ${status} with ${type}, which is no answer of Muster. ` +
    'Is `base` its address?'
  // A proxy answers 502, 503 or 504 while the service starts. A retry changes no other answer.
  return { error: new NoAnswerError(message), ...(status < 500 && { retryMs: null }) }
}

function retryAfterMs(headers: Headers, waitMs: number | undefined): number | null {
  const ms = Number(headers.get('retry-after') ?? Number.NaN) * 1000
  return ms <= (waitMs === undefined ? retryMsMax : followerRetryMsMax) ? ms : null
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body
