import { Type, type TProperties } from 'typebox'

import { integer, nullable, timeOrDayPattern } from './field-schemas.ts'
import type { Operation } from './operation.ts'

/** A sequence number of up to 16 digits, a time with any offset, or a date. */
const pointPattern = `^\\d{1,16}$|${timeOrDayPattern}`

/** A point in time as a parameter. `edge` says which end of a date is meant. */
export const point = (what: string, edge: 'beginning' | 'end', example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 35,
    pattern: pointPattern,
    description:
      `${what} A sequence number, a time with an offset, or a date, which means its ${edge} in ` +
      'the time zone of the workspace. Not in the future.',
    examples: [example],
  })

/** Before every workspace, so that the example is past. */
const pointExample = '2024-11-01'

/** The filters that work with `as_of` and `compare`, where a list has them. */
const pastFilters = [
  'project_id',
  'owner_user_id',
  'assignee_user_id',
  'level',
  'severity',
  'status',
  'category',
  'tag',
] as const

export type PastFilter = (typeof pastFilters)[number]

/** The parameters that name a point, and which end of a date each means. */
export const pointEdges = {
  as_of: 'end',
  compare: 'end',
  since: 'beginning',
  until: 'end',
} as const
export type PointParameter = keyof typeof pointEdges

/** The parameters of an operation that name a point. */
export const pointsIn = ({ query }: Operation): PointParameter[] =>
  // The cast holds because these are the names of the object.
  (Object.keys(pointEdges) as PointParameter[]).filter((name) => name in (query?.properties ?? {}))

/** Those of the filters of a list that work with `as_of`, in the order of the list. */
export const pastFiltersOf = (filters: object): PastFilter[] => {
  const names: readonly string[] = pastFilters
  // The cast holds because of the condition.
  return Object.keys(filters).filter((name) => names.includes(name)) as PastFilter[]
}

const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

const namesOfNow = 'Names of people and projects are those of now.'

/** The parameter of a list or of a summary with these filters. */
export const asOfList = (what: string, filters: object) => ({
  as_of: Type.Optional(
    point(
      `${what} as it was at this point. ${namesOfNow} Works with these filters: ` +
        `${quoted(pastFiltersOf(filters))}.`,
      'end',
      pointExample,
    ),
  ),
})

/** The query of a read of one resource. */
export const asOfQuery = (what: string) =>
  Type.Object(
    { as_of: Type.Optional(point(`${what} as it was at this point.`, 'end', pointExample)) },
    { additionalProperties: false },
  )

/** The parameter of a roll-up that adds `compared` to each item. */
export const compareList = (filters: object) => ({
  compare: Type.Optional(
    point(
      'Adds `compared` to each item: its place in the same list at this other point. Works with ' +
        `the order of \`sort\`, and with these filters: ${quoted(pastFiltersOf(filters))}.`,
      'end',
      pointExample,
    ),
  ),
})

/** What `compare` adds to an item: its rank, and these fields, at the other point. */
export const comparedField = <const P extends TProperties>(fields: P) =>
  Type.Optional(
    nullable(
      Type.Object(
        {
          rank: integer(1, 1_000_000, { description: 'The rank at the point.', example: 2 }),
          ...fields,
        },
        {
          description:
            'Only with `compare`: the place of the item in the same list, with the same filters, ' +
            'at that point. Null if the item was not on it.',
        },
      ),
    ),
  )
