import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'

import { parse } from 'csv-parse/sync'
import { strFromU8, unzipSync } from 'fflate'

import { writeXlsx } from '#kit/export/xlsx.ts'

/** The register to try the import with: a CSV file of a German Excel, and the same as a workbook. */
const [csvFile, workbookFile] = ['csv', 'xlsx'].map(
  (extension) => new URL(`../../../examples/register.${extension}`, import.meta.url),
) as [URL, URL]

const rowsOf = (text: string): string[][] => parse(text, { delimiter: ';' })

/** Excel keeps the days of one column as dates, and those of the other as they were typed. */
const types = new Map([
  ['Wahrscheinlichkeit', 'number'],
  ['Auswirkung', 'number'],
  ['Nächste Prüfung', 'date'],
] as const)

const isoDay = (cell: string) => cell.replace(/^(\d\d)\.(\d\d)\.(\d{4})$/, '$3-$2-$1')
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

async function makeWorkbook(): Promise<Uint8Array> {
  const text = new TextDecoder('windows-1252').decode(readFileSync(csvFile))
  const [header = [], ...rows] = rowsOf(text)
  const dates = header.indexOf('Nächste Prüfung')
  const typed = rows.map((cells) => cells.map((cell, at) => (at === dates ? isoDay(cell) : cell)))
  const csv = [header, ...typed].map((cells) => cells.map(quoted).join(',')).join('\n')
  const blob = await writeXlsx({ csv, name: 'Risiken', types, onProgress: () => {} })
  return new Uint8Array(await blob.arrayBuffer())
}

/** The files of a workbook, without the time at which each was written. */
const partsOf = (workbook: Uint8Array) =>
  Object.entries(unzipSync(workbook)).map(([path, data]) => [path, strFromU8(data)])

const advice = 'examples/register.csv changed. Run: npm run golden'

test('examples/register.xlsx has the rows of examples/register.csv', async () => {
  const made = await makeWorkbook()
  const saved = existsSync(workbookFile) ? partsOf(readFileSync(workbookFile)) : []
  const isSame = JSON.stringify(saved) === JSON.stringify(partsOf(made))
  if (process.env['UPDATE_GOLDEN'] === '1' && !isSame) writeFileSync(workbookFile, made)
  else assert.deepEqual(saved, partsOf(made), advice)
})

test('examples/register.csv is a file of a German Excel', () => {
  const bytes = readFileSync(csvFile)
  assert.throws(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes), 'not UTF-8')
  const rows = rowsOf(new TextDecoder('windows-1252').decode(bytes))
  assert.equal(rows.length, 41)
  assert.equal(bytes.filter((byte) => byte === 0x0d).length, rows.length)
})
