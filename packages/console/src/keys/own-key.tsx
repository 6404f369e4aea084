import { Alert } from '@mantine/core'
import type { Key } from '@muster/contract'

import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { IconAlertTriangle } from '#ui/icons/index.tsx'
import { expiresSoon } from '#ui/key-expiry.ts'
import { Section } from '#ui/page.tsx'

import { KeyActions } from './key-actions.tsx'
import { KeyFacts } from './key-facts.tsx'

/** The prop is not named `key`, because React reserves that name. */
export function OwnKey({ ownKey }: { readonly ownKey: Key }) {
  return (
    <Section title={t('keys.own')} rightSection={<KeyActions apiKey={ownKey} size="compact-sm" />}>
      <ExpiryNotice apiKey={ownKey} />
      <KeyFacts apiKey={ownKey} />
    </Section>
  )
}

/** A warning before a key expires, with the remedy. */
export function ExpiryNotice({ apiKey: key }: { readonly apiKey: Key }) {
  const { expires_at, replaced_by } = key
  if (expires_at === null || key.status !== 'active') return null
  if (replaced_by === null && !expiresSoon(key)) return null
  const text = replaced_by === null ? 'keys.ends-soon' : 'keys.is-replaced'
  return (
    <Alert
      role="note"
      variant="outline"
      color="orange"
      icon={<IconAlertTriangle />}
      styles={{ label: { color: 'var(--mantine-color-text)' } }}
      title={t(text, { age: formatAge(expires_at) })}
      mb="md"
    >
      {t(`${text}.about`, { instant: formatInstant(expires_at) })}
    </Alert>
  )
}
