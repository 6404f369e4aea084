import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

import { generateByNode } from './load/generate.ts'
import type { Load, LoadReport } from './load/request.ts'
import { startChild } from './process.ts'

/** A service in its own process, with its addresses and a key. */
export interface Service {
  readonly base: string
  /** The URL of the metrics. */
  readonly metrics: string
  readonly token: string
  readonly child: ChildProcess
}

type LoadOptions = Partial<Load> & Pick<Load, 'seconds'>

function loadOf({ base, token }: Service, options: LoadOptions): Load {
  const requests = [{ path: '/v1/risks?limit=100', token }]
  return { base, requests, connections: 16, warmSeconds: 0.5, rate: null, ...options }
}

/** Runs a load to its end and returns its report. */
export const load = (service: Service, options: LoadOptions): Promise<LoadReport> =>
  generateByNode(loadOf(service, options))

/** Starts a load without a report, to measure its effect on the service. */
export function startLoad(service: Service, options: LoadOptions): ChildProcess {
  const child = startChild(['bench/load.ts'], { stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin?.end(JSON.stringify(loadOf(service, options)))
  return child
}

/** CPU time of the process so far, with a resolution of 10 ms. */
export function cpuMs({ child }: Service): number {
  const [, after = ''] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')
  const fields = after.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Resident memory of the process in MB. */
export function memory({ child }: Service): number {
  const text = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1]) / 1024
}

/** Successful pages and load-shedding refusals so far, from the metrics. */
export async function countsOf({ metrics }: Service) {
  const text = await (await fetch(metrics)).text()
  const sum = (pattern: RegExp) =>
    Array.from(text.matchAll(pattern), ([, count]) => Number(count)).reduce((a, b) => a + b, 0)
  return {
    pages: sum(
      /^muster_http_request_duration_seconds_count\{.*risks.list.*status="200".*\} (\d+)$/gm,
    ),
    refusals: sum(/^muster_http_requests_shed_total\{.*\} (\d+)$/gm),
  }
}
