/** Points in time: each is resolved once, to a sequence number. */

import { canonicalTime, later } from '#domain/rules/time'
import { instantOf, type Moment, selectMoment } from '#storage/numbers/moment'
import { selectDayEnd, selectNumberAt } from '#storage/numbers/points'
import type { Snapshot } from '#storage/statements/access'

import type { Caller } from './caller.ts'
import { Failure } from './failure.ts'

/** A parameter that names a point, and which end of a date it means. */
export interface GivenPoint {
  readonly parameter: string
  readonly text: string
  readonly edge: 'beginning' | 'end'
}

/** Resolves points in one snapshot, in their order. */
export const resolvePoints = (
  caller: Caller<never>,
  points: readonly GivenPoint[],
): Promise<number[]> =>
  caller.database.snapshot(caller, (snapshot) =>
    Promise.all(points.map((point) => resolvePoint(caller, snapshot, point))),
  )

const dayLength = 10

/**
 * The number of the last change up to a point. A date that is not over yet ends now. Refuses what
 * is in the future.
 */
export async function resolvePoint(
  { database }: Pick<Caller<never>, 'database'>,
  snapshot: Snapshot,
  point: GivenPoint,
): Promise<number> {
  const { text } = point
  const { seq: through } = await snapshot.counters
  if (/^\d{1,16}$/.test(text)) {
    const seq = Number(text)
    if (seq > through) throw unknown(point, `The last change is ${through}`)
    return seq
  }
  const moment = await selectMoment(snapshot, database.givenTime)
  if (text.length === dayLength) return resolveDay(snapshot, point, { through, moment })
  const instant = canonicalTime(text, moment.timeZone)
  const now = instantOf(moment)
  if (instant === null) throw unknown(point, 'There is no such time')
  if (instant > now) throw unknown(point, `It is ${now}`)
  return selectNumberAt(snapshot, { instant, through })
}

interface Present {
  readonly through: number
  readonly moment: Moment
}

async function resolveDay(
  snapshot: Snapshot,
  point: GivenPoint,
  { through, moment: { today, timeZone } }: Present,
): Promise<number> {
  const { text: day, edge } = point
  const start = canonicalTime(day, timeZone)
  if (start === null) throw unknown(point, 'There is no such day')
  if (day > today) throw unknown(point, `It is ${today}`)
  // The beginning of a day is the end of the day before.
  const closed = edge === 'end' ? day : dayBefore(day)
  if (closed >= today) return through
  const last = await selectDayEnd(snapshot, closed)
  if (last !== null) return Math.min(last, through)
  const end = edge === 'end' ? endOfDay(day, timeZone) : start
  return selectNumberAt(snapshot, { instant: beforeOf(end), through })
}

const dayBefore = (day: string) => later(`${day}T00:00:00.000Z`, -1, 'days').slice(0, dayLength)
const dayAfter = (day: string) => later(`${day}T00:00:00.000Z`, 1, 'days').slice(0, dayLength)

/** The first instant after a day. */
export const endOfDay = (day: string, timeZone: string): string =>
  canonicalTime(dayAfter(day), timeZone) ?? `${dayAfter(day)}T00:00:00.000Z`

/** A write at the first instant of the next day is of that day. */
const beforeOf = (instant: string) => later(instant, -1, 'milliseconds')

const unknown = ({ parameter, text }: GivenPoint, reason: string) =>
  new Failure('unknown_point', `\`${parameter}=${text}\` is not a past point. ${reason}.`, {
    parameter,
  })
