import assert from 'node:assert/strict'
import { test } from 'node:test'

import { uuidOf } from '#storage/values/id'
import { isStored, outcome } from '#test/auth/browser'
import { signedIn } from '#test/auth/people'
import type { Json } from '#test/support/client'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

import { type Deviation, SoftAuthenticator } from './authenticator.ts'
import { challengeOf, cookieName, personWithPasskey, withCookies } from './passkey-steps.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const other = await listen(host.url)

/** Begins a sign-in and returns the browser that can finish it. */
async function beginSignIn({ base = host.base, workspaceId = home.id, cookie = '' } = {}) {
  const path = `/sign-in/${workspaceId}/passkey`
  const begun = await withCookies(base, cookie).post(`${path}/options`, {})
  assert.equal(begun.status, 200, begun.text)
  return { path, options: begun.body, sender: withCookies(base, cookie, challengeOf(begun)) }
}

test('registers a passkey and signs in with it', async () => {
  const { userId, authenticator, passkey } = await personWithPasskey(manager)
  assert.deepEqual(Object.keys(passkey), ['id', 'name', 'last_used_at', 'created_at'])
  const { path, options, sender } = await beginSignIn()
  assert.equal(options.rpId, 'localhost')
  assert.equal(options.userVerification, 'required')
  const reply = await sender.post(path, { response: authenticator.authenticate(options) })
  const browser = signedIn(host.base, reply)
  const [session = '', cleared] = reply.headers.getSetCookie()
  assert.match(session, /; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Lax$/)
  assert.equal(cleared, `${cookieName}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict`)
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  const whoami = (await browser.get('/v1/whoami')).body
  assert.deepEqual([whoami.person.user_id, whoami.session.method], [userId, 'passkey'])
  const [listed] = (await browser.get('/v1/passkeys')).body.data
  assert.equal(listed.id, passkey.id)
  assert.ok(listed.last_used_at)
  const { rows } = await host.sql.query(
    `select type, subject_id, reason from audit_entries
     where user_id = $1 and (type ~ 'passkey' or reason = 'passkey') order by occurred_at, id`,
    [uuidOf(userId)],
  )
  assert.deepEqual(
    rows.map(({ type, subject_id, reason }) => [type, subject_id, reason]),
    [
      ['passkey.created', passkey.id, null],
      ['sign_in.succeeded', whoami.session.id, 'passkey'],
    ],
  )
})

test('refuses every invalid answer alike', async () => {
  const { authenticator } = await personWithPasskey(manager)
  const elsewhere = await newWorkspace(host)
  const texts = new Set<string>()
  const attempt = async (what: string, send: () => Promise<Json>) => {
    const reply = await send()
    assert.equal(outcome(reply), '401 sign_in_refused', what)
    assert.equal(reply.headers.get('set-cookie'), null)
    texts.add(reply.text.replace(reply.body.request_id, ''))
  }
  const deviations: Record<string, Deviation> = {
    'another origin': { origin: 'http://localhost:8081' },
    'another domain': { rpId: 'example.com' },
    'another challenge': { challenge: 'AAAA' },
    'a registration': { type: 'webauthn.create' },
    'no user verification': { isUserVerified: false },
    'another person': { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' },
  }
  for (const [what, deviation] of Object.entries(deviations)) {
    const { path, options, sender } = await beginSignIn()
    const response = authenticator.authenticate(options, deviation)
    await attempt(what, () => sender.post(path, { response }))
  }
  const { path, options, sender } = await beginSignIn()
  const response = authenticator.authenticate(options)
  await attempt('no cookie', () => withCookies(host.base).post(path, { response }))
  const there = await beginSignIn({ workspaceId: elsewhere.id })
  await attempt('another workspace', () => there.sender.post(there.path, { response }))
  await attempt('a cookie of another workspace', () => there.sender.post(path, { response }))
  const forged = structuredClone(response)
  forged.response.signature = forged.response.signature.replace(/.{4}$/, 'AAAA')
  await attempt('a forged signature', () => sender.post(path, { response: forged }))
  await attempt('a second try', () => sender.post(path, { response }))
  const stranger = await beginSignIn()
  const unknown = new SoftAuthenticator().authenticate(stranger.options)
  await attempt('an unknown passkey', () => stranger.sender.post(path, { response: unknown }))
  const late = await beginSignIn()
  await host.sql.query('update sign_in_flows set expires_at = now()')
  const lateAnswer = authenticator.authenticate(late.options)
  await attempt('an expired challenge', () => late.sender.post(path, { response: lateAnswer }))
  assert.equal(texts.size, 1, 'the responses do not differ')
  const fresh = await beginSignIn()
  const honest = authenticator.authenticate(fresh.options)
  signedIn(host.base, await fresh.sender.post(path, { response: honest }))
})

test('refuses a signature counter that did not grow', async () => {
  const { authenticator } = await personWithPasskey(manager)
  const use = async (counter: number) => {
    const { path, options, sender } = await beginSignIn()
    const response = authenticator.authenticate(options, { counter })
    return outcome(await sender.post(path, { response }))
  }
  const refused = '401 sign_in_refused'
  assert.deepEqual(
    [await use(5), await use(5), await use(4), await use(0), await use(6)],
    ['201', refused, refused, refused, '201'],
  )
})

test('accepts a passkey that does not count', async () => {
  const { authenticator } = await personWithPasskey(manager)
  for (let round = 0; round < 2; round++) {
    const { path, options, sender } = await beginSignIn()
    const response = authenticator.authenticate(options, { counter: 0 })
    assert.equal(outcome(await sender.post(path, { response })), '201')
  }
})

test('of concurrent uses of an answer in two processes, exactly one wins', async () => {
  const { authenticator } = await personWithPasskey(manager)
  for (let round = 0; round < 5; round++) {
    const { path, options, sender } = await beginSignIn()
    const response = authenticator.authenticate(options)
    const bases = [host.base, other, host.base, other]
    const replies = await Promise.all(
      bases.map((base) => withCookies(base, sender.cookie).post(path, { response })),
    )
    const refused = Array.from({ length: 3 }, () => '401 sign_in_refused')
    assert.deepEqual(replies.map(outcome).toSorted(), ['201', ...refused])
  }
})

test('refuses suspended people, and removed passkeys', async () => {
  const { userId, authenticator } = await personWithPasskey(manager)
  const use = async () => {
    const { path, options, sender } = await beginSignIn()
    const reply = await sender.post(path, { response: authenticator.authenticate(options) })
    return { reply, outcome: outcome(reply) }
  }
  await manager.post(`/v1/personnel/${userId}/suspend`, {})
  assert.equal((await use()).outcome, '401 sign_in_refused')
  await manager.post(`/v1/personnel/${userId}/resume`, {})
  const browser = signedIn(host.base, (await use()).reply)
  const [{ id }] = (await browser.get('/v1/passkeys')).body.data
  const removed = await browser.send('DELETE', `/v1/passkeys/${id}`)
  assert.deepEqual([removed.status, removed.body], [200, { data: [] }])
  assert.equal((await use()).outcome, '401 sign_in_refused')
  const { rows } = await host.sql.query(
    `select 1 from audit_entries where type = 'passkey.removed' and subject_id = $1`,
    [id],
  )
  assert.equal(rows.length, 1)
})

test('replaces the session of the browser', async () => {
  const { browser, authenticator } = await personWithPasskey(manager)
  const { path, options, sender } = await beginSignIn({ cookie: browser.cookie })
  const response = authenticator.authenticate(options)
  const next = signedIn(host.base, await sender.post(path, { response }))
  assert.notEqual(next.cookie, browser.cookie)
  assert.equal(await isStored(host.sql, browser), false)
})

test('protects the challenge: cookie flags, CSRF, unknown workspaces, number of starts', async () => {
  const path = `/sign-in/${home.id}/passkey`
  const begun = await withCookies(host.base).post(`${path}/options`, {})
  const [cookie = ''] = begun.headers.getSetCookie()
  assert.match(
    cookie,
    /^__Host-muster_passkey=[\w-]{43}; Path=\/; Max-Age=300; HttpOnly; Secure; SameSite=Strict$/,
  )
  for (const each of [`${path}/options`, path])
    assert.equal(outcome(await home.stranger.post(each, {})), '400 bad_header')
  const nowhere = '/sign-in/wsp_01ktrr9d3hen4v9q9t9m2g8x5c/passkey/options'
  assert.equal(outcome(await withCookies(host.base).post(nowhere, {})), '404 not_found')
  const limited = await listen(host.url, { rates: { key: 1e9, workspace: 1e9, failures: 1 } })
  const sender = withCookies(limited)
  const outcomes = []
  for (let tries = 0; tries < 5; tries++)
    outcomes.push(outcome(await sender.post(`${path}/options`, {})))
  assert.deepEqual(outcomes, ['200', '200', '200', '200', '429 rate_limited'])
})

test('counts refused passkeys against the IP address', async () => {
  const { authenticator } = await personWithPasskey(manager)
  const limited = await listen(host.url, { rates: { key: 1e9, workspace: 1e9, failures: 3 } })
  const attempt = async () => {
    const { path, options, sender } = await beginSignIn()
    const response = authenticator.authenticate(options, { isUserVerified: false })
    return outcome(await withCookies(limited, sender.cookie).post(path, { response }))
  }
  const outcomes = [await attempt(), await attempt(), await attempt(), await attempt()]
  const refused = '401 sign_in_refused'
  assert.deepEqual(outcomes, [refused, refused, refused, '429 rate_limited'])
})

test('stores no challenge cookie, and deletes expired challenges', async () => {
  const { sender } = await beginSignIn()
  const value = sender.cookie.split('=')[1] ?? ''
  const read = () => host.sql.query('select row_to_json(f)::text as text from sign_in_flows f')
  assert.ok(!(await read()).rows.some(({ text }) => text.includes(value)))
  await host.sql.query('update sign_in_flows set expires_at = now()')
  await beginSignIn()
  const kept = await host.sql.query('select 1 from sign_in_flows where workspace_id = $1', [
    home.uuid,
  ])
  assert.equal(kept.rowCount, 1)
})
