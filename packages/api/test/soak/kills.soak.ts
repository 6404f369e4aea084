import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { startHost } from '#test/workspace'

import { Fleet } from './fleet.ts'
import { soak } from './length.ts'
import { writeUnderFaults } from './under-faults.ts'

const host = await startHost()
const fleet = await Fleet.start(host.url, 3)

test(`processes are killed while 16 clients write, and nothing is lost ${soak.name}`, async (t) => {
  let turn = 0
  const { doubted } = await writeUnderFaults(t, {
    host,
    bases: () => fleet.bases,
    what: 'processes killed',
    async strike(next) {
      await sleep(next() * 500)
      turn += 1
      await fleet.kill(turn % 3)
    },
  })
  assert.ok(doubted > 0, 'some were killed before they had answered')
})
