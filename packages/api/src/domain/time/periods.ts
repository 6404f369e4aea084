/** The periods of an interval of days. */

import { limits, type trendSteps } from '@muster/contract'

import { Failure } from '#domain/engine/failure'
import { addDays } from '#domain/rules/time'

export interface Period {
  readonly start: string
  readonly end: string
}

type Step = (typeof trendSteps)[number]

const nextStart: Readonly<Record<Step, (day: string) => string>> = {
  day: (day) => addDays(day, 1),
  week: (day) => addDays(day, 7 - ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7)),
  month: (day) => `${addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`,
}

/** The first and the last period can be shorter: they end with the interval. */
export function periodsIn({ from, to, step }: { from: string; to: string; step: Step }): Period[] {
  const periods: Period[] = []
  for (let start = from; start <= to;) {
    if (periods.length === limits.trendPointsMax) throw tooMany(step)
    const next = nextStart[step](start)
    periods.push({ start, end: next > to ? to : addDays(next, -1) })
    start = next
  }
  return periods
}

function tooMany(step: Step): Failure {
  const advice = step === 'month' ? 'Use a later `from`' : 'Use a longer `step`, or a later `from`'
  const detail = `A trend has at most ${limits.trendPointsMax} points. ${advice}.`
  return new Failure('invalid_parameter', detail, { parameter: 'from' })
}
