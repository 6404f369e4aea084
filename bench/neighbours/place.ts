import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '@muster/testing/free-port'
import { startOwn } from '@muster/testing/own-server'

import { run, startService, stop } from '#bench/process'

/** Binds a process with all its threads to a core. Returns false where that is not possible. */
export function pin(pid: number, core: number): boolean {
  if (availableParallelism() < 2) return false
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A service and a PostgreSQL server that both run on one core of their own. */
export async function startOnCore(core: number, settings: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-neighbours-'))
  // As root, the server runs under an unprivileged user, who needs access to the folder.
  chmodSync(folder, 0o755)
  const postgres = await startOwn({ folder: join(folder, 'data'), port: await freePort() })
  // Each connection is a child of the server, which stays on the same core.
  pin(postgres.pid, core)
  await run(['packages/api/src/migrate.ts'], { env: { DATABASE_URL: postgres.url } })
  const service = await startService(postgres.url, settings)
  pin(service.child.pid ?? 0, core)
  return {
    ...service,
    url: postgres.url,
    async [Symbol.asyncDispose]() {
      await stop(service.child)
      await postgres[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}
