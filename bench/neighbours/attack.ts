import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

import type { Load, LoadReport } from '#bench/load'
import { stop } from '#bench/process'

import type { SlowReaders } from './slow-readers.ts'

/** A workspace that uses up what it is allowed, and its keys. */
export interface Attacker {
  readonly base: string
  readonly tokens: readonly string[]
  readonly projectId: string
  /** The tag of its page, for requests that are answered with 304. */
  readonly etag: string
}

const root = fileURLToPath(new URL('../../', import.meta.url))

type Kind = Pick<Load, 'path' | 'connections' | 'rate'> & Partial<Load>

/** All kinds together stay below the rate limit of a workspace: 500 requests a second. */
function kindsOf({ projectId, etag }: Attacker): Kind[] {
  const row = '{"title":"Risk {n}","likelihood":3,"impact":3}'
  const different = Array.from({ length: 49 }, (_, index) => 999 - index)
  return [
    {
      path: '/v1/risks?limit=1000',
      paths: different.map((limit) => ({ path: `/v1/risks?limit=${limit}`, weight: 1 })),
      connections: 64,
      rate: 150,
    },
    { path: '/v1/risks', connections: 32, rate: 30 },
    {
      path: `/v1/projects/${projectId}/risks/batch`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"data":[${Array.from({ length: 1000 }, () => row).join()}]}`,
      connections: 8,
      rate: 8,
    },
    {
      path: '/v1/risks?limit=50',
      headers: { 'if-none-match': etag },
      connections: 64,
      rate: 250,
    },
  ]
}

/** What the attacker got, by kind of request: the responses by status. */
type Attacked = Readonly<Record<string, string>>

/** Sends every kind of load at once, with low priority: clients must not slow down clients. */
export async function attack(attacker: Attacker, seconds: number): Promise<Attacked> {
  const { base, tokens } = attacker
  const slow: SlowReaders = { base, tokens, connections: 50 }
  const readers = begin('bench/neighbours/slow-readers.ts', slow)
  const all = kindsOf(attacker).map(async (kind) => {
    const load = { base, tokens, seconds, warmSeconds: 0.5, ...kind }
    return [`${kind.method ?? 'GET'} ${kind.path}`, await reportOf(load)]
  })
  const attacked = Object.fromEntries(await Promise.all(all))
  await stop(readers)
  return attacked
}

async function reportOf(load: Load): Promise<string> {
  const child = begin('bench/load.ts', load)
  let text = ''
  child.stdout?.on('data', (data: Buffer) => (text += data.toString()))
  await once(child, 'close')
  const { byStatus, failures }: LoadReport = JSON.parse(text)
  const counts = Object.entries(byStatus).map(([status, { count }]) => `${count} × ${status}`)
  return [...counts, `${failures} broken`].join(', ')
}

function begin(file: string, options: SlowReaders | Load): ChildProcess {
  const child = spawn(process.execPath, [file, JSON.stringify(options)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (child.pid !== undefined) setPriority(child.pid, 10)
  return child
}
