import { limits, type Operation } from '@muster/contract'

import type { Json } from '#test/support/client'

interface Shape {
  readonly type?: string | readonly string[]
  readonly properties?: Record<string, Shape>
}

/** As many parts as fit, joined by commas. */
function filled(part: (index: number) => string, bytes: number): string {
  const parts: string[] = []
  for (let size = 0; ;) {
    const next = part(parts.length)
    size += next.length + 1
    if (size > bytes) return parts.join(',')
    parts.push(next)
  }
}

const quoted = (text: string) => JSON.stringify(text)

const thousand = `{${filled((index) => `"k${index}":1`, 8000)}}`

/** The most expensive values to parse or validate, for their size. */
function values(bytes: number): Record<string, string> {
  return {
    'a string of escapes': `"${'\\u00e9'.repeat(bytes / 6)}"`,
    'a string of quotes': `"${'\\"'.repeat(bytes / 2)}"`,
    'a string of spaces': `"${' '.repeat(bytes - 1)}\t"`,
    'an endless email address': quoted(`a@${'a.'.repeat(bytes / 2 - 2)}`),
    'characters of four bytes': quoted('\u{1F9A5}'.repeat(bytes / 4 - 1)),
    'many strings': `[${filled((index) => `"t${index}"`, bytes)}]`,
    'the same string': `[${filled(() => '"tt"', bytes)}]`,
    'many objects': `[${filled((index) => `{"a":${index}}`, bytes)}]`,
    'many empty lists': `[${filled(() => '[]', bytes)}]`,
    'many nulls': `[${filled(() => 'null', bytes)}]`,
    'many numbers': `[${filled((index) => `${index}.5e-9`, bytes)}]`,
    'a long number': '1'.repeat(bytes),
    'a long fraction': `0.${'1'.repeat(bytes - 2)}`,
    '1000 members': `{${filled((index) => `"k${index}":"v"`, Math.min(bytes, 9000))}}`,
    'objects of 1000 members': `[${filled(() => thousand, bytes)}]`,
    'many members': `{${filled((index) => `"${'n'.repeat(35)}${index}":1`, bytes)}}`,
    'nested arrays': `[${filled(() => '['.repeat(28) + ']'.repeat(28), bytes)}]`,
  }
}

const whole = (bytes: number): Record<string, string> => ({
  'unclosed arrays': '['.repeat(bytes),
  'one repeated member': `{${filled(() => '"a":1', bytes)}}`,
  'unknown members': `{${filled((index) => `"${'name'.repeat(8)}${index}":1`, bytes)}}`,
  'an open string': `"${'\\\\'.repeat(bytes / 2 - 1)}`,
})

const seen = new Set<string>()

/** The fields of each distinct schema: fields with equal schemas are validated alike. */
function newKinds({ properties = {} }: Shape): string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const kind = JSON.stringify({ ...field, description: 0, examples: 0 })
    if (seen.has(kind)) return []
    seen.add(kind)
    return [name]
  })
}

/** The most expensive bodies of 64 KiB for an operation, each in every kind of field. */
export function worstBodies({ body, rows }: Operation): Map<string, string> {
  const bodies = new Map(Object.entries(whole(limits.bodyBytesMax)))
  // The cast holds because the body of an operation is an object.
  for (const field of newKinds((rows ?? body) as Json as Shape)) {
    for (const [what, value] of Object.entries(values(limits.bodyBytesMax - 100))) {
      bodies.set(`${what} as ${field}`, inField(field, value, rows !== undefined))
    }
  }
  return bodies
}

/** The most expensive batches of 4 MiB: each value in one field, the fields in turn. */
export function worstBatches({ rows }: Operation): Map<string, string> {
  const bodies = new Map(Object.entries(whole(limits.batchBytesMax)))
  const fields = Object.keys(rows?.properties ?? {})
  for (const [index, [what, value]] of Object.entries(
    values(limits.batchBytesMax - 100),
  ).entries()) {
    const field = fields[index % fields.length] ?? ''
    bodies.set(`${what} as ${field}`, inField(field, value, true))
  }
  return bodies
}

function inField(field: string, value: string, isRow: boolean): string {
  const object = `{"${field}":${value}}`
  return isRow ? `{"data":[${object}]}` : object
}
