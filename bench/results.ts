import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Measured figures are kept here, until `compare --write` renders them. Not in Git. */
const folder = new URL('../.build/bench-results/', import.meta.url)

/** The figures of each benchmark. */
export interface Results {
  readonly compare: Compared
  readonly 'open-loop': readonly OpenLoop[]
  readonly mix: Mix
  readonly neighbours: readonly Bounded[]
  readonly growth: readonly Series[]
}

export interface Compared {
  readonly base: string | null
  readonly rows: readonly ComparedRow[]
}

export interface ComparedRow {
  readonly name: string
  readonly ratio: number
  readonly bound: string
  readonly isReached: boolean
  readonly perSecond: number
  readonly referencePerSecond: number
  readonly nodeUs: number
  readonly postgresUs: number
  readonly p50: number
  readonly p99: number
}

/** Latency at fixed arrival rates. */
export interface OpenLoop {
  readonly name: string
  readonly peakPerSecond: number
  readonly points: readonly {
    readonly part: number
    readonly perSecond: number
    readonly p50: number
    readonly p99: number
    readonly failedPart: number
  }[]
}

export interface Mix {
  readonly workspaces: number
  readonly hotWorkspaces: number
  readonly points: readonly {
    readonly writesPerSecond: number
    readonly perSecond: number
    readonly p50: number
    readonly p99: number
    readonly hitRate: number
    readonly nodeUs: number
    readonly postgresUs: number
  }[]
  /** Null if it was not reached: JSON has no Infinity. */
  readonly steadyAfterSeconds: number | null
}

/** A figure with its upper bound. */
export interface Bounded {
  readonly name: string
  readonly value: number
  readonly atMost: number
  readonly unit: string
}

/** One figure for several amounts of something. */
export interface Series {
  readonly name: string
  /** What the amounts count. */
  readonly of: string
  readonly points: readonly {
    readonly amount: number
    readonly perSecond: number
    readonly cpuUs: number
  }[]
}

export function saveResults<Name extends keyof Results>(name: Name, results: Results[Name]): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL(`${name}.json`, folder), JSON.stringify(results))
}

/** The figures of the last run; null if there was none. */
export function readResults<Name extends keyof Results>(name: Name): Results[Name] | null {
  const file = new URL(`${name}.json`, folder)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}
