import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  everyOperation,
  grants,
  isGranted,
  isList,
  type Operation,
  type Scope,
  scopes,
} from '@muster/contract'

import { revokeKey } from '#domain/keys'
import { issueToken } from '#domain/token'

import { Client, type Reply } from './client.ts'
import { sendHeaders } from './raw.ts'
import { endsItsKey, exampleFor, type Scene, setScene, setSceneFor } from './scene.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const scene = await setScene(manager)

const invalidToken = 'Bearer realm="muster", error="invalid_token"'

/** A request that would succeed with the right key; and a key gives only what it holds. */
const requestFor = (operation: Operation, at: Scene) => ({
  path: at.fill(operation.path),
  body: isGiving(operation)
    ? { ...exampleFor(operation, at), scopes: ['keys.read'] }
    : exampleFor(operation, at),
})

const isGiving = ({ path, method }: Operation) => `${method} ${path}` === 'POST /v1/keys'

function knock(who: Client, operation: Operation, at = scene): Promise<Reply> {
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
    { what: 'a key with one letter wrong', token: mistyped, code: 'malformed_key' },
    { what: 'a key with another workspace put in', token: swapped, code: 'malformed_key' },
    { what: 'a key cut short', token: token.slice(0, -1), code: 'malformed_key' },
    { what: 'a key nobody issued', token: issueToken(home.id).token, code: 'unknown_key' },
    { what: 'an expired key', token: expired.token, code: 'key_expired' },
    { what: 'a revoked key', token: revoked.token, code: 'key_revoked' },
  ]
}

const bad = await badTokens()
const single = new Map<Scope, Client>()
for (const scope of scopes) single.set(scope, await home.key(scope))
const scopeless = await home.key()

// Every operation of the contract passes through here, so a new one cannot be left unguarded.
for (const { name, operation } of everyOperation()) {
  test(`${name} needs a key`, async () => {
    const missing = { status: 401, code: 'missing_credentials', challenge: 'Bearer realm="muster"' }
    assertRefused(await knock(home.stranger, operation), missing)
    const { path, body } = requestFor(operation, scene)
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
      const reply = await knock(new Client(host.base, token), operation)
      assertRefused(reply, { status: 401, code, challenge: invalidToken })
    })
  }

  test(`${name} refuses two credentials, and a key in the URL`, async () => {
    const { token } = await home.issue({ scopes })
    const { path, body } = requestFor(operation, scene)
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

  test(`${name} opens for ${operation.scope}, and for nothing less`, async () => {
    const own = await setSceneFor(manager, operation)
    for (const [held, client] of [...single, [null, scopeless] as const]) {
      const spared = held === null ? await home.key() : await home.key(held)
      const reply = await knock(endsItsKey(operation) ? spared : client, operation, own)
      const granted: readonly string[] = held === null ? [] : grants[held]
      if (operation.scope === 'any_key' || granted.includes(operation.scope)) {
        assert.equal(reply.status, operation.status, `${held} was answered ${reply.text}`)
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

for (const { name, operation } of everyOperation()) {
  if (!isList(operation)) continue
  for (const [extra, { scope }] of Object.entries(operation.includes)) {
    test(`${name} with include=${extra} needs ${scope} too`, async () => {
      // The cast holds because a list needs a scope.
      const own = operation.scope as Scope
      const path = `${scene.fill(operation.path)}?include=${extra}`
      const alone = await single.get(own)?.get(path)
      if (isGranted([own], scope)) assert.equal(alone?.status, 200)
      else {
        assert.equal(`${alone?.status} ${alone?.body.code}`, '403 insufficient_scope')
        assert.equal(alone?.body.required_scope, scope)
        assert.ok(!alone?.text.includes('Ada'), 'nobody is named')
      }
      const both = await (await home.key(own, scope)).get(path)
      assert.equal(both.status, 200, both.text)
    })
  }
}

test('a refusal for want of scope comes before the body is looked at', async () => {
  const reader = await home.key('personnel.read')
  const { status } = await reader.send('POST', '/v1/personnel', { body: '{not json' })
  assert.equal(status, 403)
})

test('a scheme is a scheme in any letter case', async () => {
  const { token } = await home.issue({ scopes })
  const reply = await home.stranger.get('/v1/whoami', { authorization: `bEARER ${token}` })
  assert.equal(reply.status, 200)
})
