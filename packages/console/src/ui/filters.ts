import { useNavigate, useSearch } from '@tanstack/react-router'

import type { Search } from '#api/search.ts'

export interface Filters {
  /** What the address says, by the API's own names. */
  readonly values: Search
  readonly listOf: (name: string) => string[]
  /** Another value; none, or an empty one, takes the filter away. */
  readonly set: (changes: Readonly<Record<string, string | readonly string[] | null>>) => void
  /** Sets it, or takes it away when it is set to just this. */
  readonly toggle: (changes: Readonly<Record<string, string>>) => void
  readonly isSet: (changes: Readonly<Record<string, string>>) => boolean
  readonly clear: () => void
  readonly count: number
}

/**
 * The filters of a page, which are its address: whoever is sent the address sees the same, and the
 * browser's own back and forward undo and redo.
 */
export function useFilters(names: readonly string[]): Filters {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const entries = names.flatMap((name) => (search[name] ? [[name, search[name]] as const] : []))
  const values = Object.fromEntries(entries)
  const go = (next: Readonly<Record<string, string | undefined>>) =>
    void navigate({ to: '.', search: said(next), replace: false, resetScroll: false })
  const set: Filters['set'] = (changes) => {
    const texts = Object.entries(changes).map(([name, value]) => [name, textOf(value)])
    go({ ...search, ...Object.fromEntries(texts) })
  }
  const isSet: Filters['isSet'] = (changes) =>
    Object.entries(changes).every(([name, value]) => values[name] === value)
  return {
    values,
    set,
    isSet,
    listOf: (name) => values[name]?.split(',') ?? [],
    toggle: (changes) =>
      set(
        isSet(changes) ? Object.fromEntries(Object.keys(changes).map((n) => [n, null])) : changes,
      ),
    clear: () => go({ ...search, ...Object.fromEntries(names.map((name) => [name, undefined])) }),
    count: entries.length,
  }
}

const textOf = (value: string | readonly string[] | null) =>
  value === null ? undefined : typeof value === 'string' ? value : value.join(',')

/** What is left out of an address is not in it at all. */
const said = (search: Readonly<Record<string, string | undefined>>): Search =>
  Object.fromEntries(Object.entries(search).flatMap(([name, v]) => (v ? [[name, v]] : [])))
