import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { type OwnPostgres, startOwnPostgres } from '#test/support/own-postgres'
import { startHost } from '#test/support/workspace'

import { Fleet } from './fleet.ts'
import { soak } from './length.ts'
import { writeUnderFaults } from './under-faults.ts'

const postgres = await startOwnPostgres(['track_commit_timestamp=on'])
// The host's own SQL connection is lost with the server; the soak opens another.
const host = await startHost({ url: postgres.url, skipsDriftCheck: true })
const fleet = await Fleet.start(host.url, 2)

/** Retries until the orphaned backends have ended: before that, no postmaster can start. */
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

test(`no write is lost when PostgreSQL is killed under load ${soak.name}`, async (t) => {
  await writeUnderFaults(t, {
    host,
    bases: () => fleet.bases,
    fault: 'kills of PostgreSQL',
    effect: ({ tries }) => tries > 1,
    async inject(next) {
      await sleep(1000 + next() * 2000)
      process.kill(postgres.pid(), 'SIGKILL')
      await restart(postgres)
    },
  })
  fleet.assertAlive()
})
