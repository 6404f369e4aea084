import assert from 'node:assert/strict'

import { type CompiledQuery, type RawBuilder, sql } from 'kysely'

import { type RowTable, rowTables } from '#storage/schema/row-tables'
import type { DB } from '#storage/schema/tables'

import type { Read } from './access.ts'
import { isOwn, type Own } from './keyset.ts'
import { type Given, type Template, template } from './template.ts'

type Rows = readonly object[]

interface RowValues {
  readonly workspaceId: string
  /** The rows as JSON. */
  readonly rows: string
}

interface Shape {
  readonly table: keyof DB
  /** The columns that identify a row within its workspace. */
  readonly keys: readonly string[]
  /** The column that gets the sequence number of the write. */
  readonly number: string | null
  readonly columns: readonly string[]
  /** Whether it is one row, which the planner must know to find it by its key. */
  readonly isOne: boolean
}

type Build = (given: Given<RowValues>, shape: Shape) => RawBuilder<unknown>

/**
 * Inserts any number of rows in one statement, as one JSON parameter. A change of one risk and an
 * import of 1000 use the same prepared statements.
 */
export const insertRows = (read: Read, table: RowTable, rows: Rows): CompiledQuery =>
  compileRows(read, { ...shapeOf(table, rows), isOne: false, kind: 'insert' }, rows)

/** The same for rows of any table that already have their numbers, such as those of an import. */
export function insertNumberedRows(read: Read, table: keyof DB, rows: Rows): CompiledQuery {
  const shape = { table, keys: [], number: null, columns: columnsOf(rows), isOne: false } as const
  return compileRows(read, { ...shape, kind: 'insert' }, rows)
}

/** Updates rows by key. Every column that is given is set. */
export const updateRows = (read: Read, table: RowTable, rows: Rows): CompiledQuery =>
  compileRows(read, { ...shapeOf(table, rows), kind: 'update' }, rows)

/** The same without a new number, for rows of an import. */
export const updateNumberedRows = (read: Read, table: RowTable, rows: Rows): CompiledQuery =>
  compileRows(read, { ...shapeOf(table, rows), number: null, kind: 'update' }, rows)

/** Deletes the rows that are equal in all given columns. */
export const deleteRows = (read: Read, table: RowTable, rows: Rows): CompiledQuery =>
  compileRows(read, { ...shapeOf(table, rows), kind: 'delete' }, rows)

const shapeOf = (table: RowTable, rows: Rows): Shape => ({
  table,
  keys: rowTables[table].key,
  number: rowTables[table].number,
  columns: columnsOf(rows),
  isOne: rows.length === 1,
})

const builders = {
  insert: (given, { table, number, columns }) => {
    const all = ['workspace_id', ...columns, ...(number ? [number] : [])]
    const seq = number ? sql`, ${currentNumber(given)}` : sql``
    return sql`insert into ${sql.table(table)} (${refs(all)})
      select ${given.workspaceId}::uuid, ${refs(columns, 'r')}${seq}
      from json_populate_recordset(null::${sql.table(table)}, ${given.rows}::json) as r`
  },
  update: (given, shape) => {
    const { number, keys } = shape
    const set = shape.columns.filter((column) => !keys.includes(column))
    const settings = [
      ...set.map((column) => sql`${sql.ref(column)} = ${sql.ref(`r.${column}`)}`),
      ...(number ? [sql`${sql.ref(number)} = ${currentNumber(given)}`] : []),
    ]
    return sql`update ${sql.table(shape.table)} as kept set ${sql.join(settings)}
      from ${source(given, shape)} as r
      where ${isOwn(given, 'kept')} and ${matching(keys)}`
  },
  delete: (given, shape) =>
    sql`delete from ${sql.table(shape.table)} as kept using ${source(given, shape)} as r
      where ${isOwn(given, 'kept')} and ${matching(shape.columns)}`,
} satisfies Record<string, Build>

/** The statements by shape. There are as many as the code has shapes of rows. */
const templates = new Map<string, Template<RowValues, unknown>>()

function compileRows(
  read: Read,
  { kind, ...shape }: Shape & { readonly kind: keyof typeof builders },
  rows: Rows,
): CompiledQuery {
  const { table, number, columns } = shape
  const name = `${kind} ${shape.isOne ? 'one' : 'many'} ${table} ${number} ${columns.join()}`
  let statement = templates.get(name)
  if (statement === undefined) {
    statement = template((given) => builders[kind](given, shape))
    templates.set(name, statement)
  }
  const json = JSON.stringify(shape.isOne ? rows[0] : rows)
  return statement.compile(read, { workspaceId: read.workspaceId, rows: json })
}

/**
 * The planner estimates every record set at 100 rows. For one row it would then read
 * the whole workspace into a hash table.
 */
const source = (given: Given<RowValues>, { table, isOne }: Shape) =>
  isOne
    ? sql`json_populate_record(null::${sql.table(table)}, ${given.rows}::json)`
    : sql`json_populate_recordset(null::${sql.table(table)}, ${given.rows}::json)`

const matching = (columns: readonly string[]) =>
  sql.join(
    columns.map((column) => sql`${sql.ref(`kept.${column}`)} = ${sql.ref(`r.${column}`)}`),
    sql` and `,
  )

/** The sequence number of this write, after its first statement has incremented the counter. */
export const currentNumber = (own: Own) =>
  sql<number>`(select seq from workspace_counters where ${isOwn(own, 'workspace_counters')})`

/**
 * The columns of the rows of one statement. All rows must have the same: a column that only some of
 * them have would be dropped, or set to null, without an error.
 */
function columnsOf([first = {}, ...others]: Rows): string[] {
  const columns = Object.keys(first)
  if (others.length === 0) return columns
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
