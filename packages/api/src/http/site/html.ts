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

/** A page of the service. `contents` is a navigation beside it. */
export function page(title: string, body: Html, contents: Html | null = null): string {
  const beside =
    contents === null
      ? html``
      : html`<nav class="contents" id="contents" aria-label="Documentation">${contents}</nav>`
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/page.css" />
      </head>
      <body ${contents === null ? html`` : html`class="with-contents"`}>
        <header>
          <a href="/">Muster</a>
          <nav aria-label="Service">
            <a href="/docs">Documentation</a>
            <a href="/docs/api">API reference</a>
            ${contents === null ? html`` : html`<a class="to-contents" href="#contents">Contents</a>`}
          </nav>
        </header>
        <main>${body}</main>
        ${beside}
      </body>
    </html>`
  return document.text
}
