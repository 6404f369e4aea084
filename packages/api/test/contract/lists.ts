import { isList, type ListOperation } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import type { Listing } from '#domain/engine/listing'
import { handlers } from '#http/server'
import { keyOperations } from '#test/support/operations'

/**
 * Some ids of each type, by prefix. Related ids of a type come first. Also texts, by the name of
 * the filter.
 */
export type Ids = Record<string, string[]>

type ListHandler = (caller: Caller<never>, input: object) => Listing<object>

/** The list of an operation, by its own handler. The path parameters are the first ids. */
export function listingOf(name: string, operation: ListOperation, ids: Ids) {
  const [noun = '', verb = ''] = name.split('.')
  // The cast holds because the operation is a list.
  const handler = (handlers as unknown as Record<string, Record<string, ListHandler>>)[noun]?.[verb]
  if (handler === undefined) throw new Error(`${name} has no handler`)
  const shapes = Object.entries(operation.params?.properties ?? {}) as [string, Schema][]
  const params = Object.fromEntries(
    shapes.map(([param, { pattern = '' }]) => [param, ids[pattern.slice(1, 4)]?.[0] ?? '']),
  )
  return (caller: Caller<never>, query: object) => handler(caller, { params, query })
}

interface Schema {
  type?: string
  enum?: string[]
  items?: Schema
  examples?: unknown[]
  pattern?: string
  format?: string
}

export interface ListVariant {
  readonly name: string
  readonly parameter: string
  readonly query: object
  readonly listing: (caller: Caller<never>) => Listing<object>
}

type Queries = (operation: ListOperation, ids: Ids) => [string, object][]

/** Every list without parameters, with each filter alone, and in each sort order. */
export const listVariants = (ids: Ids) => variantsOf(singles, ids)

/** Every list with every combination of filters and sort orders, one value each. */
export const listCombinations = (ids: Ids) => variantsOf(combinations, ids)

function variantsOf(queriesOf: Queries, ids: Ids): ListVariant[] {
  return keyOperations().flatMap(({ name, operation }) => {
    if (!isList(operation)) return []
    const listing = listingOf(name, operation, ids)
    return queriesOf(operation, ids).map(([parameter, query]) => ({
      name: `${name} ${titleOf(query)}`,
      parameter,
      query,
      listing: (caller: Caller<never>) => listing(caller, query),
    }))
  })
}

/** Independent of the ids. */
const titleOf = (query: object) =>
  JSON.stringify(query).replaceAll(/((?:,?"[a-z]{3}_[0-9a-z]{26}")+)/g, (ids) =>
    JSON.stringify(`${ids.split('_').length - 1} ids`),
  )

/** Points in time work with few filters: `test/time` reads the lists with them. */
const notOwn = new Set(['limit', 'cursor', 'include', 'after', 'format', 'as_of', 'compare'])

const ownParameters = ({ query }: ListOperation) =>
  Object.entries(query.properties).filter(([name]) => !notOwn.has(name)) as [string, Schema][]

const singles: Queries = (operation, ids) => [
  ['', {}],
  ...ownParameters(operation).flatMap(([name, schema]) =>
    valuesOf(name, schema, ids).map((value): [string, object] => [name, { [name]: value }]),
  ),
]

/**
 * Every pair of parameters, and with a day every order too. That covers every statement: one filter
 * selects the index, a day cuts its ranges, and the text of all others is the same whether they are
 * used or not.
 */
const combinations: Queries = (operation, ids) => {
  const parameters = ownParameters(operation)
  const few = parameters.map(([name, schema]) => {
    const values = valuesOf(name, schema, ids)
    return { name, values: name === 'sort' ? values : values.slice(0, 1) }
  })
  const days = parameters.flatMap(([name, { format }]) => (format === 'date' ? [name] : []))
  const sorts = few.find(({ name }) => name === 'sort')?.values ?? []
  const queries: object[] = [{}]
  for (const [index, { name, values }] of few.entries()) {
    const others = few
      .slice(index + 1)
      .flatMap((other) => other.values.map((value) => ({ [other.name]: value })))
    for (const value of values) {
      queries.push(...[{}, ...others].map((other) => ({ [name]: value, ...other })))
    }
  }
  const cut = queries.filter((query) => days.some((day) => day in query))
  queries.push(...cut.flatMap((query) => sorts.map((sort) => ({ ...query, sort }))))
  return queries.map((query) => [Object.keys(query).join(' '), query])
}

/** Texts that the large tables have. */
const texts: Readonly<Record<string, readonly string[]>> = {
  external_id: Array.from({ length: 20 }, (_, index) => `X${index}`),
  code: ['DAM', 'PIPE'],
  email: ['p0@example.com', 'p1@example.com'],
  name: ['Group 0', 'Group 1'],
}

/** Values to try: each value of an enum and all together; true and false; one id, and twenty. */
function valuesOf(name: string, schema: Schema, ids: Ids): unknown[] {
  if (schema.enum) return schema.enum
  if (schema.type === 'boolean') return [true, false]
  const property = name.replace(/^(?:owner|assignee|project)_(?=email|code)/, '')
  const known = ids[property] ?? texts[property]
  if (known) return [known.slice(0, 1), known]
  if (schema.items) return listsOf(schema.items, ids)
  return schema.examples ?? []
}

function listsOf({ enum: values, pattern = '', type }: Schema, ids: Ids): unknown[] {
  if (values) return [...values.map((value) => [value]), values]
  const prefix = /(usr|prj|grp|rsk|iss)_/.exec(pattern)?.[1]
  if (prefix === undefined && type === 'string') return [['flood'], ['flood', 'gates']]
  if (prefix === undefined) return [[5], [1, 3, 5]]
  const known = ids[prefix] ?? []
  return [known.slice(0, 1), known.slice(0, 20), ...(pattern.includes('none') ? [['none']] : [])]
}
