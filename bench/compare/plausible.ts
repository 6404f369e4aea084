import type { Round } from './round.ts'

/** A figure, as the median of its rounds. */
export interface Seen extends Pick<Round, 'perSecond' | 'p50' | 'p99' | 'cpuUs'> {
  readonly name: string
  readonly connections: number
}

/** The scheduler counts a little more than the clock. */
const tolerance = 1.05
/** Noise changes a figure by less than this factor. */
const factor = 2

/** What no machine can do. A run with such a figure is wrong, whatever the reason. */
export function impossibilities(all: readonly Seen[], cores: number): string[] {
  return all.flatMap(({ name, connections, perSecond, p50, p99, cpuUs }) => {
    const at = `${name} at ${connections} connections`
    const used = (perSecond * cpuUs) / 1e6
    return [
      ...(perSecond > 0 && p50 > 0 ? [] : [`${at}: nothing was measured`]),
      ...(p99 >= p50 ? [] : [`${at}: p99 ${p99} ms is below p50 ${p50} ms`]),
      ...(used <= cores * tolerance
        ? []
        : [`${at}: ${used.toFixed(2)} cores were used, and the machine has ${cores}`]),
    ]
  })
}

/** Throughput must not collapse with more connections. */
export function collapses(all: readonly Seen[]): string[] {
  return all.flatMap((few) =>
    all
      .filter(({ name, connections }) => name === few.name && connections > few.connections)
      .filter(({ perSecond }) => perSecond < few.perSecond / factor)
      .map(
        (many) =>
          `${few.name}: ${many.perSecond.toFixed(0)}/s at ${many.connections} connections, ` +
          `${few.perSecond.toFixed(0)}/s at ${few.connections}`,
      ),
  )
}

interface Point {
  readonly amount: number
  readonly perSecond: number
}

/** More rows, keys or workspaces cannot make a request faster. */
export function speedUps(of: string, points: readonly Point[]): string[] {
  return points.flatMap((few) =>
    points
      .filter(({ amount }) => amount > few.amount)
      .filter(({ perSecond }) => perSecond > few.perSecond * factor)
      .map(
        (many) =>
          `${many.amount} ${of} are faster than ${few.amount}: ` +
          `${many.perSecond.toFixed(0)}/s, ${few.perSecond.toFixed(0)}/s`,
      ),
  )
}

/** A service that answers all requests of a load must answer all of a lower one. */
const calmLoad = 0.75

interface Offered {
  /** The load, as a part of the most that the service reaches. */
  readonly part: number
  readonly failedPart: number
}

export const earlyFailures = (points: readonly Offered[]): string[] =>
  points
    .filter(({ part, failedPart }) => part < calmLoad && failedPart > 0)
    .map(
      ({ part, failedPart }) =>
        `${(failedPart * 100).toFixed(2)} % failed at ${part * 100} % of the highest load`,
    )
