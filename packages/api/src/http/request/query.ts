import type { Operation } from '@muster/contract'
import type { ValidateFunction } from 'ajv/dist/2020.js'

import { Failure } from '#domain/failure'

import { shown, suggest } from './nearest.ts'
import { compile, parameterFlaw } from './validate.ts'

/** The query of a URL, as it was sent. */
export const queryOf = (url: string) => url.split('?').slice(1).join('?')

/** Whether a query has a parameter of one of these names, however the name is encoded. */
export function hasParameter(raw: string, ...names: string[]): boolean {
  return pairs(raw).some(([name]) => names.includes(name))
}

type Schema = { type?: string; items?: { type?: string } }
type Read = (raw: string) => Record<string, unknown>

/**
 * How to read the query of an operation. Nothing is coerced that is not plainly meant: `limit=1e2`
 * and `limit= 5` are refused, a parameter that came twice is refused, and so is one that is not
 * known.
 */
export function queryReader({ query }: Pick<Operation, 'query'>): Read {
  const fields = Object.entries(query?.properties ?? {}).map(
    ([name, schema]) => [name, { schema, validate: compile(schema) }] as const,
  )
  const known = new Map(fields)
  return (raw) => {
    const values: Record<string, unknown> = {}
    for (const [name, encodedValue] of pairs(raw)) {
      const field = known.get(name)
      if (field === undefined) throw unknown(name, [...known.keys()])
      if (Object.hasOwn(values, name)) throw wrong(name, 'was sent twice')
      const text = decode(encodedValue)
      if (text === null) throw wrong(name, 'is not percent-encoded UTF-8 without NUL')
      values[name] = readValue(name, text, field)
    }
    return values
  }
}

function readValue(
  name: string,
  text: string,
  { schema, validate }: { schema: Schema; validate: ValidateFunction },
): unknown {
  const value =
    schema.type === 'array'
      ? text.split(',').map((item) => scalar(item, schema.items?.type))
      : scalar(text, schema.type)
  const flaw = parameterFlaw(validate, value)
  if (flaw !== null) throw wrong(name, flaw)
  return value
}

function scalar(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true'
  return text
}

function unknown(name: string, known: string[]): Failure {
  const list = known.length > 0 ? `Known are: ${known.join(', ')}.` : 'It takes none.'
  const meant = suggest(name, known) || '.'
  const detail = `There is no parameter ${shown(name)} here${meant} ${list}`
  return new Failure('unknown_parameter', detail, { parameter: shown(name) })
}

const wrong = (parameter: string, flaw: string) =>
  new Failure('invalid_parameter', `The parameter ${parameter} ${flaw}.`, { parameter })

/** The parameters, with decoded names. A name that cannot be decoded stays as it was sent. */
function* pairs(raw: string): Generator<[string, string]> {
  for (const part of raw.split('&')) {
    if (part === '') continue
    const [name = '', ...rest] = part.split('=')
    yield [decode(name) ?? name, rest.join('=')]
  }
}

/** Null for what is not UTF-8, and for what holds a NUL: no text of ours has one. */
function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return decoded.includes('\0') ? null : decoded
  } catch {
    return null
  }
}
