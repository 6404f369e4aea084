import assert from 'node:assert/strict'
import { test } from 'node:test'

import { searchedNouns } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { openOwner, seed } from '#demo/seed'
import { administrator } from '#domain/engine/caller'
import { findEverything } from '#domain/search/search'
import { createPool } from '#storage/connection/pool'
import { findDocuments } from '#storage/nouns/search'
import { Database } from '#storage/transaction/database'
import { uuidOf } from '#storage/values/id'
import { longTimeouts } from '#test/support/long-timeouts'
import { startHost } from '#test/support/workspace'

const host = await startHost()
const owner = openOwner(host.url)
const { workspaceId } = await seed(owner)
await owner[Symbol.asyncDispose]()
const pool = createPool({ url: host.url, role: 'muster_app', max: 2, timeouts: longTimeouts })
const database = new Database(pool)
atEnd(() => database[Symbol.asyncDispose]())
const caller = administrator(database, workspaceId)

interface Item {
  readonly id: string
  readonly ref: string | null
  readonly text: string
}

/** Every record of the demo with its reference and all its texts. */
const { rows: items } = await host.sql.query<Item>(
  `select id::text, null as ref, concat_ws(' ', name, email) as text from people
     where workspace_id = $1
   union all select id::text, null, concat_ws(' ', name, description) from groups
     where workspace_id = $1
   union all select id::text, code, concat_ws(' ', code, name, description) from projects
     where workspace_id = $1
   union all select id::text, ref, concat_ws(' ', ref, title, description, tags) from risks
     where workspace_id = $1
   union all select id::text, ref, concat_ws(' ', ref, title, description, tags) from issues
     where workspace_id = $1
   union all select id::text, ref, concat_ws(' ', ref, title, description) from tasks
     where workspace_id = $1`,
  [uuidOf(workspaceId)],
)

test('every reference of the demo finds its record first', async () => {
  const referred = items.filter(({ ref }) => ref !== null)
  assert.ok(referred.length > 100)
  for (const { ref, id } of referred) {
    const { data } = await findEverything(caller, { q: ref ?? '', limit: 1 })
    assert.deepEqual([data[0]?.matched, uuidOf(data[0]?.id ?? '')], ['ref', id], ref ?? '')
  }
})

test('every word of every record of the demo finds it', async (t) => {
  const idsByWord = new Map<string, Set<string>>()
  for (const { id, text } of items) {
    const folded = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
    for (const [word] of folded.matchAll(/[\p{L}\p{N}]+/gu)) {
      idsByWord.set(word, (idsByWord.get(word) ?? new Set()).add(id))
    }
  }
  t.diagnostic(`${items.length} records, ${idsByWord.size} words`)
  assert.ok(idsByWord.size > 500)
  await database.read(caller, async (read) => {
    for (const [word, ids] of idsByWord) {
      const { found } = await findDocuments(read, {
        words: [word],
        nouns: searchedNouns,
        limit: 2000,
      })
      const foundIds = new Set(found.map(({ id }) => uuidOf(id)))
      assert.deepEqual([...ids.difference(foundIds)], [], word)
    }
  })
})
