import type { ChildProcess } from 'node:child_process'

import { generate, generateByNode } from '#bench/load/generate'
import type { Load, LoadReport } from '#bench/load/request'
import { raisePriority } from '#bench/priority'
import { size } from '#bench/size'

import { backendsOf, cpuTimes, type CpuUse, cpuUse } from './cpu.ts'

/** What a load is sent to: the service, a bare server, a peer, or the service of another commit. */
export interface Target {
  readonly name: string
  readonly child: ChildProcess
  /** The name of its database. */
  readonly database: string
  readonly load: Pick<Load, 'base' | 'requests'>
  /** Every response must have one of these. */
  readonly statuses: readonly number[]
}

/** The figures of one round. */
export interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** CPU time of a request in the process and in PostgreSQL, in microseconds. */
  readonly nodeUs: number
  readonly postgresUs: number
  /** Of both. */
  readonly cpuUs: number
  /** Cores that others used, and the part of the time that the host gave to others. */
  readonly foreignCores: number
  readonly stolenPart: number
  /** Refused requests and broken connections, as a part of all. */
  readonly failedPart: number
}

type RoundLength = Pick<Load, 'connections' | 'seconds'>

const warmSeconds = size(1, 2)

/** Opens the connections of the service to the database, and lets V8 compile. */
export function warmUp(target: Target, connections: number) {
  raise(target)
  return generate({ ...target.load, connections, seconds: warmSeconds, warmSeconds: 0, rate: null })
}

/** One round in a closed loop. */
export function oneRound(target: Target, { connections, seconds }: RoundLength): Promise<Round> {
  const load: Load = { ...target.load, connections, seconds, warmSeconds: 0, rate: null }
  return observed(target, () => generate(load))
}

/** One round at a rate of requests. */
export function rateRound(target: Target, length: RoundLength & { readonly rate: number }) {
  const load: Load = { ...target.load, ...length, warmSeconds: 1 }
  return observed(target, () => generateByNode(load))
}

/** Gives the process and its backends the highest priority. */
function raise({ child, database }: Target): void {
  raisePriority(child.pid)
  for (const pid of backendsOf(database)) raisePriority(pid)
}

/** Counts the CPU time of the target during a load. */
async function observed(target: Target, work: () => Promise<LoadReport>): Promise<Round> {
  const { child, database } = target
  raise(target)
  // The service may open further connections.
  const raising = setInterval(() => raise(target), 500)
  const from = cpuTimes(child.pid ?? null, database)
  const report = await work().finally(() => clearInterval(raising))
  return roundOf(report, cpuUse(from, cpuTimes(child.pid ?? null, database)), target)
}

const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0)

const refused = 503

function roundOf(report: LoadReport, use: CpuUse, { name, statuses }: Target): Round {
  const { byStatus, failures } = report
  const all = Object.entries(byStatus).map(([status, each]) => ({
    status: Number(status),
    ...each,
  }))
  const failed = all.filter(({ status }) => !statuses.includes(status))
  if (failed.some(({ status }) => status !== refused))
    throw new Error(`${name} got wrong responses: ${JSON.stringify(byStatus)}`)
  const seen = all.filter(({ status }) => statuses.includes(status))
  const count = sum(seen.map((each) => each.count))
  // With several statuses, the figure of the frequent one counts most.
  const mean = (of: 'p50' | 'p99') => sum(seen.map((each) => each[of] * each.count)) / count
  const perRequest = (ms: number) => (ms * 1000) / report.sent
  return {
    perSecond: sum(seen.map((each) => each.perSecond)),
    p50: mean('p50'),
    p99: mean('p99'),
    nodeUs: perRequest(use.subjectMs),
    postgresUs: perRequest(use.postgresMs),
    cpuUs: perRequest(use.subjectMs + use.postgresMs),
    foreignCores: use.foreignCores,
    stolenPart: use.stolenPart,
    failedPart:
      (failures + sum(failed.map((each) => each.count))) /
      (failures + sum(all.map((each) => each.count))),
  }
}
