/** The figures of projects, period by period. */

import { addDays } from '#domain/rules/time'
import {
  type DailyCounts,
  type ProjectFigures,
  selectLastFigures,
  selectPeriodFigures,
} from '#storage/nouns/daily-figures'
import type { Snapshot } from '#storage/statements/access'

import { joined, noFigures, totalsFrom } from './day-figures.ts'
import type { Known } from './known-days.ts'
import type { Period } from './periods.ts'

/** The figures that a project had before the first period, and those of periods with changes. */
interface Series {
  before: DailyCounts
  readonly changed: Map<number, DailyCounts>
}

export type AllSeries = ReadonlyMap<string, Series>

/** Reads the series of these projects. The whole workspace is the nil project. */
export async function readSeries(
  snapshot: Snapshot,
  projects: readonly string[],
  { periods, known: { closed, live } }: { periods: readonly Period[]; known: Known },
): Promise<AllSeries> {
  const all = new Map<string, Series>(
    projects.map((project) => [project, { before: noFigures, changed: new Map() }]),
  )
  const [first, last] = [periods[0], periods.at(-1)]
  if (first === undefined || last === undefined) return all
  if (closed !== null) {
    const starts = periods.map(({ start }) => start)
    const [before, changed] = await Promise.all([
      selectLastFigures(snapshot, { projects, day: addDays(first.start, -1) }),
      selectPeriodFigures(snapshot, { projects, starts, until: last.end }),
    ])
    for (const { project, figures } of before) setBefore(all, { project, figures })
    for (const { project, period, figures } of changed)
      all.get(project)?.changed.set(period, figures)
  }
  for (const { day, changed } of live) {
    const period = periods.findLastIndex(({ start }) => start <= day)
    for (const each of changed) {
      const series = all.get(each.project)
      if (period < 0) setBefore(all, each)
      else if (day <= last.end)
        series?.changed.set(period, joined(series.changed.get(period), each.figures))
    }
  }
  return all
}

function setBefore(all: AllSeries, { project, figures }: ProjectFigures): void {
  const series = all.get(project)
  if (series) series.before = totalsFrom(figures)
}

/** The figures of each of the first periods. A period without a change keeps those before it. */
export function* figuresOf({ before, changed }: Series, periods: number): Generator<DailyCounts> {
  let levels = before
  for (let period = 0; period < periods; period++) {
    const figures = changed.get(period)
    yield figures ?? levels
    if (figures !== undefined) levels = totalsFrom(figures)
  }
}
