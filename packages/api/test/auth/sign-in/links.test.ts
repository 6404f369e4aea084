import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits, scopes } from '@muster/contract'

import { issueToken, readToken } from '#domain/auth/token'
import { resumeWorkspace, suspendWorkspace } from '#domain/workspace/workspace-lifecycle'
import { uuidOf } from '#storage/values/id'
import { Browser, isStored, name, outcome } from '#test/auth/browser'
import { addPerson, newLink, signedIn, signInByLink } from '#test/auth/people'
import { admin } from '#test/ops/admin'
import { endRefusalMinute, listen, newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const anonymous = new Browser(host.base, '')
const other = await listen(host.url)

async function auditTypes(userId: string): Promise<string[]> {
  const { rows } = await host.sql.query(
    `select type || coalesce(' ' || reason, '') as text from audit_entries
     where user_id = $1 order by occurred_at, id`,
    [uuidOf(userId)],
  )
  return rows.map(({ text }) => text)
}

test('a link signs its person in once, with a cookie that scripts cannot read', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const { path, token, body } = await newLink(manager, userId)
  assert.equal(body.url, `http://localhost:8080/sign-in/${home.id}#${token}`)
  assert.deepEqual(Object.keys(body).toSorted(), ['expires_at', 'purpose', 'url', 'user_id'])
  const minutes = (Date.parse(body.expires_at) - Date.now()) / 60_000
  assert.ok(Math.abs(minutes - limits.linkMinutes.sign_in) < 1)
  const reply = await anonymous.post(path, { token })
  assert.equal(reply.status, 201, reply.text)
  assert.deepEqual(Object.keys(reply.body), ['expires_at'])
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  const [cookie = ''] = reply.headers.getSetCookie()
  assert.match(
    cookie,
    /^__Host-muster_session=muster_session_\w+; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Lax$/,
  )
  const browser = signedIn(host.base, reply)
  const { principal, session } = (await browser.get('/v1/whoami')).body
  assert.deepEqual(principal, { type: 'person', id: userId, user_id: userId })
  assert.equal(session.method, 'link')
  const again = await anonymous.post(path, { token })
  assert.equal(outcome(again), '401 sign_in_refused')
  assert.equal(again.headers.get('set-cookie'), null)
  assert.equal(again.headers.get('cache-control'), 'no-store')
  assert.deepEqual(await auditTypes(userId), [
    'access.updated none to reader',
    'link.created sign_in',
    'sign_in.succeeded link',
  ])
})

test('a preview names workspace and person, and does not use the link up', async () => {
  for (const purpose of ['sign_in', 'invitation']) {
    const userId = await addPerson(manager, { name: 'Ada Lovelace', role: 'reader' })
    const { path, token } = await newLink(manager, userId, purpose)
    for (let round = 0; round < 3; round++) {
      const { status, body, headers } = await anonymous.post(`${path}/preview`, { token })
      assert.equal(status, 200)
      const { name: workspace } = (await manager.get('/v1/workspace')).body
      assert.deepEqual(body, { workspace: { name: workspace }, person: { name: 'Ada Lovelace' } })
      assert.equal(headers.get('set-cookie'), null)
      assert.equal(headers.get('cache-control'), 'no-store')
    }
    signedIn(host.base, await anonymous.post(path, { token }))
    const used = await anonymous.post(`${path}/preview`, { token })
    assert.equal(outcome(used), '401 sign_in_refused')
  }
})

test('of concurrent uses of a link in two processes, exactly one wins', async () => {
  for (let round = 0; round < 10; round++) {
    const userId = await addPerson(manager, {})
    const { path, token } = await newLink(manager, userId)
    const bases = [host.base, other, host.base, other, host.base, other]
    const replies = await Promise.all(
      bases.map((base) => new Browser(base, '').post(path, { token })),
    )
    const outcomes = replies.map(outcome).toSorted()
    assert.deepEqual(outcomes, ['201', ...Array.from({ length: 5 }, () => '401 sign_in_refused')])
  }
})

test('refuses every invalid link alike', async () => {
  const elsewhere = await newWorkspace(host)
  const userId = await addPerson(manager, {})
  const expired = await newLink(manager, userId)
  await host.sql.query('update sign_in_links set expires_at = now() where hash = $1', [
    readToken(expired.token, 'link')?.hash,
  ])
  const suspended = await addPerson(manager, {})
  const ofSuspended = await newLink(manager, suspended)
  await manager.post(`/v1/personnel/${suspended}/suspend`, {})
  const replaced = await newLink(manager, await addPerson(manager, {}))
  await newLink(manager, replaced.body.user_id)
  const valid = await newLink(manager, await addPerson(manager, {}))
  const unknown = issueToken('wsp_01ktrr9d3hen4v9q9t9m2g8x5c', 'link').token
  const refused: Record<string, [string, string]> = {
    expired: [expired.path, expired.token],
    'of a suspended person': [ofSuspended.path, ofSuspended.token],
    replaced: [replaced.path, replaced.token],
    'never issued': [valid.path, issueToken(home.id, 'link').token],
    'of another workspace': [`/sign-in/${elsewhere.id}/link`, valid.token],
    'moved to another workspace': [
      `/sign-in/${elsewhere.id}/link`,
      valid.token.replace(home.id.slice(4), elsewhere.id.slice(4)),
    ],
    'of no workspace': ['/sign-in/wsp_01ktrr9d3hen4v9q9t9m2g8x5c/link', unknown],
    mistyped: [valid.path, `${valid.token.slice(0, -1)}!`],
    'a key': [valid.path, (await home.issue({ scopes })).token],
    empty: [valid.path, ''],
  }
  const texts = new Set<string>()
  for (const [what, [path, token]] of Object.entries(refused)) {
    const reply = await anonymous.post(path, { token })
    assert.equal(outcome(reply), '401 sign_in_refused', what)
    assert.equal(reply.headers.get('set-cookie'), null)
    texts.add(reply.text.replace(reply.body.request_id, ''))
    const preview = await anonymous.post(`${path}/preview`, { token })
    assert.equal(outcome(preview), '401 sign_in_refused', `preview ${what}`)
    const { request_id } = preview.body
    texts.add(preview.text.replace(request_id, '').replace('/link/preview', '/link'))
  }
  assert.equal(texts.size, 1, 'the responses do not differ')
  await endRefusalMinute(host.base)
  const { rows } = await host.sql.query(
    `select coalesce(sum(count), 0)::int as count from audit_entries
     where workspace_id = $1 and type = 'sign_in.failed' and reason = 'link_refused'`,
    [home.uuid],
  )
  assert.ok(rows[0].count >= 7, 'the audit log counts the failures')
  signedIn(host.base, await anonymous.post(valid.path, { token: valid.token }))
})

test('replaces the session of the browser, and keeps it after a refusal', async () => {
  const first = await signInByLink(manager, await addPerson(manager, { role: 'reader' }))
  const { path, token } = await newLink(manager, await addPerson(manager, { role: 'reader' }))
  assert.equal(outcome(await first.post(path, { token: `${token}x` })), '401 sign_in_refused')
  assert.equal(await isStored(host.sql, first), true)
  const second = signedIn(host.base, await first.post(path, { token }))
  assert.notEqual(second.cookie, first.cookie)
  assert.equal(await isStored(host.sql, first), false)
  assert.equal(outcome(await first.get('/v1/scale')), '401 session_ended')
  assert.equal(outcome(await second.get('/v1/scale')), '200')
  const planted = new Browser(host.base, `${name}=${issueToken(home.id, 'session').token}`)
  const third = await newLink(manager, await addPerson(manager, { role: 'reader' }))
  const safe = signedIn(host.base, await planted.post(third.path, { token: third.token }))
  assert.notEqual(safe.cookie, planted.cookie)
  assert.equal(outcome(await planted.get('/v1/scale')), '401 session_ended')
})

for (const [what, headers] of [
  ['no Sec-Fetch-Site', { 'muster-console': '1' }],
  ['no Muster-Console', { 'sec-fetch-site': 'same-origin' }],
  ['another site', { 'muster-console': '1', 'sec-fetch-site': 'cross-site' }],
] as const) {
  test(`refuses a link with ${what}, and does not use it up`, async () => {
    const { path, token } = await newLink(manager, await addPerson(manager, {}))
    for (const each of [path, `${path}/preview`]) {
      const refused = await home.stranger.post(each, { token }, headers)
      assert.equal(outcome(refused), '400 bad_header')
    }
    signedIn(host.base, await anonymous.post(path, { token }))
  })
}

test('checks the requests of the sign-in page like every other request', async () => {
  const path = `/sign-in/${home.id}/link`
  const refused: [Parameters<Browser['send']>, string][] = [
    [['POST', path], '400 bad_json'],
    [['POST', path, { body: {} }], '422 validation_failed'],
    [['POST', path, { body: { token: 7 } }], '422 validation_failed'],
    [['POST', path, { body: { token: 'x'.repeat(201) } }], '422 validation_failed'],
    [['POST', path, { body: { token: 'x', more: 1 } }], '422 validation_failed'],
    [['POST', `${path}?a=1`, { body: { token: 'x' } }], '400 unknown_parameter'],
    [['POST', '/sign-in/odd/link', { body: { token: 'x' } }], '404 not_found'],
    [['GET', '/sign-in/workspaces?a=1'], '400 unknown_parameter'],
    [['GET', '/sign-in/odd/methods'], '404 not_found'],
    [['GET', '/sign-in/wsp_01ktrr9d3hen4v9q9t9m2g8x5c/methods'], '404 not_found'],
  ]
  for (const [request, expected] of refused)
    assert.equal(outcome(await anonymous.send(...request)), expected, `${request[0]} ${request[1]}`)
})

test('a caller needs every right of the person', async () => {
  const boss = await addPerson(manager, { role: 'admin' })
  const colleague = await addPerson(manager, { role: 'reader' })
  const clerk = await home.key('workspace.manage', 'personnel.read', 'projects.read')
  const path = (userId: string) => `/v1/personnel/${userId}/sign-in-links`
  const refused = await clerk.post(path(boss), { purpose: 'sign_in' })
  assert.equal(outcome(refused), '403 beyond_your_rights')
  assert.ok(refused.body.missing_rights.includes('keys.manage'))
  assert.equal(outcome(await clerk.post(path(colleague), { purpose: 'sign_in' })), '201')
  const reader = await home.key('workspace.read')
  assert.equal(outcome(await reader.post(path(colleague), {})), '403 insufficient_scope')
})

test('creates links only for active people of the workspace', async () => {
  const userId = await addPerson(manager, {})
  await manager.post(`/v1/personnel/${userId}/suspend`, {})
  const path = `/v1/personnel/${userId}/sign-in-links`
  const suspended = await manager.post(path, { purpose: 'invitation' })
  assert.equal(outcome(suspended), '409 invalid_transition')
  assert.deepEqual(suspended.body.allowed, ['resume'])
  await manager.post(`/v1/personnel/${userId}/depart`, {})
  const departed = await manager.post(path, { purpose: 'invitation' })
  assert.deepEqual(departed.body.allowed, ['rejoin'])
  const theirs = await (await newWorkspace(host)).manager()
  const foreign = `/v1/personnel/${await addPerson(theirs, {})}/sign-in-links`
  assert.equal(outcome(await manager.post(foreign, { purpose: 'sign_in' })), '404 not_found')
})

test('a suspended workspace refuses a link and does not use it up', async () => {
  const { id, manager: makeManager, admin: administrator } = await newWorkspace(host)
  const theirs = await makeManager()
  const { path, token } = await newLink(theirs, await addPerson(theirs, {}))
  await suspendWorkspace(administrator)
  for (const each of [path, `${path}/preview`])
    assert.equal(outcome(await anonymous.post(each, { token })), '401 sign_in_refused')
  await resumeWorkspace(administrator)
  signedIn(host.base, await anonymous.post(`/sign-in/${id}/link`, { token }))
})

test('an invitation is valid for 72 hours', async () => {
  const { body } = await newLink(manager, await addPerson(manager, {}), 'invitation')
  assert.ok(Math.abs((Date.parse(body.expires_at) - Date.now()) / 3_600_000 - 72) < 0.1)
})

test('does not show the link again to a request with the same Idempotency-Key', async () => {
  const userId = await addPerson(manager, {})
  const path = `/v1/personnel/${userId}/sign-in-links`
  const send = (purpose: string) => manager.post(path, { purpose }, { 'idempotency-key': 'once' })
  const first = await send('sign_in')
  assert.equal(first.status, 201)
  assert.equal(outcome(await send('sign_in')), '409 secret_not_replayable')
  assert.equal(outcome(await send('invitation')), '422 idempotency_key_reused')
  const { rows } = await host.sql.query('select result::text as text from idempotency_records')
  assert.ok(!rows.some(({ text }) => text.includes('muster_link')))
  const { hash } = new URL(first.body.url)
  const used = await anonymous.post(`/sign-in/${home.id}/link`, { token: hash.slice(1) })
  signedIn(host.base, used)
})

test('counts refused links against the IP address', async () => {
  const limited = await listen(host.url, { rates: { key: 1e9, workspace: 1e9, failures: 3 } })
  const sender = new Browser(limited, '')
  const path = `/sign-in/${home.id}/link`
  const attempt = async () =>
    outcome(await sender.post(path, { token: issueToken(home.id, 'link').token }))
  const outcomes = [await attempt(), await attempt(), await attempt(), await attempt()]
  const refused = '401 sign_in_refused'
  assert.deepEqual(outcomes, [refused, refused, refused, '429 rate_limited'])
  const { path: own, token } = await newLink(manager, await addPerson(manager, {}))
  assert.equal(outcome(await sender.post(own, { token })), '429 rate_limited')
  signedIn(host.base, await anonymous.post(own, { token }))
})

test('names the workspace and whether it has an identity provider', async () => {
  const { status, body, headers } = await home.stranger.get(`/sign-in/${home.id}/methods`)
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.deepEqual(Object.keys(body), ['workspace', 'has_provider', 'allowed_methods'])
  assert.equal(body.workspace.id, home.id)
  assert.equal(body.has_provider, false)
})

test('names the workspace of a service that has only one', async () => {
  const several = await home.stranger.get('/sign-in/workspaces')
  assert.deepEqual(several.body, { workspace_id: null })
  const single = await startHost()
  const { id, stranger } = await newWorkspace(single)
  assert.deepEqual((await stranger.get('/sign-in/workspaces')).body, { workspace_id: id })
})

test('the administrator creates a link by email or user id', async () => {
  const email = 'Link.Admin@example.com'
  const userId = await addPerson(manager, { email, role: 'admin' })
  for (const person of [userId, email.toLowerCase()]) {
    const made = await admin(host.url, 'sign-in-link', person, '--workspace', home.id)
    assert.equal(made.code, 0, made.stderr)
    assert.match(made.stderr, /valid once until \d{4}-/)
    const { hash, pathname } = new URL(made.lines.at(-1) ?? '')
    assert.equal(pathname, `/sign-in/${home.id}`)
    const reply = await anonymous.post(`${pathname}/link`, { token: hash.slice(1) })
    const browser = signedIn(host.base, reply)
    assert.equal((await browser.get('/v1/whoami')).body.person.user_id, userId)
  }
  const missing = await admin(host.url, 'sign-in-link', 'missing', '--workspace', home.id)
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /No person on the roster has this user id or email/)
})

test('stores only the hash of a link', async () => {
  const { token } = await newLink(manager, await addPerson(manager, {}))
  const { rows } = await host.sql.query('select row_to_json(l)::text as text from sign_in_links l')
  assert.ok(rows.length > 0)
  assert.ok(!rows.some(({ text }) => text.includes(token.slice(-38))))
})
