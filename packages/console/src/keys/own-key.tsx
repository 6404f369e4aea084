import { Alert } from '@mantine/core'
import type { Key } from '@muster/contract'
import { IconAlertTriangle } from '@tabler/icons-react'

import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { endsSoon } from '#ui/ending.ts'
import { Section } from '#ui/page.tsx'

import { KeyActions } from './key-actions.tsx'
import { KeyFacts } from './key-facts.tsx'

/** Named otherwise than `key`, which React keeps for itself. */
export function OwnKey({ ownKey }: { readonly ownKey: Key }) {
  return (
    <Section title={t('keys.own')} beside={<KeyActions of={ownKey} size="compact-sm" />}>
      <Ending of={ownKey} />
      <KeyFacts of={ownKey} />
    </Section>
  )
}

/** Said in time, and with what to do about it. */
export function Ending({ of: key }: { readonly of: Key }) {
  const { expires_at, replaced_by } = key
  if (expires_at === null || key.status !== 'active') return null
  if (replaced_by === null && !endsSoon(key)) return null
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
