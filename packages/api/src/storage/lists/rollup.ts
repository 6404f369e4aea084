import assert from 'node:assert/strict'

import type { RawBuilder } from 'kysely'

import type { Read } from '#storage/statements/access'
import { isWide, type ProjectScope } from '#storage/statements/view'
import { uuidOf } from '#storage/values/id'

import { aggregate } from './aggregate.ts'
import { containsText, isAmong, overlaps } from './conditions.ts'
import {
  type KeyFilter,
  type List,
  type ListQuery,
  type OrderColumn,
  personKeys,
  type Range,
} from './index-ranges.ts'
import { type SortKeys, sortingOf } from './sort-keys.ts'

/** How the values are given: ids, user ids or `none`, text, true or false, or tags and flags. */
type FilterKind = 'id' | 'person' | 'text' | 'boolean' | 'label'

interface Filter {
  readonly column: string
  readonly kind: FilterKind
}

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
  readonly filters: Readonly<Record<Name, Filter>>
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
}

/** The items of a roll-up that the filter leaves, in rank order unless `sort` is set. */
export function rollupList<Item, Name extends string>(
  rollup: Rollup<Item, Name>,
  { query, projects, ranges }: RollupFilter<Name>,
): List<Item> {
  const { table, columns, order, isDescending, only, except, filters, indexRows, present } = rollup
  // The cast holds because these are the names of the filters.
  const names = Object.keys(filters) as Name[]
  const given = names.map((name) => {
    const { column, kind } = filters[name]
    const values = name === 'project_id' ? projects.uuids : valuesOf(kind, query[name])
    return { name, column, kind, values }
  })
  const q = query.q ?? null
  const leading = given.find(({ values }) => values !== null)
  const ranked: ListQuery = {
    table,
    columns,
    order,
    ...(isDescending && { isDescending }),
    ...(ranges && { ranges }),
    ...(only && { only }),
    ...(except && { except }),
    ...conditionsOf(given, { projects, q }),
    search: leading ? null : q,
    ...(leading ? keysOfFilter(leading, indexRows) : { keys: [] }),
  }
  const sorting = sortingOf(rollup.sorts ?? {}, query.sort, { isRanked: true })
  if (sorting === undefined) return { present, query: ranked }
  // Without a filter there is no condition, so that an index-only scan gives the keys.
  const sorted = leading ? ranked : { ...ranked, where: [] }
  return { present, query: sorted, countQuery: ranked, sorting }
}

/** Counts the items that the filter leaves by each dimension. */
export const aggregateRollup = <Item, Name extends string>(
  read: Read,
  rollup: SummarizedRollup<Item, Name>,
  filter: RollupFilter<Name>,
) => aggregate(read, { query: rollupList(rollup, filter).query, dimensions: rollup.dimensions })

interface Others {
  readonly projects: ProjectScope
  readonly q: string | null
}

/** A wide view without a filter needs no condition, so that index-only scans give the ids. */
function conditionsOf(
  given: readonly GivenFilter[],
  { projects, q }: Others,
): Pick<ListQuery, 'where' | 'isIdsFirst'> {
  const used = given.filter(({ values }) => values !== null)
  if (isWide(projects) && used.length === 1 && q === null) return { where: [], isIdsFirst: true }
  return { where: [...given.map(conditionOf), containsText(q)] }
}

interface GivenFilter extends Filter {
  readonly name: string
  readonly values: readonly string[] | null
}

function valuesOf(kind: FilterKind, values?: readonly string[]): readonly string[] | null {
  if (values === undefined) return null
  if (kind === 'person') return personKeys(values)
  return kind === 'id' ? values.map(uuidOf) : values
}

function keysOfFilter(
  { name, column, kind, values }: GivenFilter,
  indexRows: string | undefined,
): Pick<ListQuery, 'keys' | 'through'> {
  const given = values ?? []
  if (kind !== 'label') return { keys: [{ column, type: typeOf(kind), values: given }] }
  assert(indexRows, 'a filter by tag or flag needs index rows')
  const keys: KeyFilter[] = [
    { column: 'kind', type: 'text', values: [name] },
    { column: 'value', type: 'text', values: given },
  ]
  return { keys, through: { table: indexRows, id: 'id' } }
}

const conditionOf = ({ column, kind, values }: GivenFilter) =>
  kind === 'label' ? overlaps(column, values) : isAmong(column, values, typeOf(kind))

function typeOf(kind: FilterKind): KeyFilter['type'] {
  if (kind === 'boolean') return 'boolean'
  return kind === 'id' || kind === 'person' ? 'uuid' : 'text'
}
