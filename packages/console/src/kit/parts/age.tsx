import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

/** The age of an instant, with the instant as a tooltip; a dash for none. */
export function Age({ at }: { readonly at: string | null }) {
  if (at === null) return t('value.none')
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatAge(at)}
    </time>
  )
}
