import assert from 'node:assert/strict'
import { test } from 'node:test'

import { uuidOf } from '#storage/values/id'
import { type Browser, outcome } from '#test/auth/browser'
import { challengeOf, register, withCookies } from '#test/auth/passkeys/passkey-steps'
import { addPerson, signedIn, signInByLink, signInPerson } from '#test/auth/people'
import { ProviderBrowser } from '#test/auth/provider/provider-browser'
import { changeEmail, newPerson, startProviderHost } from '#test/auth/provider/provider-host'
import type { Client, Json } from '#test/support/client'
import { connect } from '#test/support/database'
import { newWorkspace } from '#test/support/workspace'

const { host, base, home, other, manager, newAccount, configure } = await startProviderHost()
const look = async (who: Client) => outcome(await who.get('/v1/scale'))
const pathOf = (userId: string) => `/v1/personnel/${userId}/sign-in`

async function entriesOf(userId: string | null, ...types: string[]): Promise<Json[]> {
  const { rows } = await host.sql.query(
    `select type, actor_type, subject_id, reason, count from audit_entries
     where workspace_id = $1 and user_id is not distinct from $2 and type = any ($3)
     order by occurred_at, id`,
    [userId === null ? other.uuid : home.uuid, userId && uuidOf(userId), types],
  )
  return rows
}

/** A person who has signed in at the provider. */
async function bindPerson(role: 'reader' | 'admin' = 'reader') {
  const { id, email } = await newPerson(manager, {}, role)
  const account = newAccount({ email })
  const browser = new ProviderBrowser(base, home.id, account)
  assert.equal((await browser.signIn()).location, '/')
  return { id, account, browser }
}

async function signInWithPasskey({ authenticator }: Awaited<ReturnType<typeof register>>) {
  const path = `/sign-in/${home.id}/passkey`
  const begun = await withCookies(host.base).post(`${path}/options`, {})
  const response = authenticator.authenticate(begun.body)
  const reply = await withCookies(host.base, challengeOf(begun)).post(path, { response })
  return reply.status === 201 ? signedIn(host.base, reply) : outcome(reply)
}

test('shows the account and the passkeys of a person, and nothing secret', async () => {
  const { id, account } = await bindPerson()
  const { passkey } = await register(await signInByLink(manager, id))
  const { body, status } = await manager.get(pathOf(id))
  assert.equal(status, 200)
  const { issuer, subject, created_at, last_used_at } = body.identity
  assert.deepEqual([body.user_id, subject], [id, account])
  assert.match(issuer, /^https:\/\/127\.0\.0\.1/)
  assert.ok(last_used_at >= created_at)
  assert.deepEqual(body.passkeys, [passkey])
  assert.deepEqual(Object.keys(passkey).toSorted(), ['created_at', 'id', 'last_used_at', 'name'])
  const empty = await manager.get(pathOf(await addPerson(manager)))
  assert.deepEqual([empty.body.identity, empty.body.passkeys], [null, []])
})

test('removing an account ends its sessions, and a corrected email keeps it out', async () => {
  const { id, account, browser } = await bindPerson()
  const byLink = await signInByLink(manager, id)
  await changeEmail(manager, id, 'corrected@example.com')
  const again = new ProviderBrowser(base, home.id, account)
  assert.equal((await again.signIn()).location, '/', 'a change of the email ends no binding')

  const removed = await manager.send('DELETE', `${pathOf(id)}/identity`)
  assert.equal(removed.status, 200, removed.text)
  assert.equal(removed.body.identity, null)
  assert.equal(await look(browser.console), '401 session_ended')
  assert.equal(await look(again.console), '401 session_ended')
  assert.equal(await look(byLink), '200')
  assert.match((await again.signIn()).location, /problem=sign_in_refused/)
  assert.deepEqual(await entriesOf(id, 'identity.removed', 'session.ended'), [
    { type: 'identity.removed', actor_type: 'key', subject_id: null, reason: null, count: 1 },
    {
      type: 'session.ended',
      actor_type: 'key',
      subject_id: null,
      reason: 'identity_removed',
      count: 2,
    },
  ])
  assert.equal(outcome(await manager.send('DELETE', `${pathOf(id)}/identity`)), '200')
  assert.equal((await entriesOf(id, 'identity.removed')).length, 1, 'a repeat removes nothing')
})

test('removing a passkey ends the sessions by passkey, and no other passkey', async () => {
  const id = await addPerson(manager, { role: 'reader' })
  const byLink = await signInByLink(manager, id)
  const [foreign, own] = [await register(byLink, 'Foreign'), await register(byLink, 'Own')]
  const intruder = (await signInWithPasskey(foreign)) as Browser
  assert.equal(await look(intruder), '200')
  const removed = await manager.send('DELETE', `${pathOf(id)}/passkeys/${foreign.passkey.id}`)
  assert.deepEqual(
    removed.body.passkeys.map(({ name }: Json) => name),
    ['Own'],
  )
  assert.deepEqual([await look(intruder), await look(byLink)], ['401 session_ended', '200'])
  assert.equal(await signInWithPasskey(foreign), '401 sign_in_refused')
  assert.notEqual(typeof (await signInWithPasskey(own)), 'string')
  const entries = await entriesOf(id, 'passkey.removed', 'session.ended')
  assert.deepEqual(
    entries.map(({ type, subject_id, reason, count }) => [type, subject_id, reason, count]),
    [
      ['passkey.removed', foreign.passkey.id, null, 1],
      ['session.ended', null, 'passkey_removed', 1],
    ],
  )
  const path = `${pathOf(await addPerson(manager))}/passkeys/${own.passkey.id}`
  assert.equal(outcome(await manager.send('DELETE', path)), '404 not_found')
})

test('needs workspace.manage, the rights of the person, and a recent sign-in', async () => {
  const { id, browser } = await bindPerson('admin')
  const weak = await home.key('workspace.manage')
  const paths = [
    `${pathOf(id)}/identity`,
    `${pathOf(id)}/passkeys/${(await register(await signInByLink(manager, id))).passkey.id}`,
  ]
  const old = await signInPerson(host, home, await addPerson(manager, { role: 'admin' }))
  const { id: session } = (await old.get('/v1/whoami')).body.session
  await host.sql.query(
    `update sessions set authenticated_at = now() - interval '11 minutes' where id = $1`,
    [uuidOf(session)],
  )
  for (const path of paths) {
    const reply = await weak.send('DELETE', path)
    assert.equal(outcome(reply), '403 beyond_your_rights')
    assert.equal(outcome(await old.send('DELETE', path)), '403 reauthentication_required')
  }
  assert.equal((await old.get(pathOf(id))).status, 200)
  const outsider = await home.key('personnel.manage', 'keys.manage', 'projects.manage')
  assert.equal(outcome(await outsider.get(pathOf(id))), '403 insufficient_scope')
  assert.equal(await look(browser.console), '200')
  const elsewhere = await (await newWorkspace(host)).manager()
  assert.equal(outcome(await elsewhere.get(pathOf(id))), '404 not_found')
  assert.equal(outcome(await elsewhere.send('DELETE', paths[0] ?? '')), '404 not_found')
})

test('a sign-in that is in progress is ended by the removal, or refused after it', async () => {
  const { id, account } = await bindPerson()
  await using sql = await connecting()
  await sql.query('begin')
  await sql.query('select from people where id = $1 for update', [uuidOf(id)])
  const removing = manager.send('DELETE', `${pathOf(id)}/identity`)
  await sql.query(
    `insert into sessions (workspace_id, hash, id, user_id, method, authenticated_at, created_at,
       expires_at)
     values ($1, sha256('late'), gen_random_uuid(), $2, 'oidc', now(), now(),
       now() + interval '1 day')`,
    [home.uuid, uuidOf(id)],
  )
  await sql.query('commit')
  assert.equal((await removing).status, 200)
  const { data } = (await manager.get(`/v1/personnel/${id}/sessions`)).body
  assert.deepEqual(data, [])

  await new ProviderBrowser(base, home.id, account).signIn()
  await sql.query('begin')
  await sql.query('select from people where id = $1 for update', [uuidOf(id)])
  const late = new ProviderBrowser(base, home.id, account)
  const signingIn = late.signIn()
  await untilBlocked(sql)
  await sql.query('delete from identities where user_id = $1', [uuidOf(id)])
  await sql.query('commit')
  assert.match((await signingIn).location, /problem=sign_in_refused/)
})

test('replacing and removing the provider end all its sessions, with one entry', async (t) => {
  const chief = await other.manager()
  const byLink = await signInByLink(chief, await addPerson(chief, { role: 'reader' }))
  const begin = async () => {
    await configure(chief)
    const { email } = await newPerson(chief)
    const browser = new ProviderBrowser(base, other.id, newAccount({ email }))
    assert.equal((await browser.signIn()).location, '/')
    return browser.console
  }
  const first = await begin()
  await configure(chief, { allowed_domains: ['example.com'] })
  assert.equal(await look(first), '200', 'another change of the settings ends nothing')
  await host.sql.query(
    `insert into sessions (workspace_id, hash, id, user_id, method, authenticated_at, created_at,
       expires_at)
     select $1, sha256(n::text::bytea), gen_random_uuid(), user_id, 'oidc', now(), now(),
       now() + interval '1 day'
     from identities, generate_series(1, 10000) as n where workspace_id = $1`,
    [other.uuid],
  )
  const began = performance.now()
  await configure(chief, { issuer: 'https://other.example.com' })
  t.diagnostic(`10 001 sessions ended in ${Math.round(performance.now() - began)} ms`)
  assert.equal(await look(first), '401 session_ended')

  const second = await begin()
  const removed = await chief.send('DELETE', '/v1/workspace/sign-in')
  assert.equal(removed.status, 200, removed.text)
  assert.deepEqual([await look(second), await look(byLink)], ['401 session_ended', '200'])
  const entries = await entriesOf(null, 'session.ended')
  assert.deepEqual(
    entries.map(({ reason, count }) => [reason, count]),
    [
      ['provider_replaced', 10_001],
      ['provider_removed', 1],
    ],
  )
})

test('refuses a sign-in at a provider that is not allowed, and says so', async () => {
  const chief = await other.manager()
  await configure(chief)
  const { email } = await newPerson(chief, {}, 'admin')
  const browser = () => new ProviderBrowser(base, other.id, account)
  const account = newAccount({ email })
  const open = browser()
  const callback = await open.signInAtProvider()
  const allow = async (...sign_in_methods: string[]) => {
    const body = { policies: { sign_in_methods } }
    assert.equal(outcome(await chief.send('PATCH', '/v1/workspace', { body })), '200')
  }
  await allow('link')
  const expected = `/sign-in/${other.id}?problem=sign_in_method_not_allowed`
  assert.equal((await open.open(callback.href)).location, expected)
  const { status, location } = await browser().start()
  assert.deepEqual([status, location], [303, expected])
  const { rows } = await host.sql.query(
    `select distinct reason from audit_entries
     where workspace_id = $1 and type = 'sign_in.failed'`,
    [other.uuid],
  )
  assert.deepEqual(rows, [{ reason: 'provider_not_allowed' }])
  await allow('provider', 'link')
  assert.equal((await browser().signIn()).location, '/')
})

async function connecting() {
  const client = await connect(host.url)
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

/** Waits until a request waits for the lock of this connection. */
async function untilBlocked(sql: Awaited<ReturnType<typeof connecting>>): Promise<void> {
  const { rows: own } = await sql.query('select pg_backend_pid() as pid')
  for (let tries = 0; tries < 1000; tries++) {
    const { rows } = await host.sql.query(
      `select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))`,
      [own[0].pid],
    )
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('no request waits for the lock')
}
