import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

import { startOwnPostgres } from '#test/support/own-postgres'
import { startProcess } from '#test/support/process'
import { size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { assertRefusedWhileFrozen } from './fault-load.ts'

const postgres = await startOwnPostgres()

/** The server and its child processes. Once stopped, the server starts no more of them. */
function signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
  const pid = postgres.pid()
  process.kill(pid, signal)
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)])
  for (const child of children.toString().trim().split(/\s+/)) signalOne(Number(child), signal)
}

/** Ignores a process that has ended meanwhile. */
function signalOne(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

test('answers 503 while every process of the database is stopped', async (t) => {
  const host = await startHost({ url: postgres.url })
  const manager = await (await newWorkspace(host)).manager()
  const poolMax = 10
  const { base } = await startProcess(
    host.url,
    { DATABASE_POOL_MAX: String(poolMax) },
    { timeouts: 'product' },
  )
  await assertRefusedWhileFrozen(
    t,
    { base, token: manager.token ?? '', poolMax },
    {
      seconds: size(4, 10),
      freeze: () => signalAll('SIGSTOP'),
      thaw: () => signalAll('SIGCONT'),
    },
  )
})
