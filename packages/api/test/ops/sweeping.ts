import { startService } from '#service'
import { longTimeouts } from '#test/support/long-timeouts'

/**
 * A process of the service that works on jobs until it is killed, with a fixed clock:
 * `sweeping.ts <url> <time>`. It serves no requests.
 */
const [url = '', time = ''] = process.argv.slice(2)
const service = await startService({
  url,
  clock: () => new Date(time),
  logLevel: 'error',
  sweepSeconds: 1,
  timeouts: longTimeouts,
})
process.stdout.write('ready\n')
process.once('SIGTERM', () => void service[Symbol.asyncDispose]())
