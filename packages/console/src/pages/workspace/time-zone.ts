import { hourCycle, locale, t } from '#text/index.ts'

/** The current time in the zone; a dash if the browser does not know the zone. */
export function currentTimeIn(timeZone: string): string {
  try {
    const clock = new Intl.DateTimeFormat(locale, {
      weekday: 'short',
      hour: 'numeric',
      minute: '2-digit',
      hourCycle,
      timeZone,
    })
    return clock.format(new Date())
  } catch {
    return t('value.none')
  }
}
