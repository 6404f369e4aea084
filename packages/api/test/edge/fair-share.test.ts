import assert from 'node:assert/strict'
import { test } from 'node:test'

import { FairShare } from '#http/edge/fair-share'

/** Takes one at a time until it is refused. */
function takeAll(share: FairShare, workspaceId: string): number {
  let taken = 0
  while (share.take(workspaceId, 1)) taken += 1
  return taken
}

test('one workspace gets half, and leaves something to every other one', () => {
  const share = new FairShare(200)
  assert.equal(takeAll(share, 'a'), 100)
  assert.equal(takeAll(share, 'b'), 50)
  assert.equal(takeAll(share, 'c'), 25)
  assert.equal(takeAll(share, 'a'), 0)
})

test('with a reserve of four, eleven workspaces get a body of 4 MiB of 128 MiB', () => {
  const share = new FairShare(128, 4)
  const bodies = Array.from({ length: 12 }, (_, workspace) => {
    let taken = 0
    while (share.take(String(workspace), 4)) taken += 1
    return taken
  })
  assert.deepEqual(bodies, [6, 5, 4, 3, 2, 2, 2, 1, 1, 1, 1, 0])
  assert.equal(share.total, 4 * 28)
})

test('what is given back can be taken again', () => {
  const share = new FairShare(10)
  for (let round = 0; round < 100; round++) {
    assert.equal(share.take('a', 5), true)
    assert.equal(share.take('a', 1), false)
    share.giveBack('a', 5)
  }
})
