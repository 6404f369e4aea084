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

/** Attribute values, with the entities that the pages use. */
const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'")

test('every Markdown page below docs is served with its title and without scripts', async () => {
  assert.ok(sources.length > 15, `${sources.length} pages`)
  for (const path of sources) {
    const [, title = ''] = /^# (.+)$/m.exec(readFileSync(root + path, 'utf8')) ?? []
    const { status, text, headers } = await stranger.get(addressOf(path))
    assert.equal(status, 200, path)
    const [, shown = ''] = /<title>([^<]+)<\/title>/.exec(text) ?? []
    assert.equal(unescaped(shown), `${title.replaceAll('`', '')} · Muster`, path)
    assert.equal(text.match(/<h1/g)?.length, 1, path)
    assert.doesNotMatch(text, /<script|\son\w+=|style="|javascript:/, path)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'/)
    assert.doesNotMatch(policy, /unsafe|script-src/)
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
