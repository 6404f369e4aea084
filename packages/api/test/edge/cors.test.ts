import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scopes } from '@muster/contract'

import { fromConsole } from '#test/auth/browser'
import { Client } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { startProcess } from '#test/support/process'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

const allowedOrigin = 'https://dash.example.com'
const otherAllowedOrigin = 'http://localhost:3000'
const foreignOrigin = 'https://evil.example'

const host = await startHost()
const home = await newWorkspace(host)
const { token } = await home.issue({ scopes })
const off = new Client(host.base, token)
const open = new Client(
  await listen(host.url, { corsOrigins: [allowedOrigin, otherAllowedOrigin] }),
  token,
)
const fixture = await createFixture(off)

const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

const readable =
  'Deprecation ETag Idempotent-Replayed Link Location Preference-Applied RateLimit RateLimit-Policy ' +
  'Request-Id Retry-After Sunset traceparent'

const asked = { 'access-control-request-method': 'POST' }

for (const { name, operation } of keyOperations()) {
  const path = fixture.fill(operation.path)

  test(`${name}: allows a preflight of an allowed origin, without key and cookie`, async () => {
    const { base } = open
    const preflight = await new Client(base, null).send('OPTIONS', path, {
      headers: { origin: allowedOrigin, 'access-control-request-method': operation.method },
    })
    assert.equal(preflight.status, 204)
    const cors = corsOf(preflight.headers)
    assert.equal(cors['access-control-allow-origin'], allowedOrigin)
    assert.ok(cors['access-control-allow-methods']?.includes(operation.method))
    assert.match(cors['access-control-allow-headers'] ?? '', /Authorization.*Idempotency-Key/)
    assert.match(cors['access-control-allow-headers'] ?? '', /\btraceparent\b/)
    assert.equal(cors['access-control-allow-credentials'], undefined)
    assert.match(preflight.headers.get('vary') ?? '', /Origin/)
  })

  test(`${name}: answers other origins as if CORS were off`, async () => {
    for (const origin of [
      foreignOrigin,
      `${allowedOrigin}.evil.example`,
      `${allowedOrigin}/`,
      'null',
      '*',
    ]) {
      const headers = { origin, ...asked }
      const [here, there] = await Promise.all([
        open.send('OPTIONS', path, { headers }),
        off.send('OPTIONS', path, { headers }),
      ])
      assert.deepEqual(corsOf(here.headers), {})
      assert.equal(here.status, 405)
      const { request_id: _, ...expected } = there.body
      assert.deepEqual(
        { ...here.body, request_id: undefined },
        { ...expected, request_id: undefined },
      )
      assert.equal(here.headers.get('allow'), there.headers.get('allow'))
    }
  })
}

test('exposes the documented headers to an allowed origin, of successes and of refusals', async () => {
  for (const [who, status] of [
    [open, 200],
    [new Client(open.base, 'x'), 401],
  ] as const) {
    for (const origin of [allowedOrigin, otherAllowedOrigin]) {
      const reply = await who.get('/v1/personnel', { origin })
      assert.equal(reply.status, status)
      const { 'access-control-expose-headers': exposed, ...rest } = corsOf(reply.headers)
      assert.deepEqual(rest, { 'access-control-allow-origin': origin })
      assert.equal(exposed?.split(', ').toSorted().join(' '), readable)
    }
  }
  const { headers } = await open.get('/v1/personnel', { origin: allowedOrigin })
  assert.match(headers.get('vary') ?? '', /\bOrigin\b/, 'a cache keeps one response per origin')
})

test('is off by default: no other origin can read a response', async () => {
  for (const [who, origin] of [
    [off, allowedOrigin],
    [open, foreignOrigin],
  ] as const) {
    const reply = await who.get('/v1/whoami', { origin })
    assert.equal(reply.status, 200)
    assert.deepEqual(corsOf(reply.headers), {})
  }
})

test('never allows other origins for console sessions and pages', async () => {
  const headers = { ...fromConsole, origin: allowedOrigin }
  const asKey = { ...headers, authorization: `Bearer ${token}` }
  const signedIn = await open.send('POST', '/session', { headers: asKey })
  assert.equal(signedIn.status, 201)
  assert.deepEqual(corsOf(signedIn.headers), {})
  for (const path of ['/session', '/about', '/docs', '/openapi.json', '/v1']) {
    const preflight = await open.send('OPTIONS', path, {
      headers: { origin: allowedOrigin, ...asked },
    })
    assert.ok([404, 405].includes(preflight.status), `${path}: ${preflight.status}`)
    assert.deepEqual(corsOf(preflight.headers), {})
    assert.deepEqual(corsOf((await open.get(path, { origin: allowedOrigin })).headers), {}, path)
  }
})

test('refuses an OPTIONS request that is no preflight with 405', async () => {
  const reply = await open.send('OPTIONS', '/v1/risks', { headers: { origin: allowedOrigin } })
  assert.equal(`${reply.status} ${reply.body.code}`, '405 method_not_allowed')
})

test('accepts only a list of exact origins in CORS_ORIGINS', async () => {
  const { base } = await startProcess(host.url, {
    CORS_ORIGINS: `${allowedOrigin},${otherAllowedOrigin}`,
  })
  const reply = await new Client(base, token).get('/v1/whoami', { origin: otherAllowedOrigin })
  assert.equal(reply.headers.get('access-control-allow-origin'), otherAllowedOrigin)
  for (const loose of ['*', `${allowedOrigin}/`, 'https://*.example.com']) {
    const refused = startProcess(host.url, { CORS_ORIGINS: loose })
    await assert.rejects(refused, /CORS_ORIGINS must be/, loose)
  }
})
