import type { TSchema } from 'typebox'

import { collections } from './collections.ts'
import { everyOperation } from './index.ts'

type Json = Record<string, unknown>

/** The example of a schema, put together from the examples of its fields. */
export function exampleOf(schema: TSchema): unknown {
  const { examples, properties, items } = schema as {
    examples?: unknown[]
    properties?: Record<string, TSchema>
    items?: TSchema
  }
  if (examples) return examples[0]
  if (items) return [exampleOf(items)]
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, field]) => [name, exampleOf(field)]),
  )
}

/** Moves every schema that has a title into `schemas`, and leaves a reference in its place. */
export function refer(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((each) => refer(each, schemas))
  if (typeof value !== 'object' || value === null) return value
  const referred = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, refer(each, schemas)]),
  )
  const { title } = referred
  if (!('properties' in referred) || typeof title !== 'string') return referred
  schemas[title] = referred
  return { $ref: `#/components/schemas/${title}` }
}

/** All response shapes, for the test that watches `revision`. */
export function responseShapes(): Json {
  return {
    collections,
    ...Object.fromEntries(
      everyOperation().map(({ name, operation }) => [name, shapeOf(operation.response)]),
    ),
  }
}

/** A schema without what is only documentation, and without order, which is none of its shape. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(shapeOf).toSorted((a, b) => (text(a) < text(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !['description', 'examples', 'title', 'x-extensible-enum'].includes(name))
      .map(([name, each]): [string, unknown] => [name, shapeOf(each)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

const text = (value: unknown) => JSON.stringify(value)
