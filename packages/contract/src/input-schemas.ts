import { type TObject, type TOptional, type TProperties, Type } from 'typebox'

type Optionals<P extends TProperties> = { [K in keyof P]: TOptional<P[K]> }

const optional = <P extends TProperties>(properties: P) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, Type.Optional(field)]),
  ) as Optionals<P>

/**
 * What a PATCH takes: the fields that may be changed, and all others as they were read. So a
 * resource can be read, edited and sent back whole; a field that only we set must then be as it is.
 */
export function patchOf<R extends TObject, const W extends TProperties>(
  resource: R,
  writable: W,
  about: { title: string; description: string; example: object },
) {
  const { title, description, example } = about
  const properties = { ...optional(resource.properties), ...optional(writable) }
  const options = { additionalProperties: false, title, description, examples: [example] }
  // The cast holds because the writable fields are spread over those of the same name.
  return Type.Object(properties, options) as TObject<Optionals<Omit<R['properties'], keyof W> & W>>
}

/** What may be given of a resource when it is made: these fields, and of the others none. */
export function newOf<const Q extends TProperties, const O extends TProperties>(
  required: Q,
  others: O,
  about: { title: string; description: string; example: object },
) {
  const { title, description, example } = about
  const options = { additionalProperties: false, title, description, examples: [example] }
  // The cast holds because what is required is spread over what is optional by the same name.
  return Type.Object({ ...optional(others), ...required }, options) as TObject<
    Optionals<Omit<O, keyof Q>> & Q
  >
}
