import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

import { revokeKey } from '#domain/keys'
import { issueToken } from '#domain/token'
import { suspendWorkspace } from '#domain/workspace-life'

import { Client } from './client.ts'
import { Browser, name as cookieName, signIn, told } from './console.ts'
import { assertTooMany, left, limited, metric, policy } from './limited.ts'
import { sentDuring } from './statements.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const forwarded = (...hops: string[]) => ({ 'x-forwarded-for': hops.join(', ') })

test('limits guessing by address, before the database is asked', async () => {
  const { base, key, fake } = await limited(host, { failures: 5 })
  for (let round = 0; round < 5; round++) {
    const reply = await fake().get('/v1/whoami')
    assert.equal(told(reply), '401 unknown_key')
    assert.equal(policy(reply), '"key";q=5;w=60')
    assert.equal(left(reply), '"key";r=4')
  }
  const unused = await key()
  const sent = await sentDuring(async () => {
    for (const who of [fake(), unused]) assertTooMany(await who.get('/v1/whoami'), 'address')
    assertTooMany(await new Browser(base, '').post('/session', { key: unused.token }), 'address')
  })
  assert.deepEqual(sent, [])
  assert.equal(await metric(base, 'muster_rate_limited_total{limit="address"}'), 3)
  const failed = 'muster_failed_authentications_total'
  assert.equal(await metric(base, `${failed}{problem="unknown_key"}`), 5)
})

test('does not lock out valid keys, sessions or sign-in behind a blocked address', async () => {
  const { base, key, fake } = await limited(host, { failures: 5 })
  const elsewhere = await newWorkspace(host)
  const [one, another] = [await key(), new Client(base, (await elsewhere.issue()).token)]
  const browser = await signIn(base, one.token)
  for (const who of [one, another, browser]) assert.equal(told(await who.get('/v1/whoami')), '200')
  for (let round = 0; round < 5; round++) await fake().get('/v1/whoami')
  assertTooMany(await fake().get('/v1/whoami'), 'address')
  for (const who of [one, another, browser]) assert.equal(told(await who.get('/v1/whoami')), '200')
  assert.equal((await new Browser(base, '').post('/session', { key: one.token })).status, 201)
})

test('limits an ended key by itself, and lets the address be', async () => {
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
      assert.equal(told(reply), problem)
      assert.equal(policy(reply), '"key";q=5;w=60')
      assert.equal(left(reply), `"key";r=${remaining}`)
    }
    const sent = await sentDuring(async () => {
      assertTooMany(await client.get('/v1/whoami'), 'key')
    })
    assert.deepEqual(sent, [])
  }
  assert.equal(told(await (await key()).get('/v1/whoami')), '200')
  assert.equal(await metric(base, 'muster_rate_limited_total{limit="address"}'), 0)
})

test('limits a key that is used from a network it is not bound to only there', async () => {
  const trustedProxies = ['127.0.0.1']
  const { base, home } = await limited(host, { failures: 3 }, { trustedProxies })
  const bound = await home.issue({ allowedCidrs: ['203.0.113.0/24'] })
  const client = new Client(base, bound.token)
  const from = async (address: string) => client.get('/v1/whoami', forwarded(address))
  for (let round = 0; round < 3; round++) {
    assert.equal(told(await from('198.51.100.1')), '403 address_not_allowed')
  }
  assertTooMany(await from('198.51.100.1'), 'key')
  assert.equal(told(await from('203.0.113.1')), '200')
})

test('limits the keys of a suspended workspace by themselves', async () => {
  const { base, home } = await limited(host, { failures: 2 })
  const client = new Client(base, (await home.issue()).token)
  await suspendWorkspace(home.admin)
  for (let round = 0; round < 2; round++) {
    assert.equal(told(await client.get('/v1/whoami')), '403 workspace_suspended')
  }
  assertTooMany(await client.get('/v1/whoami'), 'key')
})

test('refuses a mistyped key or session without counting it or asking the database', async () => {
  const { base, key } = await limited(host, { failures: 2 })
  const { token } = await key()
  const mistyped = `${token?.slice(0, -1)}${token?.endsWith('0') ? '1' : '0'}`
  const sent = await sentDuring(async () => {
    for (let round = 0; round < 10; round++) {
      const reply = await new Client(base, mistyped).get('/v1/whoami')
      assert.equal(told(reply), '401 malformed_key')
      assert.equal(policy(reply), null)
      const browser = new Browser(base, `${cookieName}=x`)
      assert.equal(told(await browser.get('/v1/whoami')), '401 session_ended')
      const signingIn = await browser.post('/session', { key: mistyped })
      assert.equal(told(signingIn), '401 malformed_key')
    }
  })
  assert.deepEqual(sent, [])
  assert.equal(told(await new Client(base, token).get('/v1/whoami')), '200')
  const failed = 'muster_failed_authentications_total'
  assert.equal(await metric(base, `${failed}{problem="malformed_key"}`), 20)
  assert.equal(await metric(base, `${failed}{problem="session_ended"}`), 10)
})

test('counts an unknown credential once a minute for its address', async () => {
  const { fake } = await limited(host, { failures: 3 })
  const deleted = fake()
  for (const remaining of [2, 1, 0]) {
    const reply = await deleted.get('/v1/whoami')
    assert.equal(told(reply), '401 unknown_key')
    assert.equal(left(reply), `"key";r=${remaining}`)
  }
  assertTooMany(await deleted.get('/v1/whoami'), 'key')
  for (let round = 0; round < 2; round++) {
    assert.equal(told(await fake().get('/v1/whoami')), '401 unknown_key')
  }
  assertTooMany(await fake().get('/v1/whoami'), 'address')
})

test('remembers a key that authenticated for five minutes, and forgets one that ended', async () => {
  const { base, home, key, fake } = await limited(host, { failures: 1 })
  const [used, ended] = [await key(), await home.issue()]
  const former = new Client(base, ended.token)
  for (const who of [used, former]) assert.equal(told(await who.get('/v1/whoami')), '200')
  await revokeKey(home.admin, ended.id)
  assert.equal(told(await former.get('/v1/whoami')), '401 key_revoked')
  await fake().get('/v1/whoami')
  assert.equal(told(await used.get('/v1/whoami')), '200')
  const now = performance.now.bind(performance)
  const later = mock.method(performance, 'now', () => now() + 5 * 60_000 + 1)
  try {
    await fake().get('/v1/whoami')
    assertTooMany(await used.get('/v1/whoami'), 'address')
  } finally {
    later.mock.restore()
  }
})

test('counts unknown keys at sign-in as well', async () => {
  const { base, fake } = await limited(host, { failures: 3 })
  const console = new Browser(base, '')
  for (let round = 0; round < 3; round++) {
    assert.equal(told(await console.post('/session', { key: fake().token })), '401 unknown_key')
  }
  assertTooMany(await console.post('/session', { key: fake().token }), 'address')
  assertTooMany(await fake().get('/v1/whoami'), 'address')
})

test('signing out of what is no session counts as well, and is answered as ever', async () => {
  const { base, home, key } = await limited(host, { failures: 2 })
  const browser = await signIn(base, (await key()).token)
  const stranger = () => new Browser(base, `${cookieName}=${issueToken(home.id, 'session').token}`)
  assert.equal((await browser.send('DELETE', '/session')).status, 204)
  const malformed = new Browser(base, `${cookieName}=x`)
  for (const who of [malformed, malformed, browser, stranger()]) {
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
