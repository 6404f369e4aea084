import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'

import { useWhoami } from '#data/whoami.ts'
import { useShortcuts } from '#kit/keyboard/shortcuts.ts'
import type { ChangesInterval } from '#nouns/changes/queries.ts'
import { today } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { isDay, pointName, presets, toSearch } from './interval.ts'

import classes from './changes-page.module.css'

interface Props {
  readonly interval: ChangesInterval
  /** The rest of the address. */
  readonly search: Readonly<Record<string, string>>
}

/** Both points: a day that people choose often, or any other. */
export function IntervalFields({ interval, search }: Props) {
  const { previous_visit_at: visit, workspace } = useWhoami()
  const navigate = useNavigate()
  const first = useRef<HTMLSelectElement>(null)
  useShortcuts({ v: () => first.current?.focus() })
  const offered = presets(visit)
  const { since, until } = interval
  const isOffered = offered.some(({ value }) => value === since)
  const change = (points: { readonly since?: string; readonly until?: string | undefined }) => {
    const { until: _, ...rest } = { ...search, ...toSearch(interval) }
    const next = { until, ...points }
    void navigate({
      to: '/changes',
      search: {
        ...rest,
        ...(next.since && { since: next.since }),
        ...(next.until && { until: next.until }),
      },
    })
  }
  return (
    <div className={classes.interval} title={t('changes.zone', { zone: workspace.time_zone })}>
      <select
        ref={first}
        aria-label={t('changes.preset')}
        value={since}
        onChange={({ currentTarget }) => change({ since: currentTarget.value })}
      >
        {!isOffered && (
          <option value={since}>
            {isDay(since) ? t('changes.preset.other') : pointName(since)}
          </option>
        )}
        {offered.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <DayField
        name={t('changes.since')}
        value={since}
        onChange={(day) => day !== '' && change({ since: day })}
      />
      <DayField
        name={t('changes.until')}
        value={until ?? ''}
        onChange={(day) => change({ until: day === '' ? undefined : day })}
      />
    </div>
  )
}

interface DayProps {
  readonly name: string
  readonly value: string
  readonly onChange: (day: string) => void
}

/** A field of the browser: it is typed, and has a calendar of its own. */
const DayField = ({ name, value, onChange }: DayProps) => (
  <label>
    {name}{' '}
    <input
      type="date"
      max={today()}
      value={isDay(value) ? value : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  </label>
)
