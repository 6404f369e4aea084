/** Rows of a batch without an id: each creates a record, and nothing that it contains is lost. */

import { isDeepStrictEqual } from 'node:util'

import type { Advice } from './change.ts'
import { type InvalidField, invalid } from './failure.ts'

interface Schema {
  readonly properties: object
}

/**
 * Keeps the properties of a row that its schema has: an export also contains computed fields. The
 * caller has checked the required ones.
 */
export function pickProperties(row: object, { properties }: Schema): object {
  const entries = Object.entries(row).filter(
    ([name, value]) => name in properties && value !== undefined,
  )
  return Object.fromEntries(entries)
}

interface NewRecord {
  /** The schema that creates the record. */
  readonly schema: Schema
  /** The record as the response presents it. */
  readonly record: object
  readonly advice: Advice
  /** The time of the write. */
  readonly now: string
}

/**
 * Finds the read-only values of a row that the new record will not have. Null and an empty list
 * state nothing, and an empty cell is one of them.
 */
export function readOnlyErrors(row: object, created: NewRecord): InvalidField[] {
  const record: Readonly<Record<string, unknown>> = { ...created.record }
  return Object.entries(row)
    .filter(([name, value]) => !(name in created.schema.properties) && !isEmpty(value))
    .filter(([name, value]) => isAssignedLater(name) || !isDeepStrictEqual(value, record[name]))
    .map(([name]) => ({
      pointer: `/${name}`,
      code: 'read_only_field',
      detail: expectation(name, record[name], created),
    }))
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/** The commit assigns the version. Until then the record has 0. */
const isAssignedLater = (name: string) => name === 'version'

/** States the value that the record will have, unless the caller could not know it. */
function expectation(name: string, value: unknown, { record, advice, now }: NewRecord): string {
  const { id } = record as { id?: unknown }
  const isForeseeable = !isAssignedLater(name) && !isEmpty(value) && value !== now && value !== id
  if (isForeseeable) return `must be ${JSON.stringify(value)} or omitted in a new row`
  return `must be omitted in a new row. ${advice[name] ?? 'The service sets it'}`
}

/** Throws one failure for all errors of a row, if there are any. */
export function refuseErrors(errors: readonly InvalidField[]): void {
  if (errors.length > 0) throw invalid(...errors)
}
