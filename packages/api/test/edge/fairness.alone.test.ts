/** What one caller at its worst leaves to another one. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { limits } from '@muster/contract'
import { measure } from '@muster/testing/measure'

import { issueToken } from '#domain/auth/token'
import { Client } from '#test/support/client'
import { startProcess } from '#test/support/process'
import { size } from '#test/support/size'
import { timed } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

import { startFlood, startReaders, startRefusedBatches, watchClient } from './flood.ts'

const host = await startHost()
const victim = await newWorkspace(host)
const { token } = await victim.issue({ scopes: ['projects.read'] })
const attacker = await newWorkspace(host)
const durationMs = size(700, 7000)
const watched = (base: string) =>
  watchClient(new URL('/v1/projects?limit=1', base), token, durationMs)
const start = () => startProcess(host.url, {}, { timeouts: 'product' })

const { base } = await start()
await watched(base)

const get = (path: string, ...lines: string[]) =>
  [`GET ${path} HTTP/1.1`, 'host: x', ...lines, '', ''].join('\r\n')
/** A workspace id that no one has, in the part of a key that names it. */
const forgedKey = () => issueToken(`wsp_0${randomBytes(13).toString('hex').slice(1)}`).token
const malformed = (key: string) => `authorization: Bearer ${key.slice(0, -1)}`
const callback = `/sign-in/${attacker.id}/oidc/callback?code=x&state=y`
const flowCookie = () => `cookie: __Host-muster_oidc=${randomBytes(16).toString('hex')}`

/** Anonymous requests. The limits of this process are raised, so that only admission protects. */
const floods: Record<string, () => string> = {
  'plain requests': () => get('/sign-in/workspaces'),
  'requests that name random workspaces': () => get('/sign-in/workspaces', malformed(forgedKey())),
  'requests that name the workspace of the client': () =>
    get('/v1/projects?limit=1', malformed(token)),
  'callbacks of a provider': () => get(callback, flowCookie(), malformed(forgedKey())),
}

/** What the client gets beside a load, in relation to what it gets alone. */
interface Ratios {
  readonly rate: number
  readonly p50: number
}

/** The best of up to three comparisons, until one is good: the machine is busy at times. */
async function compare(
  startLoad: () => () => Promise<unknown>,
  isGood: (ratios: Ratios) => boolean,
): Promise<Ratios> {
  let best: Ratios = { rate: 0, p50: Infinity }
  for (let round = 1; round <= 3 && !isGood(best); round++) {
    const calm = await watched(base)
    const stop = startLoad()
    await sleep(300)
    const during = await watched(base)
    await stop()
    assert.deepEqual(during.refused, [])
    best = {
      rate: Math.max(best.rate, during.perSecond / calm.perSecond),
      p50: Math.min(best.p50, during.p50 / calm.p50),
    }
  }
  return best
}

test('anonymous requests leave a known key at least half of its rate', async (t) => {
  for (const [name, request] of Object.entries(floods)) {
    const load = () => startFlood({ base, connections: 32, depth: 8, request })
    const { rate: value } = await compare(load, ({ rate }) => rate >= 0.5)
    measure(t, `rate beside ${name}`, { value, atLeast: 0.5, unit: '× calm' })
  }
})

test('a key is served after a restart of the process during anonymous requests', async (t) => {
  const { base: restarted } = await start()
  const request = () => get('/sign-in/workspaces', malformed(forgedKey()))
  const stop = startFlood({ base: restarted, connections: 32, depth: 8, request })
  await sleep(300)
  const first = await timed(new URL('/v1/projects?limit=1', restarted), {
    headers: { authorization: `Bearer ${token}` },
  })
  const after = await watched(restarted)
  await stop()
  assert.equal(first.status, 200)
  assert.deepEqual(after.refused, [])
  measure(t, 'the first response', { value: first.ms, atMost: 1000 })
})

/** A person with the most metadata. */
const fatPerson = (index: number) => ({
  name: `Fat ${index}`,
  metadata: Object.fromEntries(
    Array.from({ length: 50 }, (_, member) => [`k${member}`, randomBytes(250).toString('hex')]),
  ),
})

test('pages of large rows leave others a short wait', async (t) => {
  const manager = new Client(base, (await attacker.issue({ scopes: ['personnel.manage'] })).token)
  for (let from = 0; from < 200; from += 100) {
    const data = Array.from({ length: 100 }, (_, index) => fatPerson(from + index))
    assert.equal((await manager.post('/v1/personnel/batch', { data })).status, 200)
  }
  // The service knows the size of the rows from the last page.
  assert.equal((await manager.get('/v1/personnel?limit=200')).status, 200)
  const keys = Array.from({ length: 25 }, () => attacker.issue({ scopes: ['personnel.read'] }))
  const tokens = (await Promise.all(keys)).map((key) => key.token)
  // More different pages than the service keeps in memory.
  const urls = Array.from({ length: 50 }, (_, index) => {
    return new URL(`/v1/personnel?limit=${200 - index}`, base)
  })
  let pages = 0
  const startLoad = () => {
    const stop = startReaders(urls, tokens)
    return async () => {
      pages += await stop()
    }
  }
  const { p50: value } = await compare(startLoad, ({ p50 }) => p50 <= 5)
  assert.ok(pages > 0, 'pages of 200 rows are served')
  measure(t, 'p50 beside pages of 5 MB', { value, atMost: 5, unit: '× calm' })
})

test('one connection with malformed batches leaves others a short wait', async (t) => {
  const { token: own } = await attacker.issue({ scopes: ['personnel.manage'] })
  const url = new URL('/v1/personnel/batch', base)
  let refused = 0
  const startLoad = () => {
    const stop = startRefusedBatches(url, own, limits.batchBytesMax)
    return async () => {
      refused += await stop()
    }
  }
  const { p50: value } = await compare(startLoad, ({ p50 }) => p50 <= 3)
  assert.ok(refused > 0, 'batches are refused')
  measure(t, 'p50 beside batches of 4 MiB', { value, atMost: 3, unit: '× calm' })
})
