import type { Json } from '#test/support/client'

export interface Sent {
  readonly base: string
  readonly token: string
  readonly method?: string
  readonly path: string
  readonly body?: object | undefined
  readonly headers?: Record<string, string | undefined>
  /** The client ends the connection after this time. */
  readonly endAfterMs?: number | undefined
}

const waitMaxMs = 60_000

export interface Answer {
  readonly status: number
  readonly etag: string | null
  readonly body: Json
}

/** Sends a request. Null if the connection ended first: then its outcome is unknown. */
export async function attempt(sent: Sent): Promise<Answer | null> {
  try {
    const reply = await open(sent)
    return { status: reply.status, etag: reply.headers.get('etag'), body: await reply.json() }
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null
    const isRefused = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
    return isRefused ? notConnected : null
  }
}

/** Without a connection, nothing was sent. */
const notConnected: Answer = { status: 503, etag: null, body: { code: 'not_connected' } }

/** Sends a request. The body of its response is not read yet. */
export function open(sent: Sent): Promise<Response> {
  const { base, token, method = 'GET', path, body, headers = {}, endAfterMs = waitMaxMs } = sent
  const given = Object.entries(headers).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return fetch(new URL(path, base), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...Object.fromEntries(given),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(endAfterMs),
  })
}
