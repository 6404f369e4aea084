import { execFileSync } from 'node:child_process'

import { startOwnPostgres } from './own-postgres.ts'
import { startProcess } from './process.ts'
import { testOfTime } from './test-of-time.ts'
import { assertToldWhileFrozen } from './trouble.ts'
import { newWorkspace, startHost } from './workspace.ts'

const postgres = await startOwnPostgres()

/** The server and all that it has started. Once it is stopped itself, it starts nothing more. */
function signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
  const pid = postgres.pid()
  process.kill(pid, signal)
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)])
  for (const child of children.toString().trim().split(/\s+/)) signalOne(Number(child), signal)
}

/** One that has ended meanwhile is left alone. */
function signalOne(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

testOfTime('a database whose every process is stopped for ten seconds', async () => {
  const host = await startHost({ url: postgres.url })
  const manager = await (await newWorkspace(host)).manager()
  const poolMax = 10
  const { base } = await startProcess(host.url, { DATABASE_POOL_MAX: String(poolMax) })
  await assertToldWhileFrozen(
    { base, token: manager.token ?? '', poolMax },
    {
      seconds: 10,
      freeze: () => signalAll('SIGSTOP'),
      thaw: () => signalAll('SIGCONT'),
    },
  )
})
