import { everyOperation } from './index.ts'
import { collections } from './registry.ts'

type Json = Record<string, unknown>

/** Moves every titled schema into `schemas`, and replaces it with a `$ref`. */
export function extractComponents(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((each) => extractComponents(each, schemas))
  if (typeof value !== 'object' || value === null) return value
  const referred = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, extractComponents(each, schemas)]),
  )
  const { title, type } = referred
  if (!('properties' in referred) || typeof title !== 'string') return referred
  const component = { ...referred, type: 'object' }
  const known = (schemas[title] ??= component)
  if (text(known) !== text(component)) throw new Error(`Two schemas have the title ${title}.`)
  const ref = { $ref: `#/components/schemas/${title}` }
  return Array.isArray(type) ? { anyOf: [ref, { type: 'null' }] } : ref
}

/** All response schemas, for the test that checks `revision`. */
export function responseShapes(): Json {
  return {
    collections,
    ...Object.fromEntries(
      everyOperation().map(({ name, operation }) => [name, shapeOf(operation.response)]),
    ),
  }
}

/** A schema without documentation, in canonical order. */
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
