/** The columns of CSV files: the fields of an item, and lookup columns beside its ids. */

import type { Collection } from './registry.ts'
import { isGranted, type Scope } from './scopes.ts'

/** The parts of a JSON schema that CSV needs. */
export interface CsvSchema {
  type?: string | string[]
  properties?: Record<string, CsvSchema>
  required?: string[]
  items?: CsvSchema
  maxItems?: number
  pattern?: string
}

/** One column per field. The fields of a nested object have dotted names. */
export function columnsOf({ properties = {} }: CsvSchema): string[] {
  return Object.entries(properties).flatMap(([name, field]) =>
    field.properties ? columnsOf(field).map((inner) => `${name}.${inner}`) : [name],
  )
}

/** The value of a column. Its dots lead into nested objects, of which any may be null. */
export function valueAt(item: object, column: string): unknown {
  let value: unknown = item
  for (const name of column.split('.')) {
    // The cast holds because a column follows the objects of the item's schema.
    value = (value as Record<string, unknown> | null)?.[name] ?? null
  }
  return value
}

interface Lookup {
  readonly fields: readonly ('name' | 'email' | 'code' | 'ref')[]
  /** The scope that the columns need, besides that of the list. */
  readonly scope?: Scope
  /** What the ETag then depends on. A reference never changes, so it adds nothing. */
  readonly collection?: Collection
}

/**
 * What people call the resources, by the prefix of the id. Groups are not looked up: a person can
 * be in 10 000 of them, and one cell would have 2 MB of names.
 */
const lookups = {
  usr: { fields: ['name', 'email'], scope: 'personnel.read', collection: 'personnel' },
  prj: { fields: ['code', 'name'], scope: 'projects.read', collection: 'projects' },
  rsk: { fields: ['ref'] },
  iss: { fields: ['ref'] },
} as const satisfies Record<string, Lookup>

export type LookupPrefix = keyof typeof lookups

const lookupOf = (prefix: LookupPrefix): Lookup => lookups[prefix]

/** A column with a field of the resource that another column has the id of. */
export interface LookupColumn {
  /** Such as `owner_email`. */
  readonly name: string
  /** The column with the id or the ids, such as `owner_user_id`. */
  readonly idColumn: string
  readonly prefix: LookupPrefix
  readonly field: Lookup['fields'][number]
  /** Whether `idColumn` is a list. */
  readonly isList: boolean
}

/** The scope that a lookup column needs, besides that of its operation. */
export const lookupScope = ({ prefix }: LookupColumn): Scope | null =>
  lookupOf(prefix).scope ?? null

/** The collections that a file with these columns also depends on. */
export const lookupCollections = (columns: readonly LookupColumn[]): Collection[] => [
  ...new Set(columns.flatMap(({ prefix }) => lookupOf(prefix).collection ?? [])),
]

/** The lookup columns that these scopes allow. */
export const grantedLookups = (columns: readonly LookupColumn[], scopes: readonly Scope[]) =>
  columns.filter((column) => {
    const scope = lookupScope(column)
    return scope === null || isGranted(scopes, scope)
  })

/** The lookup columns of all ids in an item. */
export function lookupColumnsOf({ properties = {} }: CsvSchema, parent = ''): LookupColumn[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    if (field.properties) return lookupColumnsOf(field, `${parent}${name}.`)
    const prefix = prefixOf(field)
    if (prefix === null || isOwnId({ name, prefix }, properties)) return []
    const isList = field.items !== undefined
    return lookupOf(prefix).fields.map((looked) => ({
      name: `${parent}${stemOf(name)}_${looked}${isList ? 's' : ''}`,
      idColumn: `${parent}${name}`,
      prefix,
      field: looked,
      isList,
    }))
  })
}

const patterns = /^\^(usr|prj|rsk|iss)_/

function prefixOf({ pattern, items }: CsvSchema): LookupPrefix | null {
  const [, prefix] = patterns.exec(pattern ?? items?.pattern ?? '') ?? []
  // The cast holds because the pattern matches only these prefixes.
  return (prefix ?? null) as LookupPrefix | null
}

/** `owner_user_id` becomes `owner`, and `user_id` becomes `user`. */
const stemOf = (name: string) => name.replace(/s$/, '').replace(/(?<=.)_user_id$|_id$/, '')

/**
 * Whether the id is that of the object itself, which has the name or the reference already: the
 * `user_id` of a person, the `risk_id` of an acceptance.
 */
function isOwnId(
  { name, prefix }: { readonly name: string; readonly prefix: LookupPrefix },
  properties: Readonly<Record<string, CsvSchema>>,
): boolean {
  const { id } = properties
  if (name === 'id') return true
  if (!/^[a-z]+_id$/.test(name)) return false
  if (id) return prefixOf(id) === prefix
  return lookupOf(prefix).fields.some((field) => field in properties)
}

/** A column of an export. */
export interface ExportColumn {
  readonly name: string
  /** Where the item has the value. */
  readonly field: string
  /** For a value that the item does not have: how to find it. */
  readonly lookup: LookupColumn | null
}

/** Columns by which people recognise a row, in this order. */
const leadingColumns = [
  'rank',
  'ref',
  'code',
  'name',
  'email',
  'title',
  'project_code',
  'project_name',
]

/** Columns for programs. */
const technical = /(?:^|[._])(?:ids?|version|created_at|updated_at|metadata|links)$/

/**
 * The columns of an export: first those that people read, last ids and columns for programs. An
 * object beside its own id, such as `project` beside `project_id`, has lookup columns instead.
 */
export function exportColumnsOf(item: CsvSchema, scopes: readonly Scope[]): ExportColumn[] {
  const lookupsById = Map.groupBy(
    grantedLookups(lookupColumnsOf(item), scopes),
    ({ idColumn }) => idColumn,
  )
  const columns = columnsOf(withoutRepeated(item)).flatMap((field) => [
    ...(lookupsById.get(field) ?? []).map((lookup) => lookedUp(item, lookup)),
    { name: field, field, lookup: null },
  ])
  return columns
    .map((column, index) => ({ column, place: placeOf(column.name), index }))
    .toSorted((a, b) => a.place - b.place || a.index - b.index)
    .map(({ column }) => column)
}

function placeOf(name: string): number {
  const leading = leadingColumns.indexOf(name)
  if (leading >= 0) return leading
  const isTechnical = technical.test(name) && name !== 'external_id'
  return leadingColumns.length + (isTechnical ? 1 : 0)
}

/** A roll-up has the code and the name of the project in each item. They are not looked up. */
function lookedUp({ properties = {}, required }: CsvSchema, lookup: LookupColumn): ExportColumn {
  const { name, idColumn, field } = lookup
  const object = stemOf(idColumn)
  const isInItem = required?.includes(object) && properties[object]?.properties?.[field]
  return isInItem
    ? { name, field: `${object}.${field}`, lookup: null }
    : { name, field: name, lookup }
}

function withoutRepeated(item: CsvSchema): CsvSchema {
  const { properties = {} } = item
  const kept = Object.entries(properties).filter(
    ([name]) => !(`${name}_id` in properties || `${name}_user_id` in properties),
  )
  return { ...item, properties: Object.fromEntries(kept) }
}
