const pattern = /^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/

/** Whether the name is an IANA time zone. Offsets such as `+02:00` are not. */
export function isTimeZone(name: string): boolean {
  if (!pattern.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const units = { days: 86_400_000, hours: 3_600_000, seconds: 1000, milliseconds: 1 }

/** Adds a duration to an instant. A negative count subtracts. */
export const later = (instant: string, count: number, unit: keyof typeof units) =>
  new Date(Date.parse(instant) + count * units[unit]).toISOString()

/** The day that many days after another one. */
export const addDays = (day: string, count: number): string =>
  later(`${day}T00:00:00.000Z`, count, 'days').slice(0, 10)

/**
 * A time with any offset, in UTC with milliseconds; of a day, its start in the time zone. Null if
 * there is no such day or time.
 */
export function canonicalTime(text: string, timeZone: string): string | null {
  const day = text.slice(0, 10)
  // `Date` takes 30 February for a day in March.
  if (startOfDayInUtc(day)?.slice(0, 10) !== day) return null
  if (text.length === day.length) return startOfDay(day, timeZone)
  return instantIn(text.toUpperCase())
}

const startOfDayInUtc = (day: string) => instantIn(`${day}T00:00:00Z`)

function instantIn(text: string): string | null {
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

/**
 * The first instant of a day in a time zone. Where the clock goes back over midnight, midnight is
 * twice, and the first one counts. Where it goes forward over midnight, the day begins then.
 */
function startOfDay(day: string, timeZone: string): string {
  const clock = clockIn(timeZone)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const before = offsetAt(clock, midnight - units.days)
  const after = offsetAt(clock, midnight + units.days)
  const starts = [midnight - before, midnight - after].filter(
    (time) => time + offsetAt(clock, time) === midnight,
  )
  return new Date(starts.length > 0 ? Math.min(...starts) : midnight - before).toISOString()
}

/** The clock of the zone that was asked for last. Creating one takes longer than all else here. */
let lastClock: { readonly timeZone: string; readonly clock: Intl.DateTimeFormat } | null = null

function clockIn(timeZone: string): Intl.DateTimeFormat {
  if (lastClock?.timeZone !== timeZone) {
    const clock = new Intl.DateTimeFormat('en', {
      // PostgreSQL can know a zone that Node does not.
      timeZone: isTimeZone(timeZone) ? timeZone : 'UTC',
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    lastClock = { timeZone, clock }
  }
  return lastClock.clock
}

/** What a clock in the zone is ahead of UTC, in milliseconds. */
function offsetAt(clock: Intl.DateTimeFormat, time: number): number {
  const parts = new Map(clock.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
  const [year = 0, month = 1, ...rest] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((type) => parts.get(type) ?? 0)
  return Date.UTC(year, month - 1, ...rest) - time
}
