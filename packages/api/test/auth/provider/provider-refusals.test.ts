import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

import { endRefusalMinute, listen, unlimited } from '#test/support/workspace'

import { ProviderBrowser } from './provider-browser.ts'
import { changeEmail, newPerson, startProviderHost } from './provider-host.ts'

const { host, base, home, plain, manager, newAccount, configure } = await startProviderHost()

/** The reason of the last failure in the audit log. */
async function lastReason(uuid: string): Promise<string | null> {
  await endRefusalMinute(base)
  const { rows } = await host.sql.query(
    `select reason from audit_entries where workspace_id = $1 and type = 'sign_in.failed'
     order by id desc limit 1`,
    [uuid],
  )
  return rows[0]?.reason ?? null
}

/** Each test starts without failures, in another minute. */
async function forgetFailures(): Promise<void> {
  laterMs += 61_000
  await endRefusalMinute(base)
  await host.sql.query(`delete from audit_entries where type = 'sign_in.failed'`)
}

let laterMs = 0
const now = performance.now.bind(performance)
mock.method(performance, 'now', () => now() + laterMs)

const setQuery = (name: string, value: string) => (url: URL) => url.searchParams.set(name, value)

test('refuses alike, whatever the reason is', async (t) => {
  const replies: object[] = []
  const expectRefusal = async (reason: string, attempt: () => Promise<object>) => {
    await forgetFailures()
    const { rows: before } = await host.sql.query('select count(*) from sessions')
    const reply = await attempt()
    const { rows: after } = await host.sql.query('select count(*) from sessions')
    assert.deepEqual(after, before, `${reason}: no session`)
    assert.equal(await lastReason(home.uuid), reason)
    replies.push(reply)
  }
  const browserOf = (account: string) => new ProviderBrowser(base, home.id, account)
  const bound = await newPerson(manager)
  const account = newAccount(bound)
  await browserOf(account).signIn()

  await t.test('an account without a person', () =>
    expectRefusal('no_match', () => browserOf(newAccount({ email: 'x@example.com' })).signIn()),
  )
  await t.test('another subject with the address of a bound person', () =>
    expectRefusal('already_bound', () => browserOf(newAccount(bound)).signIn()),
  )
  await t.test('an address that the provider has not verified', async () => {
    const { email } = await newPerson(manager)
    const unverified = newAccount({ email, email_verified: false })
    await expectRefusal('email_not_verified', () => browserOf(unverified).signIn())
  })
  await t.test('a person without a role', async () => {
    const { email } = await newPerson(manager, {}, null)
    await expectRefusal('no_role', () => browserOf(newAccount({ email })).signIn())
  })
  await t.test('a person whose address a principal with fewer rights changed', async () => {
    const { id } = await newPerson(manager, {}, 'admin')
    const roster = await home.key('personnel.manage')
    await changeEmail(roster, id, 'taken.over@example.com')
    const attacker = newAccount({ email: 'taken.over@example.com' })
    await expectRefusal('identity_not_confirmed', () => browserOf(attacker).signIn())
    const confirmed = await manager.post(`/v1/personnel/${id}/confirm-identity`, undefined)
    assert.equal(confirmed.status, 200, confirmed.text)
    assert.equal((await browserOf(attacker).signIn()).location, '/')
  })
  await t.test('a claim that equals the address only in Unicode lower case', async () => {
    await newPerson(manager, { email: 'kim@kiwi.example' })
    const kelvin = newAccount({ email: '\u212Aim@kiwi.example' })
    await expectRefusal('no_match', () => browserOf(kelvin).signIn())
    await configure(manager, { allowed_domains: ['kiwi.example'] })
    const domain = newAccount({ email: 'kim@\u212Aiwi.example' })
    await expectRefusal('domain_not_allowed', () => browserOf(domain).signIn())
    const ascii = browserOf(newAccount({ email: 'KIM@KIWI.example' }))
    assert.equal((await ascii.signIn()).location, '/')
    await configure(manager)
  })
  await t.test('a suspended person, before and after the binding', async () => {
    const { id, email } = await newPerson(manager)
    const suspended = newAccount({ email })
    await manager.post(`/v1/personnel/${id}/suspend`, {})
    await expectRefusal('person_not_active', () => browserOf(suspended).signIn())
    await manager.post(`/v1/personnel/${id}/resume`, {})
    assert.equal((await browserOf(suspended).signIn()).location, '/')
    await manager.post(`/v1/personnel/${id}/suspend`, {})
    await expectRefusal('person_not_active', () => browserOf(suspended).signIn())
  })
  await t.test('a wrong state, issuer or code, and a refusal of the provider', async () => {
    await expectRefusal('invalid_response', () =>
      browserOf(account).signIn(setQuery('state', 'other')),
    )
    await expectRefusal('invalid_response', () =>
      browserOf(account).signIn(setQuery('iss', 'https://evil.example')),
    )
    await expectRefusal('code_refused', () => browserOf(account).signIn(setQuery('code', 'other')))
    await expectRefusal('provider_refused', () =>
      browserOf(account).signIn(setQuery('error', 'access_denied')),
    )
  })
  await t.test('another nonce or another code challenge than that of the flow', async () => {
    for (const [name, reason] of [
      ['nonce', 'invalid_response'],
      ['code_challenge', 'code_refused'],
    ] as const) {
      await expectRefusal(reason, async () => {
        const browser = browserOf(account)
        const callback = await browser.signInAtProvider(setQuery(name, 'x'.repeat(43)))
        return browser.open(callback.href)
      })
    }
  })
  await t.test('a replayed callback, and one in another browser', async () => {
    const browser = browserOf(account)
    const callback = await browser.signInAtProvider()
    await expectRefusal('unknown_flow', () => browserOf(account).open(callback.href))
    assert.equal((await browser.open(callback.href)).location, '/')
    await expectRefusal('unknown_flow', () => browser.open(callback.href))
  })
  await t.test('a domain that is not allowed, also for a bound person', async () => {
    await configure(manager, { allowed_domains: ['corp.example'] })
    await expectRefusal('domain_not_allowed', () => browserOf(account).signIn())
    await configure(manager)
  })
  await t.test('a provider that changed between start and callback', async () => {
    const browser = browserOf(account)
    const callback = await browser.signInAtProvider()
    await configure(manager, { client_id: 'other' })
    await expectRefusal('unknown_flow', () => browser.open(callback.href))
    await configure(manager)
  })
  await t.test('an expired flow', async () => {
    const browser = browserOf(account)
    const callback = await browser.signInAtProvider()
    await host.sql.query(`update sign_in_flows set expires_at = now()`)
    await expectRefusal('unknown_flow', () => browser.open(callback.href))
  })
  await t.test('a provider that cannot be reached', async () => {
    await configure(manager, { issuer: 'https://127.0.0.1:1' })
    await expectRefusal('provider_unreachable', () => browserOf(account).start())
    await configure(manager, { issuer: 'https://10.0.0.1' })
    await expectRefusal('provider_unreachable', () => browserOf(account).start())
    await configure(manager)
  })
  assert.equal(replies.length, 22)
  for (const reply of replies) assert.deepEqual(reply, replies[0])
})

test('refuses a workspace without a provider like any other', async () => {
  const without = await new ProviderBrowser(base, plain.id, 'x').start()
  const unknown = `wsp_${'0'.repeat(26)}`
  const missing = await new ProviderBrowser(base, unknown, 'x').start()
  const mask = ({ location, ...rest }: typeof missing) => ({
    ...rest,
    location: location.replace(/wsp_\w+/, ''),
  })
  assert.deepEqual(mask(missing), mask(without))
  assert.equal((await fetch(`${base}/sign-in/wsp_bad/oidc/start`)).status, 404)
})

test('limits the starts of sign-ins from one IP address', async () => {
  const limited = await listen(host.url, { rates: { ...unlimited, failures: 1 } })
  const start = async () =>
    (await fetch(`${limited}/sign-in/${plain.id}/oidc/start`, { redirect: 'manual' })).status
  const statuses = []
  for (let tries = 0; tries < 5; tries++) statuses.push(await start())
  assert.deepEqual(statuses, [303, 303, 303, 303, 429])
})
