import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Bitmap, decodePng, encodePng } from './png.ts'

/** The share of the pixels that differ, and a picture of them. */
interface Difference {
  readonly share: number
  readonly picture: Bitmap
}

/** A pixel as three bytes in one number; null outside the picture. */
function pixelAt({ width, height, bytes }: Bitmap, x: number, y: number): number | null {
  return x < width && y < height ? bytes.readUIntBE((y * width + x) * 3, 3) : null
}

const red = 0xdc0000

/** The pixel with a quarter of its contrast, so that red stands out; white for none. */
function pale(pixel: number | null): number {
  return pixel === null ? 0xffffff : 0xc0c0c0 + ((pixel >> 2) & 0x3f3f3f)
}

/** Compares two pictures of any size. The result shows what differs in red, on a pale `after`. */
function comparePixels(before: Bitmap, after: Bitmap): Difference {
  const width = Math.max(before.width, after.width)
  const height = Math.max(before.height, after.height)
  const bytes = Buffer.alloc(width * height * 3)
  let count = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = pixelAt(after, x, y)
      const isEqual = pixel === pixelAt(before, x, y)
      if (!isEqual) count += 1
      bytes.writeUIntBE(isEqual ? pale(pixel) : red, (y * width + x) * 3, 3)
    }
  }
  return { share: count / (width * height), picture: { width, height, bytes } }
}

interface Folders {
  readonly before: string
  readonly after: string
  /** Where a picture of each difference is left. */
  readonly differences: string
}

/** Compares the pictures of two folders. Returns a line for each one that differs. */
export function compareFolders({ before, after, differences }: Folders): string[] {
  rmSync(differences, { recursive: true, force: true })
  mkdirSync(differences, { recursive: true })
  const names = new Set([before, after].flatMap((cwd) => globSync('*.png', { cwd })))
  return [...names].toSorted().flatMap((name) => {
    const [old, present] = [join(before, name), join(after, name)]
    if (!existsSync(present)) return [`${name}: missing`]
    if (!existsSync(old)) return [`${name}: new`]
    const [a, b] = [readFileSync(old), readFileSync(present)]
    if (a.equals(b)) return []
    const { share, picture } = comparePixels(decodePng(a), decodePng(b))
    writeFileSync(join(differences, name), encodePng(picture))
    return [`${name}: ${(100 * share).toFixed(3)} % of the pixels`]
  })
}
