import assert from 'node:assert/strict'

import { type Compilable, sql } from 'kysely'

import { isOwn } from '#storage/lists/keyset'

import type { Read } from './access.ts'
import { type RowTable, rowTables } from './row-tables.ts'

type Rows = readonly object[]

/**
 * Inserts any number of rows in one statement, as one JSON parameter. A change of one risk and an
 * import of 1000 use the same prepared statements.
 */
export function insertRows(read: Read, table: RowTable, rows: Rows): Compilable {
  const given = columnsOf(rows)
  const { number } = rowTables[table]
  const columns = ['workspace_id', ...given, ...(number ? [number] : [])]
  const seq = number ? sql`, ${currentNumber(read)}` : sql``
  return compilable(
    read,
    sql`insert into ${sql.table(table)} (${refs(columns)})
      select ${read.workspaceId}::uuid, ${refs(given, 'r')}${seq}
      from ${recordset(table, rows)} as r`,
  )
}

/** Updates rows by key. Every column that is given is set. */
export function updateRows(read: Read, table: RowTable, rows: Rows): Compilable {
  const { number, key } = rowTables[table]
  const keys: readonly string[] = key
  const given = columnsOf(rows).filter((column) => !keys.includes(column))
  const settings = [
    ...given.map((column) => sql`${sql.ref(column)} = ${sql.ref(`r.${column}`)}`),
    ...(number ? [sql`${sql.ref(number)} = ${currentNumber(read)}`] : []),
  ]
  return compilable(
    read,
    sql`update ${sql.table(table)} as kept set ${sql.join(settings)}
      from ${recordset(table, rows)} as r
      where ${isOwn(read, 'kept')} and ${matching(keys)}`,
  )
}

/** Deletes the rows that are equal in all given columns. */
export function deleteRows(read: Read, table: RowTable, rows: Rows): Compilable {
  return compilable(
    read,
    sql`delete from ${sql.table(table)} as kept using ${recordset(table, rows)} as r
      where ${isOwn(read, 'kept')} and ${matching(columnsOf(rows))}`,
  )
}

const matching = (columns: readonly string[]) =>
  sql.join(
    columns.map((column) => sql`${sql.ref(`kept.${column}`)} = ${sql.ref(`r.${column}`)}`),
    sql` and `,
  )

/** The sequence number of this write, after its first statement has incremented the counter. */
export const currentNumber = (read: Read) =>
  sql<number>`(select seq from workspace_counters where ${isOwn(read, 'workspace_counters')})`

/**
 * The columns of the rows of one statement. All rows must have the same: a column that only some of
 * them have would be dropped, or set to null, without an error.
 */
function columnsOf([first = {}, ...others]: Rows): string[] {
  const columns = Object.keys(first)
  const names = columns.toSorted().join()
  for (const row of others) {
    assert.equal(
      Object.keys(row).toSorted().join(),
      names,
      'rows of one statement differ in columns',
    )
  }
  return columns
}

const refs = (columns: readonly string[], of?: string) =>
  sql.join(columns.map((column) => sql.ref(of ? `${of}.${column}` : column)))

const recordset = (table: RowTable, rows: Rows) =>
  sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`

type Raw = ReturnType<typeof sql<unknown>>

export const compilable = ({ db }: Read, raw: Raw): Compilable => ({
  compile: () => raw.compile(db),
})
