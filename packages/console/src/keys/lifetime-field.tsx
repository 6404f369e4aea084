import { Radio, Stack } from '@mantine/core'
import type { limits } from '@muster/contract'
import type { ReactNode } from 'react'

import { daysFromToday, formatDay, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

// The types hold these to what the service takes.
const longest: typeof limits.keyDays.max = 366
const usual: typeof limits.keyDays.default = 90
const dayMs = 86_400_000

/** The lifetime of a key in days; null for ever. */
type Days = number | null

/** `own`: until the caller's own key ends. The service chooses that when no days are sent. */
export type Life = Days | 'own'

/** What to send as `expires_in_days`. */
export const daysToSend = (life: Life) => (life === 'own' ? {} : { expires_in_days: life })

export interface LifeBounds {
  /** The policy of the workspace: no key lives for more days; null for any. */
  readonly max: number | null
  /** When the caller's own key ends: no key that it makes outlives it; null for never. */
  readonly ownEnd: string | null
}

const never = 'never'
const textOf = (life: Life) => (life === null ? never : String(life))
const lifeIn = (text: string): Life => {
  if (text === never) return null
  return text === 'own' ? text : Number(text)
}

const isLonger = (days: Days, max: number | null) => max !== null && (days === null || days > max)
const outlives = (days: Days, ownEnd: string | null) =>
  ownEnd !== null && (days === null || Date.now() + days * dayMs > Date.parse(ownEnd))

/** The preselected life: the wanted one, shortened to what is possible. */
export function lifeWithin({ max, ownEnd }: LifeBounds, wanted: Days = usual): Life {
  const days = isLonger(wanted, max) ? max : wanted
  return outlives(days, ownEnd) ? 'own' : days
}

interface Props {
  readonly label: string
  readonly bounds: LifeBounds
  readonly value: Life
  readonly onChange: (life: Life) => void
  readonly error: ReactNode
  /** How long the key lived that is replaced. */
  readonly before?: Days
}

/** The usual lives, and the longest ones that the workspace and the caller's own key allow. */
export function LifeField({ label, bounds, value, onChange, error, before }: Props) {
  const { max, ownEnd } = bounds
  const days = [30, usual, longest, max, before].filter((each) => typeof each === 'number')
  const lives: Days[] = [...[...new Set(days)].toSorted((one, other) => one - other), null]
  return (
    <Radio.Group
      label={label}
      description={hintOf(bounds)}
      value={textOf(value)}
      onChange={(text) => onChange(lifeIn(text))}
      error={error}
    >
      <Stack gap="xs" mt="xs">
        {ownEnd !== null && lifeWithin(bounds, before) === 'own' && (
          <Radio value="own" label={t('key.life.own', { until: formatInstant(ownEnd) })} />
        )}
        {lives.map((life) => (
          <Radio
            key={textOf(life)}
            value={textOf(life)}
            label={labelOf(life, before)}
            disabled={isLonger(life, max) || outlives(life, ownEnd)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

function hintOf({ max, ownEnd }: LifeBounds): string {
  const hints = [
    max !== null && t('key.life.bound', { count: max }),
    ownEnd !== null && t('key.life.own.about', { until: formatInstant(ownEnd) }),
  ].filter((hint) => hint !== false)
  return hints.length === 0 ? t('key.life.about') : hints.join(' ')
}

function labelOf(life: Days, before: Days | undefined): string {
  const isSame = life === before
  if (life === null) return t(isSame ? 'key.life.never-again' : 'key.life.never')
  const until = formatDay(daysFromToday(life))
  return t(isSame ? 'key.life.days-again' : 'key.life.days', { count: life, until })
}

/** For how many days a key was made, as the service counts them. */
export function lifeOf(key: { readonly created_at: string; readonly expires_at: string | null }) {
  if (key.expires_at === null) return null
  const ms = Date.parse(key.expires_at) - Date.parse(key.created_at)
  return Math.max(1, Math.round(ms / dayMs))
}
