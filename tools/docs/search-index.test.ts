import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { readSource, renderMarkdown } from './render.ts'
import { type Entry, searchIndex, sectionsOf } from './search-index.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sources = globSync('docs/**/*.md', { cwd: root }).map((path) =>
  readSource(path, readFileSync(root + path, 'utf8')),
)
const addressOf = (path: string) => `/${path.replace(/(\/README)?\.md$/, '')}`
const site = { urlOf: (path: string) => addressOf(path) }

test('the index has every heading of every page, with its anchor', () => {
  const text = searchIndex(sources, addressOf)
  const entries = JSON.parse(text.slice('export default '.length)) as Entry[]
  const urls = new Map(entries.map(([url, , heading]) => [url, heading]))
  for (const source of sources) {
    const rendered = renderMarkdown(source, site).text
    const ids = Array.from(rendered.matchAll(/<h(\d) id="([^"]+)"/g))
    assert.ok(ids.length > 0, source.path)
    for (const [, level, id = ''] of ids) {
      const address = addressOf(source.path)
      assert.ok(urls.has(level === '1' ? address : `${address}#${id}`), `${source.path}#${id}`)
    }
  }
})

test('a section has the text of its paragraphs, lists, tables and code', () => {
  const markdown = [
    '# A `page`',
    'First [link](x.md).',
    '## Part\n\n- one\n  - two\n\n| a | b |\n|---|---|\n| `c` | d |\n\n```sh\nrun it\n```\n',
    '## Part\n\n> quoted\n',
  ].join('\n\n')
  assert.deepEqual(sectionsOf(readSource('docs/x.md', markdown), '/docs/x'), [
    ['/docs/x', 'A page', 'A page', 'First link.'],
    ['/docs/x#part', 'A page', 'Part', 'one two a b c d run it'],
    ['/docs/x#part-1', 'A page', 'Part', 'quoted'],
  ])
})
