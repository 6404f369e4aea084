import assert from 'node:assert/strict'
import { test } from 'node:test'

import { atEnd } from '@muster/testing/at-end'

import { Sweeper } from '#domain/workspace/sweep'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { findDrift } from '#test/drift/drift'
import { createFixture } from '#test/support/fixture'
import { longTimeouts } from '#test/support/long-timeouts'
import { sweepDue } from '#test/support/sweep'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
let time = new Date('2027-01-01T10:00:00Z')
const pool = createPool({ url: host.url, role: 'muster_app', max: 3, timeouts: longTimeouts })
const database = new Database(pool, { clock: () => time })
atEnd(() => database[Symbol.asyncDispose]())

async function sweep() {
  const { failures } = await sweepDue(new Sweeper(database))
  assert.deepEqual(failures, [])
}

test('the sweep adds the documents that a release without search left out, and corrects others', async () => {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  await createFixture(manager, 'upgraded')
  const isMarked = async () => {
    const query =
      'select has_search_documents as is from workspace_counters where workspace_id = $1'
    return (await host.sql.query(query, [home.uuid])).rows[0].is as boolean
  }
  const count = async () => (await manager.get('/v1/search?q=upgraded')).body.data.length
  const before = await count()
  assert.ok(before > 5)
  await host.sql.query(
    `delete from search_documents where workspace_id = $1 and noun in ('person', 'risk')`,
    [home.uuid],
  )
  await host.sql.query(
    `update search_documents set document = '', is_live = not is_live
     where workspace_id = $1 and noun in ('issue', 'project')`,
    [home.uuid],
  )
  const drift = () => findDrift(host.sql, { workspace: home.uuid })
  assert.match((await drift()).join(), /search document of the risk/)
  assert.ok((await count()) < before)
  const { as_of } = (await manager.get('/v1/risks')).body
  await sweep()
  assert.deepEqual(await drift(), [])
  assert.equal(await count(), before)
  assert.equal(await isMarked(), false, 'the previous release may still write')
  time = new Date(time.getTime() + 24 * 60 * 60 * 1000)
  await sweep()
  assert.equal(await isMarked(), true)
  assert.equal((await manager.get('/v1/risks')).body.as_of, as_of)
})
