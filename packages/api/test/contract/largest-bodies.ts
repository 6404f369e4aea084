import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'

import { everyOperation, limits, type Operation } from '@muster/contract'

import type { Client, Json } from '#test/support/client'

interface Shape {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly items?: Shape
}

export type Fields = readonly (readonly [name: string, shape: Shape])[]

const pick = (from: string) => from.charAt(randomInt(from.length))
const some = (length: number, one: () => string) => Array.from({ length }, one).join('')
const letter = () => pick('abcdefghijklmnopqrstuvwxyz')
const syllable = () => String.fromCodePoint(0xac00 + randomInt(11_172))
const emoji = () => String.fromCodePoint(0x1f400 + randomInt(0x3f))

/**
 * A text of exactly this many characters. Each ends with different letters, so that all are unique.
 */
type Content = (length: number) => string

const unique = (length: number, one: () => string) =>
  length < 20 ? some(length, letter) : some(length - 12, one) + some(12, letter)

/** The most expensive contents to store: in folded form, and incompressible. */
export const contents: Readonly<Record<string, Content>> = {
  'characters that NFKD expands most': (length) => unique(length, () => '\u{fdfa}'),
  'characters that do not compress': (length) =>
    unique(length, () => [letter, syllable, emoji][randomInt(3)]?.() ?? ''),
}

/** 254 characters: 64 before the @, and labels of at most 63 after it. */
const email = () =>
  `${some(64, letter)}@${some(63, letter)}.${some(63, letter)}.${some(61, letter)}`
/** 253 characters in labels of at most 63. */
const domain = () => [63, 63, 63, 61].map((length) => some(length, letter)).join('.')
const cidr = () =>
  `${some(8, () => `${some(4, () => pick('0123456789abcdef'))}:`).slice(0, -1)}/128`

/** Texts with a format of their own: the example value stays. */
const keptTexts = new Set(['time_zone', 'code'])

interface Filling {
  readonly content: Content
  /** People who can be members and assignees. */
  readonly people: readonly string[]
}

/** The largest legal value of a field; undefined where the example value is as large. */
function largest(name: string, { format, pattern = '', ...shape }: Shape, filling: Filling): Json {
  if (keptTexts.has(name)) return undefined
  if (format === 'email') return email()
  if (/\\p\{C/.test(pattern)) return filling.content(shape.maxLength ?? 0)
  // A key that names projects has fewer scopes.
  if (shape.items?.pattern?.startsWith('^prj')) return undefined
  return shape.items?.pattern ? largestList(shape.items, shape.maxItems ?? 0, filling) : undefined
}

function largestList(
  { pattern = '', maxLength = 0 }: Shape,
  length: number,
  { content, people }: Filling,
): string[] {
  if (pattern.startsWith('^usr')) return people.slice(0, length)
  const isDomain = pattern.startsWith('^[a-z0-9](')
  const one = isDomain ? domain : () => content(maxLength)
  return Array.from({ length }, pattern.includes('A-Fa-f') ? cidr : one)
}

/** The fields that a body can set; for a PATCH or a row, those of the create operation. */
export function settable(name: string, { body, rows, ...operation }: Operation): Fields {
  // The cast holds because the fields of a body are JSON Schemas.
  const fields = Object.entries((rows ?? body)?.properties ?? {}) as [string, Shape][]
  if (rows === undefined && !operation.isMergePatch) return fields
  const [noun] = name.split('.')
  const create = everyOperation().find((each) => each.name === `${noun}.create`)
  const given = create?.operation.body?.properties
  if (!given) return fields
  return fields.filter(([field]) => field in given && !closing.has(field))
}

/** Texts that only a new record sets, which is then closed. */
const closing = new Set(['close_note'])

/** The example with every field at its maximum size, except links and metadata. */
export function enlarged(example: Json, fields: Fields, filling: Filling): Json {
  const large = fields.map(([name, shape]) => [name, largest(name, shape, filling)])
  const set = Object.fromEntries(large.filter(([, value]) => value !== undefined))
  return {
    ...example,
    ...set,
    ...('blocked_reason' in set && { status: 'blocked' }),
    ...('health_note' in set && { health: 'at_risk' }),
    ...('close_note' in set && closedStatus(fields)),
  }
}

/** For a record that is created closed; the operation `close` has no status. */
function closedStatus(fields: Fields): Json {
  const { status, close_reason } = Object.fromEntries(fields)
  return status && { status: 'closed', close_reason: close_reason?.enum?.[0] }
}

interface Room {
  readonly content: Content
  readonly bytes: number
}

/** Adds as many links and then as much metadata as this many bytes of JSON have room for. */
export function filledUp(body: Json, fields: Fields, { content, bytes }: Room): Json {
  const isField = (name: string) => fields.some(([field]) => field === name)
  // Both are in the body from the start, so that each leaves room for the name of the other.
  const filled: Json = { ...body }
  if (isField('links')) filled.links = []
  if (isField('metadata')) filled.metadata = {}
  for (const [name, fill] of [
    ['links', linksOf],
    ['metadata', metadataOf],
  ] as const) {
    if (isField(name)) filled[name] = fill(content, bytes - bytesOf({ ...filled, [name]: [] }))
  }
  return filled
}

/** The largest links, within this many bytes of JSON. */
function linksOf(content: Content, bytes: number): Json[] {
  const links: Json[] = []
  let left = bytes
  while (links.length < 20) {
    const link = { title: content(200), url: `https://documents.example/${some(1974, letter)}` }
    left -= bytesOf(link) + 1
    if (left < 0) break
    links.push(link)
  }
  return links
}

/** Metadata with the largest keys and values, within this many bytes of JSON. */
function metadataOf(content: Content, bytes: number): Record<string, string> {
  const metadata: Record<string, string> = {}
  let left = bytes - 2
  for (let count = 0; count < 50; count++) {
    const value = content(500)
    left -= 40 + Buffer.byteLength(JSON.stringify(value)) + 4
    if (left < 0) break
    metadata[some(40, letter)] = value
  }
  return metadata
}

export const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** Adds as many people as one request can name. */
export async function addPeople(manager: Client): Promise<string[]> {
  const data = Array.from({ length: limits.itemsMax }, (_, row) => ({
    name: `Tove Ekberg ${row}`,
    email: `tove${row}@example.com`,
  }))
  const { status, body, text } = await manager.post('/v1/personnel/batch', { data })
  assert.equal(status, 200, text)
  return body.data.map(({ id }: Json) => id)
}
