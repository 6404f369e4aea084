import { Sweeper } from '#domain/sweep'
import { Database } from '#storage/database'
import { createPool } from '#storage/pool'

/**
 * A process that sweeps until it is killed, at the time it is given: `sweeping.ts <url> <time>`.
 * Says what each sweep came to, or `null` when another process holds the lease.
 */
const [url = '', time = ''] = process.argv.slice(2)
const clock = () => new Date(time)
const database = new Database(createPool({ url, role: 'muster_app', max: 2 }), { clock })
const sweeper = new Sweeper(database)
for (;;) {
  const swept = await sweeper.sweep()
  process.stdout.write(`${JSON.stringify(swept)}\n`)
  await new Promise((resolve) => setTimeout(resolve, 100))
}
