/** How a spreadsheet stores the cells of a column. */
export type CellType = 'text' | 'number' | 'boolean' | 'date' | 'time'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

/** The parts of the OpenAPI document that describe the items of lists. */
export interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly responses: Readonly<Record<string, Answer>> } }>
  >
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/**
 * The types of the columns of a list, by their names in CSV. A column that the document does not
 * describe is not in it: such a column is text.
 */
export function columnTypes(document: Document, path: string): ReadonlyMap<string, CellType> {
  const { schemas } = document.components
  const resolve = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined ? schema : resolve(schemas[$ref.split('/').at(-1) ?? ''] ?? {})
  const list = document.paths[path]?.get?.responses['200']?.content?.['application/json']
  const { data = {} } = resolve(list?.schema ?? {}).properties ?? {}
  const types = new Map<string, CellType>()
  const visit = (schema: Schema, name: string): void => {
    const { properties, anyOf = [], ...leaf } = resolve(schema)
    for (const each of anyOf) visit(each, name)
    for (const [field, each] of Object.entries(properties ?? {})) {
      visit(each, name === '' ? field : `${name}.${field}`)
    }
    const type = cellType(leaf)
    if (type !== null) types.set(name, type)
  }
  visit(resolve(data).items ?? {}, '')
  return types
}

function cellType({ type = [], format }: Schema): CellType | null {
  const kinds = new Set([type].flat())
  if (kinds.has('integer') || kinds.has('number')) return 'number'
  if (kinds.has('boolean')) return 'boolean'
  if (format === 'date') return 'date'
  return format === 'date-time' ? 'time' : null
}
