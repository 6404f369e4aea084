import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from 'pg'

import { countsOf, cpuMs, type Service, startLoad } from './loaded.ts'
import { stop } from './program.ts'

/** What a process did, and the processor time that it took for that. */
interface Work {
  readonly ms: number
  readonly cpuMs: number
  readonly pages: number
  readonly refusals: number
}

/** So many are counted: of fewer, the cost is lost among all else that the process does. */
const enough = { pages: 300, refusals: 2000, waitingMs: 2000 }
/** However slow the machine is today, it ends. */
const secondsMax = 60
/** As many as are worked on at once, with ten connections to the database. */
const places = 30
export const crowd = 2000

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

/** What a load costs the process, from when it is under way until there was enough of it. */
async function during(service: Service, connections: number, isEnough: Reached): Promise<Work> {
  const load = startLoad(service, { connections, seconds: 2 * secondsMax })
  try {
    // Opening the connections, and coming up to speed, is not looked at.
    const firsts = connections > places ? connections : 0
    const isUnderWay = ({ ms, refusals }: Work) => ms >= 1500 && refusals >= firsts
    const from = await workUntil(service, await workSoFar(service), isUnderWay)
    return difference(from, await workUntil(service, from, isEnough))
  } finally {
    await stop(load)
  }
}

/**
 * What a page and a refusal cost, one right after the other: what a machine does in a millisecond
 * changes by the minute. While the table is locked, those who are inside wait and nobody else is
 * let in; what those inside cost by their waiting is taken off.
 */
export async function costs(service: Service, url: string) {
  const pages = await during(service, 16, (work) => work.pages >= enough.pages)
  const sql = new Client({ connectionString: url })
  await sql.connect()
  await sql.query('begin')
  await sql.query('lock table muster.risks in access exclusive mode')
  const inside = await during(service, places, ({ ms }) => ms >= enough.waitingMs)
  const crowded = await during(service, crowd, ({ refusals }) => refusals >= enough.refusals)
  await sql.query('rollback')
  await sql.end()
  const waiting = (inside.cpuMs / inside.ms) * crowded.ms
  return {
    page: pages.cpuMs / pages.pages,
    refusal: (crowded.cpuMs - waiting) / crowded.refusals,
  }
}
