/** The times that a new risk, issue or task can bring with it, as another register has them. */

import type { InvalidField } from '#domain/engine/failure'
import { refuseErrors } from '#domain/engine/new-rows'
import { canonicalTime } from '#domain/rules/time'
import type { Write } from '#storage/statements/access'

/** In the order in which they happen. */
const dateFields = [
  'identified_at',
  'opened_at',
  'last_reviewed_at',
  'closed_at',
  'completed_at',
] as const

type DateField = (typeof dateFields)[number]
export type Dated = { readonly [K in DateField]?: string | null | undefined }

/**
 * The row with its times as the service stores them: in UTC with milliseconds. A day is its start
 * in the time zone of the workspace. A row that changes a record is compared in this form.
 */
export function canonicalDates<R extends Dated>(row: R, { timeZone }: Pick<Write, 'timeZone'>): R {
  const canonical: Record<string, string> = {}
  const errors: InvalidField[] = []
  for (const field of dateFields) {
    const text = row[field]
    if (text === undefined || text === null) continue
    const time = canonicalTime(text, timeZone)
    if (time === null) errors.push({ pointer: `/${field}`, code: 'wrong_form', detail: wrongForm })
    else canonical[field] = time
  }
  refuseErrors(errors)
  return { ...row, ...canonical }
}

/**
 * The row without times that are null. Such a row takes the time of the write when it creates a
 * record, so that it says nothing about the record when it is sent again.
 */
export function withoutEmptyDates<R extends Dated>(row: R): R {
  const isEmpty = (name: string) => dateFields.some((field) => field === name && !row[field])
  // The cast holds because all times are optional.
  return Object.fromEntries(Object.entries(row).filter(([name]) => !isEmpty(name))) as R
}

const wrongForm = 'must be a date, as 2026-11-18, or a time, as 2026-11-18T09:30:00+01:00'

type Clock = Pick<Write, 'now' | 'timeZone'>

interface Closable<Reason> extends Dated {
  readonly status?: string
  readonly close_reason?: Reason | null
  readonly close_note?: string | null
}

/**
 * The times of a new risk or issue, and how it was closed. `start` is the field with its first
 * time, whose default is now.
 */
export function datesOfNewItem<Reason>(
  input: Closable<Reason>,
  clock: Clock,
  start: 'identified_at' | 'opened_at',
) {
  const dates = canonicalDates(input, clock)
  const isClosed = dates.status === 'closed'
  const closing = {
    closed_at: dates.closed_at ?? null,
    close_reason: dates.close_reason ?? null,
    close_note: dates.close_note ?? null,
  }
  refuseErrors([
    ...timeErrors(dates, { now: clock.now, start }),
    ...(isClosed ? missingReason(closing) : needlessFields(closing, 'closed')),
  ])
  return {
    /** Null for now. */
    startedAt: dates[start] ?? null,
    lastReviewedAt: dates.last_reviewed_at ?? null,
    closing: isClosed ? { ...closing, closed_at: closing.closed_at ?? clock.now } : closing,
  }
}

interface Completed extends Dated {
  readonly status: string
}

/** When a new task was completed. The default is now for a task that is done. */
export function completionOfNewTask(input: Completed, clock: Clock): string | null {
  const { status, completed_at = null } = canonicalDates(input, clock)
  const isDone = status === 'done'
  refuseErrors([
    ...timeErrors({ completed_at }, { now: clock.now, start: null }),
    ...(isDone ? [] : needlessFields({ completed_at }, 'done')),
  ])
  return isDone ? (completed_at ?? clock.now) : null
}

interface Bounds {
  readonly now: string
  readonly start: DateField | null
}

/** Canonical times compare as texts. */
function timeErrors(dates: Dated, { now, start }: Bounds): InvalidField[] {
  const times = dateFields.flatMap((field) => {
    const time = dates[field] ?? null
    return time === null ? [] : [{ field, time }]
  })
  const outside = times.flatMap(({ field, time }) => {
    if (time > now) return fieldError(field, 'in_the_future', 'must not be in the future')
    if (time < epoch) return fieldError(field, 'too_early', `must not be before ${epoch}`)
    return []
  })
  if (outside.length > 0) return outside
  const [first] = times
  if (start !== null && first && first.field !== start && first.time < now)
    return fieldError(start, 'required', `is required with a ${first.field} in the past`)
  return times.slice(1).flatMap(({ field, time }, index) => {
    const before = times[index]
    const isInOrder = before === undefined || before.time <= time
    return isInOrder ? [] : fieldError(field, 'out_of_order', `must not be before ${before.field}`)
  })
}

const epoch = '1970-01-01T00:00:00.000Z'

const fieldError = (field: string, code: string, detail: string): InvalidField[] => [
  { pointer: `/${field}`, code, detail },
]

const missingReason = ({ close_reason }: { readonly close_reason: unknown }) =>
  close_reason === null
    ? fieldError('close_reason', 'required', 'is required with the status closed')
    : []

/** The values that need another status. */
const needlessFields = (values: object, status: string): InvalidField[] =>
  Object.entries(values)
    .filter(([, value]) => value !== null)
    .flatMap(([field]) =>
      fieldError(field, 'contradiction', `is allowed only with the status ${status}`),
    )
