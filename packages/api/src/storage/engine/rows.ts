import { type Compilable, type Insertable, sql } from 'kysely'

import type { Read } from './database.ts'
import { isOwn } from './keyset.ts'
import type { DB } from './tables.ts'

/** The tables whose rows a write collects, in the order in which they may refer to one another. */
export const rowTables = [
  'people',
  'groups',
  'memberships',
  'projects',
  'risks',
  'issues',
  'tasks',
  'risk_marks',
  'issue_marks',
  'history',
  'events',
] as const

export type RowTable = (typeof rowTables)[number]

/** The column of a table that holds the number of the write; it is not known before the flush. */
const numbered = {
  people: 'version',
  groups: 'version',
  memberships: 'version',
  projects: 'version',
  risks: 'version',
  issues: 'version',
  tasks: 'version',
  risk_marks: null,
  issue_marks: null,
  history: 'from_seq',
  events: 'seq',
} as const satisfies Record<RowTable, string | null>

/** What a caller gives of a row: the workspace and the number are added here. */
export type Row<T extends RowTable> = Omit<
  Insertable<DB[T]>,
  'workspace_id' | ((typeof numbered)[T] & string)
>

type Rows = readonly object[]

/**
 * One statement however many rows there are: they travel as one JSON parameter. So a change of one
 * risk and an import of a thousand are the same few statements, planned once.
 */
export function insertRows(read: Read, table: RowTable, rows: Rows): Compilable {
  const given = columnsOf(rows)
  const number = numbered[table]
  const columns = ['workspace_id', ...given, ...(number ? [number] : [])]
  const seq = number ? sql`, ${currentNumber(read)}` : sql``
  return compilable(
    read,
    sql`insert into ${sql.table(table)} (${refs(columns)})
      select ${read.workspaceId}::uuid, ${refs(given, 'r')}${seq}
      from ${recordset(table, rows)} as r`,
  )
}

/** Rows are found by their key, and get all columns that are given. */
export function updateRows(read: Read, table: RowTable, rows: Rows): Compilable {
  const keys = table === 'memberships' ? ['group_id', 'user_id'] : ['id']
  const given = columnsOf(rows).filter((column) => !keys.includes(column))
  const number = numbered[table]
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

/** Rows are found by all columns that are given. */
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

/** The number of this write, once its first statement has moved the counter. */
export const currentNumber = (read: Read) =>
  sql<number>`(select seq from workspace_counters where ${isOwn(read, 'workspace_counters')})`

const columnsOf = ([first = {}]: Rows) => Object.keys(first)

const refs = (columns: readonly string[], of?: string) =>
  sql.join(columns.map((column) => sql.ref(of ? `${of}.${column}` : column)))

const recordset = (table: RowTable, rows: Rows) =>
  sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`

type Raw = ReturnType<typeof sql<unknown>>

export const compilable = ({ db }: Read, raw: Raw): Compilable => ({
  compile: () => raw.compile(db),
})
