import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from 'pg'

import { stop } from './process.ts'
import { countsOf, cpuMs, type Service, startLoad } from './service-load.ts'

/** Requests served by a process, and the CPU time they took. */
interface Work {
  readonly ms: number
  readonly cpuMs: number
  readonly pages: number
  readonly refusals: number
}

/** Minimum sample sizes: with fewer, background work of the process dominates. */
const samplesMin = { pages: 300, refusals: 2000, waitingMs: 2000 }
/** Upper bound of each measurement, on a slow machine too. */
const secondsMax = 60
/** Requests processed concurrently, with ten database connections. */
const concurrency = 30
/** Connections of the overload. */
export const overloadConnections = 2000

async function workSoFar(service: Service): Promise<Work> {
  return { ms: performance.now(), cpuMs: cpuMs(service), ...(await countsOf(service)) }
}

function difference(from: Work, to: Work): Work {
  return {
    ms: to.ms - from.ms,
    cpuMs: to.cpuMs - from.cpuMs,
    pages: to.pages - from.pages,
    refusals: to.refusals - from.refusals,
  }
}

type Reached = (work: Work) => boolean

async function workUntil(service: Service, from: Work, isReached: Reached): Promise<Work> {
  for (;;) {
    await sleep(250)
    const now = await workSoFar(service)
    const work = difference(from, now)
    if (isReached(work)) return now
    if (work.ms > secondsMax * 1000) throw new Error(`Only ${JSON.stringify(work)}`)
  }
}

/** Measures the work of the process under load, after a warm-up, until the sample is complete. */
async function during(service: Service, connections: number, isEnough: Reached): Promise<Work> {
  const load = startLoad(service, { connections, seconds: 2 * secondsMax })
  try {
    // The warm-up excludes opening connections.
    const firsts = connections > concurrency ? connections : 0
    const isUnderWay = ({ ms, refusals }: Work) => ms >= 1500 && refusals >= firsts
    const from = await workUntil(service, await workSoFar(service), isUnderWay)
    return difference(from, await workUntil(service, from, isEnough))
  } finally {
    await stop(load)
  }
}

/**
 * Measures the CPU cost of a page and of a refusal in direct succession, because machine speed
 * drifts. While the table is locked, admitted requests wait and all others are refused. The CPU
 * cost of the waiting requests is subtracted.
 */
export async function measureCosts(service: Service, url: string) {
  const pages = await during(service, 16, (work) => work.pages >= samplesMin.pages)
  const sql = new Client({ connectionString: url })
  await sql.connect()
  await sql.query('begin')
  await sql.query('lock table muster.risks in access exclusive mode')
  const admitted = await during(service, concurrency, ({ ms }) => ms >= samplesMin.waitingMs)
  const overloaded = await during(
    service,
    overloadConnections,
    ({ refusals }) => refusals >= samplesMin.refusals,
  )
  await sql.query('rollback')
  await sql.end()
  const waiting = (admitted.cpuMs / admitted.ms) * overloaded.ms
  return {
    page: pages.cpuMs / pages.pages,
    refusal: (overloaded.cpuMs - waiting) / overloaded.refusals,
  }
}
