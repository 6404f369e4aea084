import { Sweeper } from '#domain/workspace/sweep'
import { Database } from '#storage/engine/database'
import { createPool } from '#storage/engine/pool'
import { patient } from '#test/support/patient'

/**
 * A process that sweeps until it is killed, with a fixed clock: `sweeping.ts <url> <time>`. Prints
 * the result of each sweep, or `null` when another process holds the job lock.
 */
const [url = '', time = ''] = process.argv.slice(2)
const clock = () => new Date(time)
const database = new Database(createPool({ url, role: 'muster_app', max: 2, timeouts: patient }), {
  clock,
})
const sweeper = new Sweeper(database)
for (;;) {
  const swept = await sweeper.sweep()
  process.stdout.write(`${JSON.stringify(swept)}\n`)
  await new Promise((resolve) => setTimeout(resolve, 100))
}
