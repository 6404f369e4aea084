import {
  linkUrlPattern,
  manyLines,
  oneLine,
  type Prefix,
  prefixes,
  timeOrDayPattern,
} from '@muster/contract'
import type { ErrorObject } from 'ajv/dist/2020.js'

import { suggest } from './nearest.ts'

/** The keywords of a schema that describe what it accepts. */
interface Expecting {
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly examples?: readonly unknown[]
  readonly properties?: object
}

type Describe = (schema: Expecting, params: ErrorObject['params']) => string

/** What a value must be, in words for its sender. It never contains the value. */
export function expected(error: ErrorObject): string {
  const { keyword, params, parentSchema, propertyName, message } = error
  if (propertyName !== undefined) return wrongName
  const schema = (parentSchema ?? {}) as Expecting
  return byForm(schema, keyword) ?? byKeyword[keyword]?.(schema, params) ?? message ?? 'is invalid'
}

const textKeywords = new Set(['minLength', 'maxLength', 'pattern', 'format'])

const forms: Readonly<Record<string, string>> = {
  email: 'must be an email address',
  date: 'must be a valid date, as YYYY-MM-DD',
  'date-time': 'must be a time in UTC with milliseconds, as 2026-11-18T09:30:00.000Z',
}

const timeOrDay = 'must be a date, as 2026-11-18, or a time, as 2026-11-18T09:30:00+01:00'

/** For a text whose form is fixed, its length says nothing: a date is not "too long". */
function byForm({ format, pattern }: Expecting, keyword: string): string | null {
  if (!textKeywords.has(keyword)) return null
  if (format !== undefined && format !== 'uri') return forms[format] ?? null
  if (pattern === timeOrDayPattern) return timeOrDay
  return pattern === undefined ? null : idForm(pattern)
}

/** The form of an id, for the patterns of ids and of an id or `none`. */
function idForm(pattern: string): string | null {
  const [, alternatives] =
    /^\^(?:\(\?:)?((?:none\|)?[a-z]{3}(?:\|[a-z]{3})*)\)?_\[/.exec(pattern) ?? []
  const parts = alternatives?.split('|') ?? []
  const ids = parts.filter((part): part is Prefix => Object.hasOwn(prefixes, part))
  if (ids.length === 0) return null
  const what = ids.map((prefix) => prefixes[prefix]).join(' or ')
  const starts = ids.map((prefix) => `${prefix}_`).join(' or ')
  return `must be the id of ${what}, which starts with ${starts}${parts[0] === 'none' ? ', or none' : ''}`
}

const patternForms: Readonly<Record<string, string>> = {
  [oneLine]: 'must be one line of text with a visible character',
  [manyLines]: 'must have no control characters but tab and line feed',
  [linkUrlPattern]: 'must start with https:// and a host, without a user name or password',
}

const wrongName = 'has a name that is not made of 1 to 40 letters, digits, `_`, `.` and `-`'

const typeName = (type: string) => (type === 'boolean' ? 'true or false' : type)

const plural = (count: unknown, word: string) => `${String(count)} ${word}${count === 1 ? '' : 's'}`

const range: Describe = ({ minimum, maximum }) => {
  if (maximum === undefined || maximum === Number.MAX_SAFE_INTEGER)
    return `must be ${minimum} or more`
  return minimum === undefined
    ? `must be ${maximum} or less`
    : `must be from ${minimum} to ${maximum}`
}

const byKeyword: Readonly<Record<string, Describe>> = {
  type: (_, { type }) => `must be ${[type].flat().map(typeName).join(' or ')}`,
  enum: (_, { allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  format: () => 'must be a valid URL; percent-encode spaces and other special characters',
  pattern: ({ pattern = '', examples }) => {
    const example =
      examples === undefined ? null : `must have a form such as ${String(examples[0])}`
    return patternForms[pattern] ?? example ?? 'must have another form'
  },
  minLength: (_, { limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${plural(limit, 'character')}`,
  maxLength: (_, { limit }) => `must have at most ${plural(limit, 'character')}`,
  minimum: range,
  maximum: range,
  minItems: (_, { limit }) => `must have at least ${plural(limit, 'item')}`,
  maxItems: (_, { limit }) => `must have at most ${plural(limit, 'item')}`,
  uniqueItems: () => 'must not have the same item twice',
  maxProperties: (_, { limit }) => `must have at most ${plural(limit, 'field')}`,
  minProperties: (_, { limit }) => `must have at least ${plural(limit, 'field')}`,
  propertyNames: () => wrongName,
  additionalProperties: ({ properties = {} }, { additionalProperty }) =>
    `is not a known field${suggest(String(additionalProperty), Object.keys(properties))}`,
}
