import { asReplica, copyWorkspace } from '#bench/workspaces'

import { createDatabase, dropDatabase } from './database.ts'
import { run } from './process.ts'

/**
 * `npm run bench -- storage`: the bytes of a workspace on disk, by table, with indexes. It copies
 * the demo workspace, which has nine months of history, and divides the size of each table. Copies
 * have no dead rows, which writes would leave.
 */
const copies = 100

interface Size {
  readonly table: string
  readonly rows: number
  readonly bytes: number
}

const sizes = (url: string) =>
  asReplica(url, async (sql) => {
    await sql.query('vacuum analyze')
    const { rows } = await sql.query<Size>(
      `select relname as table, pg_total_relation_size(oid)::float as bytes, (xpath('/row/c/text()',
         query_to_xml(format('select count(*) as c from %I', relname), false, true, '')))[1]
         ::text::integer as rows
       from pg_class where relnamespace = 'muster'::regnamespace and relkind = 'r'`,
    )
    return new Map(rows.map((row) => [row.table, row]))
  })

const url = await createDatabase()
try {
  const env = { DATABASE_URL: url }
  await run(['packages/api/src/migrate.ts'], { env })
  await run(['tools/seed.ts'], { env })
  const admin = ['packages/api/src/admin.ts', 'key', 'create', '--workspace', 'Northwater']
  const key = await run([...admin, '--name', 'Storage', '--scopes', 'personnel.read'], { env })
  // A workspace is copied with one key.
  await asReplica(url, (sql) => sql.query(`delete from api_keys where name <> 'Storage'`))
  const before = await sizes(url)
  await copyWorkspace(url, key.trim().split('\n').at(-1) ?? '', copies)
  const grown = Array.from(await sizes(url), ([table, { rows, bytes }]) => ({
    table,
    rows: (rows - (before.get(table)?.rows ?? 0)) / copies,
    bytes: (bytes - (before.get(table)?.bytes ?? 0)) / copies,
  })).filter(({ rows }) => rows > 0)
  const lines = grown
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(({ table, rows, bytes }) => [table, rows, (bytes / rows).toFixed(), bytes.toFixed()])
  const total = grown.reduce((sum, { bytes }) => sum + bytes, 0)
  const print = (cells: readonly unknown[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
  print(['table', 'rows', 'bytes a row, with indexes', 'bytes a workspace'])
  for (const line of lines) print(line)
  print(['all', '', '', total.toFixed()])
} finally {
  await dropDatabase(url)
}
