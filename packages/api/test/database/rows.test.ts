import assert from 'node:assert/strict'
import { test } from 'node:test'

import { deleteRows, insertRows, updateRows } from '#storage/statements/rows'
import { View } from '#storage/statements/view'
import { startHost } from '#test/support/workspace'

const host = await startHost()

test('refuses rows of one statement that differ in columns', async () => {
  await host.owner.ask(async (db) => {
    const read = { db, workspaceId: '00000000-0000-0000-0000-000000000000', view: View.all }
    const id = '00000000-0000-0000-0000-000000000001'
    for (const rows of [
      [{ id }, { id, name: 'Extra' }],
      [{ id, name: 'Missing' }, { id }],
      [
        { id, name: 'Other' },
        { id, email: 'other@example.com' },
      ],
    ]) {
      for (const statement of [insertRows, updateRows, deleteRows]) {
        assert.throws(() => statement(read, 'people', rows), /rows of one statement differ/)
      }
    }
    const reordered = [
      { id, name: 'One' },
      { name: 'Two', id },
    ]
    assert.doesNotThrow(() => insertRows(read, 'people', reordered))
  })
})
