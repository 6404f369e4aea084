import type { Json } from '#test/support/client'

/** A line or a value with one error, and the place that the refusal must name. */
interface Wrong {
  readonly pointer: string
  readonly value: Json
}

/** The object with each field left out or wrong in turn, and with a field that is not known. */
export function wrongObjects(schema: Json, object: Json): Wrong[] {
  const wrong: Wrong[] = [{ pointer: '/unknown', value: { ...object, unknown: 1 } }]
  for (const [name, field] of Object.entries<Json>(schema.properties)) {
    if (schema.required?.includes(name)) {
      wrong.push({ pointer: `/${name}`, value: { ...object, [name]: undefined } })
    }
    for (const { pointer, value } of wrongValues(field, object[name] ?? sampleOf(field))) {
      wrong.push({ pointer: `/${name}${pointer}`, value: { ...object, [name]: value } })
    }
  }
  return wrong
}

/** What the schema forbids: other types, values beyond its bounds, and wrong parts. */
function wrongValues(schema: Json, value: Json): Wrong[] {
  const types = new Set<string>([schema.type].flat())
  const isText = types.has('string')
  const others = [
    ...(types.has('null') ? [] : [null]),
    ...(types.has('boolean') ? [] : [true]),
    ...(isText && !('pattern' in schema || 'format' in schema || 'enum' in schema)
      ? []
      : ['\u0007']),
    ...(isText ? ['x'.repeat((schema.maxLength ?? 40) + 1)] : []),
    ...(schema.maximum < Number.MAX_SAFE_INTEGER ? [schema.maximum + 1] : []),
    ...('minimum' in schema ? [schema.minimum - 1] : []),
    ...('maxItems' in schema ? [Array.from({ length: schema.maxItems + 1 }, () => value[0])] : []),
    0.5,
    [[]],
    { unknown: 1 },
  ]
  return [...others.map((each) => ({ pointer: '', value: each })), ...wrongParts(schema, value)]
}

function wrongParts(schema: Json, value: Json): Wrong[] {
  if (schema.properties) return wrongObjects(schema, value)
  if (!schema.items) return []
  return wrongValues(schema.items, value[0] ?? sampleOf(schema.items)).map((item) => ({
    pointer: `/0${item.pointer}`,
    value: [item.value],
  }))
}

/** A valid value: the example of the schema, or one that consists of the examples of its parts. */
export function sampleOf(schema: Json): Json {
  if (schema.examples) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (schema.items) return [sampleOf(schema.items)]
  const fields = Object.entries<Json>(schema.properties ?? {})
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field)]))
}
