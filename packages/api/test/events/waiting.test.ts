import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { limits, scopes } from '@muster/contract'

import { readMetrics } from '#test/ops/metrics-urls'
import { Client, type Json } from '#test/support/client'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

import { openStream } from './streams.ts'

const host = await startHost()
/** Another process on the same database. */
const other = await listen(host.url)

const allScopes = [...scopes]

async function newHome() {
  const home = await newWorkspace(host)
  const { token, id } = await home.issue({ scopes: allScopes })
  return { ...home, token, keyId: id, client: new Client(host.base, token) }
}

async function newProject(client: Client, code: string): Promise<string> {
  const { status, body, text } = await client.post('/v1/projects', { code, name: code })
  assert.equal(status, 201, text)
  return body.id
}

const wait = (client: Client, query: Record<string, string>, seconds = 20) =>
  client.get(`/v1/events?${new URLSearchParams(query).toString()}`, { prefer: `wait=${seconds}` })

async function positionNow(client: Client): Promise<string> {
  const { body } = await client.get('/v1/events?after=now')
  return body.position
}

/** How many requests of a process follow events. */
async function followersAt(base: string, kind: 'wait' | 'stream'): Promise<number> {
  const metrics = await readMetrics(base)
  const found = new RegExp(`^muster_http_followers\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(metrics)
  assert.ok(found, 'the metric exists')
  return Number(found[1])
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000
  while (!(await isTrue())) {
    assert.ok(performance.now() < end, 'within ten seconds')
    await sleep(20)
  }
}

for (const [where, base] of Object.entries({ 'the same process': host.base, another: other })) {
  test(`a request waits until ${where} writes an event`, async () => {
    const { client, token } = await newHome()
    const after = await positionNow(client)
    const waiting = wait(new Client(base, token), { after })
    await until(async () => (await followersAt(base, 'wait')) === 1)
    const added = await client.post('/v1/personnel', { name: 'Mara' })
    const [written, reply] = [performance.now(), await waiting]
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.headers.get('preference-applied'), 'wait=20')
    assert.deepEqual(
      reply.body.data.map(({ subject }: Json) => subject.id),
      [added.body.id],
    )
    assert.ok(performance.now() - written < 5000)
    assert.equal(await followersAt(base, 'wait'), 0)
  })
}

test('a request waits no longer than it asks for, and events that exist come at once', async () => {
  const { client } = await newHome()
  const began = performance.now()
  const empty = await wait(client, { after: 'now' }, 1)
  assert.deepEqual([empty.status, empty.body.data], [200, []])
  assert.ok(performance.now() - began >= 950)
  await client.post('/v1/personnel', { name: 'Mara' })
  const { body } = await wait(client, { after: empty.body.position }, 50)
  assert.equal(body.count, 1)
  const long = await wait(client, {}, 600)
  assert.equal(long.headers.get('preference-applied'), `wait=${limits.waitSecondsMax}`)
})

test('a request that asks for some events waits for them, past all others', async () => {
  const { client } = await newHome()
  const waiting = wait(client, { after: 'now', type: 'project.*' })
  await until(async () => (await followersAt(host.base, 'wait')) === 1)
  await client.post('/v1/personnel', { name: 'Mara' })
  await sleep(300)
  await newProject(client, 'DAM')
  const { body } = await waiting
  assert.deepEqual(
    body.data.map(({ type }: Json) => type),
    ['project.created'],
  )
})

test('a stream has each event once, also after it was continued', async () => {
  const { client } = await newHome()
  const stream = await openStream(client, { after: 'now' })
  assert.equal(stream.response.headers.get('content-type'), 'text/event-stream')
  const first = await stream.next()
  assert.ok(first?.id)
  for (const name of ['Mara', 'Tom']) await client.post('/v1/personnel', { name })
  const seen: string[] = []
  while (seen.length < 2) {
    const message = await stream.next()
    if (message?.event === 'person.created') seen.push(message.data.subject.id)
  }
  stream.close()
  const { body } = await client.get('/v1/personnel')
  assert.deepEqual(seen.toSorted(), body.data.map(({ id }: Json) => id).toSorted())
  const last = { 'last-event-id': first.id }
  const again = await openStream(client, { after: 'beginning-is-ignored' }, last)
  for (const id of seen) {
    const message = await again.next()
    assert.equal(message?.data.subject.id, id)
  }
  again.close()
  const limited = await client.get('/v1/events?limit=5', { accept: 'text/event-stream' })
  assert.deepEqual([limited.status, limited.body.code], [400, 'invalid_parameter'])
})

test('an event of a stream is the event of a page, and has nothing else', async () => {
  const { client, issue } = await newHome()
  const { token } = await issue({ scopes: ['projects.read'] })
  const reader = new Client(host.base, token)
  await client.post('/v1/personnel', { name: 'Mara' })
  await newProject(client, 'DAM')
  const { body } = await reader.get('/v1/events?include=states')
  assert.equal(body.count, 1)
  const stream = await openStream(reader, { include: 'states' })
  const message = await stream.next()
  stream.close()
  assert.deepEqual(message?.data, body.data[0])
})

test('a stream moves its position past events that its reader may not see', async () => {
  const { client, issue } = await newHome()
  const { token } = await issue({ scopes: ['projects.read'] })
  const stream = await openStream(new Client(other, token), { after: 'now' })
  const first = await stream.next()
  await client.post('/v1/personnel', { name: 'Mara' })
  const moved = await stream.next()
  assert.deepEqual([moved?.event, moved?.data], [null, null])
  assert.notEqual(moved?.id, first?.id)
  stream.close()
})

test('a key has at most twenty places, and gives back those it leaves', async () => {
  const { client } = await newHome()
  const { base } = client
  const max = limits.followersPerKey
  const streams = await Promise.all(
    Array.from({ length: max }, () => openStream(client, { after: 'now' })),
  )
  const refused = await client.get('/v1/events?after=now', { accept: 'text/event-stream' })
  assert.deepEqual([refused.status, refused.body.code], [429, 'too_many_streams'])
  const poll = await wait(client, { after: 'now' })
  assert.deepEqual([poll.status, poll.body.data], [200, []])
  assert.equal(poll.headers.get('preference-applied'), null)
  assert.equal(poll.headers.get('retry-after'), '5')
  for (const stream of streams) stream.close()
  await until(async () => (await followersAt(base, 'stream')) === 0)
  const free = await wait(client, { after: 'now' }, 1)
  assert.equal(free.headers.get('preference-applied'), 'wait=1')
})

test('a reader who loses a project gets 410 and no event', async () => {
  const { client, issue } = await newHome()
  const project = await newProject(client, 'DAM')
  const reader = await issue({ scopes: ['projects.read'] })
  const waiting = wait(new Client(host.base, reader.token), { after: 'now' })
  const stream = await openStream(new Client(other, reader.token), { after: 'now' })
  await stream.next()
  await until(async () => (await followersAt(host.base, 'wait')) === 1)
  const change = { project_ids: [project] }
  const changed = await client.send('PATCH', `/v1/keys/${reader.id}`, { body: change })
  assert.equal(changed.status, 200, changed.text)
  const reply = await waiting
  assert.deepEqual([reply.status, reply.body.reason], [410, 'view_changed'])
  const end = await stream.next()
  assert.deepEqual([end?.event, end?.data.reason], ['end', 'view_changed'])
  assert.equal(await stream.next(), null)
})

test('whose key is revoked gets no event', async () => {
  const { client, issue } = await newHome()
  const reader = await issue({ scopes: ['personnel.read'] })
  const waiting = wait(new Client(host.base, reader.token), { after: 'now' })
  const stream = await openStream(new Client(other, reader.token), { after: 'now' })
  await stream.next()
  await until(async () => (await followersAt(host.base, 'wait')) === 1)
  assert.equal((await client.post(`/v1/keys/${reader.id}/revoke`, {})).status, 200)
  const reply = await waiting
  assert.deepEqual([reply.status, reply.body.code], [401, 'key_revoked'])
  const end = await stream.next()
  assert.deepEqual([end?.event, end?.data.code], ['end', 'key_revoked'])
})
