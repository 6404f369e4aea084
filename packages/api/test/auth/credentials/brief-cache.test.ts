import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

import { BriefCache } from '#domain/auth/brief-cache'

function counted() {
  const cache = new BriefCache<string>()
  let reads = 0
  const get = (id: string, value: string | null = id) =>
    cache.get(id, async () => {
      reads += 1
      return value
    })
  return { cache, get, reads: () => reads }
}

test('shares one read among concurrent requests, and reads again after 2 s', async () => {
  const { get, reads } = counted()
  const answers = await Promise.all([get('one'), get('one'), get('one')])
  assert.deepEqual(answers, ['one', 'one', 'one'])
  await get('one')
  assert.equal(reads(), 1)
  const now = performance.now()
  const clock = mock.method(performance, 'now', () => now + 2001)
  try {
    assert.equal(await get('one', 'changed'), 'changed')
  } finally {
    clock.mock.restore()
  }
  assert.equal(reads(), 2)
})

test('keeps no unknown id, so unknown ids displace no other', async () => {
  const { get, reads } = counted()
  await get('known')
  for (let id = 0; id < 3000; id++) await get(`unknown ${id}`, null)
  assert.equal(reads(), 3001)
  await get('known')
  assert.equal(reads(), 3001)
  assert.equal(await get('unknown 1', 'created'), 'created')
})

test('keeps 1000 entries', async () => {
  const { get, reads } = counted()
  for (let id = 0; id <= 1000; id++) await get(`${id}`)
  await get('1000')
  assert.equal(reads(), 1001)
  await get('0')
  assert.equal(reads(), 1002)
})

test('keeps no failed read', async () => {
  const { cache, get } = counted()
  await assert.rejects(cache.get('one', () => Promise.reject(new Error('down'))))
  assert.equal(await get('one'), 'one')
})
