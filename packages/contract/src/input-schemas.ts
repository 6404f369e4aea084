import { type TObject, type TOptional, type TProperties, Type } from 'typebox'

type Optionals<P extends TProperties> = { [K in keyof P]: TOptional<P[K]> }

const optional = <P extends TProperties>(properties: P) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, Type.Optional(field)]),
  ) as Optionals<P>

/**
 * The body of a PATCH: writable fields, and read-only fields with their current values. So a client
 * can read a resource, edit it and send all of it back.
 */
export function patchSchema<R extends TObject, const W extends TProperties>(
  resource: R,
  writable: W,
  about: { title: string; description: string; example: object },
) {
  const { title, description, example } = about
  const properties = { ...optional(resource.properties), ...optional(writable) }
  const options = { additionalProperties: false, title, description, examples: [example] }
  // The cast holds because writable fields are spread over fields of the same name.
  return Type.Object(properties, options) as TObject<Optionals<Omit<R['properties'], keyof W> & W>>
}

/** The body that creates a resource: the required and optional writable fields, and no others. */
export function createSchema<const Q extends TProperties, const O extends TProperties>(
  required: Q,
  others: O,
  about: { title: string; description: string; example: object },
) {
  const { title, description, example } = about
  const options = { additionalProperties: false, title, description, examples: [example] }
  // The cast holds because required fields are spread over optional fields of the same name.
  return Type.Object({ ...optional(others), ...required }, options) as TObject<
    Optionals<Omit<O, keyof Q>> & Q
  >
}
