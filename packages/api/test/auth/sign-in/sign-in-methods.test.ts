import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scopes, signInMethods, type SignInMethod } from '@muster/contract'

import { uuidOf } from '#storage/values/id'
import { Browser, outcome, signIn } from '#test/auth/browser'
import { SoftAuthenticator } from '#test/auth/passkeys/authenticator'
import { challengeOf, register, withCookies } from '#test/auth/passkeys/passkey-steps'
import { addPerson, newLink, signInByLink } from '#test/auth/people'
import { admin } from '#test/ops/admin'
import type { Client } from '#test/support/client'
import { endRefusalMinute, newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const anonymous = new Browser(host.base, '')

interface Home {
  readonly id: string
  readonly uuid: string
  readonly manager: Client
}

async function newHome(): Promise<Home> {
  const { id, uuid, ...home } = await newWorkspace(host)
  return { id, uuid, manager: await home.manager() }
}

const allow = ({ manager }: Pick<Home, 'manager'>, ...sign_in_methods: SignInMethod[]) =>
  manager.send('PATCH', '/v1/workspace', { body: { policies: { sign_in_methods } } })

/** An administrator with a passkey, so that every policy with passkeys is accepted. */
async function addAdministrator({ manager }: Pick<Home, 'manager'>) {
  const userId = await addPerson(manager, { role: 'admin' })
  const browser = await signInByLink(manager, userId)
  return { userId, browser, ...(await register(browser)) }
}

async function failures({ uuid }: Home): Promise<string[]> {
  await endRefusalMinute(host.base)
  const sql = `select reason from audit_entries
    where workspace_id = $1 and type = 'sign_in.failed' order by occurred_at, id`
  return (await host.sql.query(sql, [uuid])).rows.map(({ reason }) => reason)
}

async function signInWithPasskey({ id }: Home, authenticator: SoftAuthenticator) {
  const begun = await anonymous.post(`/sign-in/${id}/passkey/options`, {})
  const response = authenticator.authenticate(begun.body)
  return withCookies(host.base, challengeOf(begun)).post(`/sign-in/${id}/passkey`, { response })
}

test('allows all ways by default, and stores a choice in one order', async () => {
  const home = await newHome()
  await addAdministrator(home)
  const { body } = await home.manager.get('/v1/workspace')
  assert.deepEqual(body.policies.sign_in_methods, signInMethods)
  const changed = await allow(home, 'link', 'passkey')
  assert.deepEqual(changed.body.policies.sign_in_methods, ['passkey', 'link'])
  const same = await allow(home, 'passkey', 'link')
  assert.equal(same.body.version, changed.body.version)
  const { rows } = await host.sql.query(
    `select actor_type, reason from audit_entries
     where workspace_id = $1 and type = 'workspace.updated'`,
    [home.uuid],
  )
  const reason = 'sign_in_methods passkey+provider+link+key to passkey+link'
  assert.deepEqual(rows, [{ actor_type: 'key', reason }])
})

test('refuses a sign-in with an API key, and no request with one', async () => {
  const home = await newHome()
  await addAdministrator(home)
  const earlier = await signIn(host.base, home.manager.token)
  await allow(home, 'passkey', 'link')
  const refused = await anonymous.startSession(home.manager.token)
  assert.equal(outcome(refused), '403 sign_in_method_not_allowed')
  assert.deepEqual(refused.headers.getSetCookie(), [])
  assert.deepEqual(await failures(home), ['key_not_allowed'])
  assert.equal((await home.manager.get('/v1/personnel')).status, 200)
  assert.equal((await earlier.get('/v1/scale')).status, 200, 'an earlier session stays')
})

test('refuses a sign-in with a passkey', async () => {
  const home = await newHome()
  const { authenticator } = await addAdministrator(home)
  await allow(home, 'link')
  const refused = await signInWithPasskey(home, authenticator)
  assert.equal(outcome(refused), '403 sign_in_method_not_allowed')
  assert.deepEqual(await failures(home), ['passkey_not_allowed'])
  await allow(home, 'passkey')
  assert.equal((await signInWithPasskey(home, authenticator)).status, 201)
})

test('shows on the sign-in page what is allowed', async () => {
  const home = await newHome()
  await addAdministrator(home)
  await allow(home, 'passkey')
  const { body } = await anonymous.get(`/sign-in/${home.id}/methods`)
  assert.deepEqual([body.has_provider, body.allowed_methods], [false, ['passkey']])
})

test('without links, a link adds a passkey and starts no session', async () => {
  const home = await newHome()
  await addAdministrator(home)
  await allow(home, 'passkey')
  const userId = await addPerson(home.manager, { role: 'reader' })
  const { path, token: link } = await newLink(home.manager, userId)
  const refused = await anonymous.post(path, { token: link })
  assert.equal(outcome(refused), '403 sign_in_method_not_allowed')

  const begun = await anonymous.post(`${path}/passkey/options`, { link })
  assert.equal(begun.status, 200, begun.text)
  const authenticator = new SoftAuthenticator()
  const browser = withCookies(host.base, challengeOf(begun))
  const response = authenticator.register(begun.body)
  const made = await browser.post(`${path}/passkey`, { link, name: 'Laptop', response })
  assert.equal(made.status, 201, made.text)
  assert.ok(!made.headers.getSetCookie().some((each) => each.includes('muster_session')))
  const { rows } = await host.sql.query(
    `select type || ' ' || reason as text from audit_entries
     where workspace_id = $1 and user_id = $2 and type = 'passkey.created'`,
    [home.uuid, uuidOf(userId)],
  )
  assert.deepEqual(rows, [{ text: 'passkey.created link' }])

  const again = await anonymous.post(`${path}/passkey/options`, { link })
  assert.equal(outcome(again), '401 sign_in_refused', 'the link is used up')
  assert.equal((await signInWithPasskey(home, authenticator)).status, 201)
})

test('a link adds at most one passkey, and only to its own person', async () => {
  const home = await newHome()
  await addAdministrator(home)
  await allow(home, 'passkey')
  const [one, two] = [await addPerson(home.manager), await addPerson(home.manager)]
  const [mine, theirs] = [await newLink(home.manager, one), await newLink(home.manager, two)]
  const begin = async ({ path, token: link }: typeof mine) => {
    const begun = await anonymous.post(`${path}/passkey/options`, { link })
    const response = new SoftAuthenticator().register(begun.body)
    const browser = withCookies(host.base, challengeOf(begun))
    return (token = link) => browser.post(`${path}/passkey`, { link: token, name: 'A', response })
  }
  const swapped = await (await begin(mine))(theirs.token)
  assert.equal(outcome(swapped), '422 validation_failed', 'the challenge is of another person')
  const finishers = [await begin(mine), await begin(mine), await begin(mine)]
  const replies = await Promise.all(finishers.map((finish) => finish()))
  assert.deepEqual(replies.map(outcome).toSorted(), [
    '201',
    '401 sign_in_refused',
    '401 sign_in_refused',
  ])
  await home.manager.post(`/v1/personnel/${two}/suspend`, {})
  const { path, token: link } = theirs
  const suspended = await anonymous.post(`${path}/passkey/options`, { link })
  assert.equal(outcome(suspended), '401 sign_in_refused')
})

test('refuses an expired link, and one of another workspace', async () => {
  const [home, elsewhere] = [await newHome(), await newHome()]
  const { path, token: link } = await newLink(home.manager, await addPerson(home.manager))
  const there = await anonymous.post(`/sign-in/${elsewhere.id}/link/passkey/options`, { link })
  assert.equal(outcome(there), '401 sign_in_refused')
  await host.sql.query('update sign_in_links set expires_at = now() where workspace_id = $1', [
    home.uuid,
  ])
  const late = await anonymous.post(`${path}/passkey/options`, { link })
  assert.equal(outcome(late), '401 sign_in_refused')
})

test('refuses methods by which no administrator could sign in', async () => {
  const home = await newHome()
  const ada = await addPerson(home.manager, { role: 'admin', email: 'ada@example.com' })
  const refused = '409 no_administrator_sign_in'
  assert.equal(outcome(await allow(home, 'passkey')), refused)
  assert.equal(outcome(await allow(home, 'provider')), refused)
  assert.equal(outcome(await allow(home, 'passkey', 'provider')), refused)
  assert.equal(outcome(await allow(home, 'link')), '200')
  await allow(home, ...signInMethods)

  await register(await signInByLink(home.manager, await addPerson(home.manager)))
  assert.equal(outcome(await allow(home, 'passkey')), refused, 'the passkey of another person')
  await register(await signInByLink(home.manager, ada))
  assert.equal(outcome(await allow(home, 'passkey')), '200')
  await allow(home, 'passkey', 'link')
  await home.manager.post(`/v1/personnel/${ada}/suspend`, {})
  assert.equal(outcome(await allow(home, 'passkey')), refused, 'she is not active')
})

test('a key counts as a method unless it expires within 24 hours', async () => {
  const home = await newHome()
  const setExpiry = (expiry: string) =>
    host.sql.query(`update api_keys set expires_at = ${expiry} where workspace_id = $1`, [
      home.uuid,
    ])
  await setExpiry(`now() + interval '23 hours'`)
  assert.equal(outcome(await allow(home, 'key')), '409 no_administrator_sign_in')
  await setExpiry(`now() + interval '25 hours'`)
  assert.equal(outcome(await allow(home, 'key')), '200')
})

const provider = {
  issuer: 'https://id.example.com',
  client_id: 'muster',
  client_secret: 'a-secret-of-the-client',
  match: 'email',
  allowed_domains: ['example.com'],
  first_sign_in: 'refuse',
}

test('the provider counts if it can find an administrator, and then cannot be removed', async () => {
  const home = await newHome()
  const path = '/v1/workspace/sign-in'
  const set = (changes: object) =>
    home.manager.send('PUT', path, { body: { ...provider, ...changes } })
  await addPerson(home.manager, { role: 'admin', email: 'ada@example.com' })
  await set({ allowed_domains: ['example.org'] })
  assert.equal(outcome(await allow(home, 'provider')), '409 no_administrator_sign_in')
  await set({ match: 'external_id' })
  assert.equal(outcome(await allow(home, 'provider')), '409 no_administrator_sign_in')
  await set({})
  assert.equal(outcome(await allow(home, 'provider')), '200')
  const removed = await home.manager.send('DELETE', path)
  assert.equal(outcome(removed), '409 no_administrator_sign_in')
  assert.equal((await home.manager.get(path)).body.provider.issuer, provider.issuer)
  await allow(home, ...signInMethods)
  assert.equal((await home.manager.send('DELETE', path)).status, 200)
})

test('the operator lets an administrator in although only the provider is allowed', async () => {
  const home = await newHome()
  const email = 'ada@example.com'
  const userId = await addPerson(home.manager, { role: 'admin', email })
  await home.manager.send('PUT', '/v1/workspace/sign-in', { body: provider })
  await allow(home, 'provider')
  const made = await home.manager.post(`/v1/personnel/${userId}/sign-in-links`, {
    purpose: 'sign_in',
  })
  assert.equal(outcome(made), '403 sign_in_method_not_allowed')
  const command = ['sign-in-link', email, '--workspace', home.id]
  const refused = await admin(host.url, ...command)
  assert.deepEqual([refused.code, refused.lines], [1, ['']])
  assert.match(refused.stderr, /--allow-passkeys/)

  const { lines, stderr, code } = await admin(host.url, ...command, '--allow-passkeys')
  assert.equal(code, 0, stderr)
  assert.match(stderr, /only adds a passkey/)
  const { pathname, hash } = new URL(lines.at(-1) ?? '')
  const link = hash.slice(1)
  const begun = await anonymous.post(`${pathname}/link/passkey/options`, { link })
  const authenticator = new SoftAuthenticator()
  const response = authenticator.register(begun.body)
  const browser = withCookies(host.base, challengeOf(begun))
  const body = { link, name: 'Laptop', response }
  assert.equal((await browser.post(`${pathname}/link/passkey`, body)).status, 201)
  assert.equal((await signInWithPasskey(home, authenticator)).status, 201)
  const { policies } = (await home.manager.get('/v1/workspace')).body
  assert.deepEqual(policies.sign_in_methods, ['passkey', 'provider'])
})

test('a weak key does not change the ways to sign in', async () => {
  const workspace = await newWorkspace(host)
  const held = scopes.filter((scope) => scope !== 'workspace.manage')
  const weak = await workspace.key(...held)
  assert.equal(outcome(await allow({ manager: weak }, 'link')), '403 insufficient_scope')
})
