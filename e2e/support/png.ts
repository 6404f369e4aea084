import assert from 'node:assert/strict'
import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** A picture with three bytes a pixel: red, green and blue. */
export interface Bitmap {
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The data of all chunks of this type, in order. */
function chunksOf(png: Buffer, type: string): Buffer {
  const found: Buffer[] = []
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === type) {
      found.push(png.subarray(at + 8, at + 8 + length))
    }
    at += length + 12
  }
  return Buffer.concat(found)
}

type Neighbours = readonly [left: number, above: number, corner: number]

/** The neighbour that is nearest to left + above - corner: the filter of Paeth. */
function paeth([left, above, corner]: Neighbours): number {
  const toLeft = Math.abs(above - corner)
  const toAbove = Math.abs(left - corner)
  const toCorner = Math.abs(left + above - 2 * corner)
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

/** What each filter adds to a byte. */
const filters: readonly ((neighbours: Neighbours) => number)[] = [
  () => 0,
  ([left]) => left,
  ([, above]) => above,
  ([left, above]) => (left + above) >> 1,
  paeth,
]

/** Decodes a PNG of the browser: 8 bits a channel, without transparency and interlacing. */
export function decodePng(png: Buffer): Bitmap {
  const header = chunksOf(png, 'IHDR')
  assert.deepEqual([...header.subarray(8)], [8, 2, 0, 0, 0], 'the form of a screenshot')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const filtered = inflateSync(chunksOf(png, 'IDAT'))
  const row = width * 3
  const bytes = Buffer.alloc(row * height)
  for (let y = 0; y < height; y++) {
    const predict = filters[filtered[y * (row + 1)] ?? 0] ?? paeth
    for (let x = 0; x < row; x++) {
      const at = y * row + x
      const left = x < 3 ? 0 : (bytes[at - 3] ?? 0)
      const above = bytes[at - row] ?? 0
      const corner = x < 3 ? 0 : (bytes[at - row - 3] ?? 0)
      bytes[at] = (filtered[at + y + 1] ?? 0) + predict([left, above, corner])
    }
  }
  return { width, height, bytes }
}

const distance = (a: number, b: number) =>
  Math.abs((a >> 16) - (b >> 16)) +
  Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)) +
  Math.abs((a & 255) - (b & 255))

/** A colour of the picture: how often it occurs, and the place of the nearest one in the palette. */
interface Colour {
  readonly value: number
  count: number
  place: number
  error: number
}

/**
 * At most 256 colours, and for each colour of the picture the place of the nearest of them. The
 * next one is always that with the largest error in all its pixels. So a small sign of a colour of
 * its own keeps it, and only the edges of letters take one that is near.
 */
function paletteOf(values: readonly number[]) {
  const colours = new Map<number, Colour>()
  for (const value of values) {
    const colour = colours.get(value) ?? { value, count: 0, place: 0, error: 3 * 255 }
    colour.count += 1
    colours.set(value, colour)
  }
  const weight = ({ count, error }: Colour) => count * error ** 2
  const palette: number[] = []
  while (palette.length < Math.min(256, colours.size)) {
    const next = colours.values().reduce((a, b) => (weight(b) > weight(a) ? b : a))
    for (const colour of colours.values()) {
      const error = distance(colour.value, next.value)
      if (error < colour.error) Object.assign(colour, { error, place: palette.length })
    }
    palette.push(next.value)
  }
  return { palette, placeOf: (value: number) => colours.get(value)?.place ?? 0 }
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, checksum])
}

interface Encoding {
  readonly width: number
  readonly height: number
  /** Of PNG: 2 for three bytes a pixel, 3 for a place in a palette. */
  readonly colourType: 2 | 3
  readonly palette?: Buffer
  /** Each row begins with the byte of its filter. */
  readonly rows: Buffer
}

function encode({ width, height, colourType, palette, rows }: Encoding): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colourType, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...(palette ? [chunk('PLTE', palette)] : []),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export function encodePng({ width, height, bytes }: Bitmap): Buffer {
  const row = width * 3
  const rows = Buffer.alloc((row + 1) * height)
  for (let y = 0; y < height; y++) bytes.copy(rows, y * (row + 1) + 1, y * row, (y + 1) * row)
  return encode({ width, height, colourType: 2, rows })
}

/** Encodes a screenshot again with at most 256 colours, which takes a third of the bytes. */
export function compressPng(png: Buffer): Buffer {
  const { width, height, bytes } = decodePng(png)
  const colours = Array.from({ length: width * height }, (_, at) => bytes.readUIntBE(at * 3, 3))
  const { palette, placeOf } = paletteOf(colours)
  const rows = Buffer.alloc((width + 1) * height)
  for (const [at, colour] of colours.entries()) {
    rows[at + Math.floor(at / width) + 1] = placeOf(colour)
  }
  const table = Buffer.from(palette.flatMap((each) => [each >> 16, (each >> 8) & 255, each & 255]))
  return encode({ width, height, colourType: 3, palette: table, rows })
}
