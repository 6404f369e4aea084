import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { addWorktree, removeWorktree } from '@muster/testing/worktree'

import { createDatabase, dropDatabase } from '#bench/database'
import { run, startService, stop } from '#bench/process'

const here = fileURLToPath(new URL('../../', import.meta.url))

/** A service of one commit with its own database. */
export interface Subject extends AsyncDisposable {
  readonly name: string
  readonly base: string
  readonly child: ChildProcess
  /** The URL of its metrics. */
  readonly metrics: string
  /** Another process on the same database that keeps no pages. */
  readonly uncached: { readonly base: string; readonly child: ChildProcess }
  readonly url: string
  /** The name of the database. */
  readonly database: string
  /** Creates a workspace and returns a key with all scopes. */
  readonly newWorkspace: (name: string) => Promise<string>
}

/** No sweep during a measurement, and no rate limit. */
const benchSettings = {
  SWEEP_SECONDS: '3600',
  RATE_LIMIT_KEY: '1000000000',
  RATE_LIMIT_WORKSPACE: '1000000000',
}

/** Starts the service of the working tree. */
export const startCurrent = () => startSubject('this commit', here)

/** Starts the service of another commit, from a worktree that is removed at the end. */
export async function startBase(ref: string): Promise<Subject> {
  const tree = addWorktree(ref)
  const subject = await startSubject(ref, tree)
  return {
    ...subject,
    async [Symbol.asyncDispose]() {
      await subject[Symbol.asyncDispose]()
      removeWorktree(tree)
    },
  }
}

async function startSubject(name: string, tree: string): Promise<Subject> {
  const url = await createDatabase()
  const env = { env: { DATABASE_URL: url } }
  const program = (file: string) => join(tree, 'packages/api/src', file)
  await run([program('migrate.ts')], env)
  const { child, base, metrics } = await startService(url, benchSettings, program('main.ts'))
  const withoutCache = { ...benchSettings, RESPONSE_MEMORY_MIB: '0' }
  const uncached = await startService(url, withoutCache, program('main.ts'))
  return {
    name,
    base,
    child,
    metrics,
    uncached,
    url,
    database: new URL(url).pathname.slice(1),
    async newWorkspace(workspace) {
      const text = await run([program('admin.ts'), 'bootstrap', '--workspace', workspace], env)
      return text.trim().split('\n').at(-1) ?? ''
    },
    async [Symbol.asyncDispose]() {
      await stop(child)
      await stop(uncached.child)
      await dropDatabase(url)
    },
  }
}
