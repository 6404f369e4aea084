import type { ChildProcess } from 'node:child_process'

import type { Load, LoadReport } from '#bench/load'
import { median } from '#bench/median'
import { run } from '#bench/process'

import { cpuTimes, cpuUse } from './cpu.ts'

/** What a load is sent to: the service, a bare server, or the service of another commit. */
export interface Target {
  readonly name: string
  readonly child: ChildProcess
  /** The name of its database. */
  readonly database: string
  readonly load: Omit<Load, 'connections' | 'seconds' | 'warmSeconds' | 'rate'>
  /** The status of every response. */
  readonly status: number
}

export interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** CPU time of a request in the process and in PostgreSQL, in microseconds. */
  readonly nodeUs: number
  readonly postgresUs: number
  /** Of both. */
  readonly cpuUs: number
}

/** The figures of one round, and the cores that others used during it. */
export interface Round extends Measured {
  readonly foreignCores: number
}

export interface Length {
  readonly connections: number
  readonly seconds: number
  readonly rounds: number
  /** How often a round is measured at most, while others use the machine. */
  readonly tries: number
}

/** A round during which others used more than this is measured again. */
export const foreignCoresMax = 0.25

/**
 * Measures the targets in turns, so that other load on the machine affects all of them. Returns the
 * rounds of each target.
 */
export async function interleave(targets: readonly Target[], length: Length): Promise<Round[][]> {
  const all = targets.map((): Round[] => [])
  for (let round = 0; round < length.rounds; round++) {
    for (const [index, target] of targets.entries()) {
      all[index]?.push(await quietRound(target, length))
    }
  }
  return all
}

async function quietRound(target: Target, length: Length): Promise<Round> {
  for (let tries = 1; ; tries++) {
    const { failedPart: _, ...round } = await oneRound(target, length)
    if (round.foreignCores <= foreignCoresMax || tries >= length.tries) return round
  }
}

type RoundLength = Pick<Length, 'connections' | 'seconds'> & { readonly rate?: number }

/** One round, whatever others do. With a rate, requests arrive at it, answered or not. */
export async function oneRound(target: Target, { connections, seconds, rate }: RoundLength) {
  const { child, database, load, status, name } = target
  const all: Load = { ...load, connections, seconds, warmSeconds: 0.5, rate: rate ?? null }
  const from = cpuTimes(database)
  const report: LoadReport = JSON.parse(await run(['bench/load.ts', JSON.stringify(all)]))
  const { subject, postgres, foreignCores } = cpuUse(from, cpuTimes(database), {
    subject: child.pid ?? 0,
    own: report.cpuMs,
  })
  const { perSecond = 0, p50 = 0, p99 = 0 } = report.byStatus[status] ?? {}
  if (perSecond === 0) throw new Error(`${name}: ${JSON.stringify(report)}`)
  // The CPU time includes the warm-up, and so must the number of requests.
  const { sent } = report
  const perRequest = (ms: number) => (ms * 1000) / sent
  return {
    perSecond,
    p50,
    p99,
    nodeUs: perRequest(subject),
    postgresUs: perRequest(postgres),
    cpuUs: perRequest(subject + postgres),
    foreignCores,
    /** Responses with another status, and broken connections, as a part of all. */
    failedPart: failedPart(report, status),
  }
}

function failedPart({ byStatus, failures }: LoadReport, status: number): number {
  const counts = Object.entries(byStatus).map(([each, { count }]) => ({ each, count }))
  const all = counts.reduce((sum, { count }) => sum + count, failures)
  return 1 - (counts.find(({ each }) => each === String(status))?.count ?? 0) / all
}

export function medians(rounds: readonly Measured[]): Measured {
  const of = (name: keyof Measured) => median(rounds.map((round) => round[name]))
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    nodeUs: of('nodeUs'),
    postgresUs: of('postgresUs'),
    cpuUs: of('cpuUs'),
  }
}
