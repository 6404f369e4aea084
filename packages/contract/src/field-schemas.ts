import { Type, type Static, type TSchema } from 'typebox'

import type { Prefix } from './registry.ts'

/**
 * The description and example of a schema. Every field of the contract must have both.
 */
export interface Documentation<T> {
  readonly description: string
  readonly example: T
}

const annotations = <T>({ description, example }: Documentation<T>) => ({
  description,
  examples: [example],
})

/** Single-line text: no control characters, and not only white space. */
export const oneLine = '^(?!\\p{Z}*$)[^\\p{Cc}]*$'
/** Multi-line text: TAB and LF are the only control characters. */
export const manyLines = '^(?:[^\\p{Cc}]|[\\t\\n])*$'

export const singleLine = (maxLength: number, about: Documentation<string>) =>
  Type.String({ minLength: 1, maxLength, pattern: oneLine, ...annotations(about) })

export const multiLine = (maxLength: number, about: Documentation<string>) =>
  Type.String({ minLength: 1, maxLength, pattern: manyLines, ...annotations(about) })

/** A name for addresses. The pattern is that of the database. */
export const slugPattern = '^[a-z0-9](?:-?[a-z0-9])*$'

export const slug = (about: Documentation<string>) =>
  Type.String({ minLength: 3, maxLength: 40, pattern: slugPattern, ...annotations(about) })

export const email = (about: Documentation<string>) =>
  Type.String({ minLength: 3, maxLength: 254, format: 'email', ...annotations(about) })

/** A calendar date. Year 0000 is invalid. */
export const date = (about: Documentation<string>) =>
  Type.String({
    minLength: 10,
    maxLength: 10,
    format: 'date',
    pattern: '^(?!0000)',
    ...annotations(about),
  })

/** RFC 3339 in UTC with exactly three fractional digits. */
export const timestamp = (about: Documentation<string>) =>
  Type.String({ minLength: 24, maxLength: 24, format: 'date-time', ...annotations(about) })

const someDay = '[12]\\d{3}-[01]\\d-[0-3]\\d'
const someTime = '[Tt](?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?'
const someOffset = '(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'

/** The form of `earlierTime`. */
export const timeOrDayPattern = `^${someDay}(?:${someTime}${someOffset})?$`

/**
 * A time that a new resource brings with it: RFC 3339 with any offset, or a day, which is its start
 * in the time zone of the workspace.
 */
export const earlierTime = ({ description, example }: Documentation<string>) =>
  Type.String({
    minLength: 10,
    maxLength: 35,
    pattern: timeOrDayPattern,
    description:
      `${description} A time with any offset, or a date, which is the start of that day in the ` +
      'time zone of the workspace. From 1970, and not in the future.',
    examples: [example],
  })

export const integer = (minimum: number, maximum: number, about: Documentation<number>) =>
  Type.Integer({ minimum, maximum, ...annotations(about) })

export const booleanField = (about: Documentation<boolean>) => Type.Boolean(annotations(about))

/** A rating from 1 to 5; see `scale`. */
export const rating = (about: Documentation<1 | 2 | 3 | 4 | 5>) => integer(1, 5, about)

/** The number of a change in its workspace. It stays a safe JavaScript integer. */
export const sequenceNumber = (about: Documentation<number>) =>
  integer(0, Number.MAX_SAFE_INTEGER, about)

export const idPattern = (prefix: Prefix) => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

const exampleSuffix = '01ktrr9d3hen4v9q9t9m2g8x5c'

/** The id in the examples of every resource with this prefix. */
export const exampleId = (prefix: Prefix) => `${prefix}_${exampleSuffix}`

/** A second id in the examples, such as the manager of the person. */
export const otherExampleId = (prefix: Prefix) => `${prefix}_01ktrr9d3hen4v9q9t9m2g8x5d`

/** A TypeID: a type prefix, and a UUIDv7 in 26 characters. */
export const id = (prefix: Prefix, description: string) =>
  Type.String({
    minLength: 30,
    maxLength: 30,
    pattern: idPattern(prefix),
    description,
    examples: [exampleId(prefix)],
  })

/** The prefix of the ids that a field has, alone or as a list; null for other fields. */
export function prefixOf(schema: TSchema): Prefix | null {
  const { pattern, items } = schema as { pattern?: string; items?: { pattern?: string } }
  const [, prefix] = /^\^([a-z]{3})_\[/.exec(pattern ?? items?.pattern ?? '') ?? []
  // The cast holds because only ids have such a pattern.
  return (prefix ?? null) as Prefix | null
}

/** An id with one of these prefixes. */
export const idOfAny = (prefixes: readonly Prefix[], description: string) =>
  Type.String({
    minLength: 30,
    maxLength: 30,
    pattern: `^(?:${prefixes.join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
    description,
    examples: [exampleId('rsk')],
  })

/** The id of a project, a risk, an issue or a task. */
export const workItemId = (description: string) =>
  idOfAny(['prj', 'rsk', 'iss', 'tsk'], description)

/** An enum of an input: only these values are valid. */
export const closedEnum = <const V extends readonly string[]>(
  values: V,
  about: Documentation<V[number]>,
) => Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...annotations(about) })

/** An enum of a response. Clients must accept values they do not know. */
export const openEnum = <const V extends readonly string[]>(
  values: V,
  about: Documentation<V[number]>,
) =>
  Type.Unsafe<V[number]>({
    type: 'string',
    maxLength: 50,
    'x-extensible-enum': [...values],
    ...annotations(about),
  })

/** A filter value: a user id, or `none` for unassigned. */
export const userIdOrNone = Type.String({
  maxLength: 30,
  pattern: '^(?:none|usr_[0-7][0-9a-hjkmnp-tv-z]{25})$',
  examples: ['none'],
})

/** Also accepts `null`, which means: known to have no value. */
export const nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [(schema as { type?: string }).type, 'null'],
    ...('enum' in schema && { enum: [...(schema.enum as unknown[]), null] }),
  })

export const list = <T extends TSchema>(item: T, maxItems: number, description: string) =>
  Type.Array(item, {
    maxItems,
    description,
    examples: [(item as { examples?: unknown[] }).examples],
  })

/** Custom key-value pairs of the caller's own systems. */
export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 50,
  propertyNames: { pattern: '^[A-Za-z0-9_.-]{1,40}$' },
  additionalProperties: { type: 'string', maxLength: 500, pattern: manyLines },
  description: 'Custom keys and values: at most 50, each value at most 500 characters.',
  examples: [{ badge: 'B-1042' }],
})

/** As in a merge patch: null removes a key, and an omitted key is unchanged. */
export const MetadataPatch = Type.Unsafe<Record<string, string | null>>({
  ...Metadata,
  additionalProperties: { type: ['string', 'null'], maxLength: 500, pattern: manyLines },
  description: 'Keys and values to add or replace. Null removes a key.',
  examples: [{ badge: 'B-1042', locker: null }],
})

/** The version and the timestamps that end every resource. */
export const auditFields = (resource: string) => ({
  version: sequenceNumber({
    description: `The sequence number of the last change of ${resource}.`,
    example: 4711,
  }),
  created_at: timestamp({
    description: `When ${resource} was created.`,
    example: '2026-02-12T09:30:00.000Z',
  }),
  updated_at: timestamp({
    description: `When ${resource} was last changed.`,
    example: '2026-03-01T08:00:00.000Z',
  }),
})

/** No spaces and no commas: CSV separates tags with spaces, and filters with commas. */
export const tag = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[^\\p{Z}\\p{C},]+$',
  description: 'A tag: one word without spaces or commas.',
  examples: ['groundwater'],
})

/** Sorted and unique. */
export const tags = Type.Array(tag, {
  maxItems: 50,
  uniqueItems: true,
  description: 'Tags: at most 50 words without spaces or commas.',
  examples: [['groundwater']],
})

/** https, a host, and no user name or password before it. */
export const linkUrlPattern = '^https://[^/?#@]+(?:[/?#]|$)'
export const linkUrlLengthMax = 2000

const linkFields = {
  title: singleLine(200, {
    description: 'The title of the document, in one line.',
    example: 'Inspection report, September 2026',
  }),
  url: Type.String({
    maxLength: linkUrlLengthMax,
    format: 'uri',
    pattern: linkUrlPattern,
    description: 'The address of the document: https, without a user name or password.',
    examples: ['https://documents.example.com/dam/inspection-2026-09.pdf'],
  }),
}

const linksOptions = {
  maxItems: 20,
  description: 'Links to evidence: at most 20, in the order given.',
}

/** Links to the documents that support a risk, an issue or a task. The service never opens them. */
export const evidenceLinks = Type.Array(Type.Object(linkFields), linksOptions)

export const evidenceLinksInput = Type.Array(
  Type.Object(linkFields, { additionalProperties: false }),
  linksOptions,
)

/** What needs attention. */
export const flagList = <const F extends readonly string[]>(flags: F, example: F[number]) =>
  list(
    openEnum(flags, { description: 'A flag.', example }),
    20,
    'What needs attention: flags that the service sets and clears. Sorted.',
  )
