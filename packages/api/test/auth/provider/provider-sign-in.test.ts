import assert from 'node:assert/strict'
import { test } from 'node:test'

import { flowMinutes } from '#domain/auth/provider/provider-sign-in'
import { Client } from '#test/support/client'

import { ProviderBrowser } from './provider-browser.ts'
import { changeEmail, newPerson, startProviderHost } from './provider-host.ts'

const place = await startProviderHost()
const { host, base, home, other, manager, accounts, newAccount, configure } = place

test('binds the person at the first sign-in; afterwards issuer and subject decide', async () => {
  const { id, email } = await newPerson(manager)
  const account = newAccount({ email: email.toUpperCase() })
  const first = new ProviderBrowser(base, home.id, account)
  const { status, location } = await first.signIn()
  assert.deepEqual([status, location], [303, '/'])
  assert.equal((await first.console.get('/v1/whoami')).body.person.user_id, id)
  await changeEmail(manager, id, 'changed@example.com')
  accounts.set(account, { email: 'elsewhere@example.com', email_verified: false })
  const second = new ProviderBrowser(base, home.id, account)
  await second.signIn()
  const { person, session } = (await second.console.get('/v1/whoami')).body
  assert.deepEqual([person.user_id, session.method], [id, 'oidc'])
})

test('the test of the provider passes', async () => {
  const { body } = await new Client(base, manager.token).post(
    '/v1/workspace/sign-in/test',
    undefined,
  )
  assert.deepEqual(
    body.checks.map(({ is_ok }: { is_ok: boolean }) => is_ok),
    [true, true, true, true],
  )
  assert.equal(body.is_ok, true)
})

test('checks an issuer before it is set, with the rights to set it', async () => {
  const path = '/v1/workspace/sign-in/check'
  const before = await manager.get('/v1/workspace/sign-in')
  const { issuer } = before.body.provider
  const passed = await new Client(base, manager.token).post(path, { issuer })
  assert.equal(passed.status, 200, passed.text)
  assert.deepEqual(
    passed.body.checks.map(({ is_ok }: { is_ok: boolean }) => is_ok),
    [true, true, true],
  )
  const failed = await new Client(base, manager.token).post(path, { issuer: `${issuer}/none` })
  assert.equal(failed.body.is_ok, false)
  assert.equal(failed.body.checks.length, 1)
  assert.ok(failed.body.checks[0].advice.length > 0)
  assert.deepEqual((await manager.get('/v1/workspace/sign-in')).body, before.body)
  const { token } = await home.issue({ scopes: ['workspace.manage'] })
  const weak = await new Client(base, token).post(path, { issuer })
  assert.equal(`${weak.status} ${weak.body.code}`, '403 beyond_your_rights')
})

test('records the binding and the sign-in in the audit log', async () => {
  const { id, email } = await newPerson(manager)
  await new ProviderBrowser(base, home.id, newAccount({ email })).signIn()
  const { rows } = await host.sql.query(
    `select type, reason, network from audit_entries where workspace_id = $1
     and type in ('identity.bound', 'sign_in.succeeded') order by id desc limit 2`,
    [home.uuid],
  )
  assert.deepEqual(rows, [
    { type: 'sign_in.succeeded', reason: 'oidc', network: '127.0.0.0/24' },
    { type: 'identity.bound', reason: null, network: '127.0.0.0/24' },
  ])
  assert.ok(id)
})

test('matches the claim external_id', async () => {
  const manages = await other.manager()
  await configure(manages, { match: 'external_id' })
  const { id } = await newPerson(manages, { external_id: 'E-1', email: 'other@example.com' })
  const email = { email: 'unrelated@example.com', email_verified: false }
  const browser = new ProviderBrowser(base, other.id, newAccount({ ...email, external_id: 'E-1' }))
  await browser.signIn()
  assert.equal((await browser.console.get('/v1/whoami')).body.person.user_id, id)
  const byEmail = new ProviderBrowser(base, other.id, newAccount({ email: 'other@example.com' }))
  assert.match((await byEmail.signIn()).location, /problem=/)
})

test('gives the role reader at the first sign-in, and not again', async () => {
  const manages = await other.manager()
  await configure(manages, { first_sign_in: 'reader' })
  const { id, email } = await newPerson(manages, {}, null)
  const browser = new ProviderBrowser(base, other.id, newAccount({ email }))
  await browser.signIn()
  assert.deepEqual((await browser.console.get('/v1/whoami')).body.roles, ['reader'])
  const { entries, as_of } = (await manages.get('/v1/access')).body
  const kept = entries.filter((entry: { user_id: string }) => entry.user_id !== id)
  const body = { as_of, entries: kept }
  const removed = await manages.send('PUT', '/v1/access', { body })
  assert.equal(removed.status, 200, removed.text)
  await browser.signIn()
  assert.deepEqual((await browser.console.get('/v1/whoami')).body.roles, [])
})

test('ends the earlier session of the browser, and sets its cookies for this host only', async () => {
  const { email } = await newPerson(manager)
  const browser = new ProviderBrowser(base, home.id, newAccount({ email }))
  const started = await browser.start()
  assert.match(
    started.cookies.join(),
    /^__Host-muster_oidc=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/,
  )
  assert.equal(flowMinutes, 10)
  await browser.signIn()
  const before = browser.console
  const { cookies } = await browser.signIn()
  assert.match(cookies.join(), /__Host-muster_oidc=; .*Max-Age=0/)
  assert.equal((await before.get('/v1/whoami')).status, 401)
  assert.equal((await browser.console.get('/v1/whoami')).status, 200)
  assert.ok(!browser.cookies.has('__Host-muster_oidc'))
})

test('refuses a callback with two cookies of a flow', async () => {
  const { email } = await newPerson(manager)
  const browser = new ProviderBrowser(base, home.id, newAccount({ email }))
  const { href, origin } = await browser.signInAtProvider()
  const cookie = `__Host-muster_oidc=${browser.cookies.get('__Host-muster_oidc')}`
  const headers = { cookie: `${cookie}; ${cookie}` }
  const reply = await fetch(href.replace(origin, base), { headers, redirect: 'manual' })
  assert.equal(reply.status, 400)
  assert.match(await reply.text(), /"ambiguous_credentials"/)
  assert.equal((await browser.open(href)).status, 303, 'the flow can still be finished')
})

test('returns only to paths of this site', async () => {
  const { email } = await newPerson(manager)
  const account = newAccount({ email })
  const paths = {
    '/risks?level=high#top': '/risks?level=high#top',
    '//evil.example': '/',
    '/\\evil.example': '/',
    '\\\\evil.example': '/',
    'https://evil.example/': '/',
    'javascript:alert(1)': '/',
    '/\t/evil.example': '/',
    '/..//evil.example': '/',
    '/.//evil.example': '/',
    'evil.example': '/',
    '': '/',
    [`/${'a'.repeat(2000)}`]: '/',
  }
  for (const [wanted, expected] of Object.entries(paths)) {
    const browser = new ProviderBrowser(base, home.id, account)
    const { location } = await browser.start(wanted)
    const callback = await browser.continueAtProvider(location)
    assert.equal((await browser.open(callback.href)).location, expected, wanted)
  }
})

test('exactly one of two processes accepts a callback', async () => {
  const { email } = await newPerson(manager)
  const browser = new ProviderBrowser(base, home.id, newAccount({ email }))
  const otherProcess = await place.otherProcess()
  const callback = await browser.signInAtProvider()
  const replies = await Promise.all([
    browser.open(callback.href),
    browser.open(callback.href, otherProcess),
  ])
  assert.deepEqual(replies.map(({ location }) => location).toSorted(), [
    '/',
    `/sign-in/${home.id}?problem=sign_in_refused`,
  ])
})
