import { randomUUID } from 'node:crypto'

import { encodeId, uuidOf } from '@muster/api/id'
import { issueToken, readToken } from '@muster/api/token'
import { Client } from 'pg'

interface Column {
  readonly table: string
  readonly name: string
}

/** Every stored column of every table that belongs to workspaces, and of `workspaces` itself. */
async function columnsOf(sql: Client): Promise<Map<string, string[]>> {
  const { rows } = await sql.query<Column>(`
    select table_name as table, column_name as name from information_schema.columns c
    where table_schema = 'muster' and is_generated = 'NEVER' and exists (
      select from information_schema.columns o join information_schema.tables t
        using (table_schema, table_name)
      where o.table_schema = 'muster' and o.table_name = c.table_name
        and t.table_type = 'BASE TABLE'
        and (o.column_name = 'workspace_id' or o.table_name = 'workspaces'))
    order by table_name, ordinal_position`)
  const grouped = Map.groupBy(rows, ({ table }) => table)
  return new Map(Array.from(grouped, ([table, list]) => [table, list.map(({ name }) => name)]))
}

/** Runs with the foreign keys off: a copy of a valid workspace is valid. */
export async function asReplica<T>(url: string, work: (sql: Client) => Promise<T>): Promise<T> {
  const sql = new Client({ connectionString: url })
  await sql.connect()
  try {
    await sql.query(`set session_replication_role = replica; set synchronous_commit = off;
      set maintenance_work_mem = '512MB'; set search_path = muster`)
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** The id of the workspace of a key, as in the database. */
export const workspaceOf = (token: string) => uuidOf(readToken(token)?.workspaceId ?? '')

/** The value of a column of a copy. `w` is the new workspace. */
function copied(table: string, column: string): string {
  if (column === 'workspace_id' || (table === 'workspaces' && column === 'id')) return 'w.id'
  if (table === 'workspaces' && column === 'name') return `left(t.name, 50) || ' ' || w.id`
  if (table === 'api_keys' && column === 'hash') return 'w.hash'
  return `t."${column}"`
}

const fullOf = (rows: number) => rows > 200_000

/** Builds the indexes after filling, which is faster than row by row. */
async function insertAll(sql: Client, table: string, insert: () => Promise<unknown>) {
  await sql.query('update pg_index set indisready = false where indrelid = $1::regclass', [table])
  await insert()
  await sql.query(`reindex table ${table}`)
}

/**
 * Copies a workspace with all its rows, and returns a key of each copy. The workspace must have
 * exactly one key. A copied row has the same id as the original.
 */
export async function copyWorkspace(url: string, token: string, count: number): Promise<string[]> {
  const made = Array.from({ length: count }, () => {
    const id = randomUUID()
    return { id, ...issueToken(encodeId('wsp', id)) }
  })
  const parameters = [workspaceOf(token), made.map(({ id }) => id), made.map(({ hash }) => hash)]
  await asReplica(url, async (sql) => {
    for (const [table, columns] of await columnsOf(sql)) {
      const own = table === 'workspaces' ? 'id' : 'workspace_id'
      const names = columns.map((name) => `"${name}"`).join()
      const { rows } = await sql.query<{ count: number }>(
        `select count(*)::integer as count from ${table} where ${own} = $1`,
        parameters.slice(0, 1),
      )
      const insert = async () =>
        sql.query(
          `insert into ${table} (${names})
           select ${columns.map((column) => copied(table, column)).join()}
           from ${table} as t, unnest($2::uuid[], $3::bytea[]) as w (id, hash)
           where t.${own} = $1 and w.hash is not null`,
          parameters,
        )
      if (fullOf((rows[0]?.count ?? 0) * count)) await insertAll(sql, table, insert)
      else await insert()
    }
    await sql.query('analyze')
  })
  return made.map((each) => each.token)
}

/** Adds keys to the workspace of a key, beyond the quota if there are many. */
export async function addKeys(url: string, token: string, count: number): Promise<string[]> {
  const workspace = workspaceOf(token)
  const made = Array.from({ length: count }, () => issueToken(encodeId('wsp', workspace)))
  await asReplica(url, async (sql) => {
    const columns = (await columnsOf(sql)).get('api_keys') ?? []
    const changed: Record<string, string> = { id: 'k.id', lineage: 'k.id', hash: 'k.hash' }
    await sql.query(
      `insert into api_keys (${columns.join()})
       select ${columns.map((column) => changed[column] ?? `t."${column}"`).join()}
       from (select * from api_keys where workspace_id = $1 limit 1) as t,
         unnest($2::uuid[], $3::bytea[]) as k (id, hash)`,
      [workspace, made.map(() => randomUUID()), made.map(({ hash }) => hash)],
    )
    await sql.query(
      `update workspace_counters set keys = keys + $2, keys_max = greatest(keys_max, keys + $2)
       where workspace_id = $1`,
      [workspace, count],
    )
    await sql.query('analyze api_keys')
  })
  return made.map((each) => each.token)
}
