import type { ProjectScope } from '#storage/statements/view'
import { uuidOf } from '#storage/values/id'

import { type Condition, isAmong, type KeyType, overlaps } from './conditions.ts'
import { personKeys } from './index-ranges.ts'

/** How the values are given: ids, user ids or `none`, text, true or false, or tags and flags. */
type FilterKind = 'id' | 'person' | 'text' | 'boolean' | 'label'

/** The column that a query parameter compares. */
interface Filter {
  readonly column: string
  readonly kind: FilterKind
}

/** By query parameter, from the narrowest to the widest. */
export type FilterColumns<Name extends string> = Readonly<Record<Name, Filter>>

export interface GivenQuery<Name extends string> {
  /** The projects come from the view of the caller, not from the query. */
  readonly projects: ProjectScope
  readonly query: Readonly<Partial<Record<Name, readonly string[]>>>
}

/** A filter with its values; null if it is not given. */
export interface GivenFilter extends Filter {
  readonly name: string
  readonly type: KeyType
  readonly values: readonly string[] | null
}

/** All filters of a list, with the values of a query. */
export function givenFilters<Name extends string>(
  filters: FilterColumns<Name>,
  { projects, query }: GivenQuery<NoInfer<Name>>,
): GivenFilter[] {
  // The cast holds because these are the names of the filters.
  return (Object.keys(filters) as Name[]).map((name) => {
    const filter: Filter = filters[name]
    const values = name === 'project_id' ? projects.uuids : valuesOf(filter, query[name])
    return { ...filter, name, type: typeOf(filter), values }
  })
}

function valuesOf({ kind }: Filter, values?: readonly string[]): readonly string[] | null {
  if (values === undefined) return null
  if (kind === 'person') return personKeys(values)
  return kind === 'id' ? values.map(uuidOf) : values
}

function typeOf({ kind }: Filter): KeyType {
  if (kind === 'boolean') return 'boolean'
  return kind === 'id' || kind === 'person' ? 'uuid' : 'text'
}

/** Every filter as a condition: the text does not depend on which of them are given. */
export const conditionsOf = (given: readonly GivenFilter[]): Condition[] =>
  given.map(({ kind, column, values, type }) =>
    kind === 'label' ? overlaps(column, values) : isAmong(column, values, type),
  )
