import { useSearch } from '@tanstack/react-router'

import type { Search } from '#data/search.ts'
import type { ChangesInterval } from '#nouns/changes/queries.ts'
import { daysFromToday, formatDay, formatInstant, today } from '#text/dates.ts'
import { t } from '#text/index.ts'

const usualDays = 28

/** The address: both points, and what to look at between them. */
export function useInterval(): ChangesInterval {
  const { since, until, project_id, owner_user_id } = useSearch({ strict: false }) as Search
  return {
    since: since ?? daysFromToday(-usualDays),
    ...(until !== undefined && { until }),
    ...(project_id !== undefined && { project_id: project_id.split(',') }),
    ...(owner_user_id !== undefined && { owner_user_id: owner_user_id.split(',') }),
  }
}

/** The point as search parameters again. */
export const toSearch = ({ since, until, project_id, owner_user_id }: ChangesInterval): Search => ({
  since,
  ...(until !== undefined && { until }),
  ...(project_id && { project_id: project_id.join(',') }),
  ...(owner_user_id && { owner_user_id: owner_user_id.join(',') }),
})

export const isDay = (point: string) => /^\d{4}-\d\d-\d\d$/.test(point)

/** A point as people say it: a day, a moment, or the number of a change. */
export function pointName(point: string): string {
  if (isDay(point)) return formatDay(point)
  if (/^\d+$/.test(point)) return t('changes.until.number', { number: Number(point) })
  return Number.isNaN(Date.parse(point)) ? point : formatInstant(point)
}

export const nowName = () => formatInstant(new Date().toISOString())

/** The days between a point and another; null if one of them is a number. */
export function daysBetween(since: string, until: string | undefined): number | null {
  const [from, to] = [Date.parse(since), until === undefined ? Date.now() : Date.parse(until)]
  const hasNumber = [since, until ?? ''].some((point) => /^\d+$/.test(point))
  return hasNumber || Number.isNaN(to - from)
    ? null
    : Math.max(0, Math.floor((to - from) / 86_400_000))
}

export interface Preset {
  readonly value: string
  readonly text: string
}

/** The days that people choose most. The last visit is that of a person. */
export function presets(visit: string | null): readonly Preset[] {
  const month = `${today().slice(0, 7)}-01`
  const quarter = `${today().slice(0, 4)}-${quarterMonth()}-01`
  const of = (key: 'week' | 'weeks' | 'month' | 'quarter', value: string) => ({
    value,
    text: t(`changes.preset.${key}`, { day: formatDay(value) }),
  })
  const days = [
    of('week', daysFromToday(-7)),
    of('weeks', daysFromToday(-usualDays)),
    of('month', month),
    of('quarter', quarter),
  ]
  if (visit === null) return days
  return [{ value: visit, text: t('changes.preset.visit', { day: formatInstant(visit) }) }, ...days]
}

function quarterMonth(): string {
  const month = Number(today().slice(5, 7))
  return String(month - ((month - 1) % 3)).padStart(2, '0')
}
