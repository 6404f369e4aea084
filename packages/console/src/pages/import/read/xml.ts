/** A tag of a document, with the text before it. */
export interface Tag {
  readonly text: string
  /** Without the prefix of the namespace; empty for a comment or a section of text. */
  readonly name: string
  readonly isEnd: boolean
  /** `<c/>` has no end tag. */
  readonly isEmpty: boolean
  readonly attributes: string
}

const comment = String.raw`!--[\s\S]*?-->|\?[\s\S]*?\?>`
const section = String.raw`!\[CDATA\[([\s\S]*?)\]\]>`
const attributes = String.raw`((?:[^<>"'/]|"[^"]*"|'[^']*'|/(?!>))*)`
const element = String.raw`(/?)(?:[\w.-]+:)?([\w.-]+)${attributes}(/?)>`
const tag = new RegExp(`([^<]*)<(?:${comment}|${section}|${element})`, 'y')

/**
 * Reads the tags of a document one by one. It has no entities but those of XML itself: a document
 * with a DOCTYPE, which could declare others, is refused.
 */
export function* readTags(xml: string): Generator<Tag> {
  const end = xml.lastIndexOf('>') + 1
  tag.lastIndex = 0
  for (let at = 0; at < end;) {
    tag.lastIndex = at
    const match = tag.exec(xml)
    if (match === null) throw new SyntaxError('The document is not well-formed.')
    at = tag.lastIndex
    const [, before = '', verbatim = '', slash = '', name = '', rest = '', empty = ''] = match
    const text = unescapeXml(before) + verbatim
    yield { text, name, isEnd: slash !== '', isEmpty: empty !== '', attributes: rest }
  }
}

/** The value of an attribute; null if the tag does not have it. */
export function attribute(of: Tag, name: string): string | null {
  const value = String.raw`\s*=\s*(?:"([^"]*)"|'([^']*)')`
  const found = new RegExp(`(?:^|\\s)(?:[\\w.-]+:)?${name}${value}`).exec(of.attributes)
  return found === null ? null : unescapeXml(found[1] ?? found[2] ?? '')
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
}

function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#x[\da-f]{1,6}|#\d{1,7}|\w{1,8});/gi, (reference) => {
    const [, isHex, digits] = /^&#(x?)([\da-f]+);$/i.exec(reference) ?? []
    if (digits === undefined) return entities[reference.slice(1, -1)] ?? reference
    const code = Number.parseInt(digits, isHex ? 16 : 10)
    return code <= 0x10_ffff ? String.fromCodePoint(code) : '\uFFFD'
  })
}
