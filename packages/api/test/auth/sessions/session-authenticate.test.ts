import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isGranted, type Operation, scopes } from '@muster/contract'

import { issueToken } from '#domain/auth/token'
import { Browser, name as cookieName, signIn, outcome } from '#test/auth/browser'
import type { Client, Reply } from '#test/support/client'
import { revokesOwnKey, exampleFor, createFixture, createFixtureFor } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const { token: key } = await home.issue({ scopes })
const browser = await signIn(host.base, key)
const reading = scopes.filter((scope) => scope.endsWith('.read'))
const reader = await signIn(host.base, (await home.issue({ scopes: reading })).token)
const fixture = await createFixture(browser)
const { cookie } = browser

/** A request that succeeds with the right credentials. No response may set a cookie. */
async function sendAs(
  who: Client,
  {
    operation,
    at = fixture,
    query = '',
  }: { operation: Operation; at?: typeof fixture; query?: string },
  headers: Record<string, string> = {},
): Promise<Reply> {
  const path = at.fill(operation.path) + query
  const reply = await who.send(operation.method, path, { body: exampleFor(operation, at), headers })
  assert.deepEqual(reply.headers.getSetCookie(), [])
  return reply
}

// Covers every operation of the contract, so that no new operation can be left unauthenticated.
for (const { name, operation } of keyOperations()) {
  test(`${name} accepts a session only from the console`, async () => {
    for (const headers of [
      { cookie },
      { cookie, 'muster-console': '1' },
      { cookie, 'sec-fetch-site': 'same-origin' },
      { cookie, 'muster-console': '1', 'sec-fetch-site': 'cross-site' },
    ]) {
      const refused = await sendAs(home.stranger, { operation }, headers)
      assert.equal(outcome(refused), '401 missing_credentials')
    }
    const at = await createFixtureFor(browser, operation)
    const spare = async () => signIn(host.base, (await home.issue({ scopes })).token)
    const reply = await sendAs(revokesOwnKey(operation) ? await spare() : browser, {
      operation,
      at,
    })
    assert.equal(reply.status, operation.status, reply.text)
  })

  test(`${name} refuses a session together with a key, and a key in the URL`, async () => {
    for (const authorization of [`Bearer ${key}`, 'Bearer', 'Basic YTpi']) {
      const both = await sendAs(browser, { operation }, { authorization })
      assert.equal(outcome(both), '400 ambiguous_credentials')
    }
    const inUrl = await sendAs(browser, { operation, query: `?key=${key}` })
    assert.equal(outcome(inUrl), '400 key_in_url')
  })

  test(`${name} refuses an invalid session`, async () => {
    const { token } = issueToken(home.id, 'session')
    for (const value of ['', 'x', token, `${token}x`, key]) {
      const none = new Browser(host.base, `${cookieName}=${value}`)
      const refused = await sendAs(none, { operation })
      assert.equal(outcome(refused), '401 session_ended')
      const challenge = refused.headers.get('www-authenticate')
      assert.equal(challenge, 'Bearer realm="muster", error="invalid_token"')
      assert.equal(refused.headers.get('cache-control'), 'no-store')
    }
  })

  if (!isGranted(reading, operation.scope)) {
    test(`${name} refuses the session of a key with read scopes only`, async () => {
      const refused = await sendAs(reader, { operation })
      assert.equal(outcome(refused), '403 insufficient_scope')
      assert.equal(refused.body.required_scope, operation.scope)
      assert.deepEqual(refused.body.granted_scopes, reading)
    })
  }
}

test('sets no cookie on public pages', async () => {
  for (const path of ['/', '/docs', '/openapi.json', '/problems', '/livez', '/readyz']) {
    const { status, headers } = await browser.get(path)
    assert.equal(status, 200, path)
    assert.deepEqual(headers.getSetCookie(), [], path)
  }
})
