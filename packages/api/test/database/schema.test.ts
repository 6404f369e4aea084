import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isLive, isOpen, issueStatuses, rankKey, riskStatuses, severityKey } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { createPool } from '#storage/connection/pool'
import { migrate } from '#storage/migration/migrate'
import { connect, createDatabase, createEmptyDatabase } from '#test/support/database'

import { breaches, violations } from './schema-rules.ts'

const url = await createDatabase()
const sql = await connect(url)
atEnd(() => sql.end())

test('obeys all schema rules', async () => {
  assert.deepEqual(await violations(sql), [])
})

for (const [rule, breach] of Object.entries(breaches)) {
  test(`detects a violation of: ${rule}`, async () => {
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

test('migrates once when 20 processes migrate concurrently', async () => {
  const empty = await createEmptyDatabase()
  const done = await Promise.all(Array.from({ length: 20 }, () => migrate(empty)))
  const made = done.flat()
  assert.ok(made.length >= 5)
  assert.equal(new Set(made).size, made.length, 'each migration was applied once')
  assert.deepEqual(await migrate(empty), [])
})

test('sets all time limits on connections of the service', async () => {
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

test('keeps connection options of the operator, except those that the service sets', async () => {
  const given = new URL(url)
  given.searchParams.set('options', '-c work_mem=7MB -c statement_timeout=0')
  const pool = createPool({ url: given.href, role: 'muster_app', max: 1 })
  atEnd(() => pool.end())
  const { rows } = await pool.query(
    `select current_setting('work_mem') as work_mem, current_setting('statement_timeout') as timeout`,
  )
  assert.deepEqual(rows, [{ work_mem: '7MB', timeout: '2500ms' }])
})

/** The expression of a generated column. */
async function generatedBy(table: string, column: string): Promise<string> {
  const { rows } = await sql.query(
    `select pg_get_expr(d.adbin, d.adrelid) as expression
     from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
     where d.adrelid = $1::regclass and a.attname = $2`,
    [table, column],
  )
  return rows[0].expression
}

test('the generated columns of the roll-ups agree with the contract', async () => {
  for (const [table, column, statuses, isListed] of [
    ['risks', 'is_live', riskStatuses, isLive],
    ['issues', 'is_open', issueStatuses, isOpen],
  ] as const) {
    const { rows } = await sql.query(
      `select status, ${await generatedBy(table, column)} as is_listed
       from unnest($1::text[]) as given (status)`,
      [statuses],
    )
    const expected = statuses.map((status) => ({ status, is_listed: isListed(status) }))
    assert.deepEqual(rows, expected, `${table}.${column}`)
  }
  const { rows: cells } = await sql.query(
    `select likelihood * impact as score, impact, ${await generatedBy('risks', 'rank_key')} as rank
     from generate_series(1, 5) as likelihood, generate_series(1, 5) as impact`,
  )
  assert.equal(cells.length, 25)
  for (const cell of cells) assert.equal(cell.rank, rankKey(cell))
  const { rows: severities } = await sql.query(
    `select severity, ${await generatedBy('issues', 'severity_key')} as rank
     from generate_series(1, 5) as severity`,
  )
  for (const { severity, rank } of severities) assert.equal(rank, severityKey(severity))
})
