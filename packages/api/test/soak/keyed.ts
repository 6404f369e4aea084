import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Ended } from './check-writes.ts'

/** A write that is repeated with its key until its client knows what became of it. */
export interface Wish {
  readonly mark: string
  readonly path: string
  readonly body: object
  /** How many rows it makes, each of which bears the mark. */
  readonly rows: number
}

export interface KeyedWrite extends Ended {
  /** Why it was refused. */
  readonly code: string | null
  readonly tries: number
  /** How often no answer came, or one that leaves it open whether the change was made. */
  readonly doubts: number
  /** Whether the answer was that of an earlier try: one that was in doubt had been done. */
  readonly isReplay: boolean
}

interface Sender {
  readonly token: string
  /** Where to send the next try. */
  readonly base: () => string
}

interface Answered {
  readonly status: number
  readonly isReplay: boolean
  readonly body: { code?: string; version?: number; data?: { version: number }[] }
}

const patienceMs = 5000
/** Nothing that we do to the service lasts as long. */
const triesMax = 300

/** The write of someone who does not give up. */
export async function writeKeyed(sender: Sender, wish: Wish): Promise<KeyedWrite> {
  const { mark, rows } = wish
  let doubts = 0
  for (let tries = 1; ; tries++) {
    const answer = await send(sender, wish)
    assert.ok(tries < triesMax, `${mark} has no end: ${JSON.stringify(answer)}`)
    assert.notEqual(answer?.status, 500, `${mark}: whatever happens, it is not our mistake`)
    if (answer === null || answer.body.code === 'commit_in_doubt') doubts += 1
    else if (isFinal(answer)) return { mark, rows, tries, doubts, ...endOf(answer) }
    await sleep(20 * Math.min(tries, 20))
  }
}

const endOf = ({ isReplay, status, body }: Answered) => ({
  isReplay,
  code: body.code ?? null,
  version: status < 300 ? (body.version ?? body.data?.[0]?.version ?? 0) : null,
})

/** Not so when its twin has not ended, when there are too many, or when nothing can be done now. */
const isFinal = ({ status, body }: Answered) =>
  status < 500 && status !== 429 && body.code !== 'idempotency_in_progress'

/** The answer; null when none came, though someone was there. */
async function send({ token, base }: Sender, { mark, path, body }: Wish): Promise<Answered | null> {
  try {
    const reply = await fetch(new URL(path, base()), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': mark,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    })
    const isReplay = reply.headers.get('idempotent-replayed') === 'true'
    return { status: reply.status, isReplay, body: (await reply.json()) as Answered['body'] }
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null
    const isNobody = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
    return isNobody ? nobody : null
  }
}

/** Where nobody listens nothing was done. */
const nobody: Answered = { status: 503, isReplay: false, body: {} }
