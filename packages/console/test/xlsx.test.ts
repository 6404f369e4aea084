import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { strFromU8, unzipSync } from 'fflate'

import { rowsMax } from '#data/too-many-rows.ts'
import { type CellType, columnTypes, type Document } from '#kit/export/column-types.ts'
import { writeXlsx } from '#kit/export/xlsx.ts'

const onProgress = () => {}
const textLengthMax = 32_767
const openapi = new URL('../../contract/openapi.json', import.meta.url)
const document = JSON.parse(readFileSync(openapi, 'utf8')) as Document

/** The files of the workbook of a CSV text, by their paths. */
async function filesOf(csv: string, types: Record<string, CellType> = {}) {
  const workbook = { csv, name: 'risks/open', types: new Map(Object.entries(types)), onProgress }
  const blob = await writeXlsx(workbook)
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()))
  return Object.fromEntries(Object.entries(files).map(([path, data]) => [path, strFromU8(data)]))
}

const sheetOf = async (csv: string, types: Record<string, CellType> = {}) =>
  (await filesOf(csv, types))['xl/worksheets/sheet1.xml'] ?? ''

const cellAt = (sheet: string, place: string) =>
  new RegExp(`<c r="${place}"[^>]*>.*?</c>`, 's').exec(sheet)?.[0] ?? null

test('numbers, dates, times and truth values are typed cells', async () => {
  const types = { score: 'number', due: 'date', at: 'time', live: 'boolean' } as const
  const csv =
    'title,score,due,at,live\r\nA,12,2026-11-18,2026-11-18T12:00:00.000Z,true\r\nB,,,,\r\n'
  const sheet = await sheetOf(csv, types)
  assert.match(cellAt(sheet, 'A2') ?? '', /t="inlineStr".*>A</)
  assert.equal(cellAt(sheet, 'B2'), '<c r="B2"><v>12</v></c>')
  assert.equal(cellAt(sheet, 'C2'), '<c r="C2" s="3"><v>46344</v></c>')
  assert.equal(cellAt(sheet, 'D2'), '<c r="D2" s="4"><v>46344.5</v></c>')
  assert.equal(cellAt(sheet, 'E2'), '<c r="E2" t="b"><v>1</v></c>')
  assert.equal(cellAt(sheet, 'B3'), null, 'an empty cell is left out')
})

test('a value of another form stays text', async () => {
  const types = { n: 'number', day: 'date' } as const
  const sheet = await sheetOf('n,day\nmany,1850-01-01\n', types)
  for (const place of ['A2', 'B2']) assert.match(cellAt(sheet, place) ?? '', /t="inlineStr"/)
})

test('a text that starts like a formula stays text, without the escape of CSV', async () => {
  const sheet = await sheetOf(`title\n'=1+1\n"'+a;'-b"\n''=x\nit's\n`)
  const texts = ['A2', 'A3', 'A4', 'A5'].map(
    (place) => cellAt(sheet, place)?.match(/>([^<]*)<\/t>/)?.[1],
  )
  assert.deepEqual(texts, ['=1+1', '+a;-b', "'=x", "it's"])
  assert.doesNotMatch(sheet, /<f>/)
})

test('texts with markup, line breaks, forbidden characters and escapes are kept', async () => {
  const long = 'x'.repeat(textLengthMax + 1)
  const sheet = await sheetOf(`t\n"a <b> & ""c"""\n"two\nlines"\nbad\u0001\n_x0041_\n${long}\n`)
  assert.match(cellAt(sheet, 'A2') ?? '', />a &lt;b&gt; &amp; "c"</)
  assert.match(cellAt(sheet, 'A3') ?? '', />two\nlines</)
  assert.match(cellAt(sheet, 'A4') ?? '', />bad\uFFFD</)
  assert.match(cellAt(sheet, 'A5') ?? '', />_x005F_x0041_</)
  assert.equal(/>(x+…)</.exec(cellAt(sheet, 'A6') ?? '')?.[1]?.length, textLengthMax)
})

test('the header is bold and frozen, columns have widths, and the sheet has a name', async () => {
  const files = await filesOf(`id,description\n1,${'long '.repeat(50)}\n`)
  const sheet = files['xl/worksheets/sheet1.xml'] ?? ''
  assert.match(sheet, /<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/)
  assert.match(sheet, /<col min="1" max="1" width="8".*<col min="2" max="2" width="60"/)
  assert.match(cellAt(sheet, 'A1') ?? '', /s="2"/)
  assert.match(files['xl/workbook.xml'] ?? '', /<sheet name="risks open"/)
  const wide = await sheetOf(`${Array.from({ length: 703 }, (_, at) => `c${at}`).join()}\n`)
  for (const [place, name] of Object.entries({
    Z1: 'c25',
    AA1: 'c26',
    ZZ1: 'c701',
    AAA1: 'c702',
  })) {
    assert.match(cellAt(wide, place) ?? '', new RegExp(`>${name}<`))
  }
})

test('the types of columns come from the OpenAPI document', () => {
  const types = columnTypes(document, '/v1/risks')
  const named = ['score', 'review_on', 'created_at', 'target.likelihood', 'target.due_on', 'title']
  const expected = ['number', 'date', 'time', 'number', 'date', undefined]
  assert.deepEqual(
    named.map((name) => types.get(name)),
    expected,
  )
  assert.equal(types.get('rank'), 'number')
  assert.equal(columnTypes(document, '/v1/personnel').get('assignable'), 'boolean')
  assert.equal(columnTypes(document, '/v1/nothing').size, 0)
})

test('a workbook has at most 100 000 rows', async () => {
  const csv = `n\n${'1\n'.repeat(rowsMax)}`
  assert.equal(rowsMax, 100_000)
  const sheet = await sheetOf(csv, { n: 'number' })
  assert.ok(cellAt(sheet.slice(-200), `A${rowsMax + 1}`))
  await assert.rejects(sheetOf(`${csv}1\n`), { name: 'TooManyRowsError' })
})

test('other work runs between the slices of a long export', async () => {
  const row = `${'text of some length,'.repeat(23)}2026-11-18\n`
  const csv = `${Array.from({ length: 24 }, (_, at) => `c${at}`).join()}\n${row.repeat(5000)}`
  const parts: number[] = []
  await writeXlsx({ csv, name: 'x', types: new Map(), onProgress: (part) => parts.push(part) })
  assert.ok(parts.length > 2, `${parts.length} slices`)
  assert.deepEqual(
    parts,
    parts.toSorted((a, b) => a - b),
  )
})
