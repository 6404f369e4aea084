import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { Client } from 'pg'

import { sessionSettingsOf } from '#storage/connection/session-settings'
import { connect, databasePrefix, databaseServer } from '#test/support/database'
import { longTimeouts } from '#test/support/long-timeouts'
import { isLong } from '#test/support/size'

import { createLogin, pgbouncerSkip, shippedConfig, startPgbouncer } from './pgbouncer.ts'

/** Runs the tests of the API through PgBouncer with the shipped configuration. */
const folder = fileURLToPath(new URL('../', import.meta.url))

const noDatabase = 'no request of it needs the database'
const productTimes = 'it measures the time limits of the product, and the pooler adds its own'

/** The test files that do not run through a pooler, with the reason. */
const excluded: Readonly<Record<string, string>> = {
  'auth/credentials/addresses.test.ts': noDatabase,
  'auth/provider/oidc-client.test.ts': noDatabase,
  'auth/credentials/secrets.test.ts': noDatabase,
  'auth/credentials/token.test.ts': noDatabase,
  'edge/admission.test.ts': noDatabase,
  'edge/docs.test.ts': noDatabase,
  'edge/fair-share.test.ts': noDatabase,
  'edge/forwarded-host.test.ts': noDatabase,
  'edge/pages.test.ts': noDatabase,
  'edge/proxy-limits.test.ts': noDatabase,
  'edge/frozen-database.test.ts': 'it freezes a server of its own',
  'edge/time-outs.test.ts': productTimes,
  'auth/keys/key-timing.alone.test.ts': productTimes,
  'contract/limits.alone.test.ts': productTimes,
  'edge/cpu.alone.test.ts': productTimes,
  'edge/faults.alone.test.ts': productTimes,
  'edge/overload.alone.test.ts': productTimes,
}

const all = globSync('{contract,auth,nouns,edge,model}/**/*.test.ts', { cwd: folder }).toSorted()
const files = all.filter((file) => !(file in excluded))
/** Of two services, each of which compares its session settings and the migrations. */
const transactionsOfStart = 4
const login = `muster_pooled_suite_${process.pid}`

interface Result {
  readonly code: number
  readonly output: string
}

/** Runs the files as `npm test` does, with the pooler between the services and the server. */
async function runSuite(pooler: string): Promise<Result> {
  const { NODE_TEST_CONTEXT: _, MUSTER_LONG: __, ...rest } = process.env
  const env = { ...rest, TEST_POOLER: pooler }
  const args = ['--test', '--test-concurrency=3', ...files.map((file) => folder + file)]
  // As for `npm test`: a library writes into node_modules of the working directory.
  const cwd = new URL('../../../../', import.meta.url)
  // Not spawnSync: this process must read the log of PgBouncer, which otherwise stops.
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  const [code] = await once(child, 'close')
  return { code, output }
}

/** The number of transactions that PgBouncer passed on, by database. */
async function transactionsAt(pooler: string): Promise<Map<string, number>> {
  const client = new Client({ connectionString: `${pooler}/pgbouncer` })
  await client.connect()
  const { rows } = await client.query<{ database: string; total_xact_count: string }>('show stats')
  await client.end()
  return new Map(rows.map((row) => [row.database, Number(row.total_xact_count)]))
}

/** The transactions of the databases of a test file. */
function transactionsOf(file: string, counts: ReadonlyMap<string, number>): number {
  const prefix = databasePrefix(folder + file)
  return counts
    .entries()
    .filter(([database]) => database.startsWith(prefix) && !/_/.test(database.slice(prefix.length)))
    .reduce((sum, [, count]) => sum + count, 0)
}

test('every file that is excluded exists', () => {
  for (const file of Object.keys(excluded)) assert.ok(all.includes(file), file)
})

const skip = pgbouncerSkip() || (!isLong && 'runs only with --long: npm test -- --long pgbouncer')

test('the tests of the API pass through PgBouncer', { skip }, async (t) => {
  const sql = await connect(databaseServer.href)
  const users = [await createLogin(sql, login, sessionSettingsOf(login, longTimeouts))]
  await sql.end()
  const config = `${shippedConfig}stats_users = ${login}\n`
  const { place, log } = await startPgbouncer({ server: databaseServer.href, users, config })
  const pooler = `postgres://${login}:pooled@${place}`
  const { code, output } = await runSuite(pooler)
  const warnings = log().match(/^.+ (WARNING|ERROR) .+$/gm) ?? []
  assert.equal(code, 0, `${output}\n${warnings.join('\n')}`)
  const counts = await transactionsAt(pooler)
  const [, passed] = /pass (\d+)/.exec(output) ?? []
  const sum = files.reduce((total, file) => total + transactionsOf(file, counts), 0)
  t.diagnostic(`${passed} tests of ${files.length} files passed, with ${sum} transactions`)
  assert.ok(Number(passed) > 2500, output)
  const direct = files.filter((file) => transactionsOf(file, counts) <= transactionsOfStart)
  assert.deepEqual(direct, [], 'these files sent no request through PgBouncer')
})
