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
const servicePath =
  /^\/(about|docs|docs\/api|llms\.txt|openapi\.json|problems(\/[a-z_]+)?|security)$/

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
        return url === null ? html`${text}`.text : pictureOf(url, text, site).text
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

/** The size of every picture in pixels, so that a page does not move while they load. */
const pictureSize = { width: 1280, height: 800 } as const

/** A picture, and the one of the same name that ends in -dark for readers who use a dark theme. */
function pictureOf(url: string, text: string, site: Site): Html {
  const { width, height } = pictureSize
  const image = html`<img
    src="${url}"
    alt="${text}"
    width="${width}"
    height="${height}"
    loading="lazy"
  />`
  const dark = url.replace(/(?=\.png$)/, '-dark')
  if (dark === url || site.urlOf(dark.slice(1)) === null) return image
  return html`<picture
    ><source srcset="${dark}" media="(prefers-color-scheme: dark)" />
    ${image}</picture
  >`
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

/**
 * The Markdown of a page for readers of text. Links stay relative to the page, and those to files
 * that the service does not have become text, as on the page.
 */
export function portableMarkdown({ path, markdown }: Source, site: Site): string {
  // Code is matched first, so that brackets in it are left alone.
  const pattern =
    /^(?<fence>`{3,})[^]*?^\k<fence>$|`[^`\n]*`|!?\[(?<text>[^\]]*)\]\((?<href>[^)\s]+)\)/gm
  return markdown.replaceAll(pattern, (whole: string, ...rest: unknown[]) => {
    const { text = '', href } = rest.at(-1) as { text?: string; href?: string }
    if (href === undefined) return whole
    const url = resolve(path, href, site)
    if (url === null) return text
    return url === '/openapi.json' ? `[${text}](${url})` : whole
  })
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

/** The text of inline tokens, without marks. */
export const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : unescape(token)))
    .join('')

const unescape = (token: Token) => ('text' in token ? String(token.text) : '')

/** The anchor of a heading, as GitHub makes it. Repeated ones get a number. */
export function newSlug(text: string, used: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
  const count = used.get(slug) ?? 0
  used.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}
