import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { fieldEdits } from '#tools/scratch/field'
import { nounEdits } from '#tools/scratch/noun'
import { pageEdits } from '#tools/scratch/page'

/** Checks the links of all Markdown files: targets, anchors, images and external URLs. */
const root = fileURLToPath(new URL('../../', import.meta.url))
const exclude = ['**/node_modules', '.git', '.build', '.dev', 'packages/api/public']
const files = globSync(['*.md', '{docs,packages,.github}/**/*.md'], { cwd: root, exclude })
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The text without code, in which brackets are not links. */
const proseOf = (markdown: string) =>
  markdown.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1$/gm, '').replaceAll(/`[^`\n]*`/g, 'code')

/** Targets of inline links and images, of reference definitions, and of HTML attributes. */
function linksOf(markdown: string): string[] {
  const forms = [
    /\]\(<?([^\s)>]+)>?(?:\s+"[^"]*")?\)/g,
    /^\[[^\]]+\]:\s+<?(\S+?)>?$/gm,
    /<(?:a|img|source)\b[^>]*\b(?:href|src|srcset)="([^"]*)"/g,
  ]
  const prose = proseOf(markdown)
  return forms.flatMap((form) => Array.from(prose.matchAll(form), ([, target = '']) => target))
}

/** The anchor of a heading by the rules of GitHub, before repeated ones get a number. */
const slugOf = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

/** Every anchor of a document: its headings, numbered where they repeat, and HTML ids. */
function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>()
  const prose = markdown.replaceAll(/^(`{3,}|~{3,})[\s\S]*?^\1$/gm, '')
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)) {
    const slug = slugOf(heading)
    let anchor = slug
    for (let repeat = 1; anchors.has(anchor); repeat++) anchor = `${slug}-${repeat}`
    anchors.add(anchor)
  }
  for (const [, id = ''] of prose.matchAll(/<\w+[^>]*\b(?:id|name)="([^"]+)"/g)) anchors.add(id)
  return anchors
}

/** The file that a relative link leads to, and its anchor. */
function resolve(from: string, link: string): { path: string; anchor: string } {
  const [file = '', anchor = ''] = link.split('#')
  const path = file === '' ? from : normalize(join(dirname(from), decodeURIComponent(file)))
  return { path, anchor }
}

const isExternal = (link: string) => /^[a-z][a-z0-9+.-]*:|^\/\//i.test(link)

/** What is wrong with a link, or null. */
function faultOf(from: string, link: string): string | null {
  if (isExternal(link)) {
    const isGood = URL.canParse(link) && /^https:\/\/[\w-]+(\.[\w-]+)+([/?#]|$)/.test(link)
    return isGood ? null : 'is not a well-formed https URL'
  }
  const { path, anchor } = resolve(from, link)
  if (path.startsWith('..') || !existsSync(join(root, path))) return `has no file ${path}`
  if (anchor === '' || !path.endsWith('.md')) return null
  return anchorsOf(read(path)).has(anchor) ? null : `has no heading for #${anchor} in ${path}`
}

test('every link of every Markdown file has a target', (t) => {
  const links = files.flatMap((from) => linksOf(read(from)).map((link) => ({ from, link })))
  t.diagnostic(`${links.length} links in ${files.length} files`)
  assert.ok(files.includes('README.md') && links.length > 100)
  const faults = links.flatMap(({ from, link }) => {
    const fault = faultOf(from, link)
    return fault === null ? [] : [`${from}: (${link}) ${fault}`]
  })
  assert.deepEqual(faults, [])
})

test('every page of docs/ can be reached from docs/README.md', () => {
  const reached = new Set(['docs/README.md'])
  for (const page of reached) {
    for (const link of linksOf(read(page)).filter((each) => !isExternal(each))) {
      const { path } = resolve(page, link)
      const isPage = path.startsWith('docs/') && path.endsWith('.md')
      if (isPage && existsSync(join(root, path))) reached.add(path)
    }
  }
  const pages = files.filter((path) => path.startsWith('docs/'))
  assert.deepEqual(
    pages.filter((path) => !reached.has(path)),
    [],
  )
})

test('the README has at most 130 lines, and opens with a claim and a picture', () => {
  const readme = read('README.md')
  assert.ok(readme.trimEnd().split('\n').length <= 130, 'README.md is too long')
  const [title = '', claim = '', picture = ''] = readme
    .split('\n\n')
    .filter((block) => !block.includes('docs/images/logo'))
  assert.match(title, /^# /)
  assert.match(claim, /^[^.]+\.$/, 'the first paragraph is one sentence')
  assert.match(picture, /^<picture>/)
})

/** The new files of the lists of CONTRIBUTING.md, which a test makes in a copy. */
const madeInCopies = new Set(
  [...fieldEdits, ...nounEdits, ...pageEdits]
    .filter(({ inserts }) => inserts.some(([after]) => after === ''))
    .map(({ file }) => file),
)

test('the files named in the documents exist', () => {
  const named = /`((?:http|domain|storage|jobs|story|test|tools|packages|docs)\/[\w./-]+\.\w+)`/g
  for (const path of files.filter((each) => each !== 'CHANGELOG.md')) {
    for (const [, file = ''] of read(path).matchAll(named)) {
      const places = ['', 'packages/api/', 'packages/api/src/']
      assert.ok(
        madeInCopies.has(file) || places.some((place) => existsSync(join(root, place, file))),
        `${path} names ${file}, which does not exist`,
      )
    }
  }
})

test('the checks find broken links', () => {
  const broken = {
    'docs/missing.md': 'has no file',
    'README.md#no-such-heading': 'has no heading',
    'docs/images/missing.png': 'has no file',
    '../outside.md': 'has no file',
    'http://example.com/': 'https',
    'https://example': 'https',
    'mailto:someone@example.com': 'https',
  }
  for (const [link, fault] of Object.entries(broken)) {
    assert.ok(faultOf('STYLE.md', link)?.includes(fault), link)
  }
  assert.equal(faultOf('docs/README.md', '../README.md#quick-start'), null)
  const text =
    '[a](b.md) ![c](d.png "e")\n`[f](g)`\n\n[h]: i.md\n```sh\n[j](k)\n```\n<img src="l"><source srcset="m">'
  assert.deepEqual(linksOf(text), ['b.md', 'd.png', 'i.md', 'l', 'm'])
  const headings = '# A & B\n## `x_y`: *Über* [z](q)!\n## Twice\n## Twice\n```\n# no\n```\n'
  assert.deepEqual([...anchorsOf(headings)], ['a--b', 'x_y-über-z', 'twice', 'twice-1'])
})
