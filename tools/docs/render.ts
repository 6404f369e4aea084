import { posix } from 'node:path'

import { html, Html } from '@muster/api/html'
import { Marked, type Token, type Tokens } from 'marked'

/** What the links of a page refer to. Paths are relative to the root of the repository. */
export interface Site {
  /** The address of a page, folder or picture below docs; null for anything else. */
  readonly urlOf: (path: string) => string | null
  /** The text of a drawing below docs, which becomes part of the page; null for other pictures. */
  readonly drawingOf?: (path: string) => string | null
}

/** A page of the documentation: its source path, its title and its Markdown. */
export interface Source {
  readonly path: string
  readonly title: string
  readonly markdown: string
}

/** The title is the first heading of the page. */
export function readSource(path: string, markdown: string): Source {
  const [, title] = /^# (.+)$/m.exec(markdown) ?? []
  if (title === undefined) throw new Error(`${path} has no title`)
  return { path, title: title.replaceAll('`', ''), markdown }
}

/** Pages of a running service that a document names as code, such as `/problems/email_taken`. */
const servicePath = /^\/(about|docs|docs\/api|openapi\.json|problems(\/[a-z_]+)?|security)$/

/** Renders Markdown to HTML. Raw HTML is shown as text. */
export function renderMarkdown({ path, markdown }: Source, site: Site): Html {
  const slugs = new Map<string, number>()
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const id = newSlug(plainText(tokens), slugs)
        const text = this.parser.parseInline(tokens)
        const label = html`Link to ${plainText(tokens)}`.text
        const link = `<a class="anchor" href="#${id}" aria-label="${label}">#</a>`
        return `<h${depth} id="${id}">${text}${depth === 1 ? '' : ` ${link}`}</h${depth}>\n`
      },
      html: ({ text }) => html`${text}`.text,
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const url = resolve(path, href, site)
        return url === null ? text : html`<a href="${url}">${new Html(text)}</a>`.text
      },
      image({ href, text }) {
        const drawing = site.drawingOf?.(posix.join(posix.dirname(path), href))
        if (typeof drawing === 'string') return drawing
        const url = resolve(path, href, site)
        return url === null ? html`${text}`.text : html`<img src="${url}" alt="${text}" />`.text
      },
      codespan({ text }) {
        const code = html`<code>${text}</code>`
        return servicePath.test(text) ? html`<a href="${text}">${code}</a>`.text : code.text
      },
      table(token) {
        const table = tableOf(token, (tokens) => this.parser.parseInline(tokens))
        if (table.includes(emptyTitle))
          throw new Error(`${path} has a table column without a title`)
        return `<table>${table}</table>\n`
      },
    },
  })
  return new Html(marked.parse(markdown, { async: false }))
}

const emptyTitle = '<th scope="col"></th>'

function tableOf({ header, rows }: Tokens.Table, inline: (tokens: Token[]) => string): string {
  const head = header.map(({ tokens }) => inline(tokens))
  const line = (cells: readonly string[]) => `<tr>${cells.join('')}</tr>`
  // A table without titles, such as one of pictures, has no head.
  const isTitled = head.some((cell) => cell !== '')
  const titles = line(head.map((cell) => `<th scope="col">${cell}</th>`))
  const body = rows.map((cells) => line(cells.map(({ tokens }) => `<td>${inline(tokens)}</td>`)))
  return `${isTitled ? `<thead>${titles}</thead>` : ''}<tbody>${body.join('')}</tbody>`
}

/** The address of a link; null for a file outside docs, which the service does not have. */
function resolve(from: string, href: string, site: Site): string | null {
  if (/^(https?:\/\/|mailto:|#)/.test(href)) return href
  const [target = '', hash] = href.split('#')
  const path = posix.join(posix.dirname(from), target)
  if (path === 'packages/contract/openapi.json') return '/openapi.json'
  if (!/^docs(\/|$)/.test(path)) return null
  const url = site.urlOf(path.replace(/\/$/, ''))
  if (url === null) throw new Error(`${from} links to ${href}, which does not exist`)
  return hash === undefined ? url : `${url}#${hash}`
}

const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : unescape(token)))
    .join('')

const unescape = (token: Token) => ('text' in token ? String(token.text) : '')

/** The anchor of a heading, as GitHub makes it. Repeated ones get a number. */
function newSlug(text: string, used: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
  const count = used.get(slug) ?? 0
  used.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}
