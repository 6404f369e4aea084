import assert from 'node:assert/strict'
import { test } from 'node:test'

import { grants, isGranted, isList, type Operation, type Scope, scopes } from '@muster/contract'

import { revokeKey } from '#domain/auth/keys'
import { issueToken } from '#domain/auth/token'
import { Client, type Reply } from '#test/support/client'
import {
  revokesOwnKey,
  exampleFor,
  type Fixture,
  createFixture,
  createFixtureFor,
} from '#test/support/fixture'
import { includeQuery, keyOperations } from '#test/support/operations'
import { sendHeaders } from '#test/support/raw'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const fixture = await createFixture(manager)

const invalidToken = 'Bearer realm="muster", error="invalid_token"'

/** A request that succeeds with a sufficient key. A key grants only scopes that it holds. */
const requestFor = (operation: Operation, at: Fixture) => ({
  path: at.fill(operation.path),
  body: isCreateKey(operation)
    ? { ...exampleFor(operation, at), scopes: ['keys.read'] }
    : exampleFor(operation, at),
})

const isCreateKey = ({ path, method }: Operation) => `${method} ${path}` === 'POST /v1/keys'

function sendAs(who: Client, operation: Operation, at = fixture): Promise<Reply> {
  const { path, body } = requestFor(operation, at)
  return who.send(operation.method, path, { body })
}

function assertRefused(
  reply: Reply,
  expected: { status: number; code: string; challenge: string },
) {
  const { status, headers, body } = reply
  assert.equal(`${status} ${body.code}`, `${expected.status} ${expected.code}`)
  assert.equal(headers.get('www-authenticate'), expected.challenge)
  assert.equal(headers.get('content-type'), 'application/problem+json')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('request-id'), body.request_id)
  assert.equal(body.type, `/problems/${expected.code}`)
}

async function badTokens() {
  const { token } = await home.issue({ scopes })
  const expired = await home.issue({ scopes, expiresInHours: -1 })
  const revoked = await home.issue({ scopes })
  await revokeKey(home.admin, revoked.id)
  const elsewhere = await newWorkspace(host)
  const swapped = token.replace(home.id.slice(4), elsewhere.id.slice(4))
  const mistyped = token.slice(0, -8) + (token.at(-8) === 'a' ? 'b' : 'a') + token.slice(-7)
  return [
    { what: 'a malformed key', token: 'secret', code: 'malformed_key' },
    { what: 'a key with one altered character', token: mistyped, code: 'malformed_key' },
    { what: 'a key with the id of another workspace', token: swapped, code: 'malformed_key' },
    { what: 'a truncated key', token: token.slice(0, -1), code: 'malformed_key' },
    { what: 'a key that was never issued', token: issueToken(home.id).token, code: 'unknown_key' },
    { what: 'an expired key', token: expired.token, code: 'key_expired' },
    { what: 'a revoked key', token: revoked.token, code: 'key_revoked' },
  ]
}

const bad = await badTokens()
const single = new Map<Scope, Client>()
for (const scope of scopes) single.set(scope, await home.key(scope))
const scopeless = await home.key()

// Covers every operation of the contract, so that no new operation can be left unauthenticated.
for (const { name, operation } of keyOperations()) {
  test(`${name} requires a key`, async () => {
    const missing = { status: 401, code: 'missing_credentials', challenge: 'Bearer realm="muster"' }
    assertRefused(await sendAs(home.stranger, operation), missing)
    const { path, body } = requestFor(operation, fixture)
    for (const authorization of ['Basic YTpi', 'Bearer', '', 'muster_key_x']) {
      const reply = await home.stranger.send(operation.method, path, {
        body,
        headers: { authorization },
      })
      const isBearer = authorization === 'Bearer'
      const malformed = { status: 401, code: 'malformed_key', challenge: invalidToken }
      assertRefused(reply, isBearer ? malformed : missing)
    }
  })

  for (const { what, token, code } of bad) {
    test(`${name} refuses ${what}`, async () => {
      const reply = await sendAs(new Client(host.base, token), operation)
      assertRefused(reply, { status: 401, code, challenge: invalidToken })
    })
  }

  test(`${name} refuses two credentials, and a key in the URL`, async () => {
    const { token } = await home.issue({ scopes })
    const { path, body } = requestFor(operation, fixture)
    const url = new URL(path, host.base)
    const twice = await sendHeaders(url, {
      method: operation.method,
      headers: ['authorization', `Bearer ${token}`, 'authorization', `Bearer ${token}`],
      body: body && JSON.stringify(body),
    })
    assert.equal(`${twice.status} ${twice.body.code}`, '400 ambiguous_credentials')
    const inUrl = await home.stranger.send(operation.method, `${path}?key=${token}`, { body })
    assert.equal(`${inUrl.status} ${inUrl.body.code}`, '400 key_in_url')
  })

  test(`${name} requires ${operation.scope}`, async () => {
    const own = await createFixtureFor(manager, operation)
    for (const [held, client] of [...single, [null, scopeless] as const]) {
      const disposable = held === null ? await home.key() : await home.key(held)
      const reply = await sendAs(revokesOwnKey(operation) ? disposable : client, operation, own)
      const granted: readonly string[] = held === null ? [] : grants[held]
      if (operation.scope === 'any_principal' || granted.includes(operation.scope)) {
        // A single scope is not enough to give others what it does not allow itself.
        const isBeyond = operation.problems.includes('beyond_your_rights')
        if (isBeyond && reply.body?.code === 'beyond_your_rights') continue
        assert.equal(reply.status, operation.status, `${held}: ${reply.text}`)
        continue
      }
      assertRefused(reply, {
        status: 403,
        code: 'insufficient_scope',
        challenge: `Bearer realm="muster", error="insufficient_scope", scope="${operation.scope}"`,
      })
      assert.equal(reply.body.required_scope, operation.scope)
      assert.deepEqual(reply.body.granted_scopes, held === null ? [] : [held])
    }
  })
}

for (const { name, operation } of keyOperations()) {
  if (!isList(operation)) continue
  for (const [extra, include] of Object.entries(operation.includes)) {
    const { scope } = include
    test(`${name} with include=${extra} also requires ${scope}`, async () => {
      // The cast holds because every list requires a scope.
      const own = operation.scope as Scope
      const path = `${fixture.fill(operation.path)}?${includeQuery(extra, include)}`
      const alone = await single.get(own)?.get(path)
      if (isGranted([own], scope)) assert.equal(alone?.status, 200)
      else {
        assert.equal(`${alone?.status} ${alone?.body.code}`, '403 insufficient_scope')
        assert.equal(alone?.body.required_scope, scope)
        assert.ok(!alone?.text.includes('Ada'), 'no person is named')
      }
      const both = await (await home.key(own, scope)).get(path)
      assert.equal(both.status, 200, both.text)
    })
  }
}

test('refuses a missing scope before it parses the body', async () => {
  const reader = await home.key('personnel.read')
  const { status } = await reader.send('POST', '/v1/personnel', { body: '{not json' })
  assert.equal(status, 403)
})

test('accepts the authentication scheme in any letter case', async () => {
  const { token } = await home.issue({ scopes })
  const reply = await home.stranger.get('/v1/whoami', { authorization: `bEARER ${token}` })
  assert.equal(reply.status, 200)
})
