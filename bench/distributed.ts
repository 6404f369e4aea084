import { spawnSync } from 'node:child_process'
import { isDeepStrictEqual } from 'node:util'

import { Client } from 'pg'

import { pgbench } from './compare/twin.ts'
import { options } from './options.ts'
import { size } from './size.ts'

/**
 * `npm run bench -- distributed --plain URL --distributed URL`: what a statement costs when a
 * PostgreSQL extension such as Citus distributes the tables. Both databases have the migrations of
 * this release and the same rows. The role must bypass row level security. The statements change
 * no value. It runs only when it is named, because nothing here creates the second database.
 */
const clients = 4
const seconds = Number(process.env['BENCH_SECONDS'] ?? 4)
const rounds = size(3, 7)

interface Statement {
  readonly name: string
  readonly sql: string
  readonly parameters: readonly string[]
}

/** Rows that both databases have: the workspace with the most risks, one key, and the first page. */
interface Rows {
  readonly workspace: string
  readonly risks: number
  readonly hash: string
  readonly page: readonly unknown[]
}

const page = `select id, ref, project_id, title, status, likelihood, impact, score, tags, version
  from muster.risks where workspace_id = $1 and is_live order by rank_key, id limit 50`

async function selectRows(url: string): Promise<Rows | null> {
  const sql = new Client({ connectionString: url })
  await sql.connect()
  try {
    const largest = await sql.query<{ workspace: string; risks: number }>(
      `select workspace_id as workspace, count(*)::integer as risks from muster.risks
       where is_live group by workspace_id order by risks desc, workspace limit 1`,
    )
    const [found] = largest.rows
    if (found === undefined) return null
    const keys = await sql.query<{ hash: string }>(
      String.raw`select '\x' || encode(hash, 'hex') as hash from muster.api_keys
       where workspace_id = $1 order by hash limit 1`,
      [found.workspace],
    )
    const [key] = keys.rows
    if (key === undefined) return null
    const { rows } = await sql.query(page, [found.workspace])
    return { ...found, ...key, page: rows }
  } finally {
    await sql.end()
  }
}

const statementsFor = ({ workspace, hash }: Rows): Statement[] => [
  {
    name: 'key lookup',
    sql: 'select id, scopes from muster.api_keys where workspace_id = $1 and hash = $2',
    parameters: [workspace, hash],
  },
  { name: 'first 50 risks', sql: page, parameters: [workspace] },
  {
    name: 'write transaction',
    sql: `begin;
      update muster.workspace_counters set seq = seq where workspace_id = $1;
      update muster.workspaces set version = version where id = $1;
      end`,
    parameters: [workspace],
  },
]

interface Databases {
  readonly plain: string
  readonly distributed: string
}

/** Transactions a second of each round. The database that goes first alternates. */
async function measureStatement(statement: Statement, { plain, distributed }: Databases) {
  const measured = { plain: [] as number[], distributed: [] as number[] }
  const run = async (url: string) =>
    (await pgbench({ url, statement, settings: {}, clients, seconds })).perSecond
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) measured.plain.push(await run(plain))
    measured.distributed.push(await run(distributed))
    if (round % 2 === 1) measured.plain.push(await run(plain))
  }
  return measured
}

const print = (cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`)
const whole = (value: number) => Math.round(value).toLocaleString('en').replaceAll(',', ' ')

async function compareDatabases(databases: Databases, rows: Rows): Promise<void> {
  print(['statement', 'plain, a second', 'distributed, a second', 'factor'])
  print(['---', '---', '---', '---'])
  for (const statement of statementsFor(rows)) {
    const { plain, distributed } = await measureStatement(statement, databases)
    const factors = plain.map((value, round) => (value / (distributed[round] ?? 0)).toFixed(1))
    const cells = [plain.map(whole), distributed.map(whole), factors]
    print([statement.name, ...cells.map((each) => each.join(', '))])
  }
}

/** Why there is nothing to compare; null if there is. */
function problemOf(plain: Rows | null, distributed: Rows | null): string | null {
  if (plain === null || distributed === null) {
    const name = plain === null ? '--plain' : '--distributed'
    return `${name} shows no workspace with a risk and a key. Seed it, or use a superuser.`
  }
  if (!isDeepStrictEqual(plain, distributed)) return 'The two databases have different rows.'
  return null
}

async function main({ plain, distributed }: Databases): Promise<void> {
  const rows = await selectRows(plain)
  const problem = problemOf(rows, await selectRows(distributed))
  if (rows === null || problem !== null) {
    process.stderr.write(`${problem}\n`)
    process.exitCode = 1
    return
  }
  const settings = `-c ${clients} -j 1 -T ${Math.max(1, Math.round(seconds))} -M prepared`
  process.stdout.write(`${rows.risks} risks, pgbench ${settings}\n\n`)
  await compareDatabases({ plain, distributed }, rows)
}

const { plain, distributed } = options
if (plain === undefined || distributed === undefined) {
  process.stderr.write('Usage: npm run bench -- distributed --plain URL --distributed URL\n')
  process.exitCode = 2
} else if (spawnSync('pgbench', ['--version']).status !== 0) {
  process.stdout.write('Skipped: pgbench is missing. Debian has it in the package postgresql.\n')
} else {
  await main({ plain, distributed })
}
