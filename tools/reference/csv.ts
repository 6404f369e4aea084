import { isJsonList } from '@muster/api/csv'
import {
  columnsOf,
  everyOperation,
  type ExportColumn,
  exportColumnsOf,
  isList,
  type ListOperation,
  limits,
  lookupColumnsOf,
  type LookupColumn,
  lookupScope,
  type Operation,
  operations,
  scopes,
} from '@muster/contract'

import { code, page, table } from './markdown.ts'

interface Field {
  readonly type?: string | string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly (string | null)[]
  readonly 'x-extensible-enum'?: readonly string[]
  readonly description?: string
  readonly required?: string[]
  readonly properties?: Record<string, Field>
  readonly items?: Field
}

/** The field of a column: a dotted name leads into nested objects. */
function fieldOf(schema: Field, column: string): Field {
  let field = schema
  for (const name of column.split('.')) field = field.properties?.[name] ?? {}
  return field
}

const formats = new Set(['date', 'date-time', 'email'])
const names: Readonly<Record<string, string>> = { array: 'words', object: 'JSON', string: 'text' }

function typeOf(field: Field): string {
  const { format = '', pattern = '' } = field
  const [, prefix] = /^\^([a-z]{3})_/.exec(pattern) ?? []
  const values = (field.enum ?? field['x-extensible-enum'])?.filter((value) => value !== null)
  if (values) return values.map((value) => code(value)).join(', ')
  if (prefix) return `id ${code(`${prefix}_…`)}`
  const main = mainTypeOf(field)
  return formats.has(format) ? format : (names[main] ?? main)
}

function mainTypeOf(field: Field): string {
  const [main = 'string'] = [field.type].flat()
  return isJsonList(field) ? 'object' : main
}

const isNullable = ({ type }: Field) => [type].flat().includes('null')

const nouns = { usr: 'person', prj: 'project', rsk: 'risk', iss: 'issue' } as const
const fieldNames = {
  name: 'name',
  email: 'e-mail address',
  code: 'code',
  ref: 'reference',
} as const

const neededScope = (lookup: LookupColumn) => {
  const scope = lookupScope(lookup)
  return scope === null ? '' : ` Only with ${code(scope)}.`
}

function lookupType(schema: Field, { field, idColumn, isList: isMany }: LookupColumn): string {
  if (isMany) return field === 'name' ? 'text, separated by `; `' : 'words'
  const isOptional = field === 'email' || isNullable(fieldOf(schema, idColumn))
  return `${field === 'email' ? 'email' : 'text'}${isOptional ? '; can be empty' : ''}`
}

/** The row of a lookup column, or of a field of the item. */
function rowOf(schema: Field, { name, field, lookup }: ExportColumn): string[] {
  if (lookup === null) {
    const [row] = rowsOf(schema, [field])
    const parameter = field.startsWith('compared.') ? 'compare' : 'include'
    const extra = isExtra(schema, field) ? ` Only with ${code(parameter)}.` : ''
    return [code(name), row?.type ?? '', `${row?.meaning}${extra}`]
  }
  const { idColumn, prefix, field: looked, isList: isMany } = lookup
  const [named, noun] = [fieldNames[looked], nouns[prefix]]
  const what = isMany
    ? `${named}${looked === 'email' ? 'es' : 's'} of the ${noun}s`
    : `${named} of the ${noun}`
  return [
    code(name),
    lookupType(schema, lookup),
    `The ${what} in ${code(idColumn)}.${neededScope(lookup)}`,
  ]
}

const rowsOf = (schema: Field, columns: readonly string[]) =>
  columns.map((column) => {
    const field = fieldOf(schema, column)
    return {
      column,
      type: typeOf(field) + (isNullable(field) ? '; can be empty' : ''),
      meaning: field.description ?? '',
    }
  })

/** Columns that are in an export only with `include`. */
const isExtra = (schema: Field, column: string) =>
  !schema.required?.includes(column.split('.')[0] ?? '')

function exportSection(name: string, operation: ListOperation): string[] {
  const { method, path, summary, item } = operation
  // The cast holds: Field has the parts of a JSON schema that are used here.
  const schema = item as Field
  const rows = exportColumnsOf(item, scopes).map((column) => rowOf(schema, column))
  return [
    `### ${name}`,
    `${summary} ${code(`${method} ${path}`)}`,
    table(['column', 'values', 'meaning'], rows),
  ]
}

type Import = Readonly<Record<'batch' | 'create', Operation>>

const imports: Readonly<Record<string, Import>> = {
  personnel: operations.personnel,
  risks: operations.risks,
  issues: operations.issues,
}

/** Writable by an import that changes a person, but not by one that adds a person. */
const changeOnly = new Set(['status_reason'])

/** The names of a person, beside the user id. */
const referencePattern = /^(owner|assignee|manager)_(email|external_id)$/

function effectOf(column: string, isWritable: boolean): string {
  const [, stem] = referencePattern.exec(column) ?? []
  if (stem) return `selects ${code(`${stem}_user_id`)}. Needs ${code('personnel.read')}.`
  if (column === 'id') return 'selects the resource to change; empty for a new one'
  if (changeOnly.has(column)) return 'set, for an existing resource'
  return isWritable ? 'set' : 'read-only'
}

function importSection([noun, { batch, create }]: [string, Import]): string[] {
  // The casts hold: Field has the parts of a JSON schema that are used here.
  const schema = (batch.rows ?? {}) as Field
  const body = (create.body ?? {}) as Field
  const columns = columnsOf(schema)
  const writable = new Set(columnsOf(body))
  const further = columnsOf(batch.alsoColumns ?? {})
  const ignored = further.filter((column) => !columns.includes(column)).map(code)
  const lookups = lookupColumnsOf(batch.rows ?? {})
    .filter(({ name }) => !columns.includes(name))
    .map((lookup) => [
      code(lookup.name),
      lookupType(schema, lookup),
      `lookup column of ${code(lookup.idColumn)}.${neededScope(lookup)}`,
    ])
  return [
    `### ${noun}.batch`,
    `${batch.summary} ${code(`${batch.method} ${batch.path}`)}`,
    table(
      ['column', 'values', 'effect'],
      [
        ...rowsOf(schema, columns).map(({ column, type }) => [
          code(column),
          type,
          effectOf(column, writable.has(column)),
        ]),
        ...lookups,
      ],
    ),
    `Required for a new row: ${(body.required ?? []).map(code).join(', ')}.`,
    ...(ignored.length > 0 ? [`Accepted and ignored: ${ignored.join(', ')}.`] : []),
  ]
}

const lists = everyOperation().flatMap(({ name, operation }) =>
  isList(operation) ? [{ name, operation }] : [],
)

export const csvPage = () =>
  page(
    '# CSV columns',
    'Every list is available as CSV with `Accept: text/csv`: RFC 4180, UTF-8, a header row, complete or\n' +
      'page by page. People, risks and issues can be imported from the same form.',
    '- *words* are separated by spaces. *JSON* is one JSON value in the cell.\n' +
      '- A column with a dot is a field of a nested object. If all its columns are empty, it is null.\n' +
      '- A *lookup column* has the name, e-mail address, code or reference of the resource whose id is\n' +
      '  in another column. Those of people are in a file only if the key has `personnel.read`.\n' +
      '- Readable columns come first, ids and columns for programs last.\n' +
      '- An empty cell is null where the values can be empty.\n' +
      "- The export puts a `'` before each part of a cell that a spreadsheet would take for a formula.\n" +
      '  The import removes it.',
    '## Imports',
    `An import has at most ${limits.itemsMax} rows, and saves all of them or none. Columns can be in any\n` +
      'order, and columns that you do not need can be left out. The separator is a comma, a semicolon or a\n' +
      'tab. A *read-only* column must have its present value or be left out. In a new row it must be empty,\n' +
      'or have the value that the new resource will have; any other value is refused with\n' +
      '`read_only_field`. An email or external id selects a person on the roster, and wins over the\n' +
      'present user id. Other contradictions are refused with `conflicting_fields`. An empty one says nothing\n' +
      'beside another name; alone it removes the person. A\n' +
      '*lookup column* must be empty or agree with the id beside it; any other value is refused with\n' +
      '`lookup_mismatch`. Without `personnel.read`, those of people are unknown. A column that is not listed\n' +
      'is an error. `dry_run=true` checks a file without saving it.',
    'With `match=external_id`, `email` or `ref`, a row without `id` changes the record that has this value,\n' +
      'and creates one if none has it. So a file can be sent again.',
    ...Object.entries(imports).flatMap(importSection),
    '## Exports',
    ...lists.flatMap(({ name, operation }) => exportSection(name, operation)),
  )
