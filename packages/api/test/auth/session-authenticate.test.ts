import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, isGranted, type Operation, scopes } from '@muster/contract'

import { issueToken } from '#domain/token'

import type { Client, Reply } from './client.ts'
import { Browser, name as cookieName, signIn, told } from './console.ts'
import { endsItsKey, exampleFor, setScene, setSceneFor } from './scene.ts'
import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const home = await newWorkspace(host)
const { token: key } = await home.issue({ scopes })
const browser = await signIn(host.base, key)
const reading = scopes.filter((scope) => scope.endsWith('.read'))
const reader = await signIn(host.base, (await home.issue({ scopes: reading })).token)
const scene = await setScene(browser)
const { cookie } = browser

/** A request that would succeed with the right credentials. None of them sets a cookie. */
async function knock(
  who: Client,
  {
    operation,
    at = scene,
    query = '',
  }: { operation: Operation; at?: typeof scene; query?: string },
  headers: Record<string, string> = {},
): Promise<Reply> {
  const path = at.fill(operation.path) + query
  const reply = await who.send(operation.method, path, { body: exampleFor(operation, at), headers })
  assert.deepEqual(reply.headers.getSetCookie(), [])
  return reply
}

// Every operation of the contract passes through here, so a new one cannot be left unguarded.
for (const { name, operation } of everyOperation()) {
  test(`${name} opens for a session from the console, and from nowhere else`, async () => {
    for (const headers of [
      { cookie },
      { cookie, 'muster-console': '1' },
      { cookie, 'sec-fetch-site': 'same-origin' },
      { cookie, 'muster-console': '1', 'sec-fetch-site': 'cross-site' },
    ]) {
      const refused = await knock(home.stranger, { operation }, headers)
      assert.equal(told(refused), '401 missing_credentials')
    }
    const at = await setSceneFor(browser, operation)
    const spare = async () => signIn(host.base, (await home.issue({ scopes })).token)
    const reply = await knock(endsItsKey(operation) ? await spare() : browser, { operation, at })
    assert.equal(reply.status, operation.status, reply.text)
  })

  test(`${name} refuses a session beside a key, and a key in the URL`, async () => {
    for (const authorization of [`Bearer ${key}`, 'Bearer', 'Basic YTpi']) {
      const twofold = await knock(browser, { operation }, { authorization })
      assert.equal(told(twofold), '400 ambiguous_credentials')
    }
    const inUrl = await knock(browser, { operation, query: `?key=${key}` })
    assert.equal(told(inUrl), '400 key_in_url')
  })

  test(`${name} refuses a session that is none`, async () => {
    const { token } = issueToken(home.id, 'session')
    for (const value of ['', 'x', token, `${token}x`, key]) {
      const none = new Browser(host.base, `${cookieName}=${value}`)
      const refused = await knock(none, { operation })
      assert.equal(told(refused), '401 session_ended')
      const challenge = refused.headers.get('www-authenticate')
      assert.equal(challenge, 'Bearer realm="muster", error="invalid_token"')
      assert.equal(refused.headers.get('cache-control'), 'no-store')
    }
  })

  if (!isGranted(reading, operation.scope)) {
    test(`${name} does not open for the session of a key that may only read`, async () => {
      const refused = await knock(reader, { operation })
      assert.equal(told(refused), '403 insufficient_scope')
      assert.equal(refused.body.required_scope, operation.scope)
      assert.deepEqual(refused.body.granted_scopes, reading)
    })
  }
}

test('no page sets a cookie or reads one', async () => {
  for (const path of ['/', '/docs', '/openapi.json', '/problems', '/livez', '/readyz']) {
    const { status, headers } = await browser.get(path)
    assert.equal(status, 200, path)
    assert.deepEqual(headers.getSetCookie(), [], path)
  }
})
