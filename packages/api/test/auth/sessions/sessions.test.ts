import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { limits, scopes } from '@muster/contract'

import { revokeKey } from '#domain/auth/keys'
import { issueToken } from '#domain/auth/token'
import { encodeId } from '#storage/values/id'
import { Browser, fromConsole, isStored, name, signIn, outcome, tokenOf } from '#test/auth/browser'
import { Client } from '#test/support/client'
import { sendHeaders } from '#test/support/raw'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const { id: keyId, token: key } = await home.issue({ scopes })

const attributes = 'Path=/; Max-Age=604800; HttpOnly; Secure; SameSite=Lax'
const anonymous = new Browser(host.base, '')
const look = async (who: Client) => outcome(await who.get('/v1/scale'))

/** The sessions of the workspace, oldest first. */
async function stored() {
  const { rows } = await host.sql.query(
    'select * from sessions where workspace_id = $1 order by created_at',
    [home.uuid],
  )
  return rows
}

test('exchanges a key for a cookie that scripts and other sites cannot use', async () => {
  const { status, headers, body, text } = await anonymous.startSession(key)
  assert.equal(status, 201, text)
  assert.deepEqual(headers.getSetCookie().length, 1)
  const [pair = '', ...rest] = headers.getSetCookie()[0]?.split('; ') ?? []
  assert.equal(rest.join('; '), attributes)
  const [first, token = ''] = pair.split('=')
  assert.equal(first, name)
  assert.match(token, /^muster_session_[0-7][0-9a-hjkmnp-tv-z]{25}_[0-9A-Za-z]{38}$/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('content-type'), 'application/json')
  assert.deepEqual(Object.keys(body), ['expires_at'])
  const row = (await stored()).at(-1)
  assert.equal(row.expires_at.toISOString(), body.expires_at)
  assert.equal(row.expires_at - row.created_at, limits.sessionDays * 86_400_000)
  assert.ok(Math.abs(row.created_at - Date.now()) < 5000)
  assert.equal(encodeId('key', row.key_id), keyId)
})

test('acts as its key: identity, stored responses and last use', async () => {
  const { id, token } = await home.issue({ scopes })
  const [client, browser] = [new Client(host.base, token), await signIn(host.base, token)]
  await sleep(200)
  const [inSession, byKey] = [await browser.get('/v1/whoami'), await client.get('/v1/whoami')]
  assert.equal(inSession.body.session.method, 'key')
  assert.deepEqual({ ...inSession.body, session: null }, byKey.body)
  assert.ok((await browser.get('/v1/whoami')).body.key.last_used_at)

  const headers = { 'idempotency-key': 'once' }
  const made = await client.post('/v1/personnel', { name: 'Ada' }, headers)
  const again = await browser.post('/v1/personnel', { name: 'Ada' }, headers)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.text, made.text)
  const own = await browser.post('/v1/personnel', { name: 'Bo' })
  const { body } = await client.get(`/v1/personnel/${own.body.id}/history`)
  assert.deepEqual(body.data[0].actor, { type: 'key', id, user_id: null, name: null })
})

test('signs in and out without a sequence number or an event', async () => {
  const count = `select seq, (select count(*) from events e where e.workspace_id = c.workspace_id)
    from workspace_counters c where workspace_id = $1`
  const before = await host.sql.query(count, [home.uuid])
  await (await signIn(host.base, key)).send('DELETE', '/session')
  assert.deepEqual((await host.sql.query(count, [home.uuid])).rows, before.rows)
})

test('checks a key at sign-in like everywhere else', async () => {
  const expired = await home.issue({ scopes, expiresInHours: -1 })
  const revoked = await home.issue({ scopes })
  await revokeKey(home.admin, revoked.id)
  const refused: [string, string][] = [
    [key.slice(0, -1), 'malformed_key'],
    [tokenOf(await signIn(host.base, key)), 'malformed_key'],
    [issueToken(home.id).token, 'unknown_key'],
    [expired.token, 'key_expired'],
    [revoked.token, 'key_revoked'],
  ]
  for (const [sent, code] of refused) {
    const reply = await anonymous.startSession(sent)
    assert.equal(outcome(reply), `401 ${code}`)
    assert.equal(reply.headers.get('set-cookie'), null)
    assert.equal(reply.headers.get('cache-control'), 'no-store')
  }
})

test('checks sign-in requests like every other request', async () => {
  const authorization = `Bearer ${key}`
  const signed = { headers: { authorization } }
  const csv = { headers: { authorization, accept: 'text/csv' } }
  const basic = { headers: { authorization: `Basic ${key}` } }
  const refused: [Parameters<Client['send']>, string][] = [
    [['POST', '/session'], '401 missing_credentials'],
    [['POST', '/session', basic], '401 missing_credentials'],
    [['POST', '/session', { body: { key } }], '422 validation_failed'],
    [['POST', '/session', { ...signed, body: { key } }], '422 validation_failed'],
    [['POST', '/session', { ...signed, body: 'x'.repeat(70_000) }], '413 body_too_large'],
    [['POST', '/session', csv], '406 not_acceptable'],
    [['POST', '/session?next=/', signed], '400 unknown_parameter'],
    [['POST', `/session?key=${key}`, signed], '400 key_in_url'],
    [['DELETE', '/session?all=1'], '400 unknown_parameter'],
    [['DELETE', `/session?key=${key}`], '400 key_in_url'],
    [['GET', '/session'], '404 route_not_found'],
  ]
  for (const [request, expected] of refused) {
    const reply = await anonymous.send(...request)
    assert.equal(outcome(reply), expected, `${request[0]} ${request[1]}`)
    assert.equal(reply.headers.get('set-cookie'), null)
    assert.ok(!reply.text.includes(key))
  }
})

for (const [what, headers] of [
  ['no Sec-Fetch-Site', { 'muster-console': '1' }],
  ['no Muster-Console', { 'sec-fetch-site': 'same-origin' }],
  ['another site', { 'muster-console': '1', 'sec-fetch-site': 'cross-site' }],
  ['another origin of the site', { 'muster-console': '1', 'sec-fetch-site': 'same-site' }],
  ['no initiator', { 'muster-console': '1', 'sec-fetch-site': 'none' }],
  ['another Muster-Console value', { 'muster-console': '2', 'sec-fetch-site': 'same-origin' }],
] as const) {
  test(`refuses to sign in or out with ${what}, and ignores the cookie`, async () => {
    const browser = await signIn(host.base, key)
    const { cookie } = browser
    const all = { ...headers, cookie }
    const before = await stored()
    const asKey = { ...all, authorization: `Bearer ${key}` }
    const started = await home.stranger.send('POST', '/session', { headers: asKey })
    const ended = await home.stranger.send('DELETE', '/session', { headers: all })
    for (const reply of [started, ended]) {
      assert.equal(outcome(reply), '400 bad_header')
      assert.match(reply.body.detail, /`Sec-Fetch-Site: same-origin` and `Muster-Console: 1`/)
      assert.equal(reply.headers.get('set-cookie'), null)
    }
    assert.deepEqual(await stored(), before)
    assert.equal(outcome(await home.stranger.get('/v1/scale', all)), '401 missing_credentials')
    const authorization = `Bearer ${key}`
    assert.equal(outcome(await home.stranger.get('/v1/scale', { ...all, authorization })), '200')
    assert.equal(await look(browser), '200')
  })
}

test('signs out, and clears the cookie even when there is no session', async () => {
  const [browser, other] = [await signIn(host.base, key), await signIn(host.base, key)]
  const gone = new Browser(host.base, `${name}=${issueToken(home.id, 'session').token}`)
  const malformed = new Browser(host.base, `${name}=odd`)
  for (const each of [browser, browser, anonymous, gone, malformed]) {
    const reply = await each.send('DELETE', '/session')
    assert.equal(outcome(reply), '204')
    assert.equal(reply.text, '')
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    const cleared = `${name}=; ${attributes.replace('604800', '0')}`
    assert.deepEqual(reply.headers.getSetCookie(), [cleared])
  }
  assert.equal(await isStored(host.sql, browser), false)
  assert.equal(await look(browser), '401 session_ended')
  assert.equal(await look(other), '200')
})

test('ends the previous session of the browser at a new sign-in', async () => {
  const elsewhere = await newWorkspace(host)
  const there = await elsewhere.issue({ scopes })
  const first = await signIn(host.base, key)
  const second = await signIn(host.base, there.token, first.cookie)
  assert.equal(await isStored(host.sql, first), false)
  assert.equal((await second.get('/v1/whoami')).body.workspace.id, elsewhere.id)
  const failed = await second.startSession(issueToken(home.id).token)
  assert.equal(outcome(failed), '401 unknown_key')
  assert.equal(await look(second), '200', 'a failed sign-in keeps the session')
  const third = await signIn(host.base, key, `theme=dark; ${second.cookie}; x=${name}=y`)
  assert.equal(await isStored(host.sql, second), false)
  assert.equal((await third.get('/v1/whoami')).body.workspace.id, home.id)
})

test('reads the cookie by its exact name, and only once', async () => {
  const { cookie } = await signIn(host.base, key)
  const ask = (sent: string) => look(new Browser(host.base, sent))
  assert.equal(await ask(`a=1; ${cookie};b=2`), '200')
  assert.equal(await ask(`a=1;${cookie}`), '200')
  assert.equal(await ask(`x${cookie}`), '401 missing_credentials')
  assert.equal(await ask(cookie.toLowerCase()), '401 missing_credentials')
  assert.equal(await ask(`${name}=`), '401 session_ended')
  assert.equal(await ask(`${cookie}; ${cookie}`), '400 ambiguous_credentials')
  assert.equal(await ask(`${name}=; ${cookie}`), '400 ambiguous_credentials')
  const headers = [...Object.entries(fromConsole).flat(), 'cookie', cookie, 'cookie', cookie]
  const url = new URL('/v1/scale', host.base)
  assert.equal(
    outcome(await sendHeaders(url, { method: 'GET', headers })),
    '400 ambiguous_credentials',
  )
  const again = new Browser(host.base, `${cookie}; ${cookie}`)
  for (const reply of [await again.startSession(key), await again.send('DELETE', '/session')])
    assert.equal(outcome(reply), '400 ambiguous_credentials')
  assert.equal(await ask(cookie), '200')
})

test('refuses a session as a key, and a key as a session', async () => {
  const browser = await signIn(host.base, key)
  assert.equal(await look(new Client(host.base, tokenOf(browser))), '401 malformed_key')
  assert.equal(await look(new Browser(host.base, `${name}=${key}`)), '401 session_ended')
})
