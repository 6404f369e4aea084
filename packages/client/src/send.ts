import { NoAnswerError, type Problem, ProblemError } from './problem.ts'

export interface Way {
  /** Where the service is; in a browser, where the page came from. */
  readonly base: string
  /** What to send with every request, such as the key. */
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
  /** How often a request is sent again when it can be. */
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

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

const waitMsMax = 30_000

/**
 * Sends a request, and sends it again while the service asks for patience or cannot be reached.
 * Each request may be repeated: one that changes something carries an Idempotency-Key.
 */
export async function send(way: Way, request: Request): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const outcome = await attempt(way, request)
    if (outcome.answer) return outcome.answer
    if (tries === way.retriesMax || outcome.retryMs === null) throw outcome.error
    await way.wait(outcome.retryMs ?? backoffMs(tries))
    request.signal?.throwIfAborted()
  }
}

/** Longer each time, and not the same for everyone. */
const backoffMs = (tries: number) => 2 ** tries * 250 * (0.5 + Math.random())

interface Outcome {
  readonly answer?: Answer
  readonly error?: Error
  /** Null: trying again is of no use. Undefined: nobody said when. */
  readonly retryMs?: number | null
}

async function attempt({ base, headers, fetch: go }: Way, request: Request): Promise<Outcome> {
  const { method, path, body, signal } = request
  try {
    const reply = await go(new URL(path, base), {
      method,
      headers: { ...headers, ...request.headers },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
    return await outcomeOf(reply)
  } catch (error) {
    signal?.throwIfAborted()
    const what = `${method} ${path} was not answered.`
    return { error: new NoAnswerError(what, { cause: error }) }
  }
}

async function outcomeOf(reply: Response): Promise<Outcome> {
  const text = await reply.text()
  const body: unknown = text === '' || !isJson(reply) ? text : JSON.parse(text)
  const { status, headers } = reply
  if (status < 400) return { answer: { status, headers, body } }
  if (!isProblem(body)) return { error: new NoAnswerError(`The answer ${status} is not ours.`) }
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const isPatient = headers.has('retry-after') && seconds * 1000 <= waitMsMax
  return { error: new ProblemError(body), retryMs: isPatient ? seconds * 1000 : null }
}

const isJson = ({ headers }: Response) => /\bjson\b/.test(headers.get('content-type') ?? '')

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body
