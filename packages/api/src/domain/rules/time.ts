const form = /^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/

/** Whether this names a time zone of the IANA database; a mere offset does not. */
export function isTimeZone(name: string): boolean {
  if (!form.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const units = { days: 86_400_000, hours: 3_600_000, seconds: 1000 }

/** An instant so much later than another; earlier, with a negative number. */
export const later = (instant: string, count: number, unit: keyof typeof units) =>
  new Date(Date.parse(instant) + count * units[unit]).toISOString()
