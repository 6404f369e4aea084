import assert from 'node:assert/strict'

import type { Quota } from '@muster/contract'

import { writeDocument } from '#storage/derived/search-documents'
import { quotaNames } from '#storage/schema/nouns'
import { type Row, type RowTable, rowTableNames, rowTables } from '#storage/schema/row-tables'
import type { DB } from '#storage/schema/tables'
import type { HistoryState, Read, RowWrite, SummaryCount } from '#storage/statements/access'
import { insertNumberedRows, updateNumberedRows } from '#storage/statements/rows'

import { SummaryCountChanges } from './summary-count-changes.ts'

/**
 * The rows of items that an import loads. They keep their versions. History, memberships and the
 * sequence numbers of the collections come from files of their own.
 */
export class LoadedRows implements RowWrite {
  /** Dates memberships only, which `insert` leaves out. */
  readonly now = ''
  /** The version of the item whose rows are inserted. */
  version = 0
  readonly #rows = new Map<RowTable, object[]>()
  readonly #counts = new Map<Quota, number>()
  #summaryCounts = new SummaryCountChanges()
  readonly #workspaceId: string

  constructor({ workspaceId }: Read) {
    this.#workspaceId = workspaceId
  }

  insert<T extends RowTable>(table: T, row: Row<T>): void {
    if (table === 'memberships') return
    const rows = this.#rows.get(table) ?? []
    rows.push(rowTables[table].number === null ? row : { ...row, version: this.version })
    this.#rows.set(table, rows)
  }

  update(): never {
    return assert.fail('an import only inserts')
  }

  delete(): never {
    return assert.fail('an import only inserts')
  }

  touch(): void {}

  /** The history comes from a file of its own. */
  keep(state: HistoryState): void {
    writeDocument(this, this.#workspaceId, state)
  }

  count(quota: Quota, by: number): void {
    this.#counts.set(quota, (this.#counts.get(quota) ?? 0) + by)
  }

  addSummaryCounts(counts: readonly SummaryCount[], by: 1 | -1): void {
    this.#summaryCounts.add(counts, by)
  }

  /** Inserts the rows so far. */
  async flush(read: Read): Promise<void> {
    for (const table of rowTableNames) await insertAll(read, table, this.#rows.get(table) ?? [])
    for (const statement of this.#summaryCounts.statements(read)) {
      await read.db.executeQuery(statement)
    }
    this.#rows.clear()
    this.#summaryCounts = new SummaryCountChanges()
  }

  /** What the items count against the quotas. */
  get counts(): Partial<Record<Quota, number>> {
    return Object.fromEntries(quotaNames.map((name) => [name, this.#counts.get(name) ?? 0]))
  }
}

/** Inserts rows with all their columns, which are the same in each row. */
export async function insertAll(
  read: Read,
  table: keyof DB,
  rows: readonly object[],
): Promise<void> {
  if (rows.length > 0) await read.db.executeQuery(insertNumberedRows(read, table, rows))
}

/** Sets columns of rows that were inserted before. */
export async function updateAll(
  read: Read,
  table: RowTable,
  rows: readonly object[],
): Promise<void> {
  if (rows.length > 0) await read.db.executeQuery(updateNumberedRows(read, table, rows))
}
