import { Type, type Static } from 'typebox'

import { id, integer, singleLine } from './field-schemas.ts'

export const ProjectName = Type.Object(
  {
    id: id('prj', 'The id of the project.'),
    code: singleLine(10, {
      description: 'The project code, the prefix of its references.',
      example: 'DAM',
    }),
    name: singleLine(200, {
      description: 'The name of the project.',
      example: 'Norrfors dam renewal',
    }),
  },
  { title: 'ProjectName', description: 'The id, code and name of a project.' },
)
export type ProjectName = Static<typeof ProjectName>

export const PersonName = Type.Object(
  {
    user_id: id('usr', 'The user id of the person.'),
    name: singleLine(200, { description: 'The name of the person.', example: 'Mara Lindqvist' }),
  },
  { title: 'PersonName', description: 'The user id and name of a person.' },
)
export type PersonName = Static<typeof PersonName>

/** The extra fields of an item in a roll-up. */
export const rollupFields = {
  project: ProjectName,
  rank: integer(1, 1_000_000, {
    description:
      'The position in the filtered list by rank, starting at 1 and continuing across pages. ' +
      '`sort` does not change it.',
    example: 1,
  }),
}

/** The `include` values of the roll-ups. */
export const rollupIncludes = {
  people: { collections: ['personnel'], scope: 'personnel.read', fields: ['owner', 'assignee'] },
} as const

/** A sort order by the name of a person, or a filter by the email. */
export const byPersonName = { collections: ['personnel'], scope: 'personnel.read' } as const

export const countField = (description: string) =>
  integer(0, 1_000_000, { description, example: 3 })

/** Counts by enum value. */
export const countsByValue = <const V extends readonly string[]>(values: V, description: string) =>
  Type.Unsafe<Record<V[number], number>>(
    Type.Object(
      Object.fromEntries(
        values.map((value) => [value, countField(`The number of items with ${value}.`)]),
      ),
      { description },
    ),
  )

/** Counts by project, largest first. */
export const countsByProject = Type.Array(
  Type.Object({ project: ProjectName, count: countField('The number in this project.') }),
  { description: 'By project: the 50 largest counts, or the projects of the filter.' },
)
