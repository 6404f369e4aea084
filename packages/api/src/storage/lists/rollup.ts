import assert from 'node:assert/strict'

import type { RawBuilder } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isWide, type ProjectScope } from '#storage/statements/view'

import { aggregate } from './aggregate.ts'
import { containsText } from './conditions.ts'
import { type DayColumn, type DayBounds, withinDays } from './days.ts'
import { conditionsOf, type FilterColumns, type GivenFilter, givenFilters } from './filters.ts'
import {
  type KeyFilter,
  type List,
  type ListQuery,
  type OrderColumn,
  type Range,
} from './index-ranges.ts'
import { type SortKeys, sortingOf } from './sort-keys.ts'

/** Filters that become ids before the list is read. */
export type NameFilter = 'project_code' | 'owner_email' | 'assignee_email'

/** A roll-up across all projects, as one value. */
export interface Rollup<Item, Name extends string> {
  readonly table: string
  readonly columns: readonly string[]
  readonly present: (row: never) => Item
  readonly order: readonly OrderColumn[]
  readonly isDescending?: boolean
  /** The boolean column that is the predicate of its indexes. */
  readonly only?: string
  /** The boolean column whose negation is that predicate. */
  readonly except?: string
  /** The table with a row for each tag and flag, in the same order. */
  readonly indexRows?: string
  /**
   * By query parameter, from the narrowest to the widest. The first that is given leads to the rows
   * by its index; the others are conditions.
   */
  readonly filters: FilterColumns<Name>
  /** The column that the bounds of days compare. */
  readonly day?: DayColumn
  /** The orders other than the rank, by value of `sort`. */
  readonly sorts?: SortKeys
}

/** A roll-up that has a summary. */
export interface SummarizedRollup<Item, Name extends string> extends Rollup<Item, Name> {
  /** The values that a summary counts, as text. */
  readonly dimensions: Readonly<Record<string, RawBuilder<unknown>>>
}

/** The values of the filters by query parameter, the ranges of the order, and `q`. */
export interface RollupFilter<Name extends string> {
  /** The projects come from the view of the caller, not from the query. */
  readonly projects: ProjectScope
  readonly query: Readonly<Partial<Record<Name, readonly string[]>>> & {
    readonly q?: string
    readonly sort?: string
  }
  readonly ranges?: readonly Range[]
  readonly days?: DayBounds
}

/** The items of a roll-up that the filter leaves, in rank order unless `sort` is set. */
export function rollupList<Item, Name extends string>(
  rollup: Rollup<Item, Name>,
  filter: RollupFilter<Name>,
): List<Item> {
  const { query, projects, ranges } = filter
  const { table, columns, order, isDescending, only, except, filters, indexRows, present } = rollup
  const given = givenFilters(filters, { query, projects })
  const leading = given.find(({ values }) => values !== null)
  const isNarrowed = leading !== undefined || hasDays(filter)
  const ranked: ListQuery = {
    table,
    columns,
    order,
    ...(isDescending && { isDescending }),
    ...(ranges && { ranges }),
    ...(only && { only }),
    ...(except && { except }),
    ...conditionsIn(given, filter, rollup.day),
    search: isNarrowed ? null : (query.q ?? null),
    ...(leading ? keysOfFilter(leading, indexRows) : { keys: [] }),
  }
  const sorting = sortingOf(rollup.sorts ?? {}, query.sort, { isRanked: true })
  if (sorting === undefined) return { present, query: ranked }
  // Without a filter there is no condition, so that an index-only scan gives the keys.
  const sorted = isNarrowed ? ranked : { ...ranked, where: [] }
  return { present, query: sorted, countQuery: ranked, sorting }
}

/** Counts the items that the filter leaves by each dimension. */
export const aggregateRollup = <Item, Name extends string>(
  read: Read,
  rollup: SummarizedRollup<Item, Name>,
  filter: RollupFilter<Name>,
) => aggregate(read, { query: rollupList(rollup, filter).query, dimensions: rollup.dimensions })

const hasDays = <Name extends string>({ days = {} }: RollupFilter<Name>) =>
  days.from !== undefined || days.before !== undefined

/**
 * A wide view without a filter needs no condition, and bounds of days need columns that an index
 * includes: then index-only scans give the ids.
 */
function conditionsIn<Name extends string>(
  given: readonly GivenFilter[],
  filter: RollupFilter<Name>,
  day: DayColumn | undefined,
): Pick<ListQuery, 'where' | 'isIdsFirst'> {
  const within = day ? withinDays(day, filter.days) : []
  if (!isOfIndex(given, filter, day)) {
    return { where: [...conditionsOf(given), ...within, containsText(filter.query.q ?? null)] }
  }
  const isBounded = day?.isOfOrder || hasDays(filter)
  return { where: isBounded ? within : [], isIdsFirst: true }
}

function isOfIndex<Name extends string>(
  given: readonly GivenFilter[],
  filter: RollupFilter<Name>,
  day: DayColumn | undefined,
): boolean {
  if (filter.query.q !== undefined) return false
  const { length } = given.filter(({ values }) => values !== null)
  const isBesideOrder = hasDays(filter) && !day?.isOfOrder
  return length === 0 ? isBesideOrder : length === 1 && isWide(filter.projects) && !isBesideOrder
}

function keysOfFilter(
  { name, column, kind, type, values }: GivenFilter,
  indexRows: string | undefined,
): Pick<ListQuery, 'keys' | 'through'> {
  const given = values ?? []
  if (kind !== 'label') return { keys: [{ column, type, values: given }] }
  assert(indexRows, 'a filter by tag or flag needs index rows')
  const keys: KeyFilter[] = [
    { column: 'kind', type: 'text', values: [name] },
    { column: 'value', type: 'text', values: given },
  ]
  return { keys, through: { table: indexRows, id: 'id' } }
}
