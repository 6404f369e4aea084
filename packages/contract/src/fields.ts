import {
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  Type,
} from 'typebox'

import { exampleOf } from './examples.ts'
import {
  auditFields,
  closedEnum,
  type Documentation,
  email,
  evidenceLinks,
  evidenceLinksInput,
  id,
  Metadata,
  MetadataPatch,
  nullable,
  openEnum,
  singleLine,
  tags,
} from './field-schemas.ts'
import { limits } from './limits.ts'
import { valuesFilter } from './list-operation.ts'

/**
 * A field of a resource. The schemas of responses, bodies and rows, the columns, the defaults and
 * what PATCH may change follow from the fields of a noun.
 */
export interface Field {
  /** In responses. */
  readonly schema: TSchema
  /** In the body that creates a resource. Null if the service sets the field. */
  readonly create: TSchema | null
  /** In a merge patch. Null if PATCH cannot change the field. */
  readonly patch: TSchema | null
  /** In a row of a batch. Null if a batch cannot set the field. */
  readonly row: TSchema | null
  /** Whether the body that creates a resource must have the field. */
  readonly isRequired: boolean
  /** The value of a field that the body omits. */
  readonly initial?: unknown
}

export type Fields = Readonly<Record<string, Field>>

/** Schemas of requests, where they differ from the schema in responses. */
interface Inputs<C extends TSchema | null, P extends TSchema | null, R extends TSchema | null> {
  readonly create?: C
  readonly patch?: P
  readonly row?: R
}

/** A field that the service sets. */
export const readOnly = <S extends TSchema>(schema: S) =>
  ({ schema, create: null, patch: null, row: null, isRequired: false }) as const

/** A field that the body must have, and that cannot change. */
export const permanent = <S extends TSchema>(schema: S) =>
  ({ schema, create: schema, patch: null, row: null, isRequired: true }) as const

/**
 * A field that only a new resource can set, such as one of an import. The service sets it
 * otherwise, and it cannot change.
 */
export const initially = <S extends TSchema, C extends TSchema>(schema: S, input: C) =>
  ({ schema, create: input, patch: null, row: input, isRequired: false }) as const

/** A field that the body must have. */
export const required = <
  S extends TSchema,
  C extends TSchema = S,
  P extends TSchema | null = C,
  R extends TSchema | null = C,
>(
  schema: S,
  inputs: Inputs<C, P, R> = {},
) => ({ ...writable(schema, inputs), isRequired: true }) as const

/** A field that is null if it is omitted. */
export const optional = <S extends TSchema>(schema: S) => withDefault(null, nullable(schema))

/** A field with a value for a body that omits it. */
export const withDefault = <
  const V,
  S extends TSchema,
  C extends TSchema | null = S,
  P extends TSchema | null = C,
  R extends TSchema | null = C,
>(
  initial: V,
  schema: S,
  inputs: Inputs<C, P, R> = {},
) => ({ ...writable(schema, inputs), isRequired: false, initial }) as const

function writable<
  S extends TSchema,
  C extends TSchema | null,
  P extends TSchema | null,
  R extends TSchema | null,
>(schema: S, inputs: Inputs<C, P, R>) {
  const { create = schema, patch = create, row = create } = inputs
  // The casts hold because the type parameters have these defaults.
  return { schema, create: create as C, patch: patch as P, row: row as R }
}

/** An enum: clients must accept unknown values in responses, and send only known ones. */
export const choice = <const V extends readonly string[]>(
  initial: V[number],
  values: V,
  about: Documentation<V[number]>,
) => withDefault(initial, openEnum(values, about), { create: closedEnum(values, about) })

/** The code of a project. */
export const projectCode = (description: string) =>
  Type.String({
    minLength: 2,
    maxLength: 10,
    pattern: '^[A-Z][A-Z0-9]{1,9}$',
    description,
    examples: ['DAM'],
  })

const externalId = (description: string, example: string) =>
  singleLine(200, { description, example })

/** The id that another system has for a resource; no two have the same. */
export const externalIdField = (resource: string, resources: string, example: string) =>
  filtered(
    optional(
      externalId(
        `The id of this ${resource} in your own system. No two ${resources} have the same.`,
        example,
      ),
    ),
    externalIdFilter(resources, example),
  )

export const externalIdFilter = (resources: string, example: string) =>
  valuesFilter(
    externalId('An external id, without a comma.', example),
    `Only ${resources} with one of these external ids.`,
    limits.idsMax,
  )

/** The fields of a row that name a person other than by user id. */
export const referencesTo = <const S extends string>(stem: S, person: string) =>
  // The cast holds because the names have the stem.
  ({
    [`${stem}_email`]: nullable(
      email({
        description: `The email of ${person}, instead of the user id. Needs \`personnel.read\`.`,
        example: 'mara.lindqvist@northwater.example',
      }),
    ),
    [`${stem}_external_id`]: nullable(
      externalId(
        `The external id of ${person}, instead of the user id. Needs \`personnel.read\`.`,
        'nw-1005',
      ),
    ),
  }) as { [K in `${S}_email` | `${S}_external_id`]: ReturnType<typeof nullable<TString>> }

const projectId = id('prj', 'The id of the project.')

/** A row of a batch of several projects, which names the project of a new record. */
export function crossProjectRow<R extends TObject>(row: R, title: string) {
  const { description = '' } = row as { description?: string }
  const properties = {
    ...row.properties,
    project_code: Type.Optional(
      projectCode('The code of the project, instead of `project_id`. It cannot change.'),
    ),
  }
  const example = { project_id: exampleOf(projectId), ...(exampleOf(row) as object) }
  const options = { additionalProperties: false, title, description, examples: [example] }
  // The cast holds because the row keeps its fields.
  return Type.Object(properties, options) as TObject<
    R['properties'] & { project_code: TOptional<TString> }
  >
}

const ref = (description: string, example: string) => singleLine(24, { description, example })

/** The field of a row that names a risk or an issue of the same project. */
export const refOf = (what: string, example: string) =>
  nullable(ref(`The reference of ${what}, instead of its id.`, example))

/** The reference that people use; `example` is one. */
export const refField = (resources: string, example: string) =>
  filtered(
    readOnly(ref('The reference: the project code and a number that is never reused.', example)),
    refFilter(resources, example),
  )

export const refFilter = (resources: string, example: string) =>
  valuesFilter(
    ref('A reference.', example),
    `Only ${resources} with one of these references.`,
    limits.idsMax,
  )

/** The labels that a client gives a resource. */
export const tagsField = withDefault([], tags)
export const linksField = withDefault([], evidenceLinks, { create: evidenceLinksInput })
export const metadataField = withDefault({}, Metadata, { patch: MetadataPatch, row: Metadata })

/** The version and the timestamps that end every resource. */
export const auditedFields = (resource: string) => readOnlyFields(auditFields(resource))

const readOnlyFields = <P extends TProperties>(schemas: P) =>
  // The cast holds because the fields keep their names.
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, readOnly(schema)])) as {
    [K in keyof P]: ReturnType<typeof readOnly<P[K]>>
  }

/** A field with a parameter of lists that leaves the resources with one of its values. */
export const filtered = <F extends Field, T extends TSchema>(field: F, filter: T) => ({
  ...field,
  filter: Type.Optional(filter),
})

/** A request of which a field can be a part. */
type Input = 'create' | 'patch' | 'row'

/** The names of the fields that such a request can set. */
export type InputName<F extends Fields, I extends Input> = {
  [K in keyof F]: F[K][I] extends TSchema ? K : never
}[keyof F]

type InputSchemas<F extends Fields, I extends Input> = {
  [K in InputName<F, I>]: Extract<F[K][I], TSchema>
}

type RequiredName<F extends Fields> = {
  [K in keyof F]: F[K]['isRequired'] extends true ? K : never
}[keyof F]

type FilterSchemas<F extends Fields> = {
  [K in keyof F as F[K] extends { filter: TSchema } ? K : never]: F[K] extends { filter: infer T }
    ? T
    : never
}

/** The schemas of a resource in responses. */
export const schemasOf = <F extends Fields>(fields: F) =>
  // The cast holds because the fields keep their names.
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as {
    [K in keyof F]: F[K]['schema']
  }

/** The schemas of the fields that such a request can set. */
export const inputsOf = <F extends Fields, I extends Input>(fields: F, input: I) =>
  // The cast holds because the fields without a schema for the request are left out.
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field[input] ? [[name, field[input]]] : [])),
  ) as InputSchemas<F, I>

/** The schemas of the fields that the body must have. */
export const requiredOf = <F extends Fields>(fields: F) =>
  // The cast holds because the other fields are left out.
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { isRequired, create }]) =>
      isRequired ? [[name, create]] : [],
    ),
  ) as Pick<InputSchemas<F, 'create'>, RequiredName<F> & InputName<F, 'create'>>

/** The filters of the fields that have one. */
export const filtersOf = <F extends Fields>(fields: F) =>
  // The cast holds because the fields without a filter are left out.
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      'filter' in field ? [[name, field.filter]] : [],
    ),
  ) as FilterSchemas<F>

/** The names of the fields that PATCH can change. */
export const patchNames = <F extends Fields>(fields: F) =>
  // The cast holds because these are the names of the fields with a schema for PATCH.
  Object.keys(inputsOf(fields, 'patch')) as (InputName<F, 'patch'> & string)[]

/** The names of the fields that a body may omit. */
type InitialName<F extends Fields> = {
  [K in keyof F]: F[K] extends { initial: unknown } ? K : never
}[keyof F]

/** The values of the fields that a body omits. Each call returns lists and objects of its own. */
export const initialOf = <F extends Fields>(fields: F) =>
  // The cast holds because the fields without an initial value are left out.
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      'initial' in field ? [[name, structuredClone(field.initial)]] : [],
    ),
  ) as { [K in InitialName<F>]: Static<F[K]['schema']> }
