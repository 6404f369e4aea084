import { Type, type TObject } from 'typebox'

import { booleanField, integer } from './field-schemas.ts'
import { limits } from './limits.ts'

const dryRunQuery = Type.Object(
  {
    dry_run: Type.Optional(
      booleanField({
        description:
          'With `true`, the service validates the batch, returns the response or problem it ' +
          'would return, and saves nothing. New ids, refs, timestamps and versions are ' +
          'provisional. An `Idempotency-Key` is not used up.',
        example: true,
      }),
    ),
  },
  { additionalProperties: false },
)

/** For the description of a row schema. */
export const readOnlyInNewRows =
  'A new row may omit read-only fields, or send null, an empty list or the value that the new ' +
  'record will have. Any other value is refused with `read_only_field`.'

/** The query, body and response of a batch operation. */
export const batchSchemas = <R extends TObject, T extends TObject>(
  row: R,
  item: T,
  name: string,
) => ({
  query: dryRunQuery,
  body: Type.Object(
    {
      data: Type.Array(row, {
        minItems: 1,
        maxItems: limits.itemsMax,
        description: 'The rows. The service saves all of them or none.',
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
      data: Type.Array(item, {
        description: 'The resource of each row, in the order of the rows.',
      }),
      count: integer(0, limits.itemsMax, { description: 'The number of rows.', example: 1 }),
      created: integer(0, limits.itemsMax, {
        description: 'The number of created resources.',
        example: 1,
      }),
      changed: integer(0, limits.itemsMax, {
        description: 'The number of changed resources.',
        example: 0,
      }),
    },
    { title: `${name}BatchResult`, description: 'The result of each row.' },
  ),
})
