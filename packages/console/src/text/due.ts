import { today } from './dates.ts'
import { locale, t } from './index.ts'

const dayMs = 86_400_000
const toTime = (day: string) => Date.parse(`${day}T00:00:00Z`)

/** The number of days from today; negative for a day in the past. */
export const daysUntil = (day: string) => Math.round((toTime(day) - toTime(today())) / dayMs)

const utc = { timeZone: 'UTC' } as const
const near = new Intl.DateTimeFormat(locale, {
  ...utc,
  weekday: 'short',
  day: 'numeric',
  month: 'short',
})
const inYear = new Intl.DateTimeFormat(locale, { ...utc, day: 'numeric', month: 'short' })
const otherYear = new Intl.DateTimeFormat(locale, {
  ...utc,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/** The date, without the year if it is this one. */
export const formatNearDay = (day: string) =>
  (day.startsWith(today().slice(0, 4)) ? inYear : otherYear).format(toTime(day))

/** “11d overdue”, “Today”, “Tomorrow”, a weekday within seven days, else the date. */
export function formatDue(day: string, isDone = false): string {
  const days = daysUntil(day)
  if (days < 0 && !isDone) return t('due.overdue', { count: -days })
  if (days === 0) return t('due.today')
  if (days === 1) return t('due.tomorrow')
  const date = new Date(toTime(day))
  if (days > 1 && days <= 7) return near.format(date)
  return day.slice(0, 4) === today().slice(0, 4) ? inYear.format(date) : otherYear.format(date)
}

/** An age in short: “13d”, “4 mo”, “2 y”. */
export function formatShortAge(instant: string, now = Date.now()): string {
  const days = Math.max(0, Math.round((now - Date.parse(instant)) / dayMs))
  if (days < 60) return t('age.days', { count: days })
  if (days < 730) return t('age.months', { count: Math.round(days / 30.44) })
  return t('age.years', { count: Math.round(days / 365.25) })
}
