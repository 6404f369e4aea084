import { Radio, Stack } from '@mantine/core'
import type { limits } from '@muster/contract'
import type { ReactNode } from 'react'

import { daysFromToday, formatDay } from '#text/dates.ts'
import { t } from '#text/index.ts'

// The types hold these to what the service takes.
const longest: typeof limits.keyDays.max = 366
const usual: typeof limits.keyDays.default = 90

/** For how many days a key will live; null for ever. */
export type Life = number | null

const never = 'never'
const textOf = (life: Life) => (life === null ? never : String(life))

const isWithin = (life: Life, max: number | null) => max === null || (life !== null && life <= max)

/** What whoever chooses nothing gets, as in the API. */
export const lifeWithin = (max: number | null): Life => Math.min(usual, max ?? usual)

interface Props {
  readonly label: string
  /** The policy of the workspace: no key lives for more days; null for any. */
  readonly max: number | null
  readonly value: Life
  readonly onChange: (life: Life) => void
  readonly error: ReactNode
  /** How long the key lived that is replaced. */
  readonly before?: Life
}

/** The lives that are usual, and the longest that the workspace allows. */
export function LifeField({ label, max, value, onChange, error, before }: Props) {
  const days = [30, usual, longest, max, before].filter((each) => typeof each === 'number')
  const lives: Life[] = [...[...new Set(days)].toSorted((one, other) => one - other), null]
  return (
    <Radio.Group
      label={label}
      description={t(max === null ? 'key.life.about' : 'key.life.bound', { count: max ?? 0 })}
      value={textOf(value)}
      onChange={(text) => onChange(text === never ? null : Number(text))}
      error={error}
    >
      <Stack gap="xs" mt="xs">
        {lives.map((life) => (
          <Radio
            key={textOf(life)}
            value={textOf(life)}
            label={labelOf(life, before)}
            disabled={!isWithin(life, max)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

function labelOf(life: Life, before: Life | undefined): string {
  const isSame = life === before
  if (life === null) return t(isSame ? 'key.life.never-again' : 'key.life.never')
  const until = formatDay(daysFromToday(life))
  return t(isSame ? 'key.life.days-again' : 'key.life.days', { count: life, until })
}

/** For how many days a key was made, as the service counts them. */
export function lifeOf(key: { readonly created_at: string; readonly expires_at: string | null }) {
  if (key.expires_at === null) return null
  const ms = Date.parse(key.expires_at) - Date.parse(key.created_at)
  return Math.max(1, Math.round(ms / 86_400_000))
}
