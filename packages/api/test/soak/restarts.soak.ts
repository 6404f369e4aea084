import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { type OwnPostgres, startOwnPostgres } from '#test/own-postgres'
import { startHost } from '#test/workspace'

import { Fleet } from './fleet.ts'
import { soak } from './length.ts'
import { writeUnderFaults } from './under-faults.ts'

const postgres = await startOwnPostgres(['track_commit_timestamp=on'])
// Its connection for looking is lost with the server; the soak looks by one of its own.
const host = await startHost({ url: postgres.url, isByHand: true })
const fleet = await Fleet.start(host.url, 2)

/** What the postmaster left behind ends by itself; until then no other can start. */
async function restart({ start }: OwnPostgres): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await start()
      return
    } catch (error) {
      if (tries === 40) throw error
      await sleep(250)
    }
  }
}

test(`PostgreSQL is killed while 16 clients write, and nothing is lost ${soak.name}`, async (t) => {
  await writeUnderFaults(t, {
    host,
    bases: () => fleet.bases,
    what: 'times PostgreSQL killed',
    async strike(next) {
      await sleep(1000 + next() * 2000)
      process.kill(postgres.pid(), 'SIGKILL')
      await restart(postgres)
    },
  })
  fleet.assertAlive()
})
