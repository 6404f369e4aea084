import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { migrate, openOwner, seed } from '@muster/api/seed'
import { Client } from 'pg'

import { startOwn } from './postgres.ts'

test('where there is no PostgreSQL, one is started: the newest, and it tells the story', async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'muster-postgres-'))
  // Whoever runs it as root lends it to somebody else, who must get there.
  chmodSync(parent, 0o755)
  t.after(() => rmSync(parent, { recursive: true }))
  await using postgres = await startOwn({ folder: join(parent, 'data'), port: 54_330 })

  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  )
  await client.end()
  assert.equal(rows[0]?.version, 18)
  assert.ok((await migrate(postgres.url)).length > 0)
  await using database = openOwner(postgres.url)
  assert.ok((await seed(database)).isNew)
})
