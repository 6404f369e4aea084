import type { TObject, TSchema } from 'typebox'

import { isList, type Operation } from './operation.ts'

type Json = Record<string, unknown>

/** The schema parts that an example is composed of. */
interface Described {
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly type?: string | readonly string[]
}

/** The example of a schema: its own, or composed from the examples of its fields. */
export function exampleOf(schema: TSchema): unknown {
  const { examples, properties, items } = schema as Described
  if (examples) return examples[0]
  if (items) return [exampleOf(items)]
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, field]) => [name, exampleOf(field)]),
  )
}

/**
 * Gives an object schema an example of its own, where the examples of its fields do not fit
 * together: a person who is active has no date of erasure.
 */
export const withExample = <T extends TObject>(schema: T, differences: object): T =>
  Object.assign(schema, { examples: [merged(exampleOf(schema) as Json, differences as Json)] })

/**
 * The example of a response. It follows from the example of the request, and from `example` of the
 * operation: the response to `suspend` shows a suspended person.
 */
export function responseExample(operation: Operation): Json {
  const { body, rows, response, example = {} } = operation
  // The cast holds because every response is an object.
  const base = exampleOf(response) as Json
  if (isList(operation)) return { ...base, total_count: 1, next_cursor: null, ...example }
  if (rows) {
    const [item] = base['data'] as Json[]
    return { ...base, data: [merged(created(item ?? {}, rows), example)] }
  }
  if (body && operation.status === 201) return merged(created(base, body), example)
  const sent = operation.isMergePatch ? (exampleOf(operation.body as TObject) as Json) : {}
  return merged(merged(base, sent), example)
}

/** A new resource: it has the fields of the request, and no others that a request could set. */
function created(resource: Json, request: TObject): Json {
  const sent = { ...emptyFields(request), ...(exampleOf(request) as Json) }
  const fields = Object.entries(sent).filter(([name]) => name in resource)
  const made = merged(resource, Object.fromEntries(fields))
  return { ...made, updated_at: made['created_at'] }
}

/** The values of the fields that a request to create a resource leaves out. */
function emptyFields({ properties }: TObject): Json {
  const values = Object.entries(properties).flatMap(([name, field]): [string, unknown][] => {
    const types = new Set([(field as Described).type].flat())
    if (types.has('null')) return [[name, null]]
    if (types.has('array')) return [[name, []]]
    return types.has('object') ? [[name, {}]] : []
  })
  return Object.fromEntries(values)
}

/** Replaces fields, also those of nested objects. */
function merged(base: Json, differences: Json): Json {
  const entries = Object.entries(differences).map(([name, value]): [string, unknown] => {
    const before = base[name]
    const isPart = isObject(value) && isObject(before) && Object.keys(value).length > 0
    return [name, isPart ? merged(before, value) : value]
  })
  return { ...base, ...Object.fromEntries(entries) }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
