import { Radio, Stack } from '@mantine/core'
import type { limits } from '@muster/contract'
import type { ReactNode } from 'react'

import { daysFromToday, formatDay, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

// The types keep these equal to the limits of the contract.
const keyDaysMax: typeof limits.keyDays.max = 366
const keyDaysDefault: typeof limits.keyDays.default = 90
const dayMs = 86_400_000

/** The lifetime of a key in days; null if it does not expire. */
type Days = number | null

/** `own`: until the caller's own key expires. The service applies it if no days are sent. */
export type Lifetime = Days | 'own'

/** The part of the request body that sets the lifetime. */
export const lifetimeBody = (lifetime: Lifetime) =>
  lifetime === 'own' ? {} : { expires_in_days: lifetime }

export interface LifetimeBounds {
  /** The policy of the workspace: the maximum lifetime in days; null for no maximum. */
  readonly max: number | null
  /** The expiry of the caller's own key, which a new key cannot outlive; null for no expiry. */
  readonly ownEnd: string | null
}

const never = 'never'
const toValue = (lifetime: Lifetime) => (lifetime === null ? never : String(lifetime))
const parseLifetime = (text: string): Lifetime => {
  if (text === never) return null
  return text === 'own' ? text : Number(text)
}

const isLonger = (days: Days, max: number | null) => max !== null && (days === null || days > max)
const outlives = (days: Days, ownEnd: string | null) =>
  ownEnd !== null && (days === null || Date.now() + days * dayMs > Date.parse(ownEnd))

/** The preselected lifetime: the wanted one, limited by the bounds. */
export function allowedLifetime(
  { max, ownEnd }: LifetimeBounds,
  wanted: Days = keyDaysDefault,
): Lifetime {
  const days = isLonger(wanted, max) ? max : wanted
  return outlives(days, ownEnd) ? 'own' : days
}

interface Props {
  readonly label: string
  readonly bounds: LifetimeBounds
  readonly value: Lifetime
  readonly onChange: (lifetime: Lifetime) => void
  readonly error?: ReactNode
  /** The lifetime of the key that is replaced. */
  readonly before?: Days
}

/** Offers common lifetimes and the longest that the policy and the caller's own key allow. */
export function LifetimeField({ label, bounds, value, onChange, error, before }: Props) {
  const { max, ownEnd } = bounds
  const days = [30, keyDaysDefault, keyDaysMax, max, before].filter(
    (each) => typeof each === 'number',
  )
  // A rotation keeps at most the lifetime of the old key.
  const lifetimes = [...[...new Set(days)].toSorted((a, b) => a - b), null].filter(
    (each: Days) => !isLonger(each, before ?? null),
  )
  return (
    <Radio.Group
      label={label}
      description={boundsHint(bounds)}
      value={toValue(value)}
      onChange={(text) => onChange(parseLifetime(text))}
      error={error}
    >
      <Stack gap="sm" mt="xs">
        {ownEnd !== null && allowedLifetime(bounds, before) === 'own' && (
          <Radio value="own" label={t('key.life.own', { until: formatInstant(ownEnd) })} />
        )}
        {lifetimes.map((lifetime) => (
          <Radio
            key={toValue(lifetime)}
            value={toValue(lifetime)}
            label={lifetimeLabel(lifetime, before)}
            disabled={isLonger(lifetime, max) || outlives(lifetime, ownEnd)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

function boundsHint({ max, ownEnd }: LifetimeBounds): string {
  const hints = [
    max !== null && t('key.life.bound', { count: max }),
    ownEnd !== null && t('key.life.own.about', { until: formatInstant(ownEnd) }),
  ].filter((hint) => hint !== false)
  return hints.length === 0 ? t('key.life.about') : hints.join(' ')
}

function lifetimeLabel(lifetime: Days, before: Days | undefined): string {
  const isSame = lifetime === before
  if (lifetime === null) return t(isSame ? 'key.life.never-again' : 'word.never')
  const until = formatDay(daysFromToday(lifetime))
  return t(isSame ? 'key.life.days-again' : 'key.life.days', { count: lifetime, until })
}

/** The lifetime at creation in days, as the service counts them. */
export function lifetimeDays(key: {
  readonly created_at: string
  readonly expires_at: string | null
}) {
  if (key.expires_at === null) return null
  const ms = Date.parse(key.expires_at) - Date.parse(key.created_at)
  return Math.max(1, Math.round(ms / dayMs))
}
