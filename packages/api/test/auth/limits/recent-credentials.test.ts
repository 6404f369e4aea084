import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

import { RecentCredentials } from '#http/auth/recent-credentials'

test('forgets a credential five minutes after its last use', () => {
  const clock = mock.method(performance, 'now', () => 0)
  const recent = new RecentCredentials()
  recent.add('key', 'a')
  clock.mock.mockImplementation(() => 5 * 60_000 - 1)
  assert.equal(recent.workspaceOf('key'), 'a')
  clock.mock.mockImplementation(() => 5 * 60_000)
  assert.equal(recent.workspaceOf('key'), null)
  mock.restoreAll()
})

test('a workspace with many credentials does not displace those of others', () => {
  const recent = new RecentCredentials()
  recent.add('of another', 'b')
  for (let count = 0; count < 20_000; count++) recent.add(`key ${count}`, 'a')
  assert.equal(recent.workspaceOf('of another'), 'b')
  assert.equal(recent.workspaceOf('key 19999'), 'a')
  assert.equal(recent.workspaceOf('key 0'), null)
})

test('a deleted credential is unknown', () => {
  const recent = new RecentCredentials()
  recent.add('key', 'a')
  recent.delete('key')
  assert.equal(recent.has('key'), false)
})
