import { t } from '#text/index.ts'

import type { ImportField } from './field.ts'
import { fold } from './fold.ts'

/** The field of each column of a file; null for one that is left out. */
export type Mapping = readonly (ImportField | null)[]

/** Columns of an export that only the service sets, or that repeat another one. */
const setByService = new Set([
  'rank',
  'ref',
  'score',
  'level',
  'flags',
  'acceptance likelihood',
  'acceptance impact',
  'acceptance score',
  'acceptance level',
  'acceptance accepted by user id',
  'acceptance accepted by name',
  'acceptance accepted by email',
  'acceptance accepted at',
  'acceptance expires on',
  'acceptance rationale',
  'acceptance risk appetite',
  'inherent score',
  'target score',
  'previous score',
  'score changed at',
  'issue ids',
  'issue refs',
  'occurred at',
  'created at',
  'updated at',
  'reopened count',
  'risk id',
  'issue id',
  'project name',
  'owner name',
  'assignee name',
  'manager name',
  'user id',
  'status',
  'status changed at',
  'assignable',
  'group ids',
  'erased at',
  'health set at',
  'opened at',
  'risk title',
  'issue title',
])

/** Whether the column can be left out, because the service sets it. */
export const isSetByService = (column: string) => setByService.has(fold(column))

/**
 * Finds the field of each column by the name in the API, the label in the console, or a synonym, in
 * this order. Nothing is guessed: another name is left out until the user chooses. A field has one
 * column.
 */
export function matchColumns(columns: readonly string[], fields: readonly ImportField[]): Mapping {
  const names = columns.map(fold)
  const matched = new Map<number, ImportField>()
  const used = new Set<ImportField>()
  for (const namesOf of [apiName, labels, synonyms]) {
    for (const field of fields) {
      const wanted = namesOf(field)
      const at = names.findIndex((name, index) => wanted.includes(name) && !matched.has(index))
      if (at < 0 || used.has(field)) continue
      matched.set(at, field)
      used.add(field)
    }
  }
  return columns.map((_, at) => matched.get(at) ?? null)
}

const apiName = ({ name }: ImportField) => [fold(name)]
const labels = ({ label }: ImportField) => [fold(t(label))]
const synonyms = (field: ImportField) => field.synonyms

/** The fields that new rows must have and that no column becomes. */
export const missingFields = (mapping: Mapping, fields: readonly ImportField[]) =>
  fields.filter((field) => field.isRequired && !mapping.includes(field))

/** Gives a column another field. Another column with the same field is left out. */
export const changeColumn = (mapping: Mapping, at: number, field: ImportField | null): Mapping =>
  mapping.map((each, index) => {
    if (index === at) return field
    return each === field ? null : each
  })

/** The first different values of a column. */
export function samplesOf(
  rows: readonly { readonly cells: readonly string[] }[],
  at: number,
): string[] {
  const samples = new Set<string>()
  for (const { cells } of rows) {
    const text = (cells[at] ?? '').trim()
    if (text !== '') samples.add(text)
    if (samples.size === 3) break
  }
  return [...samples]
}
