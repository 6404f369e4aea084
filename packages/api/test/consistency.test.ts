import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scopes } from '@muster/contract'

import { revokeKey } from '#domain/keys'

import { Client } from './client.ts'
import { startProcess } from './process.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const [one, two] = await Promise.all([startProcess(host.url), startProcess(host.url)])
const home = await newWorkspace(host)

test('a write is in its caller’s next read, 200 times out of 200, on two processes', async () => {
  const { token } = await home.issue({ scopes })
  const here = new Client(one.base, token)
  const there = new Client(two.base, token)
  for (let round = 0; round < 200; round++) {
    const [writer, reader] = round % 2 === 0 ? [here, there] : [there, here]
    const added = await writer.post('/v1/personnel', { name: `Round ${round}` })
    assert.equal(added.status, 201)
    const paged = await reader.get('/v1/personnel?sort=-created_at&limit=1')
    assert.equal(paged.body.data[0].id, added.body.id, `round ${round}, a page`)
    assert.equal(paged.body.as_of, added.body.version)
    const complete = await reader.get('/v1/personnel')
    assert.equal(complete.body.count, round + 1, `round ${round}, complete`)
    const viewed = await reader.get(`/v1/personnel/${added.body.id}`)
    assert.equal(viewed.text, added.text)
  }
})

test('a revoked key is refused on its next request, 200 times out of 200', async () => {
  for (let round = 0; round < 200; round++) {
    const { id, token } = await home.issue({ scopes })
    const [here, there] = [new Client(one.base, token), new Client(two.base, token)]
    const before = await Promise.all([here.get('/v1/whoami'), there.get('/v1/whoami')])
    assert.deepEqual(
      before.map(({ status }) => status),
      [200, 200],
    )
    await revokeKey(home.admin, id)
    const after = await Promise.all([here.get('/v1/whoami'), there.get('/v1/whoami')])
    assert.deepEqual(
      after.map(({ status, body }) => `${status} ${body.code}`),
      ['401 key_revoked', '401 key_revoked'],
      `round ${round}`,
    )
  }
})

test('a copy is good exactly as long as nothing has changed', async () => {
  const workspace = await newWorkspace(host)
  const { token } = await workspace.issue({ scopes })
  const here = new Client(one.base, token)
  const there = new Client(two.base, token)
  for (let round = 0; round < 50; round++) {
    const first = await here.get('/v1/personnel')
    const tag = first.headers.get('etag') ?? ''
    assert.match(tag, /^W\/"[0-9a-f]{12}\.p\d+\.r\d+"$/)
    const same = await there.get('/v1/personnel', { 'if-none-match': tag })
    assert.equal(same.status, 304)
    assert.equal(same.text, '')
    assert.equal(same.headers.get('etag'), tag)
    const filtered = await there.get('/v1/personnel?q=xx', { 'if-none-match': `"x", ${tag}` })
    assert.equal(filtered.status, 304, 'the tag is of the collection, whatever is asked of it')

    await there.post('/v1/personnel', { name: `Round ${round}` })
    const changed = await here.get('/v1/personnel', { 'if-none-match': tag })
    assert.equal(changed.status, 200)
    assert.equal(changed.body.count, round + 1)
    const risks = await here.get('/v1/risks')
    const kept = await here.get('/v1/risks', { 'if-none-match': risks.headers.get('etag') ?? '' })
    assert.equal(kept.status, 304, 'a write to the roster drops no copy of the register')
  }
})

test('no 304 for changed content while others write', async () => {
  const workspace = await newWorkspace(host)
  const { token } = await workspace.issue({ scopes })
  const clients = [new Client(one.base, token), new Client(two.base, token)]
  let acknowledged = 0
  const writing = { isOver: false }
  const write = async (client: Client) => {
    for (let index = 0; index < 100; index++) {
      const { body } = await client.post('/v1/personnel', { name: `Writer ${index}` })
      acknowledged = Math.max(acknowledged, body.version)
    }
  }
  const seen = { fresh: 0, changed: 0 }
  const read = async (client: Client) => {
    let copy = await client.get('/v1/personnel?limit=1')
    while (!writing.isOver) {
      const known = acknowledged
      const headers = { 'if-none-match': copy.headers.get('etag') ?? '' }
      const reply = await client.get('/v1/personnel?limit=1', headers)
      if (reply.status === 304) {
        seen.fresh += 1
        assert.ok(copy.body.as_of >= known, `304 for ${copy.body.as_of} when ${known} was known`)
      } else {
        seen.changed += 1
        assert.ok(reply.body.as_of >= known)
        copy = reply
      }
    }
  }
  const readers = Promise.all([...clients, ...clients].map(read))
  await Promise.all(clients.map(write))
  writing.isOver = true
  await readers
  assert.ok(seen.fresh > 10 && seen.changed > 10, JSON.stringify(seen))
})

test('a copy of one person is good until that person changes', async () => {
  const manager = await home.manager()
  const { body, headers } = await manager.post('/v1/personnel', { name: 'Ada' })
  const tag = headers.get('etag') ?? ''
  assert.match(tag, /^"[0-9a-f]{12}\.\d+\.r\d+"$/)
  const same = await manager.get(`/v1/personnel/${body.id}`, { 'if-none-match': tag })
  assert.equal(same.status, 304)
  const other = await manager.get(`/v1/personnel/${body.id}`, { 'if-none-match': '"0.0.r1"' })
  assert.equal(other.status, 200)
})

test('after a new epoch no copy is good, though its number is the same', async () => {
  const manager = await home.manager()
  const paths = ['/v1/personnel', '/v1/personnel?limit=1', '/v1/risks', '/v1/issues', '/v1/groups']
  const { body } = await manager.post('/v1/personnel', { name: 'Before' })
  paths.push(`/v1/personnel/${body.id}`)
  const before = await Promise.all(paths.map((path) => manager.get(path)))

  await host.sql.query(`update cluster set epoch = 'restored'`)

  for (const [index, path] of paths.entries()) {
    const tag = before[index]?.headers.get('etag') ?? ''
    const after = await manager.get(path, { 'if-none-match': tag })
    assert.equal(after.status, 200, path)
    assert.notEqual(after.headers.get('etag'), tag)
    assert.equal(after.body.as_of, before[index]?.body.as_of, 'the number itself has not moved')
  }
})

test('HEAD says what GET would, without a body', async () => {
  const manager = await home.manager()
  for (const path of ['/v1/personnel', '/v1/whoami', '/v1/risks?limit=1']) {
    const [head, get] = await Promise.all([manager.send('HEAD', path), manager.get(path)])
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
    assert.equal(head.headers.get('etag'), get.headers.get('etag'))
    assert.equal(head.headers.get('content-type'), get.headers.get('content-type'))
  }
})
