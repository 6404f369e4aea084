import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { atEnd } from '@muster/testing/at-end'
import { Kysely, PostgresDialect, sql } from 'kysely'

import { startService } from '#service'
import { createPool } from '#storage/connection/pool'
import { selectFirstDifference } from '#storage/migration/catalog'
import { migrate } from '#storage/migration/migrate'
import type { DB } from '#storage/schema/tables'
import type { Json } from '#test/support/client'
import { connect, createDatabase, createEmptyDatabase } from '#test/support/database'
import { longTimeouts } from '#test/support/long-timeouts'
import { copyMigrations } from '#test/support/migrations-copy'
import { runToEnd } from '#test/support/process'
import { startHost } from '#test/support/workspace'

import { doctor } from './doctor.ts'

const guide = 'docs/operate/migrations.md'
const mismatch =
  'Migration checksum mismatch: 0003_projects.sql is not the file that was applied. ' +
  `Restore the file and add a new one, or move the data to a new database: ${guide}`

/** An earlier checkout had a column that the file no longer has. */
const edited = copyMigrations('0003_projects.sql', (text) =>
  text.replace('create table projects (', 'create table projects (\n  budget text,'),
)

async function open(url: string) {
  const client = await connect(url)
  atEnd(() => client.end())
  return client
}

/** `migrate`, the start of the service and `doctor` refuse the database with the same line. */
async function assertRefused(url: string, line: string): Promise<void> {
  await assert.rejects(migrate(url), { name: 'SchemaMismatchError', message: line })
  const starting = startService({ url, logLevel: null, timeouts: longTimeouts })
  await assert.rejects(starting, { name: 'OperatorError', message: line })
  const { code, seen } = await doctor({ DATABASE_URL: url })
  assert.equal(code, 1)
  assert.equal(seen('migrations').join('\n').replace(' → ', ' '), `error: ${line}`)
}

/** The response of `/readyz` once it has this status. */
async function readiness(base: string, status: number): Promise<Json> {
  const ask = () => fetch(new URL('/readyz', base))
  let response = await ask()
  for (let tries = 0; tries < 100 && response.status !== status; tries++) {
    await response.body?.cancel()
    await sleep(100)
    response = await ask()
  }
  assert.equal(response.status, status)
  return response.json()
}

test('refuses a database that an edited migration made, and names the file', async () => {
  const url = await createEmptyDatabase()
  await migrate(url, { folder: edited })
  await assertRefused(url, mismatch)
  const commands = await Promise.all([
    runToEnd('migrate', { DATABASE_URL: url }),
    runToEnd('admin', { DATABASE_URL: url }, 'workspace', 'list'),
  ])
  for (const { code, stderr } of commands) {
    assert.deepEqual([code, stderr], [1, `error: ${mismatch}\n`])
  }
})

test('/readyz refuses a checksum mismatch, and accepts a newer database', async () => {
  const { base, sql: client } = await startHost()
  await client.query(`insert into kysely_migration values ('9999_next_release', '2099');
    insert into migration_checksums values ('9999_next_release', repeat('0', 64))`)
  await sleep(2500)
  await readiness(base, 200)
  await client.query(`update migration_checksums set checksum = repeat('0', 64)
    where name = '0003_projects'`)
  const { code, detail } = await readiness(base, 503)
  assert.deepEqual([code, detail], ['unavailable', mismatch])
})

/** The last migration of a release that stored no checksums. */
const last = '0008_sign_in'
const difference = (object: string) =>
  `The schema differs from the migrations 0001 to 0008: ${object}. ` +
  `Move the data to a new database: ${guide}`

test('without checksums, refuses a schema that differs, and names the first object', async () => {
  const url = await createEmptyDatabase()
  await migrate(url, { folder: edited, last })
  await (await open(url)).query('drop table migration_checksums')
  await assertRefused(url, difference('column projects.budget is not in them'))
})

test('without checksums, /readyz and migrate name a missing table', async () => {
  const { base, url, sql: client } = await startHost()
  await client.query('drop table migration_checksums; drop table binding_holds')
  const { detail } = await readiness(base, 503)
  assert.equal(detail, difference('table binding_holds is missing'))
  await assert.rejects(migrate(url), { name: 'SchemaMismatchError', message: detail })
})

const changes: [statement: string, object: string][] = [
  ['drop table binding_holds', 'table binding_holds is missing'],
  ['alter table tasks no force row level security', 'table tasks differs'],
  [`alter table people alter email set default 'x'`, 'column people.email differs'],
  ['alter table people alter name drop not null', 'column people.name differs'],
  ['alter table people alter phone type varchar', 'column people.phone differs'],
  [
    'alter table groups drop constraint groups_status_check',
    'constraint groups.groups_status_check is missing',
  ],
  ['create index extra on people (workspace_id, phone)', 'index extra is not in them'],
  [
    'alter policy workspace_isolation on risks using (true)',
    'policy risks.workspace_isolation differs',
  ],
  ['grant delete on history to muster_app', 'grant on history to muster_app differs'],
  [
    'revoke update (name) on workspaces from muster_app',
    'grant on workspaces.name to muster_app is missing',
  ],
  ['alter function only_workspace() volatile', 'function only_workspace() differs'],
  [
    `create or replace function only_workspace() returns uuid language sql stable security definer
       set search_path = muster, pg_temp as 'select null::uuid'`,
    'function only_workspace() differs',
  ],
]

test('finds each kind of difference, and none in the schema of the frozen migrations', async () => {
  const url = await createEmptyDatabase()
  await migrate(url, { last })
  const pool = createPool({ url, role: null, max: 1, hasLongTimeouts: true })
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  atEnd(() => db.destroy())
  assert.equal(await selectFirstDifference(db), null)
  for (const [statement, object] of changes) {
    const transaction = await db.startTransaction().execute()
    await sql.raw(statement).execute(transaction)
    assert.equal(await selectFirstDifference(transaction), object)
    await transaction.rollback().execute()
  }
})

const stored = `select m.name, c.checksum from kysely_migration m
  full join migration_checksums c on c.name = m.name order by 1`

test('a database without checksums gets those of the same schema', async () => {
  const url = await createEmptyDatabase()
  await migrate(url, { last })
  const client = await open(url)
  const { rows: before } = await client.query(stored)
  await client.query('drop table migration_checksums')
  const starting = startService({ url, logLevel: null, timeouts: longTimeouts })
  await assert.rejects(starting, { name: 'OperatorError', message: /Run: npm run migrate$/ })
  const { code, seen } = await doctor({ DATABASE_URL: url })
  assert.equal(code, 1)
  assert.match(seen('migrations').join(), /^error: .+ → Run: npm run migrate$/)
  const done = await Promise.all([1, 2, 3, 4].map(() => migrate(url, { last })))
  assert.deepEqual(done.flat(), [])
  assert.deepEqual((await client.query(stored)).rows, before)
})

test('stores a checksum with its migration or not at all', async () => {
  const url = await createEmptyDatabase()
  const broken = copyMigrations('0004_derived.sql', (text) => `${text}\nselect no_such_column;`)
  await assert.rejects(migrate(url, { folder: broken }), /Migration 0004_derived failed/)
  const client = await open(url)
  const { rows } = await client.query(stored)
  assert.deepEqual(
    rows.map(({ name, checksum }) => [name, checksum?.length]),
    ['0001_workspaces', '0002_people', '0003_projects'].map((name) => [name, 64]),
  )
  await migrate(url)
  const { rows: all } = await client.query(stored)
  assert.ok(all.length >= 8 && all.every(({ name, checksum }) => name && checksum))
})

test('other line ends are no difference', async () => {
  const url = await createDatabase()
  const windows = copyMigrations('0003_projects.sql', (text) => text.replaceAll('\n', '\r\n'))
  assert.deepEqual(await migrate(url, { folder: windows }), [])
})
