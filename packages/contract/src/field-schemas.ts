import { Type, type Static, type TSchema } from 'typebox'

/**
 * What a reader of the documentation needs beside the type. Nothing in the contract goes without.
 */
export interface About<T> {
  readonly description: string
  readonly example: T
}

const told = <T>({ description, example }: About<T>) => ({ description, examples: [example] })

/** Text on one line: no control characters, and more than blanks. */
const oneLine = '^(?!\\p{Z}*$)[^\\p{Cc}]*$'
/** Text on many lines: of the control characters only TAB and LF. */
const manyLines = '^(?:[^\\p{Cc}]|[\\t\\n])*$'

export const line = (maxLength: number, about: About<string>) =>
  Type.String({ minLength: 1, maxLength, pattern: oneLine, ...told(about) })

export const prose = (maxLength: number, about: About<string>) =>
  Type.String({ minLength: 1, maxLength, pattern: manyLines, ...told(about) })

export const email = (about: About<string>) =>
  Type.String({ minLength: 3, maxLength: 254, format: 'email', ...told(about) })

/** A day; there was no year 0. */
export const date = (about: About<string>) =>
  Type.String({
    minLength: 10,
    maxLength: 10,
    format: 'date',
    pattern: '^(?!0000)',
    ...told(about),
  })

/** RFC 3339, UTC, exactly three fractional digits. */
export const instant = (about: About<string>) =>
  Type.String({ minLength: 24, maxLength: 24, format: 'date-time', ...told(about) })

export const integer = (minimum: number, maximum: number, about: About<number>) =>
  Type.Integer({ minimum, maximum, ...told(about) })

export const flag = (about: About<boolean>) => Type.Boolean(told(about))

/** A rating of the one scale: 1..5. */
export const rating = (about: About<1 | 2 | 3 | 4 | 5>) => integer(1, 5, about)

/** The number of a change in its workspace. Safe as a JavaScript number for ever. */
export const sequence = (about: About<number>) => integer(0, Number.MAX_SAFE_INTEGER, about)

export const prefixes = {
  usr: 'a person',
  grp: 'a group',
  prj: 'a project',
  rsk: 'a risk',
  iss: 'an issue',
  tsk: 'a task',
  key: 'an API key',
  wsp: 'a workspace',
  evt: 'an event',
  req: 'a request',
} as const

export type Prefix = keyof typeof prefixes

export const idPattern = (prefix: Prefix) => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

const exampleSuffix = '01ktrr9d3hen4v9q9t9m2g8x5c'

/** A TypeID: a prefix that says of what, and a UUIDv7 in 26 characters. */
export const id = (prefix: Prefix, description: string) =>
  Type.String({
    minLength: 30,
    maxLength: 30,
    pattern: idPattern(prefix),
    description,
    examples: [`${prefix}_${exampleSuffix}`],
  })

/** One of a fixed set, on input. */
export const choice = <const V extends readonly string[]>(values: V, about: About<V[number]>) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...told(about) })

/** One of a set that may grow, on output: a client must expect values it does not know. */
export const known = <const V extends readonly string[]>(values: V, about: About<V[number]>) =>
  Type.Unsafe<V[number]>({
    type: 'string',
    maxLength: 50,
    'x-extensible-enum': [...values],
    ...told(about),
  })

/** A person, or `none` for nobody, as a value of a filter. */
export const personOrNone = Type.String({
  maxLength: 30,
  pattern: '^(?:none|usr_[0-7][0-9a-hjkmnp-tv-z]{25})$',
  examples: ['none'],
})

/** Known to be none: `null`. */
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

/** String to string, for what the caller's own systems need to remember. */
export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 50,
  propertyNames: { pattern: '^[A-Za-z0-9_.-]{1,40}$' },
  additionalProperties: { type: 'string', maxLength: 500, pattern: manyLines },
  description: 'Your own keys and values: at most 50, each value at most 500 characters.',
  examples: [{ badge: 'B-1042' }],
})

/** As a merge patch takes it: a key with null is taken away, one that is left out stays. */
export const MetadataPatch = Type.Unsafe<Record<string, string | null>>({
  ...Metadata,
  additionalProperties: { type: ['string', 'null'], maxLength: 500, pattern: manyLines },
  description: 'Keys and values to add or replace; a key with null is taken away.',
  examples: [{ badge: 'B-1042', locker: null }],
})

/** What every resource ends with: its version, and when it came into being and last changed. */
export const lifetime = (what: string, made: string) => ({
  version: sequence({
    description: `The sequence number of the last change of ${what}.`,
    example: 4711,
  }),
  created_at: instant({
    description: `When ${what} was ${made}.`,
    example: '2024-02-12T09:30:00.000Z',
  }),
  updated_at: instant({
    description: `When ${what} was last changed.`,
    example: '2024-03-01T08:00:00.000Z',
  }),
})

/** One word: a list of tags is written with blanks between them, and a filter with commas. */
export const tag = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: '^[^\\p{Z}\\p{C},]+$',
  description: 'A tag: one word, without blanks and commas.',
  examples: ['groundwater'],
})

/** Sorted, each once. */
export const tags = Type.Array(tag, {
  maxItems: 50,
  uniqueItems: true,
  description: 'Words to find it by: at most 50, each without blanks and commas.',
  examples: [['groundwater']],
})

/** What a risk or an issue of a project carries beside its own. */
export const marks = <const F extends readonly string[]>(flags: F, example: F[number]) => ({
  flags: list(
    known(flags, { description: 'A flag.', example }),
    20,
    'What needs care: facts that turned true with time. Sorted.',
  ),
  tags,
  metadata: Metadata,
})
