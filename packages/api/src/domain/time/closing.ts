/** Closed days: the sweep after midnight keeps the figures of every day that has ended. */

import { addDays } from '#domain/rules/time'
import { type DayFigures, insertFigures } from '#storage/nouns/daily-figures'
import {
  type ClosedDay,
  insertDays,
  lockDays,
  type NewDay,
  selectFirstDay,
  selectLastDay,
} from '#storage/nouns/days'
import { selectCounters } from '#storage/numbers/counters'
import { selectMoment } from '#storage/numbers/moment'
import type { Read } from '#storage/statements/access'
import type { Database } from '#storage/transaction/database'

import { dayAfter, DayWalk } from './day-walk.ts'

/** A batch ends with the day that reaches one of these. Most days change nothing. */
const most = { days: 500, rows: 2000, writes: 5000 }

/** Days that are read and not written yet. */
interface Batch {
  readonly walk: DayWalk
  /** The last closed day before the batch. */
  readonly start: ClosedDay | null
  readonly days: readonly NewDay[]
  readonly figures: readonly DayFigures[]
}

/**
 * Closes the days that have ended in the time zone of the workspace: the past from the first event
 * on, once, and then each day. Days without a sweep are closed by the next one. A closed day never
 * changes. Returns false if it was interrupted: the next sweep continues.
 */
export async function closeDays(
  database: Database,
  workspaceId: string,
  signal?: AbortSignal,
): Promise<boolean> {
  let last: Batch | null = null
  for (;;) {
    if (signal?.aborted) return false
    const batch: Batch | null = await nextBatch(database, workspaceId, last)
    if (batch === null) return true
    const write = (read: Read) => writeBatch(read, batch)
    const isOurs: boolean = await database.writeUnnumbered({ workspaceId }, write)
    // Another sweep has closed some of these days: go on after them.
    last = isOurs ? batch : null
  }
}

const nextBatch = (
  database: Database,
  workspaceId: string,
  last: Batch | null,
): Promise<Batch | null> =>
  database.read({ workspaceId }, async (read) => {
    const { today, timeZone } = await selectMoment(read, database.givenTime)
    const start = last?.days.at(-1) ?? (await selectLastDay(read))
    const first = start === null ? await selectFirstDay(read, timeZone) : addDays(start.day, 1)
    if (first === null || first >= today) return null
    const { seq: through } = await selectCounters(read)
    const walk = last?.walk ?? (await DayWalk.after(read, start, { until: today, through }))
    return readBatch(read, { walk, start }, { first, today, timeZone, through })
  })

interface Ended {
  readonly first: string
  readonly today: string
  readonly timeZone: string
  readonly through: number
}

async function readBatch(
  read: Read,
  { walk, start }: Pick<Batch, 'walk' | 'start'>,
  { first, today, ...present }: Ended,
): Promise<Batch> {
  const days: NewDay[] = []
  const figures: DayFigures[] = []
  let rows = 0
  let end = start
  for (let day = first; day < today && days.length < most.days; day = addDays(day, 1)) {
    end = await dayAfter(read, end, { day, ...present })
    const { changed, hasTaskFigures } = await walk.next(read, end)
    days.push({ ...end, hasTaskFigures })
    figures.push({ day, changed })
    rows += changed.length
    if (rows >= most.rows || end.lastSeq - (start?.lastSeq ?? 0) >= most.writes) break
  }
  return { walk, start, days, figures }
}

/** Writes nothing and returns false if the batch does not follow the last closed day. */
async function writeBatch(read: Read, { start, days, figures }: Batch): Promise<boolean> {
  await lockDays(read)
  const last = await selectLastDay(read)
  if (last?.day !== start?.day) return false
  await insertDays(read, days)
  await insertFigures(read, figures)
  return true
}
