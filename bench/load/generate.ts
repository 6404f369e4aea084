import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { run } from '#bench/process'

import { encode, type Load, type LoadReport } from './request.ts'

/** wrk takes much less CPU time than a generator in Node, which slows down what it measures. */
const hasWrk = spawnSync('wrk', ['--version']).error === undefined

export const generatorName = hasWrk ? 'wrk' : 'bench/load.ts, because wrk is missing'

/** Sends a load in a process of its own, and returns its report. Only Node keeps to a rate. */
export const generate = (load: Load): Promise<LoadReport> =>
  hasWrk && load.rate === null ? generateByWrk(load) : generateByNode(load)

export async function generateByNode(load: Load): Promise<LoadReport> {
  return JSON.parse(await run(['bench/load.ts'], { input: JSON.stringify(load) }))
}

interface WrkReport {
  readonly counts: Readonly<Record<string, number>>
  readonly seconds: number
  readonly failures: number
  readonly p50: number
  readonly p99: number
}

/** Without a warm-up. wrk knows the latency of all responses together only. */
async function generateByWrk({ base, requests, connections, seconds }: Load): Promise<LoadReport> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-load-'))
  const file = join(folder, 'requests')
  writeFileSync(file, requests.map((request) => encode(base, request)).join('\0'))
  const length = `${Math.max(1, Math.round(seconds))}s`
  const options = ['-t', '1', '-c', String(connections), '-d', length, '-s', 'bench/load/wrk.lua']
  // A number that no other run has, and that a double keeps exactly.
  const first = String(Date.now() * 1000)
  try {
    const text = await run(['wrk', ...options, base, '--', file, first], { isRaised: true })
    const report: WrkReport = JSON.parse(text.slice(text.lastIndexOf('\n{')))
    const { counts, failures, p50, p99 } = report
    const byStatus = Object.entries(counts).map(([status, count]) => [
      status,
      { count, perSecond: count / report.seconds, p50, p99 },
    ])
    const sent = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return { byStatus: Object.fromEntries(byStatus), failures, sent }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
