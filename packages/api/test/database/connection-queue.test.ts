import assert from 'node:assert/strict'
import { test } from 'node:test'

import { ConnectionQueue, ofService } from '#storage/connection/connection-queue'

/** Enters or waits; records the order in which work starts. */
function starter(queue: ConnectionQueue) {
  const started: string[] = []
  const ask = (workspaceId: string) => {
    const start = () => started.push(workspaceId || 'service')
    if (!queue.tryEnter(workspaceId)) return queue.wait(workspaceId, start)
    start()
    return () => {}
  }
  return { started, ask }
}

test('gives the next connection to authentication, then to who holds the fewest', () => {
  const queue = new ConnectionQueue(4)
  const { started, ask } = starter(queue)
  for (let count = 0; count < 6; count++) ask('a')
  for (let count = 0; count < 2; count++) ask('b')
  assert.equal(started.join(''), 'aaa', 'one connection is left for authentication')
  ask(ofService)
  ask(ofService)
  assert.equal(started.join(' '), 'a a a service')
  assert.equal(queue.waiting, 6)
  queue.leave('a')
  assert.equal(started.at(-1), 'service')
  queue.leave(ofService)
  queue.leave(ofService)
  assert.equal(started.at(-1), 'b', 'a holds two, b none')
  queue.leave('a')
  assert.equal(started.at(-1), 'a', 'a and b hold one each, and b was served last')
})

test('skips work that has given up', () => {
  const queue = new ConnectionQueue(2)
  const { started, ask } = starter(queue)
  ask('a')
  const giveUp = ask('b')
  ask('c')
  giveUp()
  queue.leave('a')
  assert.deepEqual(started, ['a', 'c'])
})
