import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

import { everyOperation, problems, version } from '@muster/contract'
import { openapi } from '@muster/contract/openapi'

import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const { stranger } = await newWorkspace(host)
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

for (const [code, { status, title, happened, fix }] of Object.entries(problems)) {
  test(`/problems/${code} explains the problem and its remedy`, async () => {
    const page = await stranger.get(`/problems/${code}`, html)
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    const text = plain(page.text)
    for (const expected of [title, happened, fix]) {
      assert.ok(text.includes(expected.replaceAll('`', '')), expected)
    }
    assert.ok(text.includes(`${status}`))
    const json = await stranger.get(`/problems/${code}`, { accept: 'application/json' })
    assert.deepEqual(json.body, { type: `/problems/${code}`, code, status, title, happened, fix })
  })
}

test('answers 404 for an unknown problem', async () => {
  const { status, body } = await stranger.get('/problems/nonsense')
  assert.equal(`${status} ${body.code}`, '404 not_found')
  assert.equal((await stranger.get('/problems/constructor')).status, 404)
  assert.equal((await stranger.get('/problems', html)).status, 200)
})

test('serves the OpenAPI document of the contract', async () => {
  const { status, body } = await stranger.get('/openapi.json')
  assert.equal(status, 200)
  assert.deepEqual(body, JSON.parse(JSON.stringify(openapi())))
})

test('sends large files compressed, and 304 if the client has them', async () => {
  for (const path of ['/openapi.json', '/assets/scalar.js']) {
    const plain = await fetch(`${host.base}${path}`, { headers: { 'accept-encoding': 'identity' } })
    const packed = await fetch(`${host.base}${path}`, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.equal(packed.headers.get('content-encoding'), 'gzip')
    const most = Number(plain.headers.get('content-length')) / 3
    assert.ok(Number(packed.headers.get('content-length')) < most, path)
    assert.equal(await packed.text(), await plain.text())
    const etag = plain.headers.get('etag') ?? ''
    const again = await fetch(`${host.base}${path}`, { headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, await again.text()], [304, ''])
  }
})

test('describes the service and lists every operation on /about', async () => {
  const { status, text, headers } = await stranger.get('/about', html)
  assert.equal(status, 200)
  for (const { operation } of everyOperation()) {
    assert.ok(plain(text).includes(`${operation.method} ${operation.path}`))
  }
  for (const path of ['/docs', '/docs/api']) assert.ok(text.includes(`href="${path}"`), path)
  assert.ok(plain(text).includes(`Version ${version}.`))
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.ok(!/<script|onload=|style="/.test(text))
})

test('escapes the Host header in pages', async () => {
  const { text } = await stranger.get('/about', html)
  assert.ok(text.includes(new URL(host.base).host))
})

test('serves the API reference and all its assets itself', async () => {
  const assets = ['docs-page.js', 'docs-frame.js', 'docs.js', 'scalar.js']
  const paths = ['page.css', ...assets].map((name) => `/assets/${name}`)
  for (const path of ['/docs/api', '/docs/api/frame', ...paths]) {
    const { status } = await stranger.get(path)
    assert.equal(status, 200, path)
  }
})

test('every page shows the logo, which is also what browsers request by default', async () => {
  const logo = readFileSync(new URL('../../../../docs/images/logo.svg', import.meta.url), 'utf8')
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    const { status, text, headers } = await stranger.get(path)
    assert.equal(status, 200, path)
    assert.equal(headers.get('content-type'), 'image/svg+xml')
    assert.equal(text, logo)
  }
  for (const path of ['/about', '/docs', '/docs/api', '/problems', '/security']) {
    const { text } = await stranger.get(path, html)
    assert.match(text, /<link rel="icon" href="\/favicon.svg"/, path)
  }
})

/** Present when the console is built. */
const isBuilt = existsSync(new URL('../../public/console/', import.meta.url))

test('shows an unknown address as a page to browsers, and as a problem to clients', async () => {
  const json = { accept: 'application/json' }
  const paths = ['/nowhere/at-all', '/risk', '/v2/risks']
  for (const path of paths) {
    for (const headers of [{}, json, { accept: '*/*' }, { accept: 'image/png' }]) {
      const { status, body } = await stranger.get(path, headers)
      assert.equal(`${status} ${body.code}`, '404 route_not_found', path)
    }
    if (isBuilt) {
      const page = await stranger.get(path, html)
      assert.equal(page.status, 404)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
      assert.equal(page.headers.get('vary'), 'Accept')
      const [, nonce = ''] =
        /'nonce-(.+?)'/.exec(page.headers.get('content-security-policy') ?? '') ?? []
      assert.ok(nonce !== '' && page.text.includes(nonce))
      const head = await stranger.send('HEAD', path, { headers: html })
      assert.deepEqual([head.status, head.text], [404, ''])
    }
    const posted = await stranger.send('POST', path, { headers: html })
    assert.equal(`${posted.status} ${posted.body.code}`, '404 route_not_found', path)
  }
  const ofApi = await stranger.get('/v1/nowhere', html)
  assert.equal(`${ofApi.status} ${ofApi.body.code}`, '404 route_not_found')
})

test('answers health checks without a key', async () => {
  assert.deepEqual((await stranger.get('/livez')).body, { status: 'alive' })
  assert.deepEqual((await stranger.get('/readyz')).body, { status: 'ready' })
})

/** Visible text: without tags, entities and code marks. */
const plain = (text: string) =>
  text
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll('`', '')
    .replaceAll(/\s+/g, ' ')
