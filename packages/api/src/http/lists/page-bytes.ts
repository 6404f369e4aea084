import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'

import type { Encoding } from '#http/request/negotiate'
import type { StoredPage } from '#http/response/page-cache'

import { Pace } from './pace.ts'

/** Items that are serialized at once: at most this number, and about as many bytes. */
const sliceItemsMax = 100
const sliceBytes = 128 * 1024

/** The same bytes as of `JSON.stringify`, in slices. */
export async function serialize(
  envelope: { readonly data: readonly object[] },
  rowBytes: number,
): Promise<Buffer> {
  const { data } = envelope
  const sliceItems = Math.min(sliceItemsMax, Math.ceil(sliceBytes / rowBytes))
  if (data.length <= sliceItems) return Buffer.from(JSON.stringify(envelope))
  const [before = '', after = ''] = JSON.stringify({ ...envelope, data: [] }).split('[]')
  const slices = [Buffer.from(`${before}[`)]
  const pace = new Pace()
  for (let from = 0; from < data.length; from += sliceItems) {
    const text = JSON.stringify(data.slice(from, from + sliceItems)).slice(1, -1)
    slices.push(Buffer.from(from === 0 ? text : `,${text}`))
    await pace.step(text.length)
  }
  return Buffer.concat([...slices, Buffer.from(`]${after}`)])
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
