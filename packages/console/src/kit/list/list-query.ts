import { useSearch } from '@tanstack/react-router'

import type { Search } from '#data/search.ts'

import type { FilterField } from './filter-menu.tsx'
import { useFilters } from './filters.ts'
import { type SortChoice, useSort } from './sort.ts'

export type ListAddress = ReturnType<typeof useListQuery>

interface Options {
  readonly fields: readonly FilterField[]
  readonly sorts: readonly SortChoice[]
  /** The filter of the view. */
  readonly viewQuery?: Search
}

/** What the address says of a list: its filters, its order and its groups. */
export function useListQuery({ fields, sorts, viewQuery = {} }: Options) {
  const filters = useFilters(fields.map(({ name }) => name))
  const sort = useSort(sorts)
  const { group = '' } = useSearch({ strict: false }) as Search
  const filter = { ...filters.values, ...viewQuery }
  return {
    fields,
    filters,
    sort,
    group,
    /** The filters of the user and of the view, with the names of the API. */
    filter,
    /** The filters and the order. */
    query: { ...filter, ...sort.query },
    isFiltered: filters.count > 0,
  }
}
