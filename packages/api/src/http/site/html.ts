/** A piece of HTML. Whatever is not one is text, and is escaped. */
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

/** Text of the contract, in which `code` stands between backticks. */
export function prose(text: string): Html {
  const parts = text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
  return html`${parts}`
}

export function page(title: string, body: Html): string {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/page.css" />
      </head>
      <body>
        <header><a href="/">Muster</a></header>
        <main>${body}</main>
      </body>
    </html>`
  return document.text
}
