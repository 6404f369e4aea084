import { fieldsOf, type Kind } from '#pages/import/columns/fields.ts'
import type { ImportedRecord } from '#pages/import/run/kinds.ts'
import { t } from '#text/index.ts'
import { fieldLabel } from '#text/labels.ts'
import { isNone } from '#text/values.ts'

/** A field of a record before and after the import. */
export interface ChangedField {
  readonly field: string
  readonly label: string
  readonly from: unknown
  readonly to: unknown
}

/** Fields that follow from others. */
const derived = new Set([
  'version',
  'score',
  'level',
  'previous_score',
  'flags',
  'assignable',
  'reopened_count',
])

/** What is imported: its kind, and the columns of the API. */
export interface Imported {
  readonly kind: Kind
  readonly columns: readonly string[]
}

/** The fields that an import changes, in the order of the record. */
export function changesOf(
  { kind, columns }: Imported,
  before: ImportedRecord,
  after: ImportedRecord,
): ChangedField[] {
  // The service sets a time with another field, such as that of the last review with a rating.
  const isSet = (field: string) =>
    !derived.has(field) && (!field.endsWith('_at') || columns.includes(field))
  return Object.keys(after)
    .filter((field) => isSet(field) && !areEqual(before[field], after[field]))
    .map((field) => {
      const label = labelOf(kind, field)
      return { field, label, from: before[field], to: after[field] }
    })
}

const areEqual = (one: unknown, other: unknown) =>
  (isNone(one) && isNone(other)) || JSON.stringify(one) === JSON.stringify(other)

function labelOf(kind: Kind, field: string): string {
  const { label } =
    fieldsOf[kind].find(({ name, idColumn }) => name !== field && idColumn === field) ??
    fieldsOf[kind].find(({ name }) => name === field) ??
    {}
  return label === undefined ? fieldLabel(field) : t(label)
}

/** The score of a risk and its level. */
export interface Score {
  readonly score: number
  readonly level: string
}

export function scoreOf({ score, level }: ImportedRecord): Score | null {
  return typeof score === 'number' && typeof level === 'string' ? { score, level } : null
}

/** What a record is called. The title of a person is their job. */
export function nameOf(kind: Kind, record: ImportedRecord): string {
  const name = record[kind === 'people' || kind === 'projects' ? 'name' : 'title']
  return typeof name === 'string' ? name : ''
}

/** The reference of a record, or the code of a project. */
export function referenceOf({ ref, code }: ImportedRecord): string {
  return ref ?? (typeof code === 'string' ? code : '')
}
