import { Type } from 'typebox'

import { id, integer, line, list } from './fields.ts'
import { limits } from './limits.ts'
import { problems, type ProblemName } from './problems.ts'

export const ProblemDetails = Type.Object(
  {
    type: line(100, {
      description: 'A page about this problem, served by the instance that answered.',
      example: '/problems/email_taken',
    }),
    title: line(200, {
      description: 'The problem in one sentence, always the same for its code.',
      example: problems.email_taken.title,
    }),
    status: integer(400, 599, { description: 'The status of the answer.', example: 409 }),
    code: line(50, {
      description: 'The name of the problem. Test for this.',
      example: 'email_taken',
    }),
    detail: line(2000, {
      description: 'What happened this time, and how to mend it.',
      example: 'mara.lindqvist@example.com belongs to another person on the roster.',
    }),
    request_id: id('req', 'The id of the request, also in the Request-Id header and in our log.'),
    errors: Type.Optional(
      list(
        Type.Object(
          {
            pointer: Type.String({
              maxLength: 500,
              description: 'Where in the body, as a JSON pointer; empty for the whole of it.',
              examples: ['/name'],
            }),
            code: line(50, { description: 'Which rule is broken.', example: 'required' }),
            detail: line(500, { description: 'What is expected.', example: 'is required' }),
          },
          { examples: [{ pointer: '/name', code: 'required', detail: 'is required' }] },
        ),
        limits.errorsMax,
        'With validation_failed: every place that is wrong.',
      ),
    ),
  },
  {
    title: 'Problem',
    description: 'Why a request failed (RFC 9457). Some problems carry further members.',
  },
)

/** How this problem looks on the wire, with what is the same each time. */
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
