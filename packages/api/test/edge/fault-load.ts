import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

import { metricsOf, stalledMs, type Timed, timed } from './watch.ts'

/** A service in trouble with its database, and who may ask it. */
export interface Troubled {
  readonly base: string
  readonly token: string
  readonly poolMax: number
}

export type Ask = () => Promise<Timed>

/** One request of each kind. */
export function asksOf({ base, token }: Troubled) {
  const headers = { authorization: `Bearer ${token}` }
  const ask = (path: string) => () => timed(new URL(path, base), { headers })
  return {
    page: ask('/v1/personnel?limit=10'),
    complete: ask('/v1/groups'),
    whoami: ask('/v1/whoami'),
    write: () =>
      timed(new URL('/v1/personnel', base), {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Someone else' }),
      }),
  }
}

/** So many at a time ask again and again, and wait when they are told to. */
export async function askUntil(end: number, workers: readonly Ask[]): Promise<Timed[]> {
  const answers: Timed[] = []
  await Promise.all(
    workers.map(async (ask) => {
      while (performance.now() < end) {
        const answer = await ask()
        answers.push(answer)
        await sleep(Math.min(Number(answer.retryAfter) * 1000, 1000))
      }
    }),
  )
  return answers
}

export const slowest = (answers: readonly Timed[]) => Math.max(...answers.map(({ ms }) => ms))

/** How long it takes until a page is answered again. */
export async function recovery(page: Ask): Promise<number> {
  const began = performance.now()
  while ((await page()).status !== 200) await sleep(20)
  return performance.now() - began
}

/** After the trouble everything is as it was: what is open, what waits, and what is worked on. */
export async function assertNothingLeaked(
  { base, poolMax }: Troubled,
  before: Record<string, number>,
): Promise<void> {
  const handles = (metrics: Record<string, number>) =>
    (metrics['nodejs_active_handles_total'] ?? 0) -
    (metrics['muster_database_connections{state="total"}'] ?? 0)
  for (let tries = 0; ; tries++) {
    const now = await metricsOf(base)
    const isQuiet =
      now['muster_requests{state="working"}'] === 0 &&
      now['muster_requests{state="waiting"}'] === 0 &&
      now['muster_database_connections{state="waiting"}'] === 0 &&
      (now['muster_database_connections{state="total"}'] ?? 99) <= poolMax
    // One or two may be those that ask for the metrics.
    if (isQuiet && handles(now) <= handles(before) + 2) return
    assert.ok(tries < 40, `${isQuiet ? 'quiet' : 'busy'}: ${handles(before)}, now ${handles(now)}`)
    await sleep(250)
  }
}

interface Freezing {
  readonly seconds: number
  readonly freeze: () => void
  readonly thaw: () => void
}

/** While the database is frozen everyone is told so within two seconds, and served soon after. */
export async function assertToldWhileFrozen(service: Troubled, freezing: Freezing): Promise<void> {
  const asks = asksOf(service)
  const workers = Object.values(asks).flatMap((ask) => Array.from({ length: 8 }, () => ask))
  await askUntil(performance.now() + 500, workers)
  const before = await metricsOf(service.base)

  freezing.freeze()
  const end = performance.now() + freezing.seconds * 1000
  const [answers, alive] = await Promise.all([
    askUntil(end, workers),
    watchLife(service.base, end),
  ]).finally(freezing.thaw)
  const recovered = await recovery(asks.page)

  const codes = new Set(answers.map(({ status, code }) => `${status} ${code}`))
  for (const code of codes) assert.match(code, /^503 (unavailable|overloaded|commit_in_doubt)$/)
  assert.ok(answers.length > 2 * workers.length, `${answers.length}: nobody waits for long`)
  const allowed = stalledMs()
  assert.ok(slowest(answers) < 2000 + allowed, `${slowest(answers)} ms, stalled ${allowed}`)
  const median = alive.toSorted((a, b) => a - b)[alive.length >> 1] ?? 0
  assert.ok(median < 50 + allowed, `alive in ${median} ms`)
  assert.ok(recovered < 1000 + allowed, `the first answer came after ${recovered} ms`)
  await assertNothingLeaked(service, before)
}

async function watchLife(base: string, end: number): Promise<number[]> {
  const times: number[] = []
  while (performance.now() < end) {
    times.push((await timed(new URL('/livez', base))).ms)
    await sleep(50)
  }
  return times
}
