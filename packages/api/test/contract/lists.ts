import { everyOperation, isList, type ListOperation } from '@muster/contract'

import { listAssignments } from '#domain/assignments'
import type { Caller } from '#domain/caller'
import { listGroups, listMembers } from '#domain/groups'
import { listIssueHistory, listProjectIssues } from '#domain/issues'
import { listKeys } from '#domain/keys'
import type { Listing } from '#domain/listing'
import { listOpenIssues } from '#domain/open-issues'
import { listPersonHistory, listPersonnel } from '#domain/personnel'
import { listProjectHistory, listProjects } from '#domain/projects'
import { listRegister } from '#domain/register'
import { listProjectRisks, listRiskHistory } from '#domain/risks'
import { listProjectTasks, listTasks } from '#domain/tasks'

type AnyListing = (caller: Caller<never>, query: object, ids: Ids) => Listing<object>

/** Some ids of each kind, by prefix. Those of one kind that belong together come first. */
export type Ids = Record<string, string[]>

const first = (ids: Ids, prefix: string) => ids[prefix]?.[0] ?? ''
const at = (ids: Ids, prefix: string) => ({ projectId: first(ids, 'prj'), id: first(ids, prefix) })

/**
 * What stands behind each list of the contract. A new list that is not here does not pass the
 * tests.
 */
export const listings: Record<string, AnyListing> = {
  'personnel.list': listPersonnel,
  'groups.list': listGroups,
  'groups.members': (caller, _, ids) => listMembers(caller, first(ids, 'grp')),
  'personnel.assignments': (caller, _, ids) => listAssignments(caller, first(ids, 'usr')),
  'personnel.history': (caller, _, ids) => listPersonHistory(caller, first(ids, 'usr')),
  'projects.list': listProjects,
  'projects.history': (caller, _, ids) => listProjectHistory(caller, first(ids, 'prj')),
  'risks.list': listRegister,
  'risks.list_in_project': (caller, query, ids) =>
    listProjectRisks(caller, first(ids, 'prj'), query),
  'risks.history': (caller, _, ids) => listRiskHistory(caller, at(ids, 'rsk')),
  'issues.list': listOpenIssues,
  'issues.list_in_project': (caller, query, ids) =>
    listProjectIssues(caller, first(ids, 'prj'), query),
  'issues.history': (caller, _, ids) => listIssueHistory(caller, at(ids, 'iss')),
  'keys.list': listKeys,
  'tasks.list': listTasks,
  'tasks.list_in_project': (caller, query, ids) =>
    listProjectTasks(caller, first(ids, 'prj'), query),
}

interface Schema {
  type?: string
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

type Queries = (operation: ListOperation, ids: Ids) => [string, object][]

/** Every list without parameters, with each filter by itself, and in each of its orders. */
export const listVariants = (ids: Ids) => variantsOf(singles, ids)

/** Every list with every combination of its filters and orders, one value for each. */
export const listCombinations = (ids: Ids) => variantsOf(combinations, ids)

function variantsOf(queriesOf: Queries, ids: Ids): ListVariant[] {
  return everyOperation().flatMap(({ name, operation }) => {
    if (!isList(operation)) return []
    const listing = listings[name]
    if (listing === undefined) throw new Error(`${name} is not in test/lists.ts`)
    return queriesOf(operation, ids).map(([parameter, query]) => ({
      name: `${name} ${titleOf(query)}`,
      parameter,
      query,
      listing: (caller: Caller<never>) => listing(caller, query, ids),
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

/**
 * Every pair of parameters. That is every statement: one filter leads to the rows by its index, and
 * the text of all others is the same whether they are asked for or not.
 */
const combinations: Queries = (operation, ids) => {
  const few = ownParameters(operation).map(([name, schema]) => {
    const values = valuesOf(schema, ids)
    return { name, values: name === 'sort' ? values : values.slice(0, 1) }
  })
  const queries: object[] = [{}]
  for (const [index, { name, values }] of few.entries()) {
    const others = few
      .slice(index + 1)
      .flatMap((other) => other.values.map((value) => ({ [other.name]: value })))
    for (const value of values) {
      queries.push(...[{}, ...others].map((other) => ({ [name]: value, ...other })))
    }
  }
  return queries.map((query) => [Object.keys(query).join(' '), query])
}

/** Values to try: every one of a fixed set and all of them together; one id, and twenty. */
function valuesOf(schema: Schema, ids: Ids): unknown[] {
  if (schema.enum) return schema.enum
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
