import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits, takesIfMatch } from '@muster/contract'

import { exampleFor, itemPath, createFixtureFor } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { sendBytes, sendHeaders } from '#test/support/raw'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const authorization = `Bearer ${manager.token}`
const { host: address } = new URL(host.base)

/** The bytes of a request, well-formed or not. */
const raw = (line: string, headers: string[] = [], body = '') =>
  sendBytes(
    host.base,
    [`${line} HTTP/1.1`, `host: ${address}`, ...headers, 'connection: close', '', body].join(
      '\r\n',
    ),
  )

const post = (headers: string[], body: string) =>
  raw('POST /v1/personnel', [`authorization: ${authorization}`, ...headers], body)

const json = 'content-type: application/json'
const sized = (body: string) => `content-length: ${Buffer.byteLength(body)}`
const ada = '{"name":"Ada"}'

const cases: Record<string, { send: () => ReturnType<typeof raw>; status: number; code: string }> =
  {
    'no HTTP': {
      send: () => sendBytes(host.base, 'hello\r\n\r\n'),
      status: 400,
      code: 'bad_request',
    },
    'a URL without percent-encoding': {
      send: () => raw('GET /v1/%zz'),
      status: 400,
      code: 'bad_request',
    },
    'an invalid header name': {
      send: () => raw('GET /v1/whoami', ['b ad: x']),
      status: 400,
      code: 'bad_request',
    },
    'two Content-Length headers': {
      send: () => post([json, 'content-length: 14', 'content-length: 15'], ada),
      status: 400,
      code: 'bad_request',
    },
    'Content-Length and Transfer-Encoding': {
      send: () => post([json, sized(ada), 'transfer-encoding: chunked'], ada),
      status: 400,
      code: 'bad_request',
    },
    'a Content-Length that is not a number': {
      send: () => post([json, 'content-length: x'], ada),
      status: 400,
      code: 'bad_request',
    },
    'headers of 20 KiB': {
      send: () => raw('GET /v1/whoami', [`x-pad: ${'x'.repeat(20_480)}`]),
      status: 431,
      code: 'headers_too_large',
    },
    'a URL of 9 KiB': {
      send: () => raw(`GET /v1/personnel?q=${'x'.repeat(9216)}`),
      status: 414,
      code: 'uri_too_long',
    },
    'an unknown path': { send: () => raw('GET /v1/people'), status: 404, code: 'route_not_found' },
    'a trailing slash': {
      send: () => raw('POST /v1/personnel/'),
      status: 404,
      code: 'route_not_found',
    },
    'another letter case': {
      send: () => raw('GET /v1/Personnel'),
      status: 404,
      code: 'route_not_found',
    },
    'a method that is not allowed': {
      send: () => raw('DELETE /v1/personnel'),
      status: 405,
      code: 'method_not_allowed',
    },
    'an unknown method': {
      send: () => raw('PROPFIND /v1/risks'),
      status: 405,
      code: 'method_not_allowed',
    },
    TRACE: { send: () => raw('TRACE /v1/risks'), status: 405, code: 'method_not_allowed' },
    'an id that is too long': {
      send: () => raw(`GET /v1/personnel/${'x'.repeat(100)}`, [`authorization: ${authorization}`]),
      status: 404,
      code: 'not_found',
    },
    'an unknown expectation': {
      send: () => post([json, sized(ada), 'expect: 200-maybe'], ada),
      status: 417,
      code: 'expectation_failed',
    },
    'a body without Content-Type': {
      send: () => post([sized(ada)], ada),
      status: 415,
      code: 'unsupported_media_type',
    },
    'a body of text': {
      send: () => post(['content-type: text/plain', sized(ada)], ada),
      status: 415,
      code: 'unsupported_media_type',
    },
    'a form': {
      send: () =>
        post(['content-type: application/x-www-form-urlencoded', sized('name=a')], 'name=a'),
      status: 415,
      code: 'unsupported_media_type',
    },
    'JSON in Latin-1': {
      send: () => post(['content-type: application/json; charset=latin1', sized(ada)], ada),
      status: 415,
      code: 'unsupported_media_type',
    },
    'a compressed body': {
      send: () => post([json, 'content-encoding: gzip', sized(ada)], ada),
      status: 415,
      code: 'unsupported_media_type',
    },
    'a Content-Length over the limit': {
      send: () => post([json, `content-length: ${limits.bodyBytesMax + 1}`], ''),
      status: 413,
      code: 'body_too_large',
    },
    'chunks over the limit': {
      send: () => {
        const size = limits.bodyBytesMax + 1
        return post(
          [json, 'transfer-encoding: chunked'],
          `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`,
        )
      },
      status: 413,
      code: 'body_too_large',
    },
    'an Accept that cannot be satisfied': {
      send: () => raw('GET /v1/whoami', [`authorization: ${authorization}`, 'accept: image/png']),
      status: 406,
      code: 'not_acceptable',
    },
    'two Content-Type headers': {
      send: () => post([json, json, sized(ada)], ada),
      status: 400,
      code: 'bad_header',
    },
  }

for (const [what, { send, status, code }] of Object.entries(cases)) {
  test(`answers ${what} with ${status} ${code}`, async () => {
    const reply = await send()
    assert.equal(`${reply.status} ${reply.body?.code}`, `${status} ${code}`, reply.text)
    assert.equal(reply.headers['content-type'], 'application/problem+json')
    assert.equal(reply.headers['cache-control'], 'no-store')
    assert.equal(reply.headers['request-id'], reply.body.request_id)
    assert.equal(reply.body.status, status)
    assert.equal(reply.body.type, `/problems/${code}`)
  })
}

test('checks route, credential, scope, type, query, headers and body, in this order', async () => {
  const reader = await home.key('personnel.read')
  const wrong = { 'content-type': 'text/plain', 'idempotency-key': 'two words' }
  const send = async (who: typeof manager, path: string, headers: Record<string, string>) => {
    const { body } = await who.send('POST', path, { headers, body: '{not json' })
    return body.code
  }
  const { 'content-type': _, ...badHeader } = wrong
  assert.equal(await send(home.stranger, '/v1/nothing?x=1', wrong), 'route_not_found')
  assert.equal(await send(home.stranger, '/v1/risks?x=1', wrong), 'method_not_allowed')
  assert.equal(await send(home.stranger, '/v1/personnel?x=1', wrong), 'missing_credentials')
  assert.equal(await send(reader, '/v1/personnel?x=1', wrong), 'insufficient_scope')
  assert.equal(await send(manager, '/v1/personnel?x=1', wrong), 'unsupported_media_type')
  assert.equal(await send(manager, '/v1/personnel?x=1', badHeader), 'unknown_parameter')
  assert.equal(await send(manager, '/v1/personnel', badHeader), 'bad_json')
})

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']

test('lists and accepts the methods of every path', async () => {
  const all = keyOperations().map(({ operation: { path, method } }) => ({
    path: path.replaceAll(/\{\w+\}/g, 'x'),
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    taken: method === 'GET' ? ['GET', 'HEAD'] : [method],
  }))
  for (const path of new Set(all.map((each) => each.path))) {
    const meant = all.filter(({ pattern }) => pattern.test(path)).flatMap(({ taken }) => taken)
    for (const method of methods) {
      const { status, headers } = await home.stranger.send(method, path)
      assert.equal(status, meant.includes(method) ? 401 : 405, `${method} ${path}`)
      if (status === 405) assert.equal(headers.get('allow'), meant.join(', '), path)
    }
  }
})

for (const { name, operation } of keyOperations()) {
  if (!takesIfMatch(operation)) continue
  test(`${name} applies only to the version in If-Match`, async () => {
    const prepare = async () => {
      const fixture = await createFixtureFor(manager, operation)
      const item = fixture.fill(itemPath(operation.path))
      const { text, body, headers } = await manager.get(item)
      // A key has a version and no ETag: its status depends on the clock.
      const another = (await manager.get('/v1/workspace')).headers.get('etag') ?? ''
      const etag = headers.get('etag') ?? another.replace(/\.\d+\./, `.${body.version}.`)
      const send = (...ifMatch: string[]) =>
        sendHeaders(new URL(fixture.fill(operation.path), host.base), {
          method: operation.method,
          headers: [
            'authorization',
            authorization,
            'content-type',
            'application/json',
            ...ifMatch.flatMap((value) => ['if-match', value]),
          ],
          body: JSON.stringify(exampleFor(operation, fixture)),
        })
      return { item, text, etag, version: Number(body.version), send }
    }
    const { item, text, etag, version, send } = await prepare()
    const refused: [string, string[]][] = [
      ['412 version_mismatch', [`"${version - 1}"`]],
      ['412 version_mismatch', [`"${version + 1}"`]],
      ['412 version_mismatch', [etag.replace(`.${version}.`, `.${version - 1}.`)]],
      ['412 version_mismatch', [etag.replace(/^"[0-9a-f]+/, '"0123456789ab')]],
      ['412 weak_etag', [`W/${etag}`]],
      ['412 weak_etag', [`${etag}, W/"1"`]],
      ...['', String(version), `"v${version}"`, `${etag},`, '"', '*, *', `'${version}'`].map(
        (header): [string, string[]] => ['400 bad_header', [header]],
      ),
      ['400 bad_header', [etag, etag]],
    ]
    for (const [expected, ifMatch] of refused) {
      const reply = await send(...ifMatch)
      assert.equal(`${reply.status} ${reply.body.code}`, expected, ifMatch.join(' and '))
      if (reply.body.code === 'version_mismatch') assert.equal(reply.body.version, version)
    }
    assert.equal((await manager.get(item)).text, text, 'a refused request changes nothing')

    assert.equal((await send(etag)).status, 200)
    for (const right of [() => '*', (now: number) => `"1", "${now}"`]) {
      const other = await prepare()
      assert.equal((await other.send(right(other.version))).status, 200)
    }
  })
}

test('names an id of another type in the problem', async () => {
  const { body } = await manager.get('/v1/personnel/rsk_01ktrr9d3hen4v9q9t9m2g8x5c')
  assert.equal(body.code, 'not_found')
  assert.match(body.detail, /is the id of a risk, not of a person/)
})

test('sends security headers with every API response', async () => {
  for (const path of ['/v1/whoami', '/v1/personnel', '/v1/nothing', '/v1/personnel?limit=1']) {
    const { headers } = await manager.get(path)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.match(headers.get('strict-transport-security') ?? '', /max-age=31536000/)
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
    assert.match(headers.get('request-id') ?? '', /^req_/)
    assert.equal(headers.get('server'), null)
    assert.equal(headers.get('access-control-allow-origin'), null)
  }
})

test('ignores a Request-Id from the client', async () => {
  const { headers } = await manager.get('/v1/whoami', { 'request-id': 'mine' })
  assert.match(headers.get('request-id') ?? '', /^req_/)
})

test('answers an unfinished request with 408', { timeout: 30_000 }, async () => {
  const [slowHeaders, slowBody] = await Promise.all([
    sendBytes(host.base, 'GET /v1/whoami HTTP/1.1\r\nhost: x\r\n', 15_000),
    sendBytes(
      host.base,
      `POST /v1/personnel HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n${json}\r\ncontent-length: 10\r\n\r\n{`,
      15_000,
    ),
  ])
  for (const reply of [slowHeaders, slowBody]) {
    assert.equal(`${reply.status} ${reply.body?.code}`, '408 request_timeout')
  }
})

test('accepts a JSON body with a charset parameter', async () => {
  const reply = await sendHeaders(new URL('/v1/personnel', host.base), {
    method: 'POST',
    headers: ['authorization', authorization, 'content-type', 'application/json; charset=UTF-8'],
    body: ada,
  })
  assert.equal(reply.status, 201)
})
