import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'

import { scopes } from '@muster/contract'

import { signIn, tokenOf } from '#test/auth/browser'
import { Client } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const { sql } = host
const began = await currentSegment()

const { token } = await home.issue({ scopes })
const client = new Client(host.base, token)
const browser = await signIn(host.base, token)
const repeated = `repeat-${randomBytes(8).toString('hex')}`
const name = `Visible ${randomBytes(8).toString('hex')}`
await client.post('/v1/personnel', { name }, { 'idempotency-key': repeated })
await browser.post('/v1/personnel', { name: `${name} too` })
// At once: other test files write to the same log, and the server recycles its segments.
const log = await writeAheadLog()

/**
 * Secrets by description. The part after the workspace id is the secret; the whole is what clients
 * send.
 */
const secrets: Record<string, string> = {
  'a key': token,
  'the secret of a key': token.slice(-38),
  'a session': tokenOf(browser),
  'the secret of a session': tokenOf(browser).slice(-38),
  'an Idempotency-Key': repeated,
}

/** A value in every encoding that a database or its log could contain. */
const formsOf = (value: string) => {
  const bytes = Buffer.from(value)
  return [value, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')]
}

async function currentSegment(): Promise<string> {
  const { rows } = await sql.query('select pg_walfile_name(pg_current_wal_lsn()) as file')
  return rows[0].file
}

/** Every row of every table, catalogue included, as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await sql.query(`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname in ('muster', 'public')`)
  const parts: string[] = []
  for (const { name: table } of tables) {
    const { rows } = await sql.query(`select t::text as row from ${table} t`)
    parts.push(...rows.map(({ row }) => String(row)))
  }
  return parts.join('\n')
}

/** The write-ahead log since the start of this test. */
async function writeAheadLog(): Promise<Buffer> {
  // Test databases commit asynchronously. A synchronous commit flushes all earlier ones.
  await sql.query(`set synchronous_commit = on; select pg_logical_emit_message(true, 'flush', '')`)
  const { rows } = await sql.query(
    `select pg_read_binary_file('pg_wal/' || name) as bytes from pg_ls_waldir()
     where name ~ '^[0-9A-F]{24}$' and name between $1 and $2 order by name limit 20`,
    [began, await currentSegment()],
  )
  return Buffer.concat(rows.map(({ bytes }) => bytes as Buffer))
}

for (const [where, read] of Object.entries({
  'the database': async () => Buffer.from(await dump()),
  'its write-ahead log': async () => log,
})) {
  test(`stores no key, session or Idempotency-Key in ${where}`, async () => {
    const held = await read()
    assert.ok(held.includes(name), 'the search finds values that are not secret')
    assert.ok(held.includes(`${name} too`))
    for (const [what, value] of Object.entries(secrets)) {
      for (const form of formsOf(value)) assert.ok(!held.includes(form), `${what} is in ${where}`)
    }
  })
}
