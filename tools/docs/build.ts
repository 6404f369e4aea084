import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

import { html, type Html, page } from '@muster/api/html'
import { bundleSearch } from '@muster/console'

import { llmsText } from './llms.ts'
import { portableMarkdown, readSource, renderMarkdown, type Source } from './render.ts'
import { searchIndex } from './search-index.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const output = new URL('../../packages/api/public/docs/', import.meta.url)

/** The folders of docs, in the order of the navigation. Others follow. */
const titles: Readonly<Record<string, string>> = {
  docs: 'Documentation',
  'docs/concepts': 'Concepts',
  'docs/guides': 'Guides',
  'docs/reference': 'Reference',
  'docs/operate': 'Operate',
  'docs/adr': 'Decisions',
}

interface Section {
  readonly folder: string
  readonly title: string
  readonly sources: readonly Source[]
}

/**
 * Renders the Markdown below docs into packages/api/public/docs, which the service serves at /docs,
 * with the Markdown itself, the search index and `llms.txt`.
 * A file that has not changed is not written, so that a running service never reads half a page.
 */
export async function buildDocs(): Promise<void> {
  const sources = globSync('docs/**/*.md', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .map((path) => readSource(path, readFileSync(root + path, 'utf8')))
  const pictures = globSync('docs/images/*.{png,svg}', { cwd: root }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  const sections = sectionsOf(sources)
  const site = {
    urlOf: (path: string) => urlOf(path, { sources, pictures, sections }),
    drawingOf: (path: string) =>
      /^docs\/images\/[\w-]+\.svg$/.test(path) ? readFileSync(root + path, 'utf8').trim() : null,
  }
  const files = new Map<string, string | Buffer>()
  for (const source of sources) {
    const body = renderMarkdown(source, site)
    files.set(fileOf(source.path), documentOf({ ...source, body, sections }))
    files.set(source.path.slice('docs/'.length), portableMarkdown(source, site))
  }
  const index = sources.find(({ path }) => path === 'docs/README.md')?.markdown ?? ''
  files.set('llms.txt', llmsText(sections, index))
  files.set('search-index.js', searchIndex(sources, addressOf))
  files.set('search.js', await bundleSearch())
  for (const section of sections) {
    const path = `${section.folder}/README.md`
    if (files.has(fileOf(path))) continue
    const listed = section.folder === 'docs' ? sections : [section]
    const body = html`<h1>${section.title}</h1>
      ${listed.map(listOf)}`
    files.set(fileOf(path), documentOf({ path, title: section.title, body, sections }))
  }
  for (const path of pictures) files.set(path.slice('docs/'.length), readFileSync(root + path))
  writeFiles(files)
}

function sectionsOf(sources: readonly Source[]): Section[] {
  const known = Object.keys(titles)
  const rank = (folder: string) => (known.includes(folder) ? known.indexOf(folder) : known.length)
  const index = sources.find(({ path }) => path === 'docs/README.md')?.markdown ?? ''
  // Pages are in the order in which the index names them, then by file name.
  const place = ({ path }: Source) => {
    const at = index.indexOf(`](${path.slice('docs/'.length)}`)
    return at === -1 ? Infinity : at
  }
  const folders = new Set(['docs', ...sources.map(({ path }) => posix.dirname(path))])
  return [...folders]
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map((folder) => ({
      folder,
      title: titles[folder] ?? posix.basename(folder),
      sources: sources
        .filter(({ path }) => posix.dirname(path) === folder && !isIndex(path))
        .toSorted((a, b) => Math.sign(place(a) - place(b)) || (a.path < b.path ? -1 : 1)),
    }))
}

const isIndex = (path: string) => posix.basename(path) === 'README.md'

const fileOf = (path: string) =>
  path
    .slice('docs/'.length)
    .replace(/(README)?\.md$/, (_, index) => (index ? 'index.html' : '.html'))

const addressOf = (path: string) => `/${path.replace(/(\/README)?\.md$/, '')}`

interface Known {
  readonly sources: readonly Source[]
  readonly pictures: readonly string[]
  readonly sections: readonly Section[]
}

function urlOf(path: string, { sources, pictures, sections }: Known): string | null {
  const isKnown =
    sources.some((source) => source.path === path) ||
    pictures.includes(path) ||
    sections.some(({ folder }) => folder === path)
  return isKnown ? addressOf(path) : null
}

function listOf({ folder, title, sources }: Section): Html {
  if (folder === 'docs' && sources.length === 0) return html``
  const items = sources.map((source) => linkTo(source, null))
  return html`<h2>${title}</h2>
    <ul>
      ${folder === 'docs/reference' ? apiReference : html``} ${items}
    </ul>`
}

const apiReference = html`<li><a href="/docs/api">API reference</a></li>`

function linkTo({ path, title }: Source, current: string | null): Html {
  const mark = path === current ? html` aria-current="page"` : html``
  return html`<li><a href="${addressOf(path)}" ${mark}>${title}</a></li>`
}

interface Document {
  readonly path: string
  readonly title: string
  /** None for an index that the build makes. */
  readonly markdown?: string
  readonly body: Html
  readonly sections: readonly Section[]
}

function documentOf({ path, title, markdown, body, sections }: Document): string {
  const folder = posix.dirname(path)
  const section = sections.find((each) => each.folder === folder)
  const above = [
    ...(path === 'docs/README.md' ? [] : [{ url: '/docs', text: 'Documentation' }]),
    ...(isIndex(path) || folder === 'docs' || !section
      ? []
      : [{ url: `/${folder}`, text: section.title }]),
  ].map(({ url, text }, at) => html`${at === 0 ? '' : ' · '}<a href="${url}">${text}</a>`)
  const crumbs = above.length === 0 ? html`` : html`<p class="quiet">${above}</p>`
  const contents = html`${sections.map((each) => navigationOf(each, path))}`
  return page(`${title} · Muster`, html`${crumbs}${body}`, {
    contents,
    ...(markdown !== undefined && { source: `/${path}` }),
  })
}

function navigationOf({ folder, title, sources }: Section, current: string): Html {
  const here = current === `${folder}/README.md` ? html` aria-current="page"` : html``
  // The many decisions are listed beside their own pages only.
  const isOpen = folder !== 'docs/adr' || posix.dirname(current) === folder
  const items = [
    ...(folder === 'docs/reference' ? [apiReference] : []),
    ...(isOpen ? sources.map((source) => linkTo(source, current)) : []),
  ]
  const heading = html`<p><a href="/${folder}" ${here}>${title}</a></p>`
  if (items.length === 0) return heading
  return html`${heading}
    <ul>
      ${items}
    </ul>`
}

function writeFiles(files: ReadonlyMap<string, string | Buffer>): void {
  for (const [name, content] of files) {
    const file = new URL(name, output)
    mkdirSync(new URL('.', file), { recursive: true })
    if (!isSame(file, Buffer.from(content))) writeFileSync(file, content)
  }
  const folder = fileURLToPath(output)
  const stale = globSync('**/*.*', { cwd: folder })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !files.has(name))
  for (const name of stale) rmSync(new URL(name, output))
}

function isSame(file: URL, content: Buffer): boolean {
  try {
    return readFileSync(file).equals(content)
  } catch {
    return false
  }
}
