/** Trusted HTML. `html` escapes every other value. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | readonly Html[]

export function html(literals: TemplateStringsArray, ...parts: Part[]): Html {
  const rendered = parts.map((part) => {
    if (part instanceof Html) return part.text
    if (typeof part === 'object') return part.map(({ text }) => text).join('')
    return String(part).replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter)
  })
  return new Html(String.raw({ raw: literals }, ...rendered))
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Renders contract text, in which backticks delimit code. */
export function prose(text: string): Html {
  const parts = text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
  return html`${parts}`
}

interface PageOptions {
  /** A navigation beside the page. Such a page also has the search of the documentation. */
  readonly contents?: Html
  /** The address of the page as Markdown. */
  readonly source?: string
}

/** A page of the service. */
export function page(title: string, body: Html, { contents, source }: PageOptions = {}): string {
  const hasContents = contents !== undefined
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/page.css" />
        ${source === undefined ? nothing : alternateOf(source)}
        ${hasContents ? searchScript : nothing}
      </head>
      <body ${hasContents ? html`class="with-contents"` : nothing}>
        <header>
          <a class="home" href="/"
            ><img src="/favicon.svg" alt="" width="24" height="24" />Muster</a
          >
          ${hasContents ? searchField : nothing}
          <nav aria-label="Service">
            <a href="/docs">Documentation</a>
            <a href="/docs/api">API reference</a>
            ${hasContents ? html`<a class="to-contents" href="#contents">Contents</a>` : nothing}
          </nav>
        </header>
        <main>${body}</main>
        ${hasContents ? navigationOf(contents) : nothing}
      </body>
    </html>`
  return document.text
}

const nothing = html``

const alternateOf = (source: string) =>
  html`<link rel="alternate" type="text/markdown" href="${source}" />`

const navigationOf = (contents: Html) =>
  html`<nav class="contents" id="contents" aria-label="Documentation">${contents}</nav>`

const searchScript = html`<script type="module" src="/docs/search.js"></script>`

/** The style sheet hides it where scripts do not run. */
const searchField = html`<search class="search">
  <input
    type="search"
    placeholder="Search"
    aria-label="Search the documentation"
    aria-keyshortcuts="/"
    autocomplete="off"
    spellcheck="false"
  />
  <kbd aria-hidden="true">/</kbd>
  <div data-results hidden></div>
</search>`
