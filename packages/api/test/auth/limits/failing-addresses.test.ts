import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

import { revokeKey } from '#domain/auth/keys'
import { issueToken } from '#domain/auth/token'
import { suspendWorkspace } from '#domain/workspace/workspace-lifecycle'
import { Browser, name as cookieName, signIn, outcome } from '#test/auth/browser'
import { Client } from '#test/support/client'
import { sentDuring, untilQuiet } from '#test/support/statements'
import { newWorkspace, startHost } from '#test/support/workspace'

import { assertRateLimited, remainingQuota, limited, metric, policy } from './limited.ts'

const host = await startHost()
const forwarded = (...hops: string[]) => ({ 'x-forwarded-for': hops.join(', ') })

test('limits failed authentication per IP address, without a database query', async () => {
  const { base, key, fake } = await limited(host, { failures: 5 })
  for (let round = 0; round < 5; round++) {
    const reply = await fake().get('/v1/whoami')
    assert.equal(outcome(reply), '401 unknown_key')
    assert.equal(policy(reply), '"key";q=5;w=60')
    assert.equal(remainingQuota(reply), '"key";r=4')
  }
  const unused = await key()
  // The first refusal of a kind is written to the audit log.
  assertRateLimited(await fake().get('/v1/whoami'), 'address')
  await untilQuiet()
  const sent = await sentDuring(async () => {
    for (const who of [fake(), unused]) assertRateLimited(await who.get('/v1/whoami'), 'address')
    assertRateLimited(await new Browser(base, '').startSession(unused.token), 'address')
  })
  assert.deepEqual(sent, [])
  assert.equal(await metric(base, 'muster_http_requests_rate_limited_total{limit="address"}'), 4)
  const failed = 'muster_authentication_failures_total'
  assert.equal(await metric(base, `${failed}{problem="unknown_key"}`), 5)
})

test('does not lock out valid keys, sessions or sign-in behind a blocked address', async () => {
  const { base, key, fake } = await limited(host, { failures: 5 })
  const elsewhere = await newWorkspace(host)
  const [one, another] = [await key(), new Client(base, (await elsewhere.issue()).token)]
  const browser = await signIn(base, one.token)
  for (const who of [one, another, browser])
    assert.equal(outcome(await who.get('/v1/whoami')), '200')
  for (let round = 0; round < 5; round++) await fake().get('/v1/whoami')
  assertRateLimited(await fake().get('/v1/whoami'), 'address')
  for (const who of [one, another, browser])
    assert.equal(outcome(await who.get('/v1/whoami')), '200')
  assert.equal((await new Browser(base, '').startSession(one.token)).status, 201)
})

test('limits an ended key per key, without blocking its IP address', async () => {
  const { base, home, key } = await limited(host, { failures: 5 })
  const revoked = await home.issue()
  await revokeKey(home.admin, revoked.id)
  const expired = await home.issue({ expiresInHours: -1 })
  const ended = [
    [new Client(base, revoked.token), '401 key_revoked'],
    [new Client(base, expired.token), '401 key_expired'],
  ] as const
  for (const [client, problem] of ended) {
    for (const remaining of [4, 3, 2, 1, 0]) {
      const reply = await client.get('/v1/whoami')
      assert.equal(outcome(reply), problem)
      assert.equal(policy(reply), '"key";q=5;w=60')
      assert.equal(remainingQuota(reply), `"key";r=${remaining}`)
    }
    assertRateLimited(await client.get('/v1/whoami'), 'key')
    await untilQuiet()
    const sent = await sentDuring(async () => {
      assertRateLimited(await client.get('/v1/whoami'), 'key')
    })
    assert.deepEqual(sent, [])
  }
  assert.equal(outcome(await (await key()).get('/v1/whoami')), '200')
  assert.equal(await metric(base, 'muster_http_requests_rate_limited_total{limit="address"}'), 0)
})

test('limits a key outside its allowed networks per IP address', async () => {
  const trustedProxies = ['127.0.0.1']
  const { base, home } = await limited(host, { failures: 3 }, { trustedProxies })
  const bound = await home.issue({ allowedCidrs: ['203.0.113.0/24'] })
  const client = new Client(base, bound.token)
  const from = async (address: string) => client.get('/v1/whoami', forwarded(address))
  for (let round = 0; round < 3; round++) {
    assert.equal(outcome(await from('198.51.100.1')), '403 address_not_allowed')
  }
  assertRateLimited(await from('198.51.100.1'), 'key')
  assert.equal(outcome(await from('203.0.113.1')), '200')
})

test('limits the keys of a suspended workspace per key', async () => {
  const { base, home } = await limited(host, { failures: 2 })
  const client = new Client(base, (await home.issue()).token)
  await suspendWorkspace(home.admin)
  for (let round = 0; round < 2; round++) {
    assert.equal(outcome(await client.get('/v1/whoami')), '403 workspace_suspended')
  }
  assertRateLimited(await client.get('/v1/whoami'), 'key')
})

test('refuses a malformed key or session without counting it and without a database query', async () => {
  const { base, key } = await limited(host, { failures: 2 })
  const { token } = await key()
  const mistyped = `${token?.slice(0, -1)}${token?.endsWith('0') ? '1' : '0'}`
  const sent = await sentDuring(async () => {
    for (let round = 0; round < 10; round++) {
      const reply = await new Client(base, mistyped).get('/v1/whoami')
      assert.equal(outcome(reply), '401 malformed_key')
      assert.equal(policy(reply), null)
      const browser = new Browser(base, `${cookieName}=x`)
      assert.equal(outcome(await browser.get('/v1/whoami')), '401 session_ended')
      const signingIn = await browser.startSession(mistyped)
      assert.equal(outcome(signingIn), '401 malformed_key')
    }
  })
  assert.deepEqual(sent, [])
  assert.equal(outcome(await new Client(base, token).get('/v1/whoami')), '200')
  const failed = 'muster_authentication_failures_total'
  assert.equal(await metric(base, `${failed}{problem="malformed_key"}`), 20)
  assert.equal(await metric(base, `${failed}{problem="session_ended"}`), 10)
})

test('counts an unknown credential once a minute per IP address', async () => {
  const { fake } = await limited(host, { failures: 3 })
  const deleted = fake()
  for (const remaining of [2, 1, 0]) {
    const reply = await deleted.get('/v1/whoami')
    assert.equal(outcome(reply), '401 unknown_key')
    assert.equal(remainingQuota(reply), `"key";r=${remaining}`)
  }
  assertRateLimited(await deleted.get('/v1/whoami'), 'key')
  for (let round = 0; round < 2; round++) {
    assert.equal(outcome(await fake().get('/v1/whoami')), '401 unknown_key')
  }
  assertRateLimited(await fake().get('/v1/whoami'), 'address')
})

test('remembers an authenticated key for five minutes, and forgets one that ended', async () => {
  const { base, home, key, fake } = await limited(host, { failures: 1 })
  const [used, ended] = [await key(), await home.issue()]
  const former = new Client(base, ended.token)
  for (const who of [used, former]) assert.equal(outcome(await who.get('/v1/whoami')), '200')
  await revokeKey(home.admin, ended.id)
  assert.equal(outcome(await former.get('/v1/whoami')), '401 key_revoked')
  await fake().get('/v1/whoami')
  assert.equal(outcome(await used.get('/v1/whoami')), '200')
  const now = performance.now.bind(performance)
  const later = mock.method(performance, 'now', () => now() + 5 * 60_000 + 1)
  try {
    await fake().get('/v1/whoami')
    assertRateLimited(await used.get('/v1/whoami'), 'address')
  } finally {
    later.mock.restore()
  }
})

test('counts unknown keys at sign-in as well', async () => {
  const { base, fake } = await limited(host, { failures: 3 })
  const console = new Browser(base, '')
  for (let round = 0; round < 3; round++) {
    assert.equal(outcome(await console.startSession(fake().token)), '401 unknown_key')
  }
  assertRateLimited(await console.startSession(fake().token), 'address')
  assertRateLimited(await fake().get('/v1/whoami'), 'address')
})

test('counts an unknown session at sign-out, and still answers 204', async () => {
  const { base, home, key } = await limited(host, { failures: 2 })
  const browser = await signIn(base, (await key()).token)
  const unknownSession = () =>
    new Browser(base, `${cookieName}=${issueToken(home.id, 'session').token}`)
  assert.equal((await browser.send('DELETE', '/session')).status, 204)
  const malformed = new Browser(base, `${cookieName}=x`)
  for (const who of [malformed, malformed, browser, unknownSession()]) {
    assert.equal((await who.send('DELETE', '/session')).status, 204)
  }
  assertRateLimited(await unknownSession().send('DELETE', '/session'), 'address')
  await untilQuiet()
  const sent = await sentDuring(async () => {
    assertRateLimited(await unknownSession().send('DELETE', '/session'), 'address')
  })
  assert.deepEqual(sent, [])
})

test('does not count a missing credential or an insufficient scope as a failure', async () => {
  const { base, home } = await limited(host, { failures: 1 })
  const scopeless = new Client(base, (await home.issue()).token)
  for (let round = 0; round < 3; round++) {
    const missing = await new Client(base, null).get('/v1/whoami')
    assert.equal(outcome(missing), '401 missing_credentials')
    assert.equal(policy(missing), null)
    assert.equal(outcome(await scopeless.get('/v1/risks')), '403 insufficient_scope')
  }
})

test('enforces the limit for concurrent failures', async () => {
  const { fake } = await limited(host, { failures: 5 })
  const replies = await Promise.all(Array.from({ length: 40 }, () => fake().get('/v1/whoami')))
  assert.equal(replies.filter(({ status }) => status === 401).length, 5)
  assert.equal(replies.filter(({ status }) => status === 429).length, 35)
})

test('ignores X-Forwarded-For from an untrusted peer', async () => {
  const { fake } = await limited(host, { failures: 3 })
  for (const end of [1, 2, 3]) {
    const reply = await fake().get('/v1/whoami', forwarded(`203.0.113.${end}`))
    assert.equal(outcome(reply), '401 unknown_key')
  }
  assertRateLimited(await fake().get('/v1/whoami', forwarded('203.0.113.4')), 'address')
})

test('takes the IP address from X-Forwarded-For behind a trusted proxy', async () => {
  const trustedProxies = ['127.0.0.0/8', '10.1.0.0/16']
  const { key, fake } = await limited(host, { failures: 2 }, { trustedProxies })
  const attempt = async (...hops: string[]) =>
    outcome(await fake().get('/v1/whoami', forwarded(...hops)))
  const isRefused = async (...hops: string[]) =>
    (await (await key()).get('/v1/whoami', forwarded(...hops))).status === 429

  // Addresses that the client wrote are on the left of those that the proxies added.
  assert.equal(await attempt('198.51.100.1', '203.0.113.7'), '401 unknown_key')
  assert.equal(await attempt('198.51.100.2', '203.0.113.7', '10.1.2.3'), '401 unknown_key')
  assert.equal(await attempt('198.51.100.3', '203.0.113.7'), '429 rate_limited')
  assert.ok(await isRefused('203.0.113.7'))
  assert.ok(!(await isRefused('203.0.113.8')), 'another address is not limited')
  assert.ok(!(await isRefused('198.51.100.1')), 'a forged address is not limited')
  assert.ok(!(await isRefused()), 'the proxy is not limited')
})

test('groups IPv6 addresses by their /64 prefix', async () => {
  const trustedProxies = ['127.0.0.1']
  const { fake } = await limited(host, { failures: 2 }, { trustedProxies })
  const attempt = async (from: string) => outcome(await fake().get('/v1/whoami', forwarded(from)))
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
