import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Load, LoadReport } from './load.ts'
import { run } from './program.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** A service in a process of its own, and what can be seen of it from without. */
export interface Service {
  readonly base: string
  /** The URL of its metrics. */
  readonly metrics: string
  readonly token: string
  readonly child: ChildProcess
}

function loadArgs({ base, token }: Service, wish: Partial<Load> & Pick<Load, 'seconds'>): string[] {
  const path = '/v1/risks?limit=100'
  const usual = { base, path, token, connections: 16, warmSeconds: 0.5, rate: null }
  return ['bench/load.ts', JSON.stringify({ ...usual, ...wish } satisfies Load)]
}

type Wish = Parameters<typeof loadArgs>[1]

/** What a load saw. */
export async function load(service: Service, wish: Wish): Promise<LoadReport> {
  return JSON.parse(await run(loadArgs(service, wish)))
}

/** A load of which only what it does to the service is looked at. */
export function startLoad(service: Service, wish: Wish): ChildProcess {
  return spawn(process.execPath, loadArgs(service, wish), { cwd: root, stdio: 'ignore' })
}

/** Processor time that a process has taken, in ticks of ten milliseconds. */
export function cpuMs({ child }: Service): number {
  const [, after = ''] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')
  const fields = after.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

export function memory({ child }: Service): number {
  const text = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1]) / 1024
}

export async function countsOf({ metrics }: Service) {
  const text = await (await fetch(metrics)).text()
  const sum = (pattern: RegExp) =>
    Array.from(text.matchAll(pattern), ([, count]) => Number(count)).reduce((a, b) => a + b, 0)
  return {
    pages: sum(/^muster_request_seconds_count\{.*risks.list.*status="200".*\} (\d+)$/gm),
    refusals: sum(/^muster_shed_total\{.*\} (\d+)$/gm),
  }
}
