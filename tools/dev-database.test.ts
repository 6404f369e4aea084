import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'

import { migrate } from '@muster/api/seed'
import { Client } from 'pg'

import { openDevDatabase } from './dev-database.ts'

const server = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const name = `muster_dev_test_${randomBytes(4).toString('hex')}`

async function query(url: string, text: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

after(() => query(server, `drop database if exists ${name} with (force)`))

test('the development database is created, kept, and recreated only on request', async () => {
  const created = await openDevDatabase({ server, name, isRecreated: false })
  assert.ok(created.migrated.length > 0)
  const kept = await openDevDatabase({ server, name, isRecreated: false })
  assert.deepEqual(kept.migrated, [])

  const rename = (from: string, to: string) =>
    query(created.url, `update muster.kysely_migration set name = '${to}' where name = '${from}'`)
  await rename('0002_people', '0002_keys')
  const refused = openDevDatabase({ server, name, isRecreated: false })
  await assert.rejects(
    refused,
    /has another schema\. The database was created before .*npm run dev -- --recreate$/,
  )
  assert.equal((await query(created.url, 'select from muster.workspaces')).length, 0)

  await rename('0002_keys', '0002_people')
  const edited = `update muster.migration_checksums set checksum = repeat('0', 64)
    where name = '0003_projects'`
  await query(created.url, edited)
  await assert.rejects(
    openDevDatabase({ server, name, isRecreated: false }),
    /another schema\. Migration checksum mismatch: 0003_projects\.sql is .*dev -- --recreate$/,
  )

  const again = await openDevDatabase({ server, name, isRecreated: true })
  assert.deepEqual(again.migrated, created.migrated)
})

test('migrate refuses a database from before the baseline with one line', async () => {
  const { url } = await openDevDatabase({ server, name, isRecreated: true })
  const older = `update muster.kysely_migration set name = '0002_keys' where name like '0002%'`
  await query(url, older)
  await assert.rejects(migrate(url), {
    name: 'SchemaMismatchError',
    message: /^The database was created before the baseline schema \(migration 0002_keys\)[^\n]+$/,
  })
})
