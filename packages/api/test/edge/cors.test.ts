import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, scopes } from '@muster/contract'

import { Client } from './client.ts'
import { fromConsole } from './console.ts'
import { startProcess } from './process.ts'
import { setScene } from './scene.ts'
import { listen, newWorkspace, startHost } from './workspace.ts'

const friend = 'https://dash.example.com'
const other = 'http://localhost:3000'
const stranger = 'https://evil.example'

const host = await startHost()
const home = await newWorkspace(host)
const { token } = await home.issue({ scopes })
const off = new Client(host.base, token)
const open = new Client(await listen(host.url, { corsOrigins: [friend, other] }), token)
const scene = await setScene(off)

const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

const readable =
  'Deprecation ETag Idempotent-Replayed Link Location RateLimit RateLimit-Policy ' +
  'Request-Id Retry-After Sunset'

const asked = { 'access-control-request-method': 'POST' }

for (const { name, operation } of everyOperation()) {
  const path = scene.fill(operation.path)

  test(`${name}: a page of an allowed origin may ask, without a key and without a cookie`, async () => {
    const { base } = open
    const preflight = await new Client(base, null).send('OPTIONS', path, {
      headers: { origin: friend, 'access-control-request-method': operation.method },
    })
    assert.equal(preflight.status, 204)
    const cors = corsOf(preflight.headers)
    assert.equal(cors['access-control-allow-origin'], friend)
    assert.ok(cors['access-control-allow-methods']?.includes(operation.method))
    assert.match(cors['access-control-allow-headers'] ?? '', /Authorization.*Idempotency-Key/)
    assert.equal(cors['access-control-allow-credentials'], undefined)
    assert.match(preflight.headers.get('vary') ?? '', /Origin/)
  })

  test(`${name}: to any other origin it is as if nobody were allowed`, async () => {
    for (const origin of [stranger, `${friend}.evil.example`, `${friend}/`, 'null', '*']) {
      const headers = { origin, ...asked }
      const [here, there] = await Promise.all([
        open.send('OPTIONS', path, { headers }),
        off.send('OPTIONS', path, { headers }),
      ])
      assert.deepEqual(corsOf(here.headers), {})
      assert.equal(here.status, 405)
      const { request_id: _, ...told } = there.body
      assert.deepEqual({ ...here.body, request_id: undefined }, { ...told, request_id: undefined })
      assert.equal(here.headers.get('allow'), there.headers.get('allow'))
    }
  })
}

test('what an allowed page can read of an answer, and of a refusal', async () => {
  for (const [who, status] of [
    [open, 200],
    [new Client(open.base, 'x'), 401],
  ] as const) {
    for (const origin of [friend, other]) {
      const reply = await who.get('/v1/personnel', { origin })
      assert.equal(reply.status, status)
      const { 'access-control-expose-headers': exposed, ...rest } = corsOf(reply.headers)
      assert.deepEqual(rest, { 'access-control-allow-origin': origin })
      assert.equal(exposed?.split(', ').toSorted().join(' '), readable)
    }
  }
  const { headers } = await open.get('/v1/personnel', { origin: friend })
  assert.match(headers.get('vary') ?? '', /\bOrigin\b/, 'a cache keeps one answer for each origin')
})

test('off by default, and no other origin reads an answer', async () => {
  for (const [who, origin] of [
    [off, friend],
    [open, stranger],
  ] as const) {
    const reply = await who.get('/v1/whoami', { origin })
    assert.equal(reply.status, 200)
    assert.deepEqual(corsOf(reply.headers), {})
  }
})

test('the session of the console is never shared, nor are the pages', async () => {
  const headers = { ...fromConsole, origin: friend }
  const signedIn = await open.send('POST', '/session', { body: { key: token }, headers })
  assert.equal(signedIn.status, 201)
  assert.deepEqual(corsOf(signedIn.headers), {})
  for (const path of ['/session', '/about', '/docs', '/openapi.json', '/v1']) {
    const preflight = await open.send('OPTIONS', path, { headers: { origin: friend, ...asked } })
    assert.ok([404, 405].includes(preflight.status), `${path}: ${preflight.status}`)
    assert.deepEqual(corsOf(preflight.headers), {})
    assert.deepEqual(corsOf((await open.get(path, { origin: friend })).headers), {}, path)
  }
})

test('OPTIONS that is no preflight is refused like any other method', async () => {
  const reply = await open.send('OPTIONS', '/v1/risks', { headers: { origin: friend } })
  assert.equal(`${reply.status} ${reply.body.code}`, '405 method_not_allowed')
})

test('CORS_ORIGINS is a list of origins and nothing looser', async () => {
  const { base } = await startProcess(host.url, { CORS_ORIGINS: `${friend},${other}` })
  const reply = await new Client(base, token).get('/v1/whoami', { origin: other })
  assert.equal(reply.headers.get('access-control-allow-origin'), other)
  for (const loose of ['*', `${friend}/`, 'https://*.example.com']) {
    const refused = startProcess(host.url, { CORS_ORIGINS: loose })
    await assert.rejects(refused, /CORS_ORIGINS must be/, loose)
  }
})
