import { hourCycle, locale } from './index.ts'

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat(locale, {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle,
})
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle })
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const longDay = new Intl.DateTimeFormat(locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

const dayMs = 86_400_000

/** Formats a date without a time, such as `due_on`: the same day in every time zone. */
export const formatDay = (date: string) => day.format(new Date(`${date}T00:00:00Z`))

/** Formats an instant in the time zone of the browser. */
export const formatInstant = (instant: string) => moment.format(new Date(instant))

/** The time of day of an instant, to the second. */
export const formatTime = (instant: string) => clock.format(new Date(instant))

/** The day of an instant with its weekday, in the time zone of the browser. */
export const formatLongDay = (instant: string) => longDay.format(new Date(instant))

/** Today with its weekday, in the time zone of the browser. */
export const formatToday = () => weekday.format(new Date())

/** Formats an age in minutes, hours, days, months or years. */
export function formatAge(instant: string, now = Date.now()): string {
  const ms = Date.parse(instant) - now
  const days = Math.round(ms / dayMs)
  if (Math.abs(ms) < 3_600_000) return relative.format(Math.round(ms / 60_000), 'minute')
  if (Math.abs(ms) < dayMs) return relative.format(Math.round(ms / 3_600_000), 'hour')
  if (Math.abs(days) < 60) return relative.format(days, 'day')
  if (Math.abs(days) < 730) return relative.format(Math.round(days / 30.44), 'month')
  return relative.format(Math.round(days / 365.25), 'year')
}

/** Today's date in the time zone of the browser. */
export function today(): string {
  const now = new Date()
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 10)
}

/** The date `days` days from today. */
export function daysFromToday(days: number): string {
  return new Date(Date.parse(`${today()}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}
