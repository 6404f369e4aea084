import { locale, t } from '#text/index.ts'

/** What the clock shows there now; a zone that this browser does not know has none to show. */
export function timeIn(timeZone: string): string {
  try {
    const clock = new Intl.DateTimeFormat(locale, {
      weekday: 'short',
      hour: 'numeric',
      minute: '2-digit',
      timeZone,
    })
    return clock.format(new Date())
  } catch {
    return t('value.none')
  }
}
