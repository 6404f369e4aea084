import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, problems } from '@muster/contract'
import { openapi } from '@muster/contract/openapi'

import { newWorkspace, startHost } from './workspace.ts'

const host = await startHost()
const { stranger } = await newWorkspace(host)
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

for (const [code, { status, title, happened, fix }] of Object.entries(problems)) {
  test(`/problems/${code} says what happened and how to fix it`, async () => {
    const page = await stranger.get(`/problems/${code}`, html)
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    const text = plain(page.text)
    for (const said of [title, happened, fix]) {
      assert.ok(text.includes(said.replaceAll('`', '')), said)
    }
    assert.ok(text.includes(`${status}`))
    const json = await stranger.get(`/problems/${code}`, { accept: 'application/json' })
    assert.deepEqual(json.body, { type: `/problems/${code}`, code, status, title, happened, fix })
  })
}

test('a problem that does not exist is one itself', async () => {
  const { status, body } = await stranger.get('/problems/nonsense')
  assert.equal(`${status} ${body.code}`, '404 not_found')
  assert.equal((await stranger.get('/problems/constructor')).status, 404)
  assert.equal((await stranger.get('/problems', html)).status, 200)
})

test('the document that is served is the contract', async () => {
  const { status, body } = await stranger.get('/openapi.json')
  assert.equal(status, 200)
  assert.deepEqual(body, JSON.parse(JSON.stringify(openapi())))
})

test('the page about the service says what this is and lists every operation', async () => {
  const { status, text, headers } = await stranger.get('/about', html)
  assert.equal(status, 200)
  for (const { operation } of everyOperation()) {
    assert.ok(plain(text).includes(`${operation.method} ${operation.path}`))
  }
  assert.ok(text.includes('href="/docs"'))
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.ok(!/<script|onload=|style="/.test(text))
})

test('a host name of the caller’s making is shown as text', async () => {
  const { text } = await stranger.get('/about', html)
  assert.ok(text.includes(new URL(host.base).host))
})

test('the reference and all it needs come from here', async () => {
  for (const path of ['/docs', '/assets/docs.js', '/assets/scalar.js', '/assets/page.css']) {
    const { status } = await stranger.get(path)
    assert.equal(status, 200, path)
  }
})

test('health checks need no key', async () => {
  assert.deepEqual((await stranger.get('/livez')).body, { status: 'alive' })
  assert.deepEqual((await stranger.get('/readyz')).body, { status: 'ready' })
})

/** Text as it is read: without tags, entities and the marks of code. */
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
