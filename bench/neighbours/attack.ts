import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'

import type { Load, LoadReport, Request } from '#bench/load/request'
import { startChild, stop } from '#bench/process'

import type { SlowReaders } from './slow-readers.ts'

/** A workspace that uses up what it is allowed, and its keys. */
export interface Attacker {
  readonly base: string
  readonly tokens: readonly string[]
  readonly projectId: string
  /** The tag of its page, for requests that are answered with 304. */
  readonly etag: string
}

type Send = Omit<Request, 'token'>

interface Kind extends Pick<Load, 'connections' | 'rate'> {
  readonly name: string
  readonly sends: readonly Send[]
}

/** All kinds together stay below the rate limit of a workspace: 500 requests a second. */
function kindsOf({ projectId, etag }: Attacker): Kind[] {
  const row = '{"title":"Risk {n}","likelihood":3,"impact":3}'
  const different = Array.from({ length: 50 }, (_, index) => 1000 - index)
  return [
    {
      name: 'pages',
      sends: different.map((limit) => ({ path: `/v1/risks?limit=${limit}` })),
      connections: 64,
      rate: 150,
    },
    { name: 'complete lists', sends: [{ path: '/v1/risks' }], connections: 32, rate: 30 },
    {
      name: 'batches',
      sends: [
        {
          path: `/v1/projects/${projectId}/risks/batch`,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: `{"data":[${Array.from({ length: 1000 }, () => row).join()}]}`,
        },
      ],
      connections: 8,
      rate: 8,
    },
    {
      name: '304',
      sends: [{ path: '/v1/risks?limit=50', headers: { 'if-none-match': etag } }],
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
  const readers = begin(['bench/neighbours/slow-readers.ts', JSON.stringify(slow)])
  const all = kindsOf(attacker).map(async ({ name, sends, connections, rate }) => {
    const requests = sends.flatMap((send) => tokens.map((token) => ({ ...send, token })))
    const load = { base, requests, connections, rate, seconds, warmSeconds: 0.5 }
    return [name, await reportOf(load)]
  })
  const attacked = Object.fromEntries(await Promise.all(all))
  await stop(readers)
  return attacked
}

async function reportOf(load: Load): Promise<string> {
  const child = begin(['bench/load.ts'])
  child.stdin?.end(JSON.stringify(load))
  let text = ''
  child.stdout?.on('data', (data: Buffer) => (text += data.toString()))
  await once(child, 'close')
  const { byStatus, failures }: LoadReport = JSON.parse(text)
  const counts = Object.entries(byStatus).map(([status, { count }]) => `${count} × ${status}`)
  return [...counts, `${failures} broken`].join(', ')
}

function begin(program: readonly string[]): ChildProcess {
  // Priorities count within a session.
  const child = startChild(program, { detached: false, stdio: ['pipe', 'pipe', 'ignore'] })
  if (child.pid !== undefined) setPriority(child.pid, 10)
  return child
}
