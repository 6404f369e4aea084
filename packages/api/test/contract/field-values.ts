import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'

import { timeOrDayPattern } from '@muster/contract'

import type { Json } from '#test/support/client'

/** The part of a JSON Schema that values follow from. */
export interface FieldSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly Json[]
  readonly 'x-extensible-enum'?: readonly Json[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: FieldSchema
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
}

export const isNullable = ({ type }: FieldSchema) => [type].flat().includes('null')

/** Which of the valid values, and what they can refer to. */
export interface ValueContext {
  /** Another number gives another value, as far as the schema has some. */
  readonly number: number
  /** The ids that a value can refer to, by prefix. */
  readonly ids: Readonly<Record<string, readonly string[]>>
}

type Known = (context: ValueContext) => Json

/** A schema does not state which of its values are valid: the service checks more. */
const known: Readonly<Record<string, Known>> = {
  code: ({ number }) => `G${number}`,
  slug: ({ number }) => `guard-${number}`,
  time_zone: ({ number }) => ['Europe/Paris', 'Asia/Tokyo', 'America/Lima'][number % 3],
  allowed_cidrs: ({ number }) => [`10.0.${number % 256}.0/24`],
  // A key with projects has no other scopes.
  scopes: ({ number }) => [['projects.read'], ['personnel.read']][number % 2],
  // An administrator must be able to sign in.
  sign_in_methods: ({ number }) =>
    [['link', 'key'], ['passkey', 'link', 'key'], ['key']][number % 3],
  // Only `accept` sets the response `accept`.
  response: ({ number }) => ['undecided', 'avoid', 'reduce', 'transfer'][number % 4],
  // The leads are among the first members.
  member_user_ids: ({ ids }) => ids['usr'],
}

/** The score is the product of the ratings. A client need not send it. */
const isLeftOut = (name: string, { required = [] }: FieldSchema) =>
  name === 'score' && !required.includes(name)

const anId = '01ktrr9d3hen4v9q9t9m2g8x5c'

/** A valid value of a field. */
export function valueOf(name: string, schema: FieldSchema, context: ValueContext): Json {
  const { items, properties, minimum = 0, maximum = Infinity } = schema
  const { number } = context
  const types = new Set([schema.type].flat())
  const words = wordsOf(name, schema)
  const knownValue = known[name]
  if (knownValue) return knownValue(context)
  if (words) return words[number % words.length]
  if (items) return [valueOf(name, items, context)]
  if (properties) return objectOf(schema, context)
  if (types.has('object')) return { guard: `Value ${number}` }
  if (types.has('boolean')) return number % 2 === 0
  if (types.has('integer')) return minimum + (number % Math.min(maximum - minimum + 1, 100))
  return textOf(name, schema, context)
}

/** A record needs a reason to be closed, and to be created closed. */
const wordsOf = (name: string, schema: FieldSchema) =>
  (schema.enum ?? schema['x-extensible-enum'])?.filter(
    (word) => word !== null && !(name === 'status' && word === 'closed'),
  )

const objectOf = (schema: FieldSchema, context: ValueContext) =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => !isLeftOut(name, schema))
      .map(([name, field]) => [name, valueOf(name, field, context)]),
  )

/** Something is closed after it was reviewed, and reviewed after it began. */
function timeAt(name: string, day: string): string {
  const year = { identified_at: 2023, opened_at: 2023, closed_at: 2025 }[name] ?? 2024
  return `${year}-01-${day}T00:00:00.000Z`
}

function textOf(name: string, schema: FieldSchema, { number, ids }: ValueContext): string {
  const { format = '', pattern = '' } = schema
  const [, prefix] = /^\^(?:\(\?:)?([a-z]{3})[|_]/.exec(pattern) ?? []
  const targets = ids[prefix ?? ''] ?? [`${prefix}_${anId}`]
  const day = String(1 + (number % 28)).padStart(2, '0')
  const formats: Readonly<Record<string, string>> = {
    // The last day of something is not before its first.
    date: `${name.startsWith('start') ? 2031 : 2041}-01-${day}`,
    'date-time': timeAt(name, day),
    email: `guard${number}@example.com`,
    uri: `https://documents.example/${number}`,
  }
  const form = pattern === timeOrDayPattern ? 'date-time' : format
  const text = prefix ? targets[number % targets.length] : formats[form]
  const value = text ?? `${name.slice(0, 1)}${number}`
  assert.match(value, new RegExp(pattern, 'u'), `${name}: add a valid value to \`known\``)
  return value
}

/** Whether the values differ; of two objects, all fields that both have. */
function isUnlike(one: Json, other: Json): boolean {
  const [a, b] = [fieldsOf(one), fieldsOf(other)]
  if (a === null || b === null) return !isDeepStrictEqual(one, other)
  return Object.entries(a).every(([name, value]) => !(name in b) || isUnlike(value, b[name]))
}

const fieldsOf = (value: Json): Readonly<Record<string, Json>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null

const attempts = 200
let numbers = 0

/** A valid value that is none of the others, in no field of an object. */
export function newValue(
  [name, schema]: readonly [string, FieldSchema],
  { ids, others }: { readonly ids: ValueContext['ids']; readonly others: readonly Json[] },
): Json {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const value = valueOf(name, schema, { number: numbers++, ids })
    if (others.every((other) => isUnlike(value, other))) return value
  }
  throw new Error(`${name} has no value other than ${JSON.stringify(others)}`)
}

/** Whether a value has what was sent; the service adds derived fields to an object. */
export function isSent(value: Json, sent: Json): boolean {
  const [has, wants] = [fieldsOf(value), fieldsOf(sent)]
  if (has === null || wants === null) return isDeepStrictEqual(value, sent)
  return Object.entries(wants).every(([name, each]) => isSent(has[name], each))
}
