import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'

import { scopes } from '@muster/contract'

import { fromConsole } from '#test/auth/browser'
import { Client } from '#test/support/client'
import { sendBytes, sendHeaders } from '#test/support/raw'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const { token } = await home.issue({ scopes })
const origin = 'https://dash.example.com'
const contact = 'mailto:security@example.com'
const base = await listen(host.url, { corsOrigins: [origin], securityContact: contact })
const authorization = `Bearer ${token}`

interface Kind {
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly status: number
}

const etag = (await new Client(base, token).get('/v1/personnel')).headers.get('etag') ?? ''
const json = { authorization, 'content-type': 'application/json' }

/** Present when the console is built. */
const built = new URL('../../public/console/console/', import.meta.url)
const files = existsSync(built) ? readdirSync(built) : []
const consoleKinds: Record<string, Kind> = {
  'the page of the console': { path: '/risks', status: 200 },
  'the page for an unknown address': {
    path: '/nowhere/at-all',
    headers: { accept: 'text/html,*/*;q=0.8' },
    status: 404,
  },
  'a file of the console': { path: `/console/${files[0]}`, status: 200 },
}

const kinds: Record<string, Kind> = {
  JSON: { path: '/v1/whoami', headers: { authorization }, status: 200 },
  'a complete list': { path: '/v1/personnel', headers: { authorization }, status: 200 },
  'a page of a list': { path: '/v1/personnel?limit=1', headers: { authorization }, status: 200 },
  CSV: { path: '/v1/issues', headers: { authorization, accept: 'text/csv' }, status: 200 },
  HEAD: { method: 'HEAD', path: '/v1/risks', headers: { authorization }, status: 200 },
  'not modified': {
    path: '/v1/personnel',
    headers: { authorization, 'if-none-match': etag },
    status: 304,
  },
  'a created resource': {
    method: 'POST',
    path: '/v1/personnel',
    headers: json,
    body: '{"name":"Ada"}',
    status: 201,
  },
  'an invalid body': {
    method: 'POST',
    path: '/v1/personnel',
    headers: json,
    body: '{}',
    status: 422,
  },
  'no credential': { path: '/v1/personnel', status: 401 },
  'an unknown path': { path: '/v1/nothing', status: 404 },
  'a method that is not allowed': { method: 'DELETE', path: '/v1/risks', status: 405 },
  'an undecodable URL': { path: '/v1/%zz', status: 400 },
  'an expectation': { path: '/livez', headers: { expect: 'x' }, status: 417 },
  'a preflight': {
    method: 'OPTIONS',
    path: '/v1/risks',
    headers: { origin, 'access-control-request-method': 'GET' },
    status: 204,
  },
  'a sign-out': {
    method: 'DELETE',
    path: '/session',
    headers: fromConsole,
    status: 204,
  },
  'a static file': { path: '/assets/page.css', status: 200 },
  'the page around the reference': { path: '/docs/api', status: 200 },
  'the documentation': { path: '/docs', status: 200 },
  'the documentation as Markdown': { path: '/docs/guides/keys.md', status: 200 },
  'the search index': { path: '/docs/search-index.js', status: 200 },
  'llms.txt': { path: '/llms.txt', status: 200 },
  'a picture': { path: '/docs/images/risks.png', status: 200 },
  'the icon': { path: '/favicon.ico', status: 200 },
  'the page about the service': { path: '/about', status: 200 },
  'the page of a problem': { path: '/problems/bad_json', status: 200 },
  'the page about security': { path: '/security', status: 200 },
  'security.txt': { path: '/.well-known/security.txt', status: 200 },
  'the contract': { path: '/openapi.json', status: 200 },
  vitals: { path: '/livez', status: 200 },
  ...(files.length > 0 && consoleKinds),
}

function assertSafe(headers: Record<string, string>): void {
  assertHeaders(headers)
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
  assert.match(headers['content-security-policy'] ?? '', /frame-ancestors 'none'/)
}

function assertHeaders(headers: Record<string, string>): void {
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.match(headers['request-id'] ?? '', /^req_[0-9a-z]{26}$/)
  const policy = headers['content-security-policy'] ?? ''
  assert.match(policy, /^default-src 'none'/)
  assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*(unsafe|http|\*)/)
  for (const revealing of ['server', 'x-powered-by']) assert.equal(headers[revealing], undefined)
}

function assertDocument(headers: Record<string, string>): void {
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
  assert.match(headers['permissions-policy'] ?? '', /camera=\(\), .*microphone=\(\)/)
}

test('the frame of the reference is sandboxed, and loads its scripts from this service', async () => {
  const get = (path: string) => sendHeaders(new URL(path, base), { method: 'GET', headers: [] })
  const { headers } = await get('/docs/api/frame')
  assertHeaders(headers)
  assertDocument(headers)
  const policy = headers['content-security-policy'] ?? ''
  assert.match(
    policy,
    /; frame-ancestors 'self'; sandbox allow-scripts( allow-(forms|downloads))*$/,
  )
  assert.match(policy, /connect-src 'none'/)
  for (const name of ['docs-page', 'docs-frame', 'docs', 'scalar']) {
    const script = await get(`/assets/${name}.js`)
    assertHeaders(script.headers)
    assert.equal(script.headers['cross-origin-resource-policy'], 'cross-origin')
  }
})

for (const [what, { method = 'GET', path, headers = {}, body, status }] of Object.entries(kinds)) {
  test(`${what} has the security headers`, async () => {
    const listed = Object.entries(headers).flat()
    const reply = await sendHeaders(new URL(path, base), { method, headers: listed, body })
    assert.equal(reply.status, status, reply.text)
    assertSafe(reply.headers)
    if (reply.headers['content-type']?.startsWith('text/html')) assertDocument(reply.headers)
  })
}

test('sends the security headers in responses to malformed requests', async () => {
  for (const bytes of ['hello\r\n\r\n', `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`]) {
    assertSafe((await sendBytes(base, bytes)).headers)
  }
})

const readTxt = (text: string) =>
  new Map(text.split('\n').map((line) => line.split(': ', 2) as [string, string]))

test('publishes the contact in security.txt, valid for less than a year', async () => {
  const { text, headers } = await new Client(base, null).get('/.well-known/security.txt')
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
  const fields = readTxt(text)
  assert.equal(fields.get('Contact'), contact)
  assert.equal(fields.get('Preferred-Languages'), 'en')
  const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000
  assert.ok(days > 30 && days < 365, `${days} days`)
  const policy = new URL(fields.get('Policy') ?? '')
  assert.equal(policy.origin, base)
  assert.ok((await new Client(base, null).get(policy.pathname)).text.includes(contact))
})

test('points to the security policy in security.txt without a configured contact', async () => {
  const { text } = await home.stranger.get('/.well-known/security.txt')
  const fields = readTxt(text)
  assert.equal(fields.get('Contact'), `${host.base}/security`)
  const { status, text: policy } = await home.stranger.get('/security')
  assert.equal(status, 200)
  assert.match(policy, /two working days/)
  assert.match(policy, /ninety days/)
})
