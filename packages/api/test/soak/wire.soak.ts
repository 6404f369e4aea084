import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { startProxy } from '#test/proxy'
import { startHost } from '#test/workspace'

import { Fleet } from './fleet.ts'
import { soak } from './length.ts'
import { writeUnderFaults } from './under-faults.ts'

const host = await startHost()
const proxy = await startProxy(host.url)
const fleet = await Fleet.start(proxy.url, 2)

test(`answers to COMMIT are lost, and no write with them ${soak.name}`, async (t) => {
  const { doubted, landed } = await writeUnderFaults(t, {
    host,
    bases: () => fleet.bases,
    what: 'answers to COMMIT lost',
    async strike(next) {
      await sleep(next() * 200)
      proxy.loseCommit()
    },
  })
  assert.ok(doubted > 0)
  assert.equal(landed, doubted, 'each had been made before its answer was lost')
  fleet.assertAlive()
})
