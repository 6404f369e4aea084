import assert from 'node:assert/strict'
import { test } from 'node:test'

import { migrate } from '#storage/migrate'
import { createPool } from '#storage/pool'

import { atEnd } from './at-end.ts'
import { connect, createDatabase, createEmptyDatabase } from './database.ts'
import { breaches, violations } from './schema-rules.ts'

const url = await createDatabase()
const sql = await connect(url)
atEnd(() => sql.end())

test('the schema keeps all of its rules', async () => {
  assert.deepEqual(await violations(sql), [])
})

for (const [rule, breach] of Object.entries(breaches)) {
  test(`it would be noticed that not ${rule}`, async () => {
    await sql.query('begin')
    try {
      if (breach.includes('references risks (id')) {
        await sql.query('alter table risks add constraint odd unique (id, workspace_id)')
      }
      await sql.query(breach)
      const found = await violations(sql)
      assert.ok(
        found.some((each) => each.startsWith(`${rule}:`)),
        found.join('\n') || 'nothing',
      )
    } finally {
      await sql.query('rollback')
    }
  })
}

test('twenty who migrate at once do it once', async () => {
  const empty = await createEmptyDatabase()
  const done = await Promise.all(Array.from({ length: 20 }, () => migrate(empty)))
  const made = done.flat()
  assert.ok(made.length >= 5)
  assert.equal(new Set(made).size, made.length, 'each was made by one of them')
  assert.deepEqual(await migrate(empty), [])
})

test('a connection of the service is bounded in everything it does', async () => {
  const pool = createPool({ url, role: 'muster_app', max: 1 })
  atEnd(() => pool.end())
  const { rows } = await pool.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('statement_timeout', 'lock_timeout',
       'idle_in_transaction_session_timeout', 'application_name', 'TimeZone', 'search_path')
     union all select 'current_user', current_user`,
  )
  assert.deepEqual(Object.fromEntries(rows.map(({ name, setting }) => [name, setting])), {
    application_name: 'muster',
    current_user: 'muster_app',
    idle_in_transaction_session_timeout: '5000',
    lock_timeout: '2000',
    search_path: 'muster,pg_temp',
    statement_timeout: '2500',
    TimeZone: 'UTC',
  })
})

test('options of the operator stay, but ours have the last word', async () => {
  const given = new URL(url)
  given.searchParams.set('options', '-c work_mem=7MB -c statement_timeout=0')
  const pool = createPool({ url: given.href, role: 'muster_app', max: 1 })
  atEnd(() => pool.end())
  const { rows } = await pool.query(
    `select current_setting('work_mem') as work_mem, current_setting('statement_timeout') as timeout`,
  )
  assert.deepEqual(rows, [{ work_mem: '7MB', timeout: '2500ms' }])
})
