import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'

import { writeXlsx } from '#kit/export/xlsx.ts'
import { readCsv } from '#pages/import/read/csv.ts'
import type { ReadFault } from '#pages/import/read/sheet.ts'
import { readXlsx } from '#pages/import/read/xlsx.ts'

const csv = (text: string) => readCsv(new TextEncoder().encode(text))
const bytesOf = (text: string, encoding: 'latin1' | 'utf16le') =>
  new Uint8Array(Buffer.from(text, encoding))

const faultOf = (fault: ReadFault) => ({ name: 'ReadError', fault })

test('reads UTF-8, UTF-16 and Windows-1252', () => {
  const table = 'Titel;Kategorie\r\nÜberflutung;größer\r\n'
  const utf16 = bytesOf(`\uFEFF${table}`, 'utf16le')
  const files = {
    'UTF-8': csv(`\uFEFF${table}`),
    'UTF-16': readCsv(utf16),
    'Windows-1252': readCsv(bytesOf(table, 'latin1')),
  }
  for (const [encoding, { columns, rows, format }] of Object.entries(files)) {
    assert.deepEqual(columns, ['Titel', 'Kategorie'])
    assert.deepEqual(rows, [{ line: 2, cells: ['Überflutung', 'größer'] }])
    assert.deepEqual(format, { type: 'csv', encoding, separator: ';' })
  }
  const bigEndian = readCsv(new Uint8Array(Buffer.from(utf16).swap16()))
  assert.deepEqual(bigEndian.columns, ['Titel', 'Kategorie'])
  const euro = readCsv(new Uint8Array([0x61, 0x0a, 0x80, 0x20, 0x96]))
  assert.deepEqual(euro.rows[0]?.cells, ['€ –'], 'Windows-1252, which is not Latin-1')
})

test('detects the separator, and leaves out empty rows and columns', () => {
  for (const separator of [',', ';', '\t'] as const) {
    const text = [
      ['a', 'b', '', ''],
      ['1', '2', '', ''],
      ['', '', '', ''],
      ['3', '', '', 'x'],
    ]
    const sheet = csv(text.map((cells) => cells.join(separator)).join('\n'))
    assert.deepEqual(sheet.format, { type: 'csv', encoding: 'UTF-8', separator })
    assert.deepEqual(sheet.columns, ['a', 'b', ''])
    assert.deepEqual(sheet.rows, [
      { line: 2, cells: ['1', '2', ''] },
      { line: 4, cells: ['3', '', 'x'] },
    ])
  }
})

test('refuses a CSV file beyond the bounds', () => {
  assert.throws(() => csv('a\n'), faultOf('no-rows'))
  assert.throws(() => csv(''), faultOf('no-rows'))
  assert.throws(() => csv(`a\n${'1\n'.repeat(10_001)}`), faultOf('too-many-rows'))
  assert.throws(() => csv(`a\n${'\n'.repeat(500_001)}`), faultOf('too-many-rows'))
  assert.throws(() => csv(`${','.repeat(200)}\n1\n`), faultOf('too-many-columns'))
  assert.throws(() => readCsv(new Uint8Array([0xff, 0, 1, 2])), faultOf('not-text'))
  const { rows } = csv(`a\n${'1\n'.repeat(10_000)}`)
  assert.equal(rows.length, 10_000)
})

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

interface Parts {
  readonly sheet: string
  readonly texts?: string
  readonly styles?: string
  readonly workbook?: string
  readonly more?: Readonly<Record<string, Uint8Array>>
}

function workbook({ sheet, texts = '', styles = '', workbook: settings = '', more = {} }: Parts) {
  const files = {
    'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><worksheet ${main}><sheetData>${sheet}\
</sheetData></worksheet>`,
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relations}">${settings}<sheets>\
<sheet name="Hidden" sheetId="2" state="hidden" r:id="rId9"/>\
<sheet name="Risks &amp; more" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" \
Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `<sst ${main}>${texts}</sst>`,
    'xl/styles.xml': `<styleSheet ${main}>${styles}</styleSheet>`,
  }
  const texted = Object.entries(files).map(([path, xml]) => [path, strToU8(xml)] as const)
  return new Uint8Array(zipSync({ ...Object.fromEntries(texted), ...more }, { level: 1 }))
}

const xlsx = (parts: Parts) => readXlsx(workbook(parts))

test('reads texts, numbers, days and the values of formulas as texts', () => {
  const { columns, rows, format } = xlsx({
    texts:
      '<si><t>Title</t></si><si><r><t>a &lt;b&gt;</t></r>' +
      '<r><t xml:space="preserve"> &#x41;</t></r>' +
      '<rPh><t>x</t></rPh></si><si><t>two_x000D_\nlines</t></si>',
    styles:
      '<numFmts><numFmt numFmtId="164" formatCode="dd.mm.yyyy"/>' +
      '<numFmt numFmtId="165" formatCode="0.0&quot; days&quot;"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/>' +
      '<xf numFmtId="165"/></cellXfs>',
    sheet:
      '<row r="2"><c r="A2" t="s"><v>0</v></c>' +
      '<c r="C2" t="inlineStr"><is><t>When</t></is></c></row>' +
      '<row r="4"><c r="A4" t="s"><v>1</v></c><c r="B4"><v>0.30000000000000004</v></c>' +
      '<c r="C4" s="1"><v>46344</v></c><c r="D4" s="2"><v>46344.75</v></c></row>' +
      '<row r="5"><c r="A5" t="str"><f>HYPERLINK("http://x.example","=1+1")</f><v>=1+1</v></c>' +
      '<c r="B5"><f>1+1</f><v>2</v></c><c r="C5" s="3"><v>3</v></c>' +
      '<c r="D5" t="b"><v>1</v></c></row>' +
      '<row><c t="s"><v>2</v></c><c t="e"><v>#REF!</v></c><c><f>NOW()</f></c></row><row r="9"/>',
  })
  assert.deepEqual(format, { type: 'xlsx', name: 'Risks & more' })
  assert.deepEqual(columns, ['Title', '', 'When', ''])
  assert.deepEqual(rows, [
    { line: 4, cells: ['a <b> A', '0.3', '2026-11-18', '2026-11-18'] },
    { line: 5, cells: ['=1+1', '2', '3', 'true'] },
    { line: 6, cells: ['two\nlines', '#REF!', '', ''] },
  ])
})

test('reads the days of a workbook that counts from 1904', () => {
  const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>'
  const sheet = '<row><c t="str"><v>Day</v></c></row><row><c s="0"><v>44882</v></c></row>'
  const { rows } = xlsx({ styles, sheet, workbook: '<workbookPr date1904="1"/>' })
  assert.deepEqual(rows[0]?.cells, ['2026-11-18'])
})

test('reads what the export of the console has written', async () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) =>
    // The export adds no control characters, and both sides ignore the space around a text.
    text.replaceAll(/\p{C}|[\s'"]/gu, ''),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }),
      async (cells) => {
        const rows = cells.map(([first, second]) => [`x${first}`, second])
        const list = rows.map((row) => row.map((text) => `"${text}"`).join(',')).join('\n')
        const workbookOf = {
          csv: `"a","b"\n${list}\n`,
          name: 'x',
          types: new Map(),
          onProgress: () => {},
        }
        const bytes = new Uint8Array(await (await writeXlsx(workbookOf)).arrayBuffer())
        const sheet = readXlsx(bytes)
        assert.deepEqual(sheet.columns, ['a', 'b'])
        assert.deepEqual(
          sheet.rows.map((row) => row.cells),
          rows,
        )
      },
    ),
    { numRuns: 200 },
  )
})

const oneRow = '<row><c t="str"><v>Title</v></c></row><row><c t="str"><v>Ice</v></c></row>'

test('stops to decompress a zip bomb', () => {
  const zeros = new Uint8Array(130 * 1024 * 1024)
  const bomb = workbook({ sheet: oneRow, more: { 'xl/worksheets/sheet2.xml': zeros } })
  assert.ok(bomb.length < 1_000_000, `${bomb.length} bytes`)
  assert.throws(() => readXlsx(bomb), faultOf('too-large-inside'))
  const { rows } = xlsx({ sheet: oneRow, more: { 'xl/media/image1.png': zeros } })
  assert.equal(rows.length, 1, 'other parts stay compressed')
})

test('refuses entities, damaged workbooks, and those beyond the bounds', () => {
  const damaged = faultOf('damaged-workbook')
  const doctype = '<!DOCTYPE x [<!ENTITY a "b">]><sst>&a;</sst>'
  const entities = { 'xl/sharedStrings.xml': strToU8(doctype) }
  assert.throws(() => xlsx({ sheet: oneRow, more: entities }), damaged)
  const whole = workbook({ sheet: oneRow })
  assert.throws(() => readXlsx(whole.slice(0, 300)), damaged)
  assert.throws(() => readXlsx(new Uint8Array([0x50, 0x4b, 3, 4, 0])), damaged)
  assert.throws(() => xlsx({ sheet: '' }), faultOf('no-rows'))
  const row = '<row><c><v>1</v></c></row>'
  assert.throws(() => xlsx({ sheet: row.repeat(10_002) }), faultOf('too-many-rows'))
  const wide = '<row><c r="GS1"><v>1</v></c></row>'
  assert.throws(() => xlsx({ sheet: wide + row }), faultOf('too-many-columns'))
})

test('a workbook of random bytes has a plain fault', () => {
  const whole = workbook({ sheet: oneRow })
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
      const changed = whole.with(at, byte)
      try {
        readXlsx(new Uint8Array(changed))
      } catch (error) {
        assert.equal((error as Error).name, 'ReadError')
      }
    }),
    { numRuns: 500 },
  )
})
