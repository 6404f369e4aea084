/** The days whose figures are known: those that are closed, and those after them until now. */

import { endOfDay } from '#domain/engine/points'
import { addDays } from '#domain/rules/time'
import type { DayFigures } from '#storage/nouns/daily-figures'
import { type ClosedDay, selectFirstDay, selectLastDay } from '#storage/nouns/days'
import type { Moment } from '#storage/numbers/moment'
import type { Snapshot } from '#storage/statements/access'

import { dayAfter, DayWalk } from './day-walk.ts'

/** What is counted when it is read. If the sweep is further behind, its days are missing. */
const live = { writes: 20_000, days: 400 }

interface LiveDay extends DayFigures {
  readonly lastSeq: number
}

export interface Known {
  /** The day of the first change of the workspace. */
  readonly first: string
  /** The last closed day; null before the first sweep. */
  readonly closed: ClosedDay | null
  /** The days after it, the last one until now. */
  readonly live: readonly LiveDay[]
}

export async function readKnownDays(
  snapshot: Snapshot,
  { today, timeZone }: Pick<Moment, 'today' | 'timeZone'>,
): Promise<Known> {
  const [closed, first, { seq: through }] = await Promise.all([
    selectLastDay(snapshot),
    selectFirstDay(snapshot, timeZone),
    snapshot.counters,
  ])
  const known = { first: first ?? today, closed }
  const start = closed === null ? known.first : addDays(closed.day, 1)
  const isBehind =
    through - (closed?.lastSeq ?? 0) > live.writes || addDays(start, live.days) < today
  if (start > today || isBehind) return { ...known, live: [] }
  const walk = await DayWalk.after(snapshot, closed, { until: today, through })
  const days: LiveDay[] = []
  let end = closed
  for (let day = start; day <= today; day = addDays(day, 1)) {
    end =
      day === today
        ? { day, endsAt: endOfDay(day, timeZone), lastSeq: through }
        : await dayAfter(snapshot, end, { day, timeZone, through })
    const { changed } = await walk.next(snapshot, end)
    days.push({ day, lastSeq: end.lastSeq, changed })
  }
  return { ...known, live: days }
}
