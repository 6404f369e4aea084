import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

import { atEnd } from '@muster/testing/at-end'

/** Writes a file that is removed after the test file, and returns its path. */
export function writeTemporary(name: string, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-import-'))
  atEnd(() => rm(folder, { recursive: true }))
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const little = (bytes: number, ...values: readonly number[]) => {
  const buffer = Buffer.alloc(bytes * values.length)
  for (const [at, value] of values.entries()) buffer.writeUIntLE(value, at * bytes, bytes)
  return buffer
}

/** A ZIP archive of files that are not compressed. */
function storedZip(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, text] of Object.entries(files)) {
    const [name, data] = [Buffer.from(path), Buffer.from(text)]
    const about = Buffer.concat([
      little(2, 20, 0, 0, 0, 0),
      little(4, crc32(data), data.length, data.length),
      little(2, name.length, 0),
    ])
    const part = Buffer.concat([Buffer.from('PK\u0003\u0004'), about, name, data])
    const place = Buffer.concat([little(2, 0, 0, 0), little(4, 0, offset)])
    directory.push(Buffer.from('PK\u0001\u0002'), little(2, 20), about, place, name)
    parts.push(part)
    offset += part.length
  }
  const index = Buffer.concat(directory)
  const count = Object.keys(files).length
  const end = [little(2, 0, 0, count, count), little(4, index.length, offset), little(2, 0)]
  return Buffer.concat([...parts, index, Buffer.from('PK\u0005\u0006'), ...end])
}

/** A workbook with one sheet of texts, which are written as they are. */
export function plainWorkbook(rows: readonly (readonly string[])[]): Buffer {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const sheet = rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('')
  return storedZip({
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="Large" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
  })
}
