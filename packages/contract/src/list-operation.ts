import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox'

import type { ProblemName } from '#contract/problems/problems'

import {
  closedEnum,
  date,
  email,
  id,
  integer,
  singleLine,
  list,
  nullable,
  sequenceNumber,
} from './field-schemas.ts'
import { limits } from './limits.ts'
import type { Include, ListOperation } from './operation.ts'
import type { Collection, Prefix } from './registry.ts'
import type { Scope } from './scopes.ts'
import { unmatchedFields, unmatchedInclude } from './unmatched.ts'

const cursorExample = 'AQMWx2nZk0c'

const paging = {
  limit: Type.Optional(
    integer(1, limits.page.max, {
      description:
        'The page size. Without `limit` and `cursor`, the response is the complete ' +
        'collection.',
      example: 50,
    }),
  ),
  cursor: Type.Optional(
    singleLine(limits.cursorLengthMax, {
      description:
        'Continue after the page that returned this `next_cursor`. Repeat all other parameters. ' +
        `Only \`limit\` may change (default: ${limits.page.default}).`,
      example: cursorExample,
    }),
  ),
}

/** The formats of a list by the value of `format`, and their media types. */
export const listFormats = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
} as const

// The cast holds because these are the names of the object.
const formatNames = Object.keys(listFormats) as (keyof typeof listFormats)[]

const formatParameter = Type.Optional(
  closedEnum(formatNames, {
    description: 'The format of the response, instead of the `Accept` header.',
    example: 'json',
  }),
)

const positionExample = 'WyI1YzhlIiwiNzQxMS4wMDAwMDAwMSIsNzU2XQ'

/** The parameter of a list whose items are only added, so that programs can follow it. */
export const feedParameter = {
  after: Type.Optional(
    singleLine(limits.positionLengthMax, {
      description:
        'Follow the log instead: entries after this position, in the order of their commits, ' +
        'oldest first. `beginning` starts with the oldest entry and `now` with the next one. ' +
        'Continue with the `position` of the response. Only `limit` can be combined with it ' +
        `(default: ${limits.page.default}).`,
      example: 'beginning',
    }),
  ),
}

/** The fields of the response to a request with `after`. */
export const feedFields = {
  position: Type.Optional(
    singleLine(limits.positionLengthMax, {
      description: 'The next value of `after`, also if `data` is empty. Only with `after`.',
      example: positionExample,
    }),
  ),
  has_more: Type.Optional(
    Type.Boolean({
      description:
        'Whether there are entries after `position` now. If not, ask again later. Only with ' +
        '`after`.',
      examples: [false],
    }),
  ),
}

/** The `include` parameter: `total_count` for every list, and the list's own extras. */
function includeParameter(includes: Readonly<Record<string, Include>>) {
  const names = ['total_count', ...Object.keys(includes)]
  const quoted = names.map((name) => `\`${name}\``).join(', ')
  return Type.Optional(
    enumFilter(names, `Extras to add to the response: ${quoted}.`, 'total_count'),
  )
}

/** A filter of one or more enum values, separated by commas. An item matches any of them. */
export function enumFilter<const V extends readonly string[]>(
  values: V,
  description: string,
  example: V[number],
) {
  return Type.Unsafe<V[number][]>({
    type: 'array',
    items: { type: 'string', enum: [...values] },
    minItems: 1,
    maxItems: values.length,
    uniqueItems: true,
    description,
    examples: [[example]],
  })
}

/** As `enumFilter`, for ids and other values that are not a fixed set. */
export const valuesFilter = <T extends TSchema>(
  item: T,
  description: string,
  most: number = limits.filterValuesMax,
) =>
  Type.Unsafe<Static<T>[]>({
    ...list(item, most, description),
    minItems: 1,
    uniqueItems: true,
  })

/** Case- and accent-insensitive substring search. */
export const searchFilter = (where: string, example: string) => ({
  ...singleLine(100, {
    description: `Only items where ${where} contains this text, ignoring letter case and accents.`,
    example,
  }),
  minLength: 2,
})

/**
 * The sort orders of a list; `-` reverses one. The id breaks every tie, and items without a value
 * come last in both directions.
 */
export const sortParameter = <const V extends readonly string[]>(values: V, description: string) =>
  closedEnum(values.flatMap((value) => [value, `-${value}`]) as (V[number] | `-${V[number]}`)[], {
    description,
    example: values[0] as V[number],
  })

interface EnvelopeOf<T extends TObject> {
  readonly item: T
  readonly filters: object
  readonly title: string
}

const Envelope = <T extends TObject>({ item, filters, title }: EnvelopeOf<T>) =>
  Type.Object(
    {
      as_of: sequenceNumber({
        description:
          'The sequence number of the collection at the time of the read. The response is a ' +
          'consistent snapshot at this number.',
        example: 4711,
      }),
      data: Type.Array(item, { description: 'The items, in the order of the list.' }),
      total_count: Type.Optional(
        nullable(
          integer(0, Number.MAX_SAFE_INTEGER, {
            description:
              'The number of matching items on all pages. Only with `include=total_count`; null ' +
              `above ${limits.totalCountMax} if the service keeps no counter for this filter.`,
            example: 250,
          }),
        ),
      ),
      ...unmatchedFields(filters),
      count: integer(0, Number.MAX_SAFE_INTEGER, {
        description: 'The number of items in this response.',
        example: 1,
      }),
      next_cursor: nullable(
        singleLine(limits.cursorLengthMax, {
          description: 'The `cursor` of the next page. Null on the last page, and only there.',
          example: cursorExample,
        }),
      ),
    },
    { title, description: 'The complete list or one page.' },
  )

interface ListDefinition<
  T extends TObject,
  F extends TProperties,
  P extends TObject | undefined,
  C extends Collection,
  S extends Scope,
> {
  readonly summary: string
  readonly description: string
  readonly path: `/v1/${string}`
  readonly scope: S
  readonly params?: P
  readonly collection: C
  /** `none` for items that change with time and without a write. */
  readonly cache?: 'none'
  readonly also?: readonly Collection[]
  readonly item: T
  readonly title: string
  readonly filters: F
  readonly includes?: Readonly<Record<string, Include>>
  readonly sorts?: Readonly<Record<string, Include>>
  readonly filterNeeds?: Readonly<Record<string, Include>>
  readonly example?: Readonly<Record<string, unknown>>
  readonly exportedAs?: ListOperation['exportedAs']
  readonly problems?: readonly ProblemName[]
}

/** Declares a list with the common parts: paging, totals, the envelope and the problems. */
export function listOperation<
  const T extends TObject,
  const F extends TProperties,
  const C extends Collection,
  const S extends Scope,
  const P extends TObject | undefined = undefined,
>(definition: ListDefinition<T, F, P, C, S>) {
  const { summary, path, collection, item, title, filters, also = [] } = definition
  const { sorts = {}, filterNeeds = {} } = definition
  const includes = { ...definition.includes, ...unmatchedInclude(filters, definition.scope) }
  const defined = {
    summary,
    description: definition.description,
    path,
    scope: definition.scope,
    collection,
    also,
    item,
    includes,
    sorts,
    filterNeeds,
    method: 'GET',
    cache: definition.cache ?? 'collection',
    query: Type.Object(
      { ...filters, ...paging, format: formatParameter, include: includeParameter(includes) },
      { additionalProperties: false },
    ),
    status: 200,
    response: Envelope({ item, filters, title }),
    problems: [
      'invalid_cursor',
      'cursor_mismatch',
      'too_many_streams',
      ...(definition.problems ?? []),
    ],
  } as const satisfies ListOperation
  const { params, example, exportedAs } = definition
  // The cast holds: a list has path parameters exactly when its definition has some.
  return {
    ...defined,
    ...(params && { params }),
    ...(example && { example }),
    ...(exportedAs && { exportedAs }),
  } as typeof defined & Params<P>
}

type Params<P> = [P] extends [TObject] ? { readonly params: P } : unknown

/** Filters by what people call a project or a person, for lists that also filter by their ids. */
export const nameFilters = <const P extends string>(
  what: string,
  person: P,
  example = 'mara.lindqvist@northwater.example',
) => {
  const emails = `${person}_email` as const
  const filter = Type.Optional(
    valuesFilter(
      email({
        description: 'An email. Letter case does not matter.',
        example,
      }),
      `Only ${what} whose ${person} has one of these emails. Requires the scope \`personnel.read\`.`,
    ),
  )
  return {
    project_code: Type.Optional(
      valuesFilter(
        singleLine(10, { description: 'A project code.', example: 'DAM' }),
        `Only ${what} of the projects with these codes.`,
      ),
    ),
    // The cast holds because the object has this one name.
    ...({ [emails]: filter } as Record<typeof emails, typeof filter>),
  }
}

/** The common filters of both roll-ups. */
export const rollupFilters = <
  const F extends readonly [string, ...string[]],
  const S extends readonly [string, ...string[]],
>(
  what: string,
  { id: prefix, flags, statuses }: { id: Prefix; flags: F; statuses: S },
) => ({
  id: Type.Optional(valuesFilter(id(prefix, 'An id.'), `Only these ${what}.`)),
  project_id: Type.Optional(
    valuesFilter(id('prj', 'The id of a project.'), `Only ${what} of these projects.`),
  ),
  status: Type.Optional(enumFilter(statuses, `Only ${what} with these statuses.`, statuses[0])),
  flag: Type.Optional(enumFilter(flags, `Only ${what} with one of these flags.`, flags[0])),
})

/** The first day, and the day after the last one. Records without a day are left out. */
export const dayFilters = <const N extends string>(name: N, what: string, day: string) => {
  const from = Type.Optional(
    date({
      description: `Only ${what} with a ${day} on this day or later.`,
      example: '2024-11-01',
    }),
  )
  const before = Type.Optional(
    date({ description: `Only ${what} with a ${day} before this day.`, example: '2100-01-01' }),
  )
  // The cast holds because the object has these two names.
  return { [`${name}_from`]: from, [`${name}_before`]: before } as Record<
    `${N}_from` | `${N}_before`,
    typeof from
  >
}

/** The common parameters of the lists of closed items. */
export const closedFilters = (what: string) => ({
  project_id: Type.Optional(
    valuesFilter(id('prj', 'The id of a project.'), `Only ${what} of these projects.`),
  ),
  closed_from: Type.Optional(
    date({ description: `Only ${what} closed on this day (UTC) or later.`, example: '2024-11-01' }),
  ),
  closed_before: Type.Optional(
    date({ description: `Only ${what} closed before this day (UTC).`, example: '2100-01-01' }),
  ),
  sort: Type.Optional(
    sortParameter(['closed_at'], 'The sort order. Default: `-closed_at`, the latest first.'),
  ),
})
