import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'

import type { Encoding } from '#http/request/negotiate'
import type { StoredPage } from '#http/response/page-cache'

import type { ListFormat } from './format.ts'
import { Pace } from './pace.ts'

/** Items that are serialized at once: at most this number, and about as many bytes. */
const sliceItemsMax = 100
const sliceBytes = 128 * 1024

/** The envelope of a page, whose `data` is empty. */
interface Envelope {
  readonly data: readonly never[]
}

interface Serialized {
  readonly items: readonly object[]
  /** About the bytes of an item. */
  readonly itemBytes: number
}

/** The same bytes as of `JSON.stringify` with these items as `data`, in slices. */
export async function serialize(
  envelope: Envelope,
  { items, itemBytes }: Serialized,
): Promise<Buffer> {
  const sliceItems = sliceItemsOf(itemBytes)
  if (items.length <= sliceItems) return Buffer.from(JSON.stringify({ ...envelope, data: items }))
  const [before, after] = around(envelope)
  const slices = [Buffer.from(before)]
  const pace = new Pace()
  for (let from = 0; from < items.length; from += sliceItems) {
    const text = JSON.stringify(items.slice(from, from + sliceItems)).slice(1, -1)
    slices.push(Buffer.from(from === 0 ? text : `,${text}`))
    await pace.step(text.length)
  }
  return Buffer.concat([...slices, Buffer.from(after)])
}

const sliceItemsOf = (itemBytes: number) =>
  Math.min(sliceItemsMax, Math.ceil(sliceBytes / itemBytes))

/** A page as CSV or NDJSON, in slices: the same bytes as a complete list of these items. */
export async function serializeAs(
  format: ListFormat,
  { items, itemBytes, asOf }: Serialized & { readonly asOf: number },
): Promise<Buffer> {
  const sliceItems = sliceItemsOf(itemBytes)
  const texts = [format.begin(asOf)]
  const pace = new Pace()
  for (let from = 0; from < items.length; from += sliceItems) {
    const text = format.items(items.slice(from, from + sliceItems), from === 0)
    texts.push(text)
    await pace.step(text.length)
  }
  const end = format.end({ count: items.length, asOf, hasTotal: false })
  return Buffer.from([...texts, end].join(''))
}

/** A page as JSON with items that are JSON already. */
export function joinTexts(envelope: Envelope, texts: readonly string[]): Buffer {
  const [before, after] = around(envelope)
  return Buffer.from(`${before}${texts.join()}${after}`)
}

/** The empty `data` is the first list of the envelope. */
function around(envelope: Envelope): [before: string, after: string] {
  const text = JSON.stringify(envelope)
  const start = text.indexOf('[]') + 1
  return [text.slice(0, start), text.slice(start)]
}

const compressBytesMin = 1024
const compressors = {
  gzip: (plain: Buffer) => promisify(gzip)(plain, { level: 1 }),
  zstd: (plain: Buffer) =>
    promisify(zstdCompress)(plain, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
}

/** Compresses a body, unless it is small. */
export async function compress(
  plain: Buffer,
  encoding: Encoding,
): Promise<Pick<StoredPage, 'body' | 'isCompressed'>> {
  if (encoding === 'identity' || plain.length < compressBytesMin) {
    return { body: plain, isCompressed: false }
  }
  return { body: await compressors[encoding](plain), isCompressed: true }
}
