import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { newWorkspace, startHost } from '#test/support/workspace'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const host = await startHost()
const { stranger } = await newWorkspace(host)

const sources = globSync('docs/**/*.md', { cwd: root })
const addressOf = (path: string) => `/${path.replace(/(\/README)?\.md$/, '')}`

const search = '<script type="module" src="/docs/search.js"></script>'
const frame = '<script src="/assets/docs-page.js"></script>'

/** Attribute values, with the entities that the pages use. */
const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'")

test('every Markdown page below docs is served with its title and no other scripts', async () => {
  assert.ok(sources.length > 15, `${sources.length} pages`)
  for (const path of sources) {
    const [, title = ''] = /^# (.+)$/m.exec(readFileSync(root + path, 'utf8')) ?? []
    const { status, text, headers } = await stranger.get(addressOf(path))
    assert.equal(status, 200, path)
    const [, shown = ''] = /<title>([^<]+)<\/title>/.exec(text) ?? []
    assert.equal(unescaped(shown), `${title.replaceAll('`', '')} · Muster`, path)
    assert.equal(text.match(/<h1/g)?.length, 1, path)
    const scripts = path === 'docs/api.md' ? [search, frame] : [search]
    assert.deepEqual(text.match(/<script[^]*?<\/script>/g), scripts, path)
    assert.doesNotMatch(text, /\son\w+=|style="|javascript:/, path)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'/)
    assert.match(policy, /script-src 'self'(;|$)/)
    assert.match(policy, /trusted-types 'none'/)
    assert.doesNotMatch(policy, /unsafe/)
    // The pages share an origin with the console, so their scripts cannot call the API.
    if (path !== 'docs/api.md') assert.doesNotMatch(policy, /connect-src/)
  }
})

const targetsOf = (page: string) =>
  Array.from(page.matchAll(/ (?:href|src)="([^"]+)"/g), ([, target = '']) => unescaped(target))

const hasAnchor = (page: string, anchor: string) => page.includes(` id="${anchor}"`)

test('every link on every page leads to a page, a picture or a section that exists', async () => {
  const pages = new Map<string, Promise<string>>()
  const visit = async (path: string): Promise<string> => {
    const { status, text, headers } = await stranger.get(path, { accept: 'text/html,*/*;q=0.8' })
    assert.equal(status, 200, path)
    return headers.get('content-type')?.startsWith('text/html') ? text : ''
  }
  const open = (path: string) => {
    const page = pages.get(path) ?? visit(path)
    pages.set(path, page)
    return page
  }
  const waiting = ['/about', '/docs']
  const seen = new Set(waiting)
  for (const path of waiting) {
    for (const target of targetsOf(await open(path))) {
      if (/^(https?:|mailto:|data:)/.test(target)) continue
      const { pathname, hash } = new URL(target, host.base + path)
      if (!seen.has(pathname)) waiting.push(pathname)
      seen.add(pathname)
      const anchor = decodeURIComponent(hash.slice(1))
      const isFound = anchor === '' || hasAnchor(await open(pathname), anchor)
      assert.ok(isFound, `${path} links to ${target}, which has no such section`)
    }
  }
  for (const path of sources) assert.ok(seen.has(addressOf(path)), `no page links to ${path}`)
  for (const path of ['/docs/api', '/problems', '/openapi.json']) assert.ok(seen.has(path), path)
})

test('a document that does not exist is 404', async () => {
  for (const path of ['/docs/nothing', '/docs/guides/..%2f..%2fconsole', '/docs/index.html']) {
    const { status, body } = await stranger.get(path)
    assert.equal(`${status} ${body?.code}`, '404 route_not_found', path)
  }
})

test('every page is also served as Markdown, and its links are of this service', async () => {
  for (const path of sources) {
    const { status, text, headers } = await stranger.get(`/${path}`)
    assert.equal(status, 200, path)
    assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8')
    assert.match(text, /^# /m, path)
    const page = await stranger.get(addressOf(path))
    assert.ok(page.text.includes(`<link rel="alternate" type="text/markdown" href="/${path}"`))
    const prose = text.replaceAll(/^```[^]*?^```$|`[^`\n]*`/gm, '')
    for (const [, target = ''] of prose.matchAll(/\]\(([^)#\s]+)/g)) {
      if (/^https?:/.test(target)) continue
      const { pathname } = new URL(target, `${host.base}/${path}`)
      assert.equal((await stranger.get(pathname)).status, 200, `${path} links to ${target}`)
    }
  }
})

test('/llms.txt has a title, a summary and a link to every page, which answers 200', async () => {
  const { status, text, headers } = await stranger.get('/llms.txt')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/plain; charset=utf-8/)
  assert.equal(headers.get('cache-control'), 'no-store')
  const form = new RegExp(`^# Muster\n\n> .+\n\n(## .+\n\n(- \\[.+\\]\\(${host.base}/.+\n)+\n?)+$`)
  assert.match(text, form)
  const links = Array.from(text.matchAll(/\]\(([^)]+)\)/g), ([, url = '']) => new URL(url).pathname)
  for (const path of links) assert.equal((await stranger.get(path)).status, 200, path)
  assert.deepEqual(new Set(links), new Set(['/openapi.json', ...sources.map((path) => `/${path}`)]))
})

test('the introduction to the API names the address of this service, and escapes it', async () => {
  const { text } = await stranger.get('/docs/api')
  assert.ok(text.includes(`BASE=${host.base}\n`))
  assert.match(text, /<iframe\s+class="reference"[^>]* sandbox="allow-scripts allow-forms/)
})
