import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { measure } from '@muster/testing/measure'

import { metricsOf, type Timed, timed } from '#test/support/watch'

/** A service whose database connection fails, and a key for it. */
export interface FaultyService {
  readonly base: string
  readonly token: string
  readonly poolMax: number
}

export type Request = () => Promise<Timed>

/** One request of each class. */
export function requestsOf({ base, token }: FaultyService) {
  const headers = { authorization: `Bearer ${token}` }
  const send = (path: string) => () => timed(new URL(path, base), { headers })
  return {
    page: send('/v1/groups?limit=10'),
    complete: send('/v1/groups'),
    whoami: send('/v1/whoami'),
    write: () =>
      timed(new URL('/v1/personnel', base), {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Someone else' }),
      }),
  }
}

/** Each worker repeats its request until `end`, and waits for Retry-After. */
export async function requestUntil(end: number, workers: readonly Request[]): Promise<Timed[]> {
  const answers: Timed[] = []
  await Promise.all(
    workers.map(async (send) => {
      while (performance.now() < end) {
        const answer = await send()
        answers.push(answer)
        await sleep(Math.min(Number(answer.retryAfter) * 1000, 1000))
      }
    }),
  )
  return answers
}

export const slowest = (answers: readonly Timed[]) => Math.max(...answers.map(({ ms }) => ms))

/** The time in ms until a page is served again. */
export async function recovery(page: Request): Promise<number> {
  const began = performance.now()
  while ((await page()).status !== 200) await sleep(20)
  return performance.now() - began
}

/**
 * Asserts that open handles, queues and requests in progress return to their values before the
 * fault.
 */
export async function assertNothingLeaked(
  { base, poolMax }: FaultyService,
  before: Record<string, number>,
): Promise<void> {
  const handles = (metrics: Record<string, number>) =>
    (metrics['nodejs_active_handles_total'] ?? 0) -
    (metrics['muster_database_connections{state="total"}'] ?? 0)
  for (let tries = 0; ; tries++) {
    const now = await metricsOf(base)
    const isQuiet =
      now['muster_http_requests_in_flight{state="working"}'] === 0 &&
      now['muster_http_requests_in_flight{state="waiting"}'] === 0 &&
      now['muster_database_connections{state="waiting"}'] === 0 &&
      (now['muster_database_connections{state="total"}'] ?? 99) <= poolMax
    // One or two handles may belong to the metrics request.
    if (isQuiet && handles(now) <= handles(before) + 2) return
    assert.ok(tries < 240, `${isQuiet ? 'quiet' : 'busy'}: ${handles(before)}, now ${handles(now)}`)
    await sleep(250)
  }
}

interface Freeze {
  readonly seconds: number
  readonly freeze: () => void
  readonly thaw: () => void
}

/** Asserts that a frozen database leads to 503 within 2 s, and that service resumes within 1 s. */
export async function assertRefusedWhileFrozen(
  t: TestContext,
  service: FaultyService,
  freezing: Freeze,
): Promise<void> {
  const requests = requestsOf(service)
  const workers = Object.values(requests).flatMap((send) => Array.from({ length: 8 }, () => send))
  await requestUntil(performance.now() + 500, workers)
  const before = await metricsOf(service.base)

  freezing.freeze()
  const end = performance.now() + freezing.seconds * 1000
  const [answers, alive] = await Promise.all([
    requestUntil(end, workers),
    pollLiveness(service.base, end),
  ]).finally(freezing.thaw)
  const recovered = await recovery(requests.page)

  const codes = new Set(answers.map(({ status, code }) => `${status} ${code}`))
  for (const code of codes) assert.match(code, /^503 (unavailable|overloaded|commit_in_doubt)$/)
  const perClient = answers.length / workers.length
  measure(t, 'responses while frozen', { value: perClient, atLeast: 2, unit: 'per client' })
  const median = alive.toSorted((a, b) => a - b)[alive.length >> 1] ?? 0
  measure(t, 'slowest response while frozen', { value: slowest(answers), atMost: 2000 })
  measure(t, '/livez while frozen, median', { value: median, atMost: 50 })
  measure(t, 'first response after the thaw', { value: recovered, atMost: 1000 })
  await assertNothingLeaked(service, before)
}

async function pollLiveness(base: string, end: number): Promise<number[]> {
  const times: number[] = []
  while (performance.now() < end) {
    times.push((await timed(new URL('/livez', base))).ms)
    await sleep(50)
  }
  return times
}
