import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { startProxy } from '#test/support/proxy'
import { startHost } from '#test/support/workspace'

import { Fleet } from './fleet.ts'
import { soak } from './length.ts'
import { writeUnderFaults } from './under-faults.ts'

const host = await startHost()
const proxy = await startProxy(host.url)
const fleet = await Fleet.start(proxy.url, 2)

test(`no write is lost when COMMIT responses are lost ${soak.name}`, async (t) => {
  const { doubted, committed } = await writeUnderFaults(t, {
    host,
    bases: () => fleet.bases,
    fault: 'COMMIT responses lost',
    effect: ({ doubts }) => doubts > 0,
    async inject(next) {
      await sleep(next() * 200)
      proxy.loseCommit()
    },
  })
  assert.equal(committed, doubted, 'each write was committed before its response was lost')
  fleet.assertAlive()
})
