import { everyOperation } from '@muster/contract'
import { marked, type Token, type Tokens } from 'marked'

import { newSlug, plainText, type Source } from './render.ts'

/** One section of a page: its address, the title of the page, its heading and its text. */
export type Entry = readonly [url: string, page: string, heading: string, text: string]

/** The search index of the documentation: a module, because the pages allow no connections. */
export function searchIndex(
  sources: readonly Source[],
  addressOf: (path: string) => string,
): string {
  const entries = [
    ...sources.flatMap((source) => sectionsOf(source, addressOf(source.path))),
    ...operationEntries(),
  ]
  return `export default ${JSON.stringify(entries)}\n`
}

/** A section for each heading of a page, with the anchors of the page. */
export function sectionsOf({ title, markdown }: Source, address: string): Entry[] {
  const slugs = new Map<string, number>()
  const sections: { heading: string; url: string; texts: string[] }[] = []
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading') {
      const heading = plainText((token as Tokens.Heading).tokens)
      const slug = newSlug(heading, slugs)
      const url = sections.length === 0 ? address : `${address}#${slug}`
      sections.push({ heading, url, texts: [] })
    } else {
      sections.at(-1)?.texts.push(textOf(token))
    }
  }
  return sections.map(({ heading, url, texts }) => [
    url,
    title,
    heading,
    texts.join(' ').replaceAll(/\s+/g, ' ').trim(),
  ])
}

function textOf(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flat().map(cellText).join(' ')
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(childText).join(' ')
  return 'tokens' in token && token.tokens ? childText(token) : plainText([token])
}

const cellText = ({ tokens }: Tokens.TableCell) => plainText(tokens)
const childText = ({ tokens = [] }: { tokens?: Token[] }) =>
  tokens.map((each) => (isBlock(each) ? ` ${textOf(each)}` : plainText([each]))).join('')
const isBlock = ({ type }: Token) => ['list', 'paragraph', 'table', 'blockquote'].includes(type)

/** The operations, which are sections of the API reference. */
const operationEntries = (): Entry[] =>
  everyOperation().map(({ name, operation: { method, path, summary, description } }) => [
    `/docs/api#tag/${name.split('.')[0]}/${method}${path}`,
    'API reference',
    summary,
    `${method} ${path} ${description ?? ''}`.replaceAll('`', '').replaceAll(/\s+/g, ' ').trim(),
  ])
