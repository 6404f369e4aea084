import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { scopes } from '@muster/contract'

import { revokeKey } from '#domain/auth/keys'
import { type Acknowledged, type Asked, checkCopies } from '#test/soak/checks/copies'
import { Client } from '#test/support/client'
import { size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { Fleet } from './fleet.ts'
import { chance, pick, soak, soakMs, untilEnough } from './length.ts'
import { assertHolds } from './verdict.ts'

const host = await startHost()
const fleet = await Fleet.start(host.url, 4, 'longTimeouts')
const clientsOf = (token: string) => fleet.bases.map((base) => new Client(base, token))

/** Runs at least `least` rounds, and more until the time is over. */
async function rounds(least: number, ms: number, round: (index: number) => Promise<void>) {
  const end = performance.now() + ms
  let index = 0
  for (; index < least || performance.now() < end; index++) await round(index)
  return index
}

test(`a caller reads its own writes on any of four processes ${soak.name}`, async (t) => {
  const home = await newWorkspace(host)
  const { token } = await home.issue({ scopes })
  const clients = clientsOf(token)
  const next = chance(1)
  const done = await rounds(size(20, 100), soakMs / 4, async (index) => {
    const added = await pick(clients, next).post('/v1/personnel', { name: `Round ${index}` })
    assert.equal(added.status, 201)
    const { id, version } = added.body
    const viewed = await pick(clients, next).get(`/v1/personnel/${id}`)
    assert.equal(viewed.text, added.text, `round ${index}`)
    const page = await pick(clients, next).get('/v1/personnel?sort=-created_at&limit=1')
    assert.deepEqual([page.body.data[0].id, page.body.as_of], [id, version], `round ${index}`)
    const complete = await pick(clients, next).get('/v1/personnel')
    assert.deepEqual([complete.body.count, complete.body.as_of], [index + 1, version])
  })
  t.diagnostic(`${done} of ${done}`)
})

test(`all four processes refuse a revoked key on its next request ${soak.name}`, async (t) => {
  const home = await newWorkspace(host)
  const done = await rounds(size(20, 100), soakMs / 4, async (index) => {
    const { id, token } = await home.issue({ scopes })
    const clients = clientsOf(token)
    const outcomes = async () => {
      const replies = await Promise.all(clients.map((each) => each.get('/v1/whoami')))
      return replies.map(({ status, body }) => `${status} ${body.code}`)
    }
    assert.deepEqual(await outcomes(), Array(4).fill('200 undefined'))
    await revokeKey(home.admin, id)
    assert.deepEqual(await outcomes(), Array(4).fill('401 key_revoked'), `round ${index}`)
  })
  t.diagnostic(`${done} of ${done}`)
})

test(`no stale copy gets 304 while others write ${soak.name}`, async (t) => {
  const home = await newWorkspace(host)
  // One key per client, because complete lists are limited per key.
  const newClients = async () => clientsOf((await home.issue({ scopes })).token)
  const paths = ['/v1/personnel?limit=1', '/v1/personnel?limit=1&q=writer', '/v1/personnel']
  const writes: Acknowledged[] = []
  const asked: Asked[] = []
  const notModified = () => asked.filter(({ answered }) => answered === null).length
  const hasEnough = () => notModified() > 10 && asked.length - notModified() > 10
  const isOver = untilEnough(soakMs / 2, hasEnough)
  const write = async (writer: number) => {
    const [next, clients] = [chance(writer), await newClients()]
    const { body: person } = await pick(clients, next).post('/v1/personnel', { name: 'Writer' })
    while (!isOver()) {
      const client = pick(clients, next)
      const body = { title: String(next()) }
      const reply = await client.send('PATCH', `/v1/personnel/${person.id}`, { body })
      writes.push({ at: performance.now(), version: reply.body.version })
      await sleep(next() * 100)
    }
  }
  const read = async (reader: number) => {
    const [next, clients] = [chance(100 + reader), await newClients()]
    const path = pick(paths, next)
    let copy = await pick(clients, next).get(path)
    while (!isOver()) {
      const at = performance.now()
      const tag = copy.headers.get('etag') ?? ''
      const reply = await pick(clients, next).get(path, { 'if-none-match': tag })
      const isNotModified = reply.status === 304
      assert.ok(isNotModified || reply.status === 200, reply.text)
      const answered = isNotModified ? null : reply.body.as_of
      asked.push({ at, held: copy.body.as_of, answered })
      if (!isNotModified) copy = reply
    }
  }
  const writing = [1, 2, 3].map(write)
  const reading = Array.from({ length: 12 }, (_, index) => read(index))
  await Promise.all([...writing, ...reading])
  t.diagnostic(
    `${asked.length} conditional reads, ${notModified()} times 304, during ${writes.length} writes`,
  )
  assert.ok(hasEnough(), 'both outcomes occurred')
  assertHolds(checkCopies(writes, asked))
})
