import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

import { limits } from '@muster/contract'

import { revokeKey } from '#domain/auth/keys'
import { Browser, signIn, outcome } from '#test/auth/browser'
import { Client, type Reply } from '#test/support/client'
import { exampleFor, createFixture } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { sentDuring, untilQuiet } from '#test/support/statements'
import { newWorkspace, startHost } from '#test/support/workspace'

import { assertRateLimited, remainingQuota, limited, metric, policy } from './limited.ts'

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

test('limits requests a minute per key, and returns the remaining quota in every response', async () => {
  const { key } = await limited(host, { key: 3, workspace: 10 })
  const [one, two] = [await key(), await key()]

  const first = await one.get('/v1/whoami')
  assert.equal(policy(first), '"key";q=3;w=60, "workspace";q=10;w=60')
  assert.match(
    first.headers.get('ratelimit') ?? '',
    /^"key";r=2;t=(59|60), "workspace";r=9;t=(59|60)$/,
  )
  assert.equal(remainingQuota(await one.get('/v1/risks')), '"key";r=1, "workspace";r=8')
  const wrong = await one.get('/v1/personnel?nonsense=1')
  assert.equal(outcome(wrong), '400 unknown_parameter')
  assert.equal(remainingQuota(wrong), '"key";r=0, "workspace";r=7')
  assertRateLimited(await one.get('/v1/whoami'), 'key')
  assert.equal(remainingQuota(await two.get('/v1/whoami')), '"key";r=2, "workspace";r=6')
  assert.equal(await metric(one.base, 'muster_http_requests_rate_limited_total{limit="key"}'), 1)
})

test('does not count requests for unknown paths', async () => {
  const { key } = await limited(host, { key: 1 })
  const one = await key()
  assert.equal(outcome(await one.get('/v1/nothing')), '404 route_not_found')
  assert.equal(outcome(await one.send('DELETE', '/v1/risks')), '405 method_not_allowed')
  assert.equal((await one.get('/v1/whoami')).status, 200)
})

test('limits all keys of a workspace together, and not those of another workspace', async () => {
  const { base, key } = await limited(host, { key: 100, workspace: 4 })
  const keys = [await key(), await key(), await key(), await key()]
  for (const each of keys) assert.equal((await each.get('/v1/whoami')).status, 200)
  for (const each of [...keys, await key()]) {
    assertRateLimited(await each.get('/v1/whoami'), 'workspace')
  }
  const elsewhere = await newWorkspace(host)
  const other = new Client(base, (await elsewhere.issue()).token)
  assert.equal(remainingQuota(await other.get('/v1/whoami')), '"key";r=99, "workspace";r=3')
})

test('does not charge the workspace for requests of an exhausted key', async () => {
  const { key } = await limited(host, { key: 2, workspace: 4 })
  const [noisy, quiet] = [await key(), await key()]
  const replies = await Promise.all(Array.from({ length: 20 }, () => noisy.get('/v1/whoami')))
  assert.equal(replies.filter(({ status }) => status === 200).length, 2)
  assert.equal(remainingQuota(await quiet.get('/v1/whoami')), '"key";r=1, "workspace";r=1')
})

test('refuses an exhausted key without a database query, and its revocation shows in the next minute', async () => {
  const { base, home, key } = await limited(host, { key: 1 })
  const issued = await home.issue()
  const [one, other] = [new Client(base, issued.token), await key()]
  const browser = await signIn(base, other.token)
  await one.get('/v1/whoami')
  for (const each of [one, other, browser]) assertRateLimited(await each.get('/v1/whoami'), 'key')
  await untilQuiet()
  const sent = await sentDuring(async () => {
    for (const each of [one, other, browser]) assertRateLimited(await each.get('/v1/whoami'), 'key')
  })
  assert.deepEqual(sent, [])
  await revokeKey(home.admin, issued.id)
  assertRateLimited(await one.get('/v1/whoami'), 'key')
  await aMinuteLater(async () => {
    assert.equal(outcome(await one.get('/v1/whoami')), '401 key_revoked')
  })
})

test('restores the quota after one minute', async () => {
  const { key, fake } = await limited(host, { key: 1, failures: 1 })
  const one = await key()
  assert.equal((await one.get('/v1/whoami')).status, 200)
  assertRateLimited(await one.get('/v1/whoami'), 'key')
  assert.equal(outcome(await fake().get('/v1/whoami')), '401 unknown_key')
  assertRateLimited(await fake().get('/v1/whoami'), 'address')
  await aMinuteLater(async () => {
    assert.equal((await one.get('/v1/whoami')).status, 200)
    assert.equal(outcome(await fake().get('/v1/whoami')), '401 unknown_key')
  })
})

test('keeps the window when the system clock is set', async () => {
  const { key } = await limited(host, { key: 1 })
  const one = await key()
  const hour = 3_600_000
  assert.equal((await one.get('/v1/whoami')).status, 200)
  mock.timers.enable({ apis: ['Date'], now: Date.now() + hour })
  try {
    assertRateLimited(await one.get('/v1/whoami'), 'key')
    mock.timers.setTime(Date.now() - 2 * hour)
    assertRateLimited(await one.get('/v1/whoami'), 'key')
    await aMinuteLater(async () => {
      assert.equal((await one.get('/v1/whoami')).status, 200)
      assertRateLimited(await one.get('/v1/whoami'), 'key')
    })
  } finally {
    mock.timers.reset()
  }
})

test('refunds a conditional request that is answered 304', async () => {
  const { key } = await limited(host, { key: 12, workspace: 17 })
  const one = await key()
  const paths = ['/v1/risks', '/v1/scale', '/v1/issues/summary']
  const tags = []
  for (const path of paths) tags.push((await one.get(path)).headers.get('etag') ?? '')
  for (let round = 0; round < 3; round++) {
    for (const [index, path] of paths.entries()) {
      const unchanged = await one.get(path, { 'if-none-match': tags[index] ?? '' })
      assert.equal(unchanged.status, 304, path)
      assert.equal(remainingQuota(unchanged), '"key";r=9, "workspace";r=14')
    }
  }
  assert.equal(remainingQuota(await one.get('/v1/risks')), '"key";r=8, "workspace";r=13')
})

test('refunds a key as often as it may send requests, then counts each 304', async () => {
  const { key } = await limited(host, { key: 10 })
  const [one, other] = [await key(), await key()]
  const etag = (await one.get('/v1/groups')).headers.get('etag') ?? ''
  const revalidate = (who: Client) => who.get('/v1/groups', { 'if-none-match': etag })
  const replies: Reply[] = []
  for (let sent = 0; sent < 19; sent++) replies.push(await revalidate(one))
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([304]))
  const left = replies.map((each) => Number(/r=(\d+)/.exec(remainingQuota(each) ?? '')?.[1]))
  assert.deepEqual(left, [...Array.from({ length: 10 }, () => 9), 8, 7, 6, 5, 4, 3, 2, 1, 0])
  assertRateLimited(await revalidate(one), 'key')
  assert.match(remainingQuota(await revalidate(other)) ?? '', /^"key";r=10,/)
  await aMinuteLater(async () => {
    assert.match(remainingQuota(await revalidate(one)) ?? '', /^"key";r=10,/)
  })
})

test('refunds a workspace as often as it may send requests, at once and by many keys', async () => {
  const { key } = await limited(host, { key: 100, workspace: 10 })
  const keys = [await key(), await key(), await key(), await key()]
  const etag = (await (await key()).get('/v1/groups')).headers.get('etag') ?? ''
  const statuses: number[] = []
  const poll = async (who: Client) => {
    for (let sent = 0; sent < 10; sent++)
      statuses.push((await who.get('/v1/groups', { 'if-none-match': etag })).status)
  }
  await Promise.all(keys.map(poll))
  // A request in progress counts until its refund, so others can be refused meanwhile.
  const unchanged = statuses.filter((status) => status === 304).length
  assert.ok(unchanged >= 10 && unchanged <= 19, `${unchanged} of 10 + 9`)
  assert.equal(statuses.filter((status) => status === 429).length, 40 - unchanged)
})

test('refunds a 304 only for a named ETag, and only when nothing was read', async () => {
  const { key } = await limited(host, { key: 1000 })
  const one = await key()
  const fixture = await createFixture(one)
  const leftOf = (reply: Reply) => Number(/^"key";r=(\d+)/.exec(remainingQuota(reply) ?? '')?.[1])
  const kinds = { refunded: 0, charged: 0 }
  for (const { name, operation } of keyOperations()) {
    if (operation.method !== 'GET') continue
    const path = fixture.fill(operation.path)
    const first = await one.get(path)
    const etag = first.headers.get('etag')
    if (etag === null) continue
    let named = first
    const sent = await sentDuring(async () => {
      named = await one.get(path, { 'if-none-match': `"other", ${etag}` })
    })
    assert.equal(named.status, 304, name)
    const isRead = sent.some(
      ({ sql }) => !sql.includes('from authenticate_') && !sql.includes('last_used'),
    )
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

test('allows repeated conditional requests with the last request of a minute', async () => {
  const { key } = await limited(host, { key: 6 })
  const one = await key()
  const etag = (await one.get('/v1/groups')).headers.get('etag') ?? ''
  for (let sent = 1; sent < 5; sent++) await one.get('/v1/groups')
  for (let round = 0; round < 5; round++) {
    const { status } = await one.get('/v1/groups', { 'if-none-match': etag })
    assert.equal(status, 304)
  }
  assert.equal((await one.get('/v1/groups')).status, 200)
})

test('counts requests of a console session for its key', async () => {
  const { base, key } = await limited(host, { key: 4 })
  const one = await key()
  assert.match(remainingQuota(await one.get('/v1/whoami')) ?? '', /^"key";r=3,/)
  const browser = await signIn(base, one.token)
  assert.match(remainingQuota(await browser.get('/v1/whoami')) ?? '', /^"key";r=1,/)
  assert.match(remainingQuota(await one.get('/v1/whoami')) ?? '', /^"key";r=0,/)
  assertRateLimited(await browser.get('/v1/whoami'), 'key')
  assertRateLimited(await new Browser(base, '').startSession(one.token), 'key')
})

test('refuses every operation in the same form, before it checks scope and body', async () => {
  const { base, home } = await limited(host, { key: 1 })
  const fixture = await createFixture(await home.manager())
  const scopeless = new Client(base, (await home.issue()).token)
  assert.equal((await scopeless.get('/v1/whoami')).status, 200)
  for (const { name, operation } of keyOperations()) {
    const body = exampleFor(operation, fixture)
    const path = fixture.fill(operation.path)
    const reply = await scopeless.send(operation.method, path, { body })
    assertRateLimited(reply, 'key')
    assert.match(reply.body.detail, /^This key exceeded its limit of 1 requests a minute\./, name)
  }
})

test('does not limit paths that need no key', async () => {
  const { base, key, fake } = await limited(host, { key: 1, workspace: 1, failures: 1 })
  const one = await key()
  await one.get('/v1/whoami')
  await fake().get('/v1/whoami')
  assertRateLimited(await fake().get('/v1/whoami'), 'address')
  const paths = ['/livez', '/readyz', '/docs', '/openapi.json', '/problems', '/about']
  for (const path of paths) {
    const reply = await new Client(base, one.token).get(path)
    assert.equal(reply.status, 200, path)
    assert.equal(policy(reply), null)
  }
})

test('whoami returns the rate limits', async () => {
  const { key } = await limited(host, { key: 41, workspace: 42 })
  const { body } = await (await key()).get('/v1/whoami')
  assert.equal(body.limits.requests_per_minute, 41)
  assert.equal(body.limits.workspace_requests_per_minute, 42)

  const { key: standard } = await limited(host, limits.perMinute)
  const byDefault = await (await standard()).get('/v1/whoami')
  assert.equal(policy(byDefault), '"key";q=6000;w=60, "workspace";q=30000;w=60')
  assert.equal(byDefault.body.limits.requests_per_minute, 6000)
})
