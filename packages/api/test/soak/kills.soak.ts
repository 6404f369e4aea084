import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { startHost } from '#test/support/workspace'

import { Fleet } from './fleet.ts'
import { soak } from './length.ts'
import { writeUnderFaults } from './under-faults.ts'

const host = await startHost()
const fleet = await Fleet.start(host.url, 3)

test(`no write is lost when processes are killed under load ${soak.name}`, async (t) => {
  let turn = 0
  await writeUnderFaults(t, {
    host,
    bases: () => fleet.bases,
    fault: 'processes killed',
    effect: ({ doubts }) => doubts > 0,
    async inject(next) {
      await sleep(next() * 500)
      turn += 1
      await fleet.kill(turn % 3)
    },
  })
})
