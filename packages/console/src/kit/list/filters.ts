import { useNavigate, useSearch } from '@tanstack/react-router'

import type { Search } from '#data/search.ts'

export interface Filters {
  /** The search parameters of the URL, with the names that the API uses. */
  readonly values: Search
  readonly getAll: (name: string) => string[]
  /** Sets values; null or an empty value removes the filter. */
  readonly set: (changes: Readonly<Record<string, string | readonly string[] | null>>) => void
  /** Sets the filter, or removes it if it has exactly these values. */
  readonly toggle: (changes: Readonly<Record<string, string>>) => void
  readonly isSet: (changes: Readonly<Record<string, string>>) => boolean
  readonly clear: () => void
  readonly count: number
}

/**
 * The filters of a page, kept in the URL: links show the same data, and the back button undoes a
 * change.
 */
export function useFilters(names: readonly string[]): Filters {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const entries = names.flatMap((name) => (search[name] ? [[name, search[name]] as const] : []))
  const values = Object.fromEntries(entries)
  const navigateTo = (next: Readonly<Record<string, string | undefined>>) =>
    void navigate({ to: '.', search: withoutEmpty(next), replace: false, resetScroll: false })
  const set: Filters['set'] = (changes) => {
    const texts = Object.entries(changes).map(([name, value]) => [name, toParam(value)])
    navigateTo({ ...search, ...Object.fromEntries(texts) })
  }
  const isSet: Filters['isSet'] = (changes) =>
    Object.entries(changes).every(([name, value]) => values[name] === value)
  return {
    values,
    set,
    isSet,
    getAll: (name) => values[name]?.split(',') ?? [],
    toggle: (changes) =>
      set(
        isSet(changes) ? Object.fromEntries(Object.keys(changes).map((n) => [n, null])) : changes,
      ),
    clear: () =>
      navigateTo({ ...search, ...Object.fromEntries(names.map((name) => [name, undefined])) }),
    count: entries.length,
  }
}

const toParam = (value: string | readonly string[] | null) =>
  value === null ? undefined : typeof value === 'string' ? value : value.join(',')

/** Removes empty parameters. */
const withoutEmpty = (search: Readonly<Record<string, string | undefined>>): Search =>
  Object.fromEntries(Object.entries(search).flatMap(([name, v]) => (v ? [[name, v]] : [])))
