import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

/** The age of an instant, with the instant as a tooltip; a dash for none. */
export function Age({ at }: { readonly at: string | null }) {
  return at === null ? t('value.none') : <span title={formatInstant(at)}>{formatAge(at)}</span>
}
