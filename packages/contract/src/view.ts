import { Type, type Static } from 'typebox'

import { id, integer, line } from './fields.ts'

export const ProjectName = Type.Object(
  {
    id: id('prj', 'The id of the project.'),
    code: line(10, { description: 'The code its references begin with.', example: 'DAM' }),
    name: line(200, { description: 'What it is called.', example: 'Norrfors dam renewal' }),
  },
  { title: 'ProjectName', description: 'The project, as a list that people read shows it.' },
)
export type ProjectName = Static<typeof ProjectName>

export const PersonName = Type.Object(
  {
    user_id: id('usr', 'The user id of the person.'),
    name: line(200, { description: 'What the person is called.', example: 'Mara Lindqvist' }),
  },
  { title: 'PersonName', description: 'A person, as a list that people read shows them.' },
)
export type PersonName = Static<typeof PersonName>

/** What every item of a roll-up shows beside itself. */
export const viewed = {
  project: ProjectName,
  rank: integer(1, 1_000_000, {
    description: 'Its position in the list as it was asked for, counted on from page to page.',
    example: 1,
  }),
}

/** The extras that both roll-ups offer. */
export const viewIncludes = {
  people: { collections: ['personnel'], scope: 'personnel.read' },
} as const

export const counted = (description: string) => integer(0, 1_000_000, { description, example: 3 })

/** How many there are of each of a fixed set of values. */
export const countsOf = <const V extends readonly string[]>(values: V, description: string) =>
  Type.Unsafe<Record<V[number], number>>(
    Type.Object(
      Object.fromEntries(values.map((value) => [value, counted(`How many are ${value}.`)])),
      { description },
    ),
  )

/** The projects that have most, the first first. */
export const byProject = Type.Array(
  Type.Object({ project: ProjectName, count: counted('How many of them are in it.') }),
  { description: 'By project: the 50 that have most, or those that were asked for.' },
)
