import type { Key } from '@muster/contract'

import { expiresSoon } from '#data/key-expiry.ts'
import { RecordNotice } from '#kit/record/record-page.tsx'
import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

/** A warning before a key expires, with the remedy. */
export function ExpiryNotice({ apiKey: key }: { readonly apiKey: Key }) {
  const { expires_at, replaced_by } = key
  if (expires_at === null || key.status !== 'active') return null
  if (replaced_by === null && !expiresSoon(key)) return null
  const text = replaced_by === null ? 'keys.ends-soon' : 'keys.is-replaced'
  return (
    <RecordNotice kind="alarm">
      <b>{t(text, { age: formatAge(expires_at) })}</b>{' '}
      {t(`${text}.about`, { instant: formatInstant(expires_at) })}
    </RecordNotice>
  )
}
