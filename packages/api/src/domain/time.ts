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
