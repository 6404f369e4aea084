import { everyOperation, isList, type ListOperation } from '@muster/contract'

import type { Caller } from '#domain/caller'
import { listGroups } from '#domain/groups'
import { listOpenIssues } from '#domain/issues'
import type { Listing } from '#domain/listing'
import { listPersonnel } from '#domain/personnel'
import { listRegister } from '#domain/risks'

type AnyListing = (caller: Caller<never>, query: object) => Listing<object>

/**
 * What stands behind each list of the contract. A new list that is not here does not pass the
 * tests.
 */
const listings: Record<string, AnyListing> = {
  'personnel.list': listPersonnel,
  'groups.list': listGroups,
  'risks.list': listRegister,
  'issues.list': listOpenIssues,
}

interface Schema {
  enum?: string[]
  items?: Schema
  examples?: unknown[]
  pattern?: string
}

export interface ListVariant {
  readonly name: string
  readonly parameter: string
  readonly query: object
  readonly listing: (caller: Caller<never>) => Listing<object>
}

type Queries = (operation: ListOperation, ids: Record<string, string[]>) => [string, object][]

/** Every list without parameters, with each filter by itself, and in each of its orders. */
export const listVariants = (ids: Record<string, string[]>) => variantsOf(singles, ids)

/** Every list with every combination of its filters and orders, one value for each. */
export const listCombinations = (ids: Record<string, string[]>) => variantsOf(combinations, ids)

function variantsOf(queriesOf: Queries, ids: Record<string, string[]>): ListVariant[] {
  return everyOperation().flatMap(({ name, operation }) => {
    if (!isList(operation)) return []
    const listing = listings[name]
    if (listing === undefined) throw new Error(`${name} is not in test/lists.ts`)
    return queriesOf(operation, ids).map(([parameter, query]) => ({
      name: `${name} ${titleOf(query)}`,
      parameter,
      query,
      listing: (caller: Caller<never>) => listing(caller, query),
    }))
  })
}

/** The same whatever the ids are. */
const titleOf = (query: object) =>
  JSON.stringify(query).replaceAll(/((?:,?"[a-z]{3}_[0-9a-z]{26}")+)/g, (ids) =>
    JSON.stringify(`${ids.split('_').length - 1} ids`),
  )

const ownParameters = ({ query }: ListOperation) =>
  Object.entries(query.properties).filter(
    ([name]) => !['limit', 'cursor', 'include'].includes(name),
  ) as [string, Schema][]

const singles: Queries = (operation, ids) => [
  ['', {}],
  ...ownParameters(operation).flatMap(([name, schema]) =>
    valuesOf(schema, ids).map((value): [string, object] => [name, { [name]: value }]),
  ),
]

const combinations: Queries = (operation, ids) => {
  const queries: object[] = [{}]
  for (const [name, schema] of ownParameters(operation)) {
    const values = name === 'sort' ? valuesOf(schema, ids) : valuesOf(schema, ids).slice(0, 1)
    queries.push(
      ...queries.flatMap((query) => values.map((value) => ({ ...query, [name]: value }))),
    )
  }
  return queries.map((query) => [Object.keys(query).join(' '), query])
}

/** Values to try: every one of a fixed set and all of them together; one id, and twenty. */
function valuesOf(schema: Schema, ids: Record<string, string[]>): unknown[] {
  if (schema.enum) return schema.enum
  if (schema.items) return listsOf(schema.items, ids)
  return schema.examples ?? []
}

function listsOf({ enum: values, pattern = '' }: Schema, ids: Record<string, string[]>): unknown[] {
  if (values) return [...values.map((value) => [value]), values]
  const prefix = /(usr|prj|grp)_/.exec(pattern)?.[1]
  if (prefix === undefined) return [[5], [1, 3, 5]]
  const known = ids[prefix] ?? []
  return [known.slice(0, 1), known.slice(0, 20), ...(pattern.includes('none') ? [['none']] : [])]
}
