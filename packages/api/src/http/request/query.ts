import type { Operation } from '@muster/contract'
import type { ValidateFunction } from 'ajv/dist/2020.js'

import { Failure } from '#domain/engine/failure'

import { printable, suggest } from './nearest.ts'
import { compile, parameterError } from './validate.ts'

/** The path of a URL, not decoded. */
export const pathOf = (url: string) => url.split('?', 1)[0] ?? ''

/** The query of a URL, not decoded. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

/** The value of a parameter, however its name is encoded; null without it. */
export function parameterIn(raw: string, wanted: string): string | null {
  if (raw === '') return null
  for (const [name, value] of pairs(raw)) if (name === wanted) return decode(value) ?? value
  return null
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
  return remembered((raw) => {
    const values: Record<string, unknown> = {}
    for (const [name, encodedValue] of pairs(raw)) {
      const field = known.get(name)
      if (field === undefined) throw unknownParameter(name, [...known.keys()])
      if (Object.hasOwn(values, name)) throw invalidParameter(name, 'was sent twice')
      const text = decode(encodedValue)
      if (text === null) throw invalidParameter(name, 'must be percent-encoded UTF-8 without NUL')
      values[name] = readValue(name, text, field)
    }
    const missing = query?.required?.find((name) => !Object.hasOwn(values, name))
    if (missing !== undefined) throw invalidParameter(missing, 'is required')
    return Object.freeze(values)
  })
}

const rememberedMax = 100
const rememberedLengthMax = 500

/** Remembers the results for the texts that were read last: clients repeat their requests. */
function remembered<T>(read: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>()
  return (text) => {
    const known = results.get(text)
    if (known !== undefined) return known
    const result = read(text)
    if (results.size >= rememberedMax) results.clear()
    if (text.length <= rememberedLengthMax) results.set(text, result)
    return result
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
  const hint = hintFor(name, known)
  const suggestion = hint ? `. ${hint}` : suggest(name, known) || '.'
  const detail = `This operation has no parameter ${printable(name)}${suggestion} ${list}`
  return new Failure('unknown_parameter', detail, { parameter: printable(name) })
}

const paging = 'For pages, set `limit`, then follow `next_cursor` with `cursor`.'

/** What to use instead of parameters that other services have: the known one, and how. */
const hints: Readonly<Record<string, readonly [known: string, hint: string]>> = {
  page: ['cursor', paging],
  page_size: ['cursor', paging],
  per_page: ['cursor', paging],
  offset: ['cursor', paging],
  sort_by: ['sort', 'Use `sort`, with `-` before the value for the reverse order.'],
  order_by: ['sort', 'Use `sort`, with `-` before the value for the reverse order.'],
  search: ['q', 'Use `q`.'],
  expand: ['include', 'Use `include`.'],
}

function hintFor(name: string, known: string[]): string | null {
  if (name === 'fields') return 'A response always has all fields.'
  const [wanted, hint] = (Object.hasOwn(hints, name) && hints[name]) || []
  return wanted !== undefined && known.includes(wanted) ? (hint ?? null) : null
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
  if (/^[\w.:-]*$/.test(text)) return text
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return decoded.includes('\0') ? null : decoded
  } catch {
    return null
  }
}
