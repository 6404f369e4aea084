import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

import { operations } from '@muster/contract'
import { createCertificate, trustCertificate } from '@muster/testing/certificate'
import { startProvider } from '@muster/testing/provider'

import { clockToleranceSeconds, secondsSinceAuthentication } from '#domain/oidc/auth-time'
import { outcome } from '#test/auth/browser'
import { register } from '#test/auth/passkeys/passkey-steps'
import { addPerson, signInByLink } from '#test/auth/people'
import { ProviderBrowser } from '#test/auth/provider/provider-browser'
import { newPerson, startProviderHost } from '#test/auth/provider/provider-host'
import { Client } from '#test/support/client'
import { endRefusalMinute } from '#test/support/workspace'

const { host, base, home, plain, manager, newAccount, configure } = await startProviderHost()

/** A browser whose account is bound to a new administrator. */
async function newAdministrator() {
  const { email } = await newPerson(manager, {}, 'admin')
  return new ProviderBrowser(base, home.id, newAccount({ email }))
}

/** The outcome of a change that needs a recent sign-in. */
const change = async (browser: ProviderBrowser) =>
  outcome(
    await browser.console.post(operations.personal_keys.create.path, {
      name: 'Script',
      scopes: ['personnel.read'],
    }),
  )

/** Runs work an hour earlier, for the service and the provider. */
async function anHourAgo<T>(work: () => Promise<T>): Promise<T> {
  const now = Date.now.bind(Date)
  const clock = mock.method(Date, 'now', () => now() - 3_600_000)
  try {
    return await work()
  } finally {
    clock.mock.restore()
  }
}

const lastReason = async () => {
  await endRefusalMinute(base)
  const { rows } = await host.sql.query(
    `select reason from audit_entries where workspace_id = $1 and type = 'sign_in.failed'
     order by id desc limit 1`,
    [home.uuid],
  )
  return rows[0]?.reason
}

const refused = `/sign-in/${home.id}?problem=step_up_refused`

test('a step-up asks the provider for a new authentication, and gives a recent session', async () => {
  const browser = await newAdministrator()
  await anHourAgo(() => browser.signIn())
  const { location } = await browser.stepUp((url) => {
    assert.equal(url.searchParams.get('prompt'), 'login')
    assert.equal(url.searchParams.get('max_age'), '0')
  })
  assert.equal(location, '/account')
  assert.equal(await change(browser), '201')
})

test('a plain sign-in does not ask again, and gives no recent session', async () => {
  const browser = await newAdministrator()
  await anHourAgo(() => browser.signIn())
  const { location } = await browser.start()
  for (const name of ['prompt', 'max_age']) assert.ok(!new URL(location).searchParams.has(name))
  assert.equal((await browser.signIn()).location, '/')
  assert.equal(await change(browser), '403 reauthentication_required')
})

test('a session is as old as the authentication at the provider', async () => {
  const browser = await newAdministrator()
  await anHourAgo(() => browser.signIn())
  const callback = await browser.signInAtProvider((url) => url.searchParams.set('max_age', '86400'))
  await browser.open(callback.href)
  const { session } = (await browser.console.get('/v1/whoami')).body
  const minutes = (Date.now() - Date.parse(session.authenticated_at)) / 60_000
  assert.ok(minutes > 59 && minutes < 70, `${minutes} minutes`)
  assert.equal(await change(browser), '403 reauthentication_required')
})

test('a provider without auth_time gives no step-up, and keeps the session', async () => {
  const browser = await newAdministrator()
  await browser.signIn()
  const before = browser.console
  const { location, cookies } = await browser.stepUp((url) => {
    for (const name of ['prompt', 'max_age']) url.searchParams.delete(name)
  })
  assert.equal(location, refused)
  assert.doesNotMatch(cookies.join(), /muster_session/)
  assert.equal(await lastReason(), 'no_auth_time')
  assert.equal((await before.get('/v1/whoami')).status, 200)
  assert.equal(await change(browser), '403 reauthentication_required')
})

test('a provider that does not ask again gives no step-up', async () => {
  await endRefusalMinute(base)
  await host.sql.query(`delete from audit_entries where type = 'sign_in.failed'`)
  const browser = await newAdministrator()
  await anHourAgo(() => browser.signIn())
  const { location } = await browser.stepUp((url) => {
    url.searchParams.delete('prompt')
    url.searchParams.set('max_age', '86400')
  })
  assert.equal(location, refused)
  assert.equal(await lastReason(), 'auth_time_too_old')
})

test('reads the age of an authentication, with a tolerance for the clock of the provider', () => {
  const seconds = (authTime: unknown) => secondsSinceAuthentication(authTime, 1_000_000)
  assert.equal(seconds(400), 600)
  assert.equal(seconds(1000 + clockToleranceSeconds), 0)
  for (const time of [1001 + clockToleranceSeconds, -1, Number.NaN, '400', null, undefined, {}])
    assert.equal(seconds(time), null, JSON.stringify(time))
})

test('another site cannot start a sign-in at the provider', async () => {
  const path = `/sign-in/${home.id}/oidc/start`
  for (const site of ['cross-site', 'same-site']) {
    const headers = { 'sec-fetch-site': site }
    const reply = await fetch(base + path, { headers, redirect: 'manual' })
    assert.equal(reply.status, 303)
    assert.equal(reply.headers.get('location'), `/sign-in/${home.id}`)
    assert.equal(reply.headers.get('set-cookie'), null)
  }
})

test('the test of the settings says when the metadata do not state auth_time', async () => {
  const certificate = createCertificate('IP:127.0.0.1')
  trustCertificate(certificate)
  const metadata = (issuer: string) => ({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  })
  const at = '/.well-known/openid-configuration'
  const start = (extra: object) =>
    startProvider({
      certificate,
      redirectUris: ['https://muster.example/callback'],
      accounts: new Map(),
      replaced: { [at]: (issuer) => ({ ...metadata(issuer), ...extra }) },
    })
  const testSettings = async (client: Client) =>
    (await new Client(base, client.token).post('/v1/workspace/sign-in/test', undefined)).body
  const { is_ok, checks } = await testSettings(manager)
  assert.deepEqual([is_ok, checks.at(-1).advice], [true, null])
  const owner = await plain.manager()
  for (const extra of [
    {},
    { claims_supported: ['sub'] },
    { claims_supported: ['auth_time'], prompt_values_supported: ['none'] },
  ]) {
    await configure(owner, { issuer: await start(extra) })
    const result = await testSettings(owner)
    assert.equal(result.is_ok, true, 'people can sign in')
    assert.match(result.checks.at(-1).advice, /auth_time/)
  }
})

test('names what a person can sign in again with', async () => {
  const view = async (browser: Awaited<ReturnType<typeof signInByLink>>) =>
    (await browser.get('/account/step-up')).body
  const alone = await plain.manager()
  const first = await addPerson(alone, { name: 'First', role: 'admin' })
  const browser = await signInByLink(alone, first)
  const allows_passkeys = true
  const nothing = {
    allows_passkeys,
    has_passkey: false,
    has_account: false,
    has_other_administrator: false,
  }
  assert.deepEqual(await view(browser), nothing)
  await register(browser)
  await addPerson(alone, { name: 'Second', role: 'admin' })
  const more = {
    allows_passkeys,
    has_passkey: true,
    has_account: false,
    has_other_administrator: true,
  }
  assert.deepEqual(await view(browser), more)
  const bound = await newAdministrator()
  await bound.signIn()
  const { has_passkey, has_account } = await view(bound.console)
  assert.deepEqual([has_passkey, has_account], [false, true])
  assert.equal(outcome(await alone.get('/account/step-up')), '404 not_a_person')
  assert.equal(outcome(await home.stranger.get('/account/step-up')), '401 missing_credentials')
})
