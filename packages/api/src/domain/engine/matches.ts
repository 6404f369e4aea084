/** Rows without an id that name their record by another field. */

import { type BatchRows, type PreparedRows, prepareRows, rowError } from './batch.ts'

interface Matching {
  /** Emails ignore letter case. */
  readonly keyOf?: (value: string) => string
  /** Finds the ids of the records that have these values, by `keyOf`. */
  readonly find: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/** Gives each row without an id the id of the record that it matches. */
export async function matchRows<R extends { readonly id?: string }>(
  batch: BatchRows<R>,
  { keyOf = String, find }: Matching,
): Promise<PreparedRows<R>> {
  const { match } = batch
  if (match === undefined) return batch
  const keyIn = ({ id, ...row }: R & Readonly<Record<string, unknown>>) => {
    const value = row[match]
    return id === undefined && typeof value === 'string' && value !== '' ? keyOf(value) : null
  }
  const keys = batch.data.map((row) => keyIn(row))
  const known = await find(keys.filter((key) => key !== null))
  const seen = new Set<string>()
  return prepareRows(batch, (row, index) => {
    if (row.id !== undefined) return row
    const key = keys[index] ?? null
    const refuse = (code: string, detail: string) => rowError(`/${match}`, code, detail)
    if (key === null) throw refuse('required', 'is required, because it finds the record')
    if (seen.has(key)) throw refuse('repeated', 'appears in more than one row')
    seen.add(key)
    const id = known.get(key)
    if (id !== undefined) return { ...row, id }
    // The service assigns references.
    if (match !== 'ref') return row
    throw refuse('unknown_reference', 'must be the reference of a record of the project')
  })
}
