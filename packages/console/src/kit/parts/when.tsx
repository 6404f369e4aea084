import { formatDay } from '#text/dates.ts'
import { daysUntil, formatDue } from '#text/due.ts'
import { t } from '#text/index.ts'

import classes from './parts.module.css'

interface Props {
  /** A day, such as `due_on`. */
  readonly day: string | null
  /** The text if there is no day. */
  readonly missing?: string
  /** The item is closed: a past day is not late. */
  readonly isDone?: boolean
}

/** A due date: what is late is red, what is near is in full ink. */
export function When({ day, missing = t('word.no-date'), isDone = false }: Props) {
  if (day === null) return <span className={classes.unset}>{missing}</span>
  const days = daysUntil(day)
  const state = days < 0 && !isDone ? 'late' : days <= 7 && !isDone ? 'soon' : 'later'
  return (
    <time dateTime={day} title={formatDay(day)} className={classes[state]}>
      {formatDue(day, isDone)}
    </time>
  )
}
