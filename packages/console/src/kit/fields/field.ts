import limits from '@muster/contract/text-limits.json' with { type: 'json' }

import { t } from '#text/index.ts'
import { choices, type LabelSet } from '#text/labels.ts'

/** What the console knows of a field: its label, and how it is shown and edited. */
export type Description = TextDescription | ChoiceDescription | OtherDescription

interface Common {
  readonly label: string
  /** Help in forms. */
  readonly about?: string
  /** Shown if there is no value. */
  readonly missing?: string
  /** The letter that opens the editor of the property. */
  readonly shortcut?: string
  readonly isRequired?: true
}

interface TextDescription extends Common {
  /** One line, or several. */
  readonly kind: 'line' | 'text'
  /** Attributes of the control in forms. */
  readonly attributes?: { readonly type?: 'email' | 'tel'; readonly autoComplete?: 'off' }
}

interface ChoiceDescription extends Common {
  readonly kind: 'choice'
  /** The names of the values. */
  readonly set: LabelSet
  /** Whether the value is a status, which is shown with its glyph. */
  readonly isStatus?: boolean
}

interface OtherDescription extends Common {
  readonly kind: 'person' | 'date' | 'tags'
}

/** Descriptions of fields of a resource. */
export type Descriptions<T> = { readonly [K in keyof T & string]?: Description }

export type DescribedField<D extends Description = Description> = D & {
  readonly name: string
  readonly maxLength?: number
}

export type DescribedFields = Readonly<Record<string, DescribedField>>

/** The fields with their names, and their limits in the contract. */
export function fieldsOf<D extends Readonly<Record<string, Description>>>(
  noun: keyof typeof limits,
  descriptions: D,
) {
  const lengths: Readonly<Record<string, number>> = limits[noun]
  // The cast holds because the fields keep their names.
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]): [string, object] => {
      const maxLength = lengths[name]
      return [name, { ...description, name, ...(maxLength !== undefined && { maxLength }) }]
    }),
  ) as { readonly [K in keyof D]: DescribedField<D[K]> }
}

/** The values of a choice with their names. */
export const choicesOf = (field: DescribedField) =>
  field.kind === 'choice' ? choices(field.set) : []

/** The length of a text that is not a field of a resource, such as a note. */
export const lengthOf = <N extends keyof typeof limits>(
  noun: N,
  name: keyof (typeof limits)[N],
): number =>
  // The cast holds because every length is a number.
  limits[noun][name] as number

type FormValue<D extends Description> = D['kind'] extends 'tags'
  ? string[]
  : D['kind'] extends 'person'
    ? string | null
    : string

/** The values of a form: an empty text stands for null. */
export type FormValues<F extends DescribedFields> = { [K in keyof F]: FormValue<F[K]> }

const emptyValue = ({ kind }: Description) => (kind === 'tags' ? [] : kind === 'person' ? null : '')

/** The values of a form for a resource; those of an empty form without one. */
export const toForm = <F extends DescribedFields>(
  fields: F,
  resource: Readonly<Record<string, unknown>> | object = {},
) => {
  const values: Readonly<Record<string, unknown>> = { ...resource }
  // The cast holds because a resource has values of the types of its fields.
  return Object.fromEntries(
    Object.values(fields).map((field) => [field.name, values[field.name] ?? emptyValue(field)]),
  ) as FormValues<F>
}

/** The value of a field that the API takes. */
function toValue(field: Description, value: unknown): unknown {
  if (Array.isArray(value)) return splitTags(value.map(String))
  if (typeof value !== 'string') return value
  const text = field.kind === 'line' ? value.trim() : value
  return text === '' && !field.isRequired ? null : text
}

/** The fields of the API for the values of a form. */
export const fromForm = <T extends object>(
  fields: { readonly [K in keyof T]: DescribedField },
  values: object,
) => {
  const typed: Readonly<Record<string, unknown>> = { ...values }
  // The cast holds because each kind of field has a control for the values of its type.
  return Object.fromEntries(
    Object.values<DescribedField>(fields).map((field) => [
      field.name,
      toValue(field, typed[field.name]),
    ]),
  ) as T
}

/** Splits pasted text into single tags and removes duplicates. */
const splitTags = (tags: readonly string[]) => [
  ...new Set(tags.flatMap((tag) => tag.split(/[\s,]+/)).filter((word) => word !== '')),
]

/** Validates the required fields without a request. */
export const requiredTexts = (fields: DescribedFields) => (values: object) => {
  const typed: Readonly<Record<string, unknown>> = { ...values }
  return Object.fromEntries(
    Object.values(fields)
      .filter(({ name, isRequired }) => isRequired && isMissing(typed[name]))
      .map(({ name }) => [name, t('field.needed')]),
  )
}

const isMissing = (value: unknown) =>
  value === null || (typeof value === 'string' && value.trim() === '')
