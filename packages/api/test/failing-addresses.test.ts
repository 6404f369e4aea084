import assert from 'node:assert/strict'
import { test } from 'node:test'

import { revokeKey } from '#domain/keys'
import { issueToken } from '#domain/token'

import { Client } from './client.ts'
import { Browser, name as cookieName, signIn, told } from './console.ts'
import { assertTooMany, left, limited, metric, policy } from './limited.ts'
import { sentDuring } from './statements.ts'
import { startHost } from './workspace.ts'

const host = await startHost()
const forwarded = (...hops: string[]) => ({ 'x-forwarded-for': hops.join(', ') })

test('an address that fails too often is heard no more, and costs no database', async () => {
  const { base, home, key, fake } = await limited(host, { failures: 5 })
  const good = await key()
  const revoked = await home.issue()
  await revokeKey(home.admin, revoked.id)
  const expired = await home.issue({ expiresInHours: -1 })
  const attempts: [() => Promise<Awaited<ReturnType<Client['get']>>>, string][] = [
    [() => fake().get('/v1/whoami'), '401 unknown_key'],
    [() => new Client(base, 'secret').get('/v1/risks'), '401 malformed_key'],
    [() => new Client(base, revoked.token).get('/v1/whoami'), '401 key_revoked'],
    [() => new Client(base, expired.token).get('/v1/whoami'), '401 key_expired'],
    [() => new Browser(base, `${cookieName}=x`).get('/v1/whoami'), '401 session_ended'],
  ]
  for (const [index, [attempt, expected]] of attempts.entries()) {
    assert.equal((await good.get('/v1/whoami')).status, 200)
    const reply = await attempt()
    assert.equal(told(reply), expected)
    assert.equal(policy(reply), '"address";q=5;w=60')
    assert.equal(left(reply), `"address";r=${4 - index}`)
  }
  const sent = await sentDuring(async () => {
    for (const who of [fake(), good, new Client(base, 'secret')]) {
      assertTooMany(await who.get('/v1/whoami'), 'address')
    }
    assertTooMany(await new Browser(base, '').post('/session', { key: good.token }), 'address')
  })
  assert.deepEqual(sent, [])
  assert.equal(await metric(base, 'muster_rate_limited_total{limit="address"}'), 4)
  const failed = 'muster_failed_authentications_total'
  assert.equal(await metric(base, `${failed}{problem="unknown_key"}`), 1)
  assert.equal(await metric(base, `${failed}{problem="session_ended"}`), 1)
})

test('signing in with keys that are none counts as well', async () => {
  const { base, home, fake } = await limited(host, { failures: 3 })
  const console = new Browser(base, '')
  for (const key of ['x', fake().token, (await home.issue({ expiresInHours: -1 })).token]) {
    assert.match(told(await console.post('/session', { key })), /^401 /)
  }
  assertTooMany(await console.post('/session', { key: 'x' }), 'address')
  assertTooMany(await fake().get('/v1/whoami'), 'address')
})

test('signing out of what is no session counts as well, and is answered as ever', async () => {
  const { base, home, key } = await limited(host, { failures: 2 })
  const browser = await signIn(base, (await key()).token)
  const stranger = () => new Browser(base, `${cookieName}=${issueToken(home.id, 'session').token}`)
  assert.equal((await browser.send('DELETE', '/session')).status, 204)
  for (const who of [browser, stranger()]) {
    assert.equal((await who.send('DELETE', '/session')).status, 204)
  }
  const sent = await sentDuring(async () => {
    assertTooMany(await stranger().send('DELETE', '/session'), 'address')
  })
  assert.deepEqual(sent, [])
})

test('whoever sends no credential, or may not what they ask for, has not failed', async () => {
  const { base, home } = await limited(host, { failures: 1 })
  const scopeless = new Client(base, (await home.issue()).token)
  for (let round = 0; round < 3; round++) {
    const missing = await new Client(base, null).get('/v1/whoami')
    assert.equal(told(missing), '401 missing_credentials')
    assert.equal(policy(missing), null)
    assert.equal(told(await scopeless.get('/v1/risks')), '403 insufficient_scope')
  }
})

test('failures at one moment are not answered beyond the limit', async () => {
  const { fake } = await limited(host, { failures: 5 })
  const replies = await Promise.all(Array.from({ length: 40 }, () => fake().get('/v1/whoami')))
  assert.equal(replies.filter(({ status }) => status === 401).length, 5)
  assert.equal(replies.filter(({ status }) => status === 429).length, 35)
})

test('whoever forges X-Forwarded-For is still whoever they are', async () => {
  const { fake } = await limited(host, { failures: 3 })
  for (const end of [1, 2, 3]) {
    const reply = await fake().get('/v1/whoami', forwarded(`203.0.113.${end}`))
    assert.equal(told(reply), '401 unknown_key')
  }
  assertTooMany(await fake().get('/v1/whoami', forwarded('203.0.113.4')), 'address')
})

test('behind a trusted proxy the address is the one that the proxy saw', async () => {
  const trustedProxies = ['127.0.0.0/8', '10.1.0.0/16']
  const { key, fake } = await limited(host, { failures: 2 }, { trustedProxies })
  const attempt = async (...hops: string[]) =>
    told(await fake().get('/v1/whoami', forwarded(...hops)))
  const isRefused = async (...hops: string[]) =>
    (await (await key()).get('/v1/whoami', forwarded(...hops))).status === 429

  // What the client wrote itself is on the left of what the proxies have added.
  assert.equal(await attempt('198.51.100.1', '203.0.113.7'), '401 unknown_key')
  assert.equal(await attempt('198.51.100.2', '203.0.113.7', '10.1.2.3'), '401 unknown_key')
  assert.equal(await attempt('198.51.100.3', '203.0.113.7'), '429 rate_limited')
  assert.ok(await isRefused('203.0.113.7'))
  assert.ok(!(await isRefused('203.0.113.8')), 'a neighbour is not')
  assert.ok(!(await isRefused('198.51.100.1')), 'nor is whoever was named by forgery')
  assert.ok(!(await isRefused()), 'nor is the proxy')
})

test('an IPv6 address is its 64 leading bits', async () => {
  const trustedProxies = ['127.0.0.1']
  const { fake } = await limited(host, { failures: 2 }, { trustedProxies })
  const attempt = async (from: string) => told(await fake().get('/v1/whoami', forwarded(from)))
  const together = [
    ['2001:db8:0:7::1', '2001:DB8::7:aaaa:bbbb:cccc:dddd', '2001:0db8:0000:0007::9'],
    ['::ffff:203.0.113.9', '203.0.113.9', '::FFFF:203.0.113.9'],
    ['fe80::1', 'fe80:0:0:0:1:2:3:4', 'fe80::2'],
    ['unknown', 'nonsense', 'not an address'],
  ]
  for (const [one = '', two = '', three = ''] of together) {
    assert.equal(await attempt(one), '401 unknown_key', one)
    assert.equal(await attempt(two), '401 unknown_key', two)
    assert.equal(await attempt(three), '429 rate_limited', three)
  }
  assert.equal(await attempt('2001:db8:0:8::1'), '401 unknown_key', 'the next network')
})
