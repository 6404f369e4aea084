import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

import { everyOperation, limits } from '@muster/contract'

import { revokeKey } from '#domain/keys'

import { Client, type Reply } from './client.ts'
import { Browser, signIn, told } from './console.ts'
import { assertTooMany, left, limited, metric, policy } from './limited.ts'
import { exampleFor, setScene } from './scene.ts'
import { sentDuring } from './statements.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()

async function aMinuteLater(work: () => Promise<void>): Promise<void> {
  const now = performance.now.bind(performance)
  const later = mock.method(performance, 'now', () => now() + 61_000)
  try {
    await work()
  } finally {
    later.mock.restore()
  }
}

test('a key has its requests a minute, and every answer says what is left', async () => {
  const { key } = await limited(host, { key: 3, workspace: 10 })
  const [one, two] = [await key(), await key()]

  const first = await one.get('/v1/whoami')
  assert.equal(policy(first), '"key";q=3;w=60, "workspace";q=10;w=60')
  assert.match(
    first.headers.get('ratelimit') ?? '',
    /^"key";r=2;t=(59|60), "workspace";r=9;t=(59|60)$/,
  )
  assert.equal(left(await one.get('/v1/risks')), '"key";r=1, "workspace";r=8')
  const wrong = await one.get('/v1/personnel?nonsense=1')
  assert.equal(told(wrong), '400 unknown_parameter')
  assert.equal(left(wrong), '"key";r=0, "workspace";r=7')
  assertTooMany(await one.get('/v1/whoami'), 'key')
  assert.equal(left(await two.get('/v1/whoami')), '"key";r=2, "workspace";r=6')
  assert.equal(await metric(one.base, 'muster_rate_limited_total{limit="key"}'), 1)
})

test('a path that does not exist is no request of any key', async () => {
  const { key } = await limited(host, { key: 1 })
  const one = await key()
  assert.equal(told(await one.get('/v1/nothing')), '404 route_not_found')
  assert.equal(told(await one.send('DELETE', '/v1/risks')), '405 method_not_allowed')
  assert.equal((await one.get('/v1/whoami')).status, 200)
})

test('the keys of a workspace share its requests, and those of another do not', async () => {
  const { base, key } = await limited(host, { key: 100, workspace: 4 })
  const keys = [await key(), await key(), await key(), await key()]
  for (const each of keys) assert.equal((await each.get('/v1/whoami')).status, 200)
  for (const each of [...keys, await key()]) {
    assertTooMany(await each.get('/v1/whoami'), 'workspace')
  }
  const elsewhere = await newWorkspace(host)
  const other = new Client(base, (await elsewhere.issue()).token)
  assert.equal(left(await other.get('/v1/whoami')), '"key";r=99, "workspace";r=3')
})

test('a key that has nothing left takes nothing from the others of its workspace', async () => {
  const { key } = await limited(host, { key: 2, workspace: 4 })
  const [noisy, quiet] = [await key(), await key()]
  const replies = await Promise.all(Array.from({ length: 20 }, () => noisy.get('/v1/whoami')))
  assert.equal(replies.filter(({ status }) => status === 200).length, 2)
  assert.equal(left(await quiet.get('/v1/whoami')), '"key";r=1, "workspace";r=1')
})

test('refusing a key that has nothing left costs no database, and revoking it stays in force', async () => {
  const { base, home, key } = await limited(host, { key: 1 })
  const issued = await home.issue()
  const [one, other] = [new Client(base, issued.token), await key()]
  const browser = await signIn(base, other.token)
  await one.get('/v1/whoami')
  for (const each of [one, other, browser]) assertTooMany(await each.get('/v1/whoami'), 'key')
  const sent = await sentDuring(async () => {
    for (const each of [one, other, browser]) assertTooMany(await each.get('/v1/whoami'), 'key')
  })
  assert.deepEqual(sent, [])
  await revokeKey(home.admin, issued.id)
  assertTooMany(await one.get('/v1/whoami'), 'key')
  await aMinuteLater(async () => {
    assert.equal(told(await one.get('/v1/whoami')), '401 key_revoked')
  })
})

test('a minute later there are as many again', async () => {
  const { key, fake } = await limited(host, { key: 1, failures: 1 })
  const one = await key()
  assert.equal((await one.get('/v1/whoami')).status, 200)
  assertTooMany(await one.get('/v1/whoami'), 'key')
  assert.equal(told(await fake().get('/v1/whoami')), '401 unknown_key')
  assertTooMany(await fake().get('/v1/whoami'), 'address')
  await aMinuteLater(async () => {
    assert.equal((await one.get('/v1/whoami')).status, 200)
    assert.equal(told(await fake().get('/v1/whoami')), '401 unknown_key')
  })
})

test('setting the system clock neither prolongs nor ends a limit', async () => {
  const { key } = await limited(host, { key: 1 })
  const one = await key()
  const hour = 3_600_000
  assert.equal((await one.get('/v1/whoami')).status, 200)
  mock.timers.enable({ apis: ['Date'], now: Date.now() + hour })
  try {
    assertTooMany(await one.get('/v1/whoami'), 'key')
    mock.timers.setTime(Date.now() - 2 * hour)
    assertTooMany(await one.get('/v1/whoami'), 'key')
    await aMinuteLater(async () => {
      assert.equal((await one.get('/v1/whoami')).status, 200)
      assertTooMany(await one.get('/v1/whoami'), 'key')
    })
  } finally {
    mock.timers.reset()
  }
})

test('asking whether anything has changed is free when nothing has', async () => {
  const { key } = await limited(host, { key: 4, workspace: 9 })
  const one = await key()
  const paths = ['/v1/risks', '/v1/scale', '/v1/issues/summary']
  const tags = []
  for (const path of paths) tags.push((await one.get(path)).headers.get('etag') ?? '')
  for (let round = 0; round < 3; round++) {
    for (const [index, path] of paths.entries()) {
      const unchanged = await one.get(path, { 'if-none-match': tags[index] ?? '' })
      assert.equal(unchanged.status, 304, path)
      assert.equal(left(unchanged), '"key";r=1, "workspace";r=6')
    }
  }
  assert.equal(left(await one.get('/v1/risks')), '"key";r=0, "workspace";r=5')
  assertTooMany(await one.get('/v1/risks', { 'if-none-match': tags[0] ?? '' }), 'key')
})

test('refunds a 304 only for an ETag that was named, and when nothing was read', async () => {
  const { key } = await limited(host, { key: 1000 })
  const one = await key()
  const scene = await setScene(one)
  const leftOf = (reply: Reply) => Number(/^"key";r=(\d+)/.exec(left(reply) ?? '')?.[1])
  const kinds = { refunded: 0, charged: 0 }
  for (const { name, operation } of everyOperation()) {
    if (operation.method !== 'GET') continue
    const path = scene.fill(operation.path)
    const first = await one.get(path)
    const etag = first.headers.get('etag')
    if (etag === null) continue
    let named = first
    const sent = await sentDuring(async () => {
      named = await one.get(path, { 'if-none-match': `"other", ${etag}` })
    })
    assert.equal(named.status, 304, name)
    const isRead = sent.some(({ sql }) => !sql.includes('open_door') && !sql.includes('last_used'))
    assert.equal(leftOf(named), leftOf(first) - Number(isRead), name)
    kinds[isRead ? 'charged' : 'refunded'] += 1
    for (const times of [1, 2]) {
      const any = await one.get(path, { 'if-none-match': '*' })
      assert.equal(any.status, 304, name)
      assert.equal(leftOf(any), leftOf(named) - times, name)
    }
  }
  assert.ok(kinds.refunded > 10 && kinds.charged > 5, JSON.stringify(kinds))
})

test('the last request of a minute can be asked again and again when it costs nothing', async () => {
  const { key } = await limited(host, { key: 2 })
  const one = await key()
  const etag = (await one.get('/v1/groups')).headers.get('etag') ?? ''
  for (let round = 0; round < 5; round++) {
    const { status } = await one.get('/v1/groups', { 'if-none-match': etag })
    assert.equal(status, 304)
  }
  assert.equal((await one.get('/v1/groups')).status, 200)
})

test('a session of the console counts for its key', async () => {
  const { base, key } = await limited(host, { key: 4 })
  const one = await key()
  assert.match(left(await one.get('/v1/whoami')) ?? '', /^"key";r=3,/)
  const browser = await signIn(base, one.token)
  assert.match(left(await browser.get('/v1/whoami')) ?? '', /^"key";r=1,/)
  assert.match(left(await one.get('/v1/whoami')) ?? '', /^"key";r=0,/)
  assertTooMany(await browser.get('/v1/whoami'), 'key')
  assertTooMany(await new Browser(base, '').post('/session', { key: one.token }), 'key')
})

test('every operation says it in the same way, before scope and body are looked at', async () => {
  const { base, home } = await limited(host, { key: 1 })
  const scene = await setScene(await home.manager())
  const scopeless = new Client(base, (await home.issue()).token)
  assert.equal((await scopeless.get('/v1/whoami')).status, 200)
  for (const { name, operation } of everyOperation()) {
    const body = exampleFor(operation, scene)
    const path = scene.fill(operation.path)
    const reply = await scopeless.send(operation.method, path, { body })
    assertTooMany(reply, 'key')
    assert.match(reply.body.detail, /^This key exceeded its limit of 1 requests a minute\./, name)
  }
})

test('what needs no key is not limited', async () => {
  const { base, key, fake } = await limited(host, { key: 1, workspace: 1, failures: 1 })
  const one = await key()
  await one.get('/v1/whoami')
  await fake().get('/v1/whoami')
  assertTooMany(await fake().get('/v1/whoami'), 'address')
  const paths = ['/livez', '/readyz', '/docs', '/openapi.json', '/problems', '/about']
  for (const path of paths) {
    const reply = await new Client(base, one.token).get(path)
    assert.equal(reply.status, 200, path)
    assert.equal(policy(reply), null)
  }
})

test('whoami tells the limits in force', async () => {
  const { key } = await limited(host, { key: 41, workspace: 42 })
  const { body } = await (await key()).get('/v1/whoami')
  assert.equal(body.limits.requests_per_minute, 41)
  assert.equal(body.limits.workspace_requests_per_minute, 42)

  const { key: standard } = await limited(host, limits.perMinute)
  const byDefault = await (await standard()).get('/v1/whoami')
  assert.equal(policy(byDefault), '"key";q=6000;w=60, "workspace";q=30000;w=60')
  assert.equal(byDefault.body.limits.requests_per_minute, 6000)
})
