import { Sweeper } from '#domain/workspace/sweep'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { longTimeouts } from '#test/support/long-timeouts'

/**
 * A process that sweeps until it is killed, with a fixed clock: `sweeping.ts <url> <time>`. Prints
 * the result of each sweep, or `null` when another process holds the job lock.
 */
const [url = '', time = ''] = process.argv.slice(2)
const clock = () => new Date(time)
const database = new Database(
  createPool({ url, role: 'muster_app', max: 2, timeouts: longTimeouts }),
  {
    clock,
  },
)
const sweeper = new Sweeper(database)
for (;;) {
  const swept = await sweeper.sweep()
  process.stdout.write(`${JSON.stringify(swept)}\n`)
  await new Promise((resolve) => setTimeout(resolve, 100))
}
