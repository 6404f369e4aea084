import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, problems } from '@muster/contract'
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

test('describes the service and lists every operation on /about', async () => {
  const { status, text, headers } = await stranger.get('/about', html)
  assert.equal(status, 200)
  for (const { operation } of everyOperation()) {
    assert.ok(plain(text).includes(`${operation.method} ${operation.path}`))
  }
  for (const path of ['/docs', '/docs/api']) assert.ok(text.includes(`href="${path}"`), path)
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.ok(!/<script|onload=|style="/.test(text))
})

test('escapes the Host header in pages', async () => {
  const { text } = await stranger.get('/about', html)
  assert.ok(text.includes(new URL(host.base).host))
})

test('serves the API reference and all its assets itself', async () => {
  const assets = ['docs-page.css', 'docs-page.js', 'docs-frame.js', 'docs.js', 'scalar.js']
  const paths = ['page.css', ...assets].map((name) => `/assets/${name}`)
  for (const path of ['/docs/api', '/docs/api/frame', ...paths]) {
    const { status } = await stranger.get(path)
    assert.equal(status, 200, path)
  }
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
