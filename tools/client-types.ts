import { everyOperation, type Operation, problems } from '@muster/contract'

interface Schema {
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly 'x-extensible-enum'?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

/**
 * The types of the contract as plain declarations, for the client package. Those of the source are
 * computed from schemas, which would make typebox a dependency and slow every compilation.
 */
export function contractTypes(): string {
  const named = new Map<string, string>()
  const nouns = Map.groupBy(everyOperation(), ({ name }) => name.split('.')[0] ?? '')
  const operations = [...nouns].map(([noun, verbs]) => {
    const lines = verbs.map(
      ({ name, operation }) => `    readonly ${name.split('.')[1]}: ${shapeOf(operation, named)}`,
    )
    return `  readonly ${noun}: {\n${lines.join('\n')}\n  }`
  })
  return [
    ...named.values(),
    `export interface Operations {\n${operations.join('\n')}\n}`,
    `export type ProblemName = ${union(Object.keys(problems).map((name) => JSON.stringify(name)))}`,
    generic,
  ].join('\n\n')
}

const generic = `export interface Operation {
  readonly input: { readonly params: unknown; readonly query: unknown; readonly body: unknown }
  readonly output: unknown
}
export interface ListOperation extends Operation {
  readonly item: unknown
}
export type Input<O extends Operation> = O['input']
export type Output<O extends Operation> = O['output']
export type Item<O extends ListOperation> = O['item']
`

type Named = Map<string, string>

function shapeOf(operation: Operation, named: Named): string {
  const { params, query, body, rows, response } = operation
  const part = (schema: object | undefined) =>
    schema === undefined ? 'undefined' : typeOf(schema, named)
  const input = `{ params: ${part(params)}; query: ${part(query)}; body: ${part(body)} }`
  const item = 'item' in operation ? ` item: ${part(operation.item as Schema)};` : ''
  const row = rows ? ` rows: ${part(rows)};` : ''
  return `{ input: ${input};${item}${row} output: ${part(response)} }`
}

function typeOf(schema: Schema, named: Named): string {
  if (schema.properties && schema.title !== undefined) {
    const name = nameOf(schema, schema.title, named)
    return Array.isArray(schema.type) ? `${name} | null` : name
  }
  if (schema.anyOf && !schema.properties) {
    return union(schema.anyOf.map((each) => typeOf(each, named)))
  }
  const types = [schema.type ?? 'unknown'].flat()
  const values = schema.enum ?? schema['x-extensible-enum'] ?? ('const' in schema && [schema.const])
  if (!values) return union(types.map((type) => plainType(type, schema, named)))
  const nothing = types.includes('null') ? [null] : []
  return union([...values, ...nothing].map((value) => JSON.stringify(value)))
}

function plainType(type: string, schema: Schema, named: Named): string {
  if (type === 'integer') return 'number'
  if (type === 'array') return `(${typeOf(schema.items ?? {}, named)})[]`
  if (type !== 'object') return type
  if (schema.properties) return fieldsOf(schema, named)
  const { additionalProperties } = schema
  const value = typeof additionalProperties === 'object' ? additionalProperties : {}
  return `Record<string, ${typeOf(value, named)}>`
}

/** Declares a schema with a title once: the contract has no two with the same. */
function nameOf(schema: Schema, title: string, named: Named): string {
  if (named.has(title)) return title
  named.set(title, '')
  named.set(title, `${comment(schema)}export interface ${title} ${fieldsOf(schema, named)}`)
  return title
}

function fieldsOf({ properties = {}, required = [] }: Schema, named: Named): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${comment(field)}${JSON.stringify(name)}${mark}: ${typeOf(field, named)}`
  })
  return `{\n${fields.join('\n')}\n}`
}

const comment = ({ description }: Schema) =>
  description === undefined ? '' : `/** ${description.replaceAll('*/', '*\\/')} */\n`

const union = (types: readonly string[]) => [...new Set(types)].join(' | ')
