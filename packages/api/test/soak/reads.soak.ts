import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { scopes } from '@muster/contract'

import { revokeKey } from '#domain/auth/keys'
import { uuidOf } from '#storage/values/id'
import { Browser } from '#test/auth/browser'
import { addPerson, signInPerson } from '#test/auth/people'
import { type Acknowledged, type Asked, checkCopies } from '#test/soak/checks/copies'
import { Client } from '#test/support/client'
import { size } from '#test/support/size'
import { metricsOf } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

import { Fleet } from './fleet.ts'
import { chance, pick, soak, soakMs, untilEnough } from './length.ts'
import { assertHolds } from './verdict.ts'

const host = await startHost()
const fleet = await Fleet.start(host.url, 4, 'longTimeouts')
const clientsOf = (token: string) => fleet.bases.map((base) => new Client(base, token))

const races = await newWorkspace(host)
const racer = new Client(fleet.bases[0] ?? '', (await races.issue({ scopes })).token)

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

interface Access {
  readonly readers: readonly Client[]
  /** Ends the access. It is over when the promise resolves. */
  readonly end: () => Promise<unknown>
}

/** Ways in which the access of a reader ends. */
const endings: Readonly<Record<string, () => Promise<Access>>> = {
  'a revoked key': async () => {
    const { id, token } = await races.issue({ scopes })
    return { readers: clientsOf(token), end: () => revokeKey(races.admin, id) }
  },
  'an expired key': () => changedKey('expires_at = now()'),
  'another network': () => changedKey(`allowed_cidrs = '{192.0.2.0/24}'`),
  'a suspended person': async () => {
    const { browsers, userId } = await signedIn()
    return { readers: browsers, end: () => racer.post(`/v1/personnel/${userId}/suspend`, {}) }
  },
  'an ended session': async () => {
    const { browsers } = await signedIn()
    return { readers: browsers, end: async () => browsers[0]?.send('DELETE', '/session') }
  },
  'a suspended workspace': async () => {
    const other = await newWorkspace(host)
    const { token } = await other.issue({ scopes })
    const suspend = `update workspaces set status = 'suspended' where id = $1`
    return { readers: clientsOf(token), end: () => host.sql.query(suspend, [other.uuid]) }
  },
}

async function changedKey(change: string): Promise<Access> {
  const { id, token } = await races.issue({ scopes })
  const update = `update api_keys set ${change} where id = $1`
  return { readers: clientsOf(token), end: () => host.sql.query(update, [uuidOf(id)]) }
}

let signedInPerson: string | undefined

/** One person for all races: the access list has at most 200 entries. */
async function signedIn() {
  signedInPerson ??= await addPerson(racer, { role: 'reader' })
  const userId = signedInPerson
  // An earlier race may have suspended the person.
  assert.equal((await racer.post(`/v1/personnel/${userId}/resume`, {})).status, 200)
  const { cookie } = await signInPerson(host, races, userId)
  return { userId, browsers: fleet.bases.map((base) => new Browser(base, cookie)) }
}

const page = '/v1/risks?limit=1'

/** Reads until a request was sent after the end. Returns whether that one was answered. */
async function readUntil(reader: Client, hasEnded: () => boolean): Promise<boolean> {
  for (let isAfter = false; ; isAfter = hasEnded()) {
    const { status } = await reader.get(page)
    if (isAfter) return status < 400
  }
}

test(`no process answers a request that was sent after access ended ${soak.name}`, async (t) => {
  const [raceCount, names] = [size(12, 2000), Object.keys(endings)]
  for (let race = 0; race < raceCount; race++) {
    const name = names[race % names.length] ?? ''
    const access = await endings[name]?.()
    assert.ok(access)
    // The first answer of each process teaches it the page, so that later ones come from memory.
    for (const reader of access.readers) {
      for (const _ of [1, 2]) assert.equal((await reader.get(page)).status, 200)
    }
    let hasEnded = false
    const reading = [...access.readers, ...access.readers].map((reader) =>
      readUntil(reader, () => hasEnded),
    )
    await access.end()
    hasEnded = true
    const answered = (await Promise.all(reading)).filter(Boolean).length
    assert.equal(answered, 0, `race ${race}: ${name}`)
  }
  const metrics = await Promise.all(fleet.bases.map(metricsOf))
  const fast = metrics.map((each) => each['muster_http_fast_answers_total{status="200"}'] ?? 0)
  t.diagnostic(`${raceCount} races, ${fast.join(' + ')} answers from memory`)
  for (const count of fast) assert.ok(count > raceCount, 'pages come from memory')
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
