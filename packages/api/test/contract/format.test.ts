import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isList, listFormats } from '@muster/contract'

import { outcome } from '#test/auth/browser'
import { createFixture } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const manager = await (await newWorkspace(host)).manager()
const { fill } = await createFixture(manager)

const lists = keyOperations().filter(({ operation }) => isList(operation))

/** What differs between two answers of a list that shows the requests of its caller. */
const unstable = /"(?:as_of|last_used_at)":(?:\d+|null|"[^"]*")/g

for (const { name, operation } of lists) {
  test(`${name}: format stands for the Accept header`, async () => {
    const path = fill(operation.path)
    for (const [format, accept] of Object.entries(listFormats)) {
      const wanted = await manager.get(path, { accept })
      // A browser's address bar cannot send another header.
      const other = format === 'csv' ? 'text/html' : 'text/csv'
      const reply = await manager.get(`${path}?format=${format}`, { accept: other })
      assert.equal(reply.status, 200, reply.text)
      assert.equal(reply.headers.get('content-type'), wanted.headers.get('content-type'))
      // An export writes an audit entry, which the audit log lists.
      if (name === 'audit.list') continue
      assert.equal(reply.text.replaceAll(unstable, ''), wanted.text.replaceAll(unstable, ''))
      assert.equal(reply.headers.get('etag'), wanted.headers.get('etag'))
    }
  })
}

test('a page keeps its format, and an unknown format is refused', async () => {
  const page = await manager.get('/v1/personnel?format=json&limit=1', { accept: 'text/csv' })
  assert.equal(page.body.count, 1)
  assert.match(page.headers.get('link') ?? '', /format=json/)
  const next = await manager.get(`/v1/personnel?format=json&cursor=${page.body.next_cursor}`)
  assert.equal(next.status, 200, next.text)
  const without = await manager.get(`/v1/personnel?cursor=${page.body.next_cursor}`)
  assert.equal(without.status, 200, without.text)
  assert.equal(outcome(await manager.get('/v1/personnel?format=xlsx')), '400 invalid_parameter')
})
