import type { Operation } from '@muster/contract'
import type { ValidateFunction } from 'ajv/dist/2020.js'

import { Failure } from '#domain/engine/failure'

import { printable, suggest } from './nearest.ts'
import { compile, parameterError } from './validate.ts'

/** The query of a URL, not decoded. */
export const queryOf = (url: string) => url.split('?').slice(1).join('?')

/** Whether a query has a parameter with one of these names, however it is encoded. */
export function hasParameter(raw: string, ...names: string[]): boolean {
  return pairs(raw).some(([name]) => names.includes(name))
}

type ParameterSchema = { type?: string; items?: { type?: string } }
type QueryParser = (raw: string) => Record<string, unknown>

/**
 * Parses the query of an operation without loose coercion: `limit=1e2` and `limit= 5` are refused.
 * Duplicate and unknown parameters are refused too.
 */
export function queryReader({ query }: Pick<Operation, 'query'>): QueryParser {
  const fields = Object.entries(query?.properties ?? {}).map(
    ([name, schema]) => [name, { schema, validate: compile(schema) }] as const,
  )
  const known = new Map(fields)
  return (raw) => {
    const values: Record<string, unknown> = {}
    for (const [name, encodedValue] of pairs(raw)) {
      const field = known.get(name)
      if (field === undefined) throw unknownParameter(name, [...known.keys()])
      if (Object.hasOwn(values, name)) throw invalidParameter(name, 'was sent twice')
      const text = decode(encodedValue)
      if (text === null) throw invalidParameter(name, 'must be percent-encoded UTF-8 without NUL')
      values[name] = readValue(name, text, field)
    }
    return values
  }
}

function readValue(
  name: string,
  text: string,
  { schema, validate }: { schema: ParameterSchema; validate: ValidateFunction },
): unknown {
  const value =
    schema.type === 'array'
      ? text.split(',').map((item) => scalar(item, schema.items?.type))
      : scalar(text, schema.type)
  const detail = parameterError(validate, value)
  if (detail !== null) throw invalidParameter(name, detail)
  return value
}

function scalar(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true'
  return text
}

function unknownParameter(name: string, known: string[]): Failure {
  const list = known.length > 0 ? `Known parameters: ${known.join(', ')}.` : 'It has none.'
  const suggestion = suggest(name, known) || '.'
  const detail = `This operation has no parameter ${printable(name)}${suggestion} ${list}`
  return new Failure('unknown_parameter', detail, { parameter: printable(name) })
}

const invalidParameter = (parameter: string, detail: string) =>
  new Failure('invalid_parameter', `The parameter ${parameter} ${detail}.`, { parameter })

/** The parameters, with decoded names. A name that cannot be decoded is kept as it is. */
function* pairs(raw: string): Generator<[string, string]> {
  for (const part of raw.split('&')) {
    if (part === '') continue
    const [name = '', ...rest] = part.split('=')
    yield [decode(name) ?? name, rest.join('=')]
  }
}

/** Null for invalid UTF-8 and for NUL, which no text in the database can contain. */
function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return decoded.includes('\0') ? null : decoded
  } catch {
    return null
  }
}
