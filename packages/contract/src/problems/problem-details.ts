import { Type } from 'typebox'

import { id, integer, list, nullable, openEnum, singleLine } from '#contract/field-schemas'
import { limits } from '#contract/limits'

import { problems, type ProblemName } from './problems.ts'

export const ProblemDetails = Type.Object(
  {
    type: singleLine(100, {
      description: 'The path of a page about this problem, on the same service.',
      example: '/problems/email_taken',
    }),
    title: singleLine(200, {
      description: 'A summary of the problem. It is the same for every problem with this code.',
      example: problems.email_taken.title,
    }),
    status: integer(400, 599, { description: 'The HTTP status code.', example: 409 }),
    code: singleLine(50, {
      description: 'The name of the problem. Clients compare this field.',
      example: 'email_taken',
    }),
    detail: singleLine(2000, {
      description: 'The cause in this request, and how to fix it.',
      example: 'mara.lindqvist@example.com belongs to another person on the roster.',
    }),
    request_id: id('req', 'The id of the request, as in the Request-Id header and in the log.'),
    errors: Type.Optional(
      list(
        Type.Object(
          {
            pointer: Type.String({
              maxLength: 500,
              description: 'The place in the body, as a JSON pointer. Empty for the whole body.',
              examples: ['/name'],
            }),
            code: singleLine(50, {
              description: 'The rule that was violated.',
              example: 'required',
            }),
            detail: singleLine(500, { description: 'The expected value.', example: 'is required' }),
          },
          { examples: [{ pointer: '/name', code: 'required', detail: 'is required' }] },
        ),
        limits.errorsMax,
        'With validation_failed: the first invalid places. With bad_csv: the columns that are wrong, ' +
          'as `/header/` and the position from 0. `detail` states how many there are.',
      ),
    ),
    reason: Type.Optional(
      openEnum(['numbers_lost', 'unknown_term', 'view_changed'], {
        description: 'With position_lost of the events: why the position is no longer valid.',
        example: 'numbers_lost',
      }),
    ),
    resume_after: Type.Optional(
      nullable(
        singleLine(limits.positionLengthMax, {
          description:
            'With position_lost of the events: the last position that is still valid, where you ' +
            'continue. Null unless `reason` is `numbers_lost`.',
          example: 'WyI1YzhlIiw0MTcsMCxbWyI3ZjJiZDAwM2IxMDkiLDQwMF1dLCJrM3EiXQ',
        }),
      ),
    ),
    resume_seq: Type.Optional(
      nullable(
        integer(0, Number.MAX_SAFE_INTEGER, {
          description: 'The sequence number of `resume_after`. What you hold above it is lost.',
          example: 417,
        }),
      ),
    ),
  },
  {
    title: 'Problem',
    description: 'A problem details object (RFC 9457). Some problems have further members.',
  },
)

/** An example response of this problem. */
export function problemExample(name: ProblemName): Record<string, unknown> {
  const { status, title, happened } = problems[name]
  return {
    type: `/problems/${name}`,
    title,
    status,
    code: name,
    detail: happened,
    request_id: 'req_01ktrr9d3hen4v9q9t9m2g8x5c',
  }
}
