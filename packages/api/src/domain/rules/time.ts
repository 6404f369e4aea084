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
