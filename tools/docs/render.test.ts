import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readSource, renderMarkdown } from './render.ts'

const known = new Set([
  'docs/concepts/people.md',
  'docs/images/risk.png',
  'docs/images/risk-dark.png',
  'docs/images/keys.png',
  'docs/adr',
])
const site = {
  urlOf: (path: string) => (known.has(path) ? `/${path.replace('.md', '')}` : null),
}
const render = (markdown: string) =>
  renderMarkdown({ path: 'docs/guides/x.md', title: 'X', markdown }, site).text.trim()

test('links to pages, folders and pictures of docs become addresses of the service', () => {
  assert.equal(
    render('[People](../concepts/people.md#who)'),
    '<p><a href="/docs/concepts/people#who">People</a></p>',
  )
  assert.equal(render('[All](../adr/)'), '<p><a href="/docs/adr">All</a></p>')
  assert.match(render('[RFC](https://www.rfc-editor.org/)'), /href="https:/)
})

test('a picture has its size, its text and its dark form', () => {
  const light = render('![The keys](../images/keys.png)')
  assert.match(light, /^<p><img\s+src="\/docs\/images\/keys.png"\s+alt="The keys"/)
  assert.match(light, /width="1280"\s+height="800"/)
  const both = render('![A risk](../images/risk.png)')
  assert.match(both, /<source srcset="\/docs\/images\/risk-dark.png" media="[^"]*dark\)"/)
  assert.match(both, /<img\s+src="\/docs\/images\/risk.png"/)
})

test('a link to a file outside docs is text, and one to a missing page fails', () => {
  assert.equal(render('See [the map](../../ARCHITECTURE.md#map).'), '<p>See the map.</p>')
  assert.throws(() => render('[x](missing.md)'), /docs\/guides\/x.md links to missing.md/)
  assert.throws(() => render('[x](javascript:alert(1))'), /does not exist/)
})

test('raw HTML is shown as text', () => {
  assert.equal(render('a <b onclick="x">b</b>').includes('<b'), false)
  assert.equal(render('<script>alert(1)</script>').includes('<script'), false)
  assert.equal(render('![x](<../images/risk.png> "a\\"b")').includes('a"b'), false)
})

test('headings have the anchors of GitHub', () => {
  const ids = Array.from(
    render("# A\n## What's new?\n### `/v1/risks` & more\n## What's new?").matchAll(
      / id="([^"]+)"/g,
    ),
    ([, id]) => id,
  )
  assert.deepEqual(ids, ['a', 'whats-new', 'v1risks--more', 'whats-new-1'])
})

test('the path of a page of the service is a link, other code is not', () => {
  assert.match(render('`/problems/email_taken`'), /<a href="\/problems\/email_taken"><code>/)
  assert.doesNotMatch(render('`/v1/risks` `/problems/<code>`'), /<a/)
  assert.match(render('`a < b`'), /<code>a &lt; b<\/code>/)
})

test('a table has a title for each column or no titles', () => {
  assert.doesNotMatch(render('| | |\n|---|---|\n| a | b |'), /<th/)
  assert.throws(() => render('| a | |\n|---|---|\n| b | c |'), /has a table column without a title/)
})

test('a page without a title is refused', () => {
  assert.equal(readSource('docs/x.md', 'text\n# The `x` page\n').title, 'The x page')
  assert.throws(() => readSource('docs/x.md', '## Only a section'), /docs\/x.md has no title/)
})
