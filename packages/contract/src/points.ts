import { Type } from 'typebox'

import { timeOrDayPattern } from './field-schemas.ts'

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
