import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox'

import type { Collection } from './collections.ts'
import { choice, flag, id, integer, line, list, nullable, type Prefix, sequence } from './fields.ts'
import { limits } from './limits.ts'
import type { Include, ListOperation } from './operation.ts'
import type { ProblemName } from './problems.ts'
import type { Scope } from './scopes.ts'

const cursorExample = 'AQMWx2nZk0c'

const paging = {
  limit: Type.Optional(
    integer(1, limits.page.max, {
      description:
        'Answer one page of at most this many. Without `limit` and `cursor` the answer is the ' +
        'complete collection.',
      example: 50,
    }),
  ),
  cursor: Type.Optional(
    line(limits.cursorLengthMax, {
      description:
        'Go on after the page that gave this `next_cursor`. All other parameters must be as they ' +
        `were, except \`limit\` (${limits.page.default} when it is left out).`,
      example: cursorExample,
    }),
  ),
}

/** `total_count` for every list, and what a list offers beside. */
function includeOf(includes: Readonly<Record<string, Include>>) {
  const names = ['total_count', ...Object.keys(includes)]
  const told = names.map((name) => `\`${name}\``).join(', ')
  return Type.Optional(anyOf(names, `Extras to add to the answer: ${told}.`, 'total_count'))
}

/** A filter that takes one or more values, with a comma between them: any of them may match. */
export function anyOf<const V extends readonly string[]>(
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

/** As `anyOf`, for ids or other values that are not a fixed set. */
export const anyOfThese = <T extends TSchema>(
  item: T,
  description: string,
  most: number = limits.filterValuesMax,
) =>
  Type.Unsafe<Static<T>[]>({
    ...list(item, most, description),
    minItems: 1,
    uniqueItems: true,
  })

/** Case- and accent-insensitive search for a piece of text. */
export const q = (where: string, example: string) => ({
  ...line(100, {
    description: `Only where ${where} contains this text; letter case and accents do not matter.`,
    example,
  }),
  minLength: 2,
})

/** The orders a list can be asked for in; `-` turns one round. The id breaks every tie. */
export const sort = <const V extends readonly string[]>(values: V, description: string) =>
  choice(values.flatMap((value) => [value, `-${value}`]) as (V[number] | `-${V[number]}`)[], {
    description,
    example: values[0] as V[number],
  })

const Envelope = <T extends TObject>(item: T, about: { title: string; description: string }) =>
  Type.Object(
    {
      as_of: sequence({
        description:
          'The sequence number of the collection when it was read: the answer is the collection ' +
          'exactly as it stood then.',
        example: 4711,
      }),
      data: Type.Array(item, { description: 'The items, in the order of the list.' }),
      total_count: Type.Optional(
        nullable(
          integer(0, Number.MAX_SAFE_INTEGER, {
            description:
              'How many match, on all pages together. Only with `include=total_count`; null when ' +
              `it is more than ${limits.totalCountMax} and no counter is kept for this filter.`,
            example: 250,
          }),
        ),
      ),
      count: integer(0, Number.MAX_SAFE_INTEGER, {
        description: 'How many items this answer holds.',
        example: 1,
      }),
      next_cursor: nullable(
        line(limits.cursorLengthMax, {
          description: 'The `cursor` of the next page; null when there is none. The only end sign.',
          example: cursorExample,
        }),
      ),
    },
    about,
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
  /** What follows the clock is not cached, whatever its number. */
  readonly cache?: 'none'
  readonly also?: readonly Collection[]
  readonly item: T
  readonly title: string
  readonly filters: F
  readonly includes?: Readonly<Record<string, Include>>
  readonly problems?: readonly ProblemName[]
}

/** Declares a list with what all lists share: paging, totals, the envelope and their problems. */
export function listOperation<
  const T extends TObject,
  const F extends TProperties,
  const C extends Collection,
  const S extends Scope,
  const P extends TObject | undefined = undefined,
>(definition: ListDefinition<T, F, P, C, S>) {
  const { summary, path, collection, item, title, filters, also = [], includes = {} } = definition
  const defined = {
    summary,
    description: definition.description,
    path,
    scope: definition.scope,
    collection,
    also,
    item,
    includes,
    method: 'GET',
    cache: definition.cache ?? 'collection',
    query: Type.Object(
      { ...filters, ...paging, include: includeOf(includes) },
      { additionalProperties: false },
    ),
    status: 200,
    response: Envelope(item, { title, description: `All of it, or a page. ${summary}` }),
    problems: [
      'invalid_cursor',
      'cursor_mismatch',
      'too_many_streams',
      ...(definition.problems ?? []),
    ],
  } as const satisfies ListOperation
  const { params } = definition
  // The cast holds: a list has parameters in its path exactly when it was defined with some.
  return { ...defined, ...(params && { params }) } as typeof defined & Params<P>
}

type Params<P> = [P] extends [TObject] ? { readonly params: P } : unknown

/** The filters that both roll-ups have. */
export const filtersOf = <
  const F extends readonly [string, ...string[]],
  const S extends readonly [string, ...string[]],
>(
  what: string,
  { id: prefix, flags, statuses }: { id: Prefix; flags: F; statuses: S },
) => ({
  id: Type.Optional(anyOfThese(id(prefix, 'An id.'), `Only these ${what}.`)),
  project_id: Type.Optional(
    anyOfThese(id('prj', 'The id of a project.'), `Only ${what} of these projects.`),
  ),
  status: Type.Optional(anyOf(statuses, `Only ${what} with these statuses.`, statuses[0])),
  flag: Type.Optional(anyOf(flags, `Only ${what} with one of these flags.`, flags[0])),
})

const rehearsal = Type.Object(
  {
    dry_run: Type.Optional(
      flag({
        description:
          'With `true` nothing is done. Everything is checked, and the answer is the one that ' +
          'would be given, refusals included; but ids, refs, instants and versions that the ' +
          'batch would give out are no promise. An `Idempotency-Key` is left unused.',
        example: true,
      }),
    ),
  },
  { additionalProperties: false },
)

/** What a batch takes and answers. */
export const batchOf = <R extends TObject, T extends TObject>(row: R, item: T, name: string) => ({
  query: rehearsal,
  body: Type.Object(
    {
      data: Type.Array(row, {
        minItems: 1,
        maxItems: limits.itemsMax,
        description: 'The rows: all of them are taken, or none.',
      }),
    },
    {
      additionalProperties: false,
      title: `${name}Batch`,
      description: `At most ${limits.itemsMax} rows, as JSON or as CSV.`,
    },
  ),
  response: Type.Object(
    {
      data: Type.Array(item, { description: 'What each row became, in the order of the rows.' }),
      count: integer(0, limits.itemsMax, { description: 'How many rows there were.', example: 1 }),
      created: integer(0, limits.itemsMax, {
        description: 'How many of them are new.',
        example: 1,
      }),
      changed: integer(0, limits.itemsMax, {
        description: 'How many of them were changed.',
        example: 0,
      }),
    },
    { title: `${name}BatchResult`, description: 'What became of the rows.' },
  ),
})
