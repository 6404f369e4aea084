import { Type, type TObject, type TProperties } from 'typebox'

import { booleanField, closedEnum, integer, list, openEnum, singleLine } from './field-schemas.ts'
import { limits } from './limits.ts'

/** What a row of a batch did. */
export const rowOutcomes = ['created', 'changed', 'unchanged'] as const

/** What the batches of risks, issues and tasks have in common. */
export const itemBatch = {
  matches: ['external_id', 'ref'],
  outcomes: rowOutcomes,
  parameters: {},
  also: {},
} as const

/** Describes a batch of the items of one project. */
export const aboutBatch = (items: string) =>
  `Saves at most ${limits.itemsMax} rows, all or none, as JSON or as CSV with the header row of ` +
  `the export: export the ${items}, edit the file and send it back. Unchanged rows have no ` +
  'effect. `dry_run` validates without saving.'

/** Describes a batch of items of several projects. */
export const aboutBatchAcross = (items: string) =>
  `Saves at most ${limits.itemsMax} rows of at most ${limits.projectsMax} projects, all or none. ` +
  'A row without `id` names its project by `project_id` or `project_code`. An export of the ' +
  `${items} of all projects can be edited and sent back. Unchanged rows have no effect. ` +
  '`dry_run` validates without saving.'

/** A count of a result. */
export const countOfRows = (description: string, example = 0) =>
  integer(0, limits.itemsMax, { description, example })

const batchQuery = <const M extends string, P extends TProperties>(
  matches: readonly [M, ...M[]],
  parameters: P,
) =>
  Type.Object(
    {
      match: Type.Optional(
        closedEnum(matches, {
          description:
            'The field by which a row without `id` finds the record that it changes. A row that ' +
            'finds none creates a record, except by `ref`, which the service assigns. Every row ' +
            'without `id` must have the field, each with another value. The same request again ' +
            'changes nothing.',
          example: matches[0],
        }),
      ),
      ...parameters,
      columns: Type.Optional(
        singleLine(2000, {
          description:
            'For CSV: the columns of the file that have other names, as `name:column` pairs, ' +
            'separated by commas. `name:-` ignores a column. Letter case, spaces, `_` and `-` in ' +
            'names do not matter.',
          example: 'Titel:title,Besitzer:owner_email,Notiz:-',
        }),
      ),
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

interface Batch<M extends string, O extends string, P extends TProperties, A extends TProperties> {
  /** The name of one record in the titles of the schemas. */
  readonly name: string
  /** The fields by which a row finds its record. */
  readonly matches: readonly [M, ...M[]]
  readonly outcomes: readonly [O, ...O[]]
  /** Parameters of this batch alone. */
  readonly parameters: P
  /** Fields of its result alone. */
  readonly also: A
}

/** The query, body and response of a batch operation. */
export const batchSchemas = <
  R extends TObject,
  T extends TObject,
  const M extends string,
  const O extends string,
  P extends TProperties,
  A extends TProperties,
>(
  row: R,
  item: T,
  { name, matches, outcomes, parameters, also }: Batch<M, O, P, A>,
) => ({
  query: batchQuery(matches, parameters),
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
      outcomes: list(
        openEnum(outcomes, { description: 'What the row did.', example: outcomes[0] }),
        limits.itemsMax,
        'What each row did, in the order of the rows.',
      ),
      count: countOfRows('The number of rows.', 1),
      created: countOfRows('The number of created resources.', 1),
      changed: countOfRows('The number of changed resources.'),
      unchanged: countOfRows('The number of resources that had all values of their rows.'),
      ...also,
    },
    { title: `${name}BatchResult`, description: 'The result of each row.' },
  ),
})
