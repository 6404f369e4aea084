import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

import { migrate, openOwner, seed } from '@muster/api/seed'
import { Client } from 'pg'

import { choosePort, isReachable, joinOwn, startOwn } from './postgres.ts'

const parent = mkdtempSync(join(tmpdir(), 'muster-postgres-'))
// As root, the server runs under an unprivileged user, who needs access to the folder.
chmodSync(parent, 0o755)
after(() => rmSync(parent, { recursive: true }))
const folder = join(parent, 'data')

test('starts the bundled PostgreSQL 18, which can be migrated and seeded', async () => {
  await using postgres = await startOwn({ folder, port: await choosePort() })

  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  )
  assert.equal(rows[0]?.version, 18)
  const frozen = { last: '0008_sign_in' }
  assert.equal((await migrate(postgres.url, frozen)).length, 8)
  // Without checksums, the schema of this version is compared with that of version 15.
  await client.query('drop table muster.migration_checksums')
  await client.end()
  assert.deepEqual(await migrate(postgres.url, frozen), [])
  await migrate(postgres.url)
  await using database = openOwner(postgres.url)
  assert.ok((await seed(database)).isNew)
})

test('commands share the bundled PostgreSQL, and the last one stops it', async () => {
  const first = await joinOwn(folder)
  const second = await joinOwn(folder)
  assert.equal(second.url, first.url)
  await first[Symbol.asyncDispose]()
  assert.ok(await isReachable(second.url))
  await second[Symbol.asyncDispose]()
  assert.equal(await isReachable(second.url), false)
})
