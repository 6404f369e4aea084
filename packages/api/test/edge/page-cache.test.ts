import assert from 'node:assert/strict'
import { test } from 'node:test'

import { collections } from '@muster/contract'

import { revokeKey } from '#domain/auth/keys'
import { WorkspaceMemory } from '#domain/engine/workspace-memory'
import { type CachedRead, PageCache, type StoredPage } from '#http/response/page-cache'
import { View } from '#storage/statements/view'
import { Client } from '#test/support/client'
import { metricsOf } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

type Numbers = StoredPage['asOf']['numbers']

const numbersOf = (seq: number) =>
  // The cast holds because every collection has a number.
  Object.fromEntries(Object.keys(collections).map((name) => [name, seq])) as unknown as Numbers

const asOf = (seq: number, server = 'a') => ({
  epoch: '',
  server,
  isTermDue: false,
  terms: ['t'],
  firsts: [1],
  numbers: numbersOf(seq),
})

const request = (name: string, seq: number, workspaceId = 'w'): CachedRead => ({
  workspaceId,
  name,
  view: View.all,
  shown: ['risks'],
  atLeast: asOf(seq),
})

const pageOf = (seq: number, bytes = 1000): StoredPage => ({
  asOf: asOf(seq),
  body: Buffer.alloc(bytes),
  isCompressed: false,
  link: null,
})

/** Asks for a page; returns whether it was read. */
async function isRead(cache: PageCache, asked: CachedRead, page = pageOf(1)): Promise<boolean> {
  let reads = 0
  await cache.get(asked, async () => {
    reads += 1
    return page
  })
  return reads === 1
}

test('returns a page until a newer number is asked for, or another server', async () => {
  const cache = new PageCache(new WorkspaceMemory(1e6))
  assert.equal(await isRead(cache, request('p', 1)), true)
  assert.equal(await isRead(cache, request('p', 1)), false)
  assert.equal(await isRead(cache, request('p', 0)), false, 'newer than asked for')
  assert.equal(await isRead(cache, request('p', 2), pageOf(2)), true)
  assert.equal(await isRead(cache, request('p', 2)), false)
  const restored = { ...request('p', 2), atLeast: asOf(2, 'b') }
  assert.equal(await isRead(cache, restored), true)
})

test('shares a read only with requests that it is new enough for', async () => {
  const cache = new PageCache(new WorkspaceMemory(1e6))
  const read = Promise.withResolvers<StoredPage>()
  const first = cache.get(request('p', 1), () => read.promise)
  const same = cache.get(request('p', 1), async () => assert.fail('it shares the read'))
  const newer = cache.get(request('p', 2), async () => pageOf(2))
  read.resolve(pageOf(1))
  assert.equal(await first, await same)
  assert.equal((await newer).asOf.numbers.risks, 2)
})

test('does not share a failure', async () => {
  const cache = new PageCache(new WorkspaceMemory(1e6))
  const read = Promise.withResolvers<StoredPage>()
  const first = cache.get(request('p', 1), () => read.promise)
  const second = cache.get(request('p', 1), async () => pageOf(1))
  read.reject(new Error('refused'))
  await assert.rejects(first, /refused/)
  assert.equal((await second).asOf.numbers.risks, 1)
})

test('stays within its budget with ten times as many pages', async () => {
  const bytesMax = 100_000
  const cache = new PageCache(new WorkspaceMemory(bytesMax))
  for (let page = 0; page < 1000; page++) {
    await isRead(cache, request(`p${page}`, 1))
    assert.ok(cache.counts.bytes <= bytesMax, `${cache.counts.bytes}`)
  }
  assert.ok(cache.counts.bytes > bytesMax / 2, `${cache.counts.bytes}`)
  assert.equal(await isRead(cache, request('large', 1), pageOf(1, 300 * 1024)), true)
  assert.equal(await isRead(cache, request('large', 1), pageOf(1, 300 * 1024)), true, 'not kept')
})

test('a workspace with many pages evicts its own, not those of others', async () => {
  const cache = new PageCache(new WorkspaceMemory(100_000))
  for (let page = 0; page < 10; page++) await isRead(cache, request(`p${page}`, 1, 'small'))
  for (let page = 0; page < 1000; page++) await isRead(cache, request(`p${page}`, 1, 'busy'))
  for (let page = 0; page < 10; page++) {
    assert.equal(await isRead(cache, request(`p${page}`, 1, 'small')), false, `page ${page}`)
  }
})

test('a revoked key and a key without the scope get no page from memory', async () => {
  const host = await startHost()
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const issued = await home.issue({ scopes: ['personnel.read'] })
  const reader = new Client(host.base, issued.token)
  const path = '/v1/personnel?limit=5'
  await manager.post('/v1/personnel', { name: 'Ada' })
  for (const client of [manager, reader]) assert.equal((await client.get(path)).status, 200)
  const { 'muster_page_cache_requests_total{result="hit"}': hits = 0 } = await metricsOf(host.base)
  assert.ok(hits >= 1, `${hits}`)

  const stranger = await home.key('projects.read')
  assert.equal((await stranger.get(path)).body.code, 'insufficient_scope')
  await revokeKey(home.admin, issued.id)
  assert.equal((await reader.get(path)).body.code, 'key_revoked')
})
