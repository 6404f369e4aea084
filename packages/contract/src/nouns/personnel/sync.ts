import { Type } from 'typebox'

import { countOfRows } from '#contract/batch-operation'
import { booleanField, closedEnum, integer, openEnum, singleLine } from '#contract/field-schemas'
import { limits } from '#contract/limits'

import { Person } from './person.ts'

/** Parameters of a batch that brings the roster to the state of another system. */
export const syncParameters = {
  rejoin: Type.Optional(
    booleanField({
      description:
        'With `true`, a row whose external id is that of a person who has left reinstates this ' +
        'person. Otherwise it is refused with `departed`. Needs `match=external_id`.',
      example: true,
    }),
  ),
  missing: Type.Optional(
    closedEnum(['keep', 'report', 'depart'], {
      description:
        'What happens to people on the roster who have an external id and no row: nothing ' +
        '(default), or they are listed in `missing`, or they are listed and offboarded. Needs ' +
        '`match=external_id`, and everyone in one request. The departures follow the rows, each ' +
        'in a transaction of its own: after a lost response, send the request again.',
      example: 'report',
    }),
  ),
  missing_prefix: Type.Optional({
    ...singleLine(200, {
      description: 'Only people whose external id begins with this text count as missing.',
      example: 'nw-',
    }),
    minLength: 2,
  }),
  missing_max: Type.Optional(
    integer(1, limits.missingMax, {
      description:
        'Required for `missing=depart`: if more people are missing, the request is refused with ' +
        '`too_many_missing` and changes nothing. It protects the roster from an incomplete file.',
      example: 10,
    }),
  ),
}

const missingOutcomes = ['kept', 'departed', 'refused'] as const

const Missing = Type.Object(
  {
    outcome: openEnum(missingOutcomes, {
      description:
        'What happened: `kept` by `missing=report`, or because the person was changed meanwhile; ' +
        '`refused` if you may not offboard this person.',
      example: 'departed',
    }),
    person: Person,
  },
  { title: 'MissingPerson', description: 'A person on the roster who had no row.' },
)

/** What the result of such a batch has besides. */
export const syncResult = {
  rejoined: countOfRows('The number of people who were reinstated.'),
  departed: countOfRows('The number of missing people who were offboarded.'),
  missing: Type.Array(Missing, {
    maxItems: limits.itemsMax,
    description: `The people who had no row, at most ${limits.itemsMax}. Empty without \`missing\`.`,
    examples: [[]],
  }),
}
