import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { compareFolders } from './support/compare-pictures.ts'
import { decodePng, encodePng } from './support/png.ts'

const [white, grey, red] = [0xffffff, 0x808080, 0xdc0000]

/** A picture of one row. */
function png(...pixels: readonly number[]): Buffer {
  const bytes = Buffer.alloc(pixels.length * 3)
  for (const [place, pixel] of pixels.entries()) bytes.writeUIntBE(pixel, place * 3, 3)
  return encodePng({ width: pixels.length, height: 1, bytes })
}

test('lists the pictures that differ, and leaves a picture of each difference', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-pictures-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const folders = {
    before: join(folder, 'before'),
    after: join(folder, 'after'),
    differences: join(folder, 'differences'),
  }
  const save = (into: string, pictures: Readonly<Record<string, Buffer>>) => {
    mkdirSync(into)
    for (const [name, content] of Object.entries(pictures)) {
      writeFileSync(join(into, `${name}.png`), content)
    }
  }
  save(folders.before, { equal: png(grey), gone: png(grey), keys: png(grey, white, grey, white) })
  save(folders.after, { equal: png(grey), added: png(grey), keys: png(grey, white, white) })

  assert.deepEqual(compareFolders(folders), [
    'added.png: new',
    'gone.png: missing',
    'keys.png: 50.000 % of the pixels',
  ])
  const { bytes } = decodePng(readFileSync(join(folders.differences, 'keys.png')))
  const pixels = [0, 3, 6, 9].map((place) => bytes.readUIntBE(place, 3))
  assert.deepEqual(pixels, [0xe0e0e0, white, red, red])
})
