import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Ended } from '#test/soak/checks/writes'

/** A write that is retried with its idempotency key until its outcome is known. */
export interface KeyedRequest {
  readonly marker: string
  readonly path: string
  readonly body: object
  /** How many rows it creates. Each contains the marker. */
  readonly rows: number
}

export interface KeyedWrite extends Ended {
  /** The problem code of a refusal. */
  readonly code: string | null
  readonly tries: number
  /** How often the outcome was unknown: no response, or `commit_in_doubt`. */
  readonly doubts: number
  /** Whether the response was replayed: an earlier attempt had been committed. */
  readonly isReplay: boolean
}

interface Sender {
  readonly token: string
  /** The base URL for the next attempt. */
  readonly base: () => string
}

interface Answered {
  readonly status: number
  readonly isReplay: boolean
  readonly body: { code?: string; version?: number; data?: { version: number }[] }
}

const timeoutMs = 5000
/** Lasts longer than any injected fault. */
const triesMax = 300

/** Sends a write until it succeeds or is refused for good. */
export async function writeKeyed(sender: Sender, request: KeyedRequest): Promise<KeyedWrite> {
  const { marker, rows } = request
  let doubts = 0
  for (let tries = 1; ; tries++) {
    const answer = await send(sender, request)
    assert.ok(tries < triesMax, `${marker} was never answered: ${JSON.stringify(answer)}`)
    assert.notEqual(answer?.status, 500, `${marker}: no fault may cause a 500`)
    if (answer === null || answer.body.code === 'commit_in_doubt') doubts += 1
    else if (isFinal(answer)) return { marker, rows, tries, doubts, ...endOf(answer) }
    await sleep(20 * Math.min(tries, 20))
  }
}

const endOf = ({ isReplay, status, body }: Answered) => ({
  isReplay,
  code: body.code ?? null,
  version: status < 300 ? (body.version ?? body.data?.[0]?.version ?? 0) : null,
})

/** False when the client must retry: request in progress, rate limited, or unavailable. */
const isFinal = ({ status, body }: Answered) =>
  status < 500 && status !== 429 && body.code !== 'idempotency_in_progress'

/** Returns the response, or null when the connection failed after it was accepted. */
async function send(
  { token, base }: Sender,
  { marker, path, body }: KeyedRequest,
): Promise<Answered | null> {
  try {
    const reply = await fetch(new URL(path, base()), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': marker,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const isReplay = reply.headers.get('idempotent-replayed') === 'true'
    return { status: reply.status, isReplay, body: (await reply.json()) as Answered['body'] }
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null
    const isRefused = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
    return isRefused ? notConnected : null
  }
}

/** Without a connection, the write was not made. */
const notConnected: Answered = { status: 503, isReplay: false, body: {} }
