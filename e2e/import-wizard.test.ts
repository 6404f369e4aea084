import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'

import type { Locator, Page } from 'playwright-core'

import { assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import {
  addRoster,
  type Api,
  batchCalls,
  chooseFile,
  cellField,
  cellPanel,
  cellSelected,
  correctCell,
  newWorkspace,
  previewCounts,
} from './support/import-steps.ts'
import { button } from './support/steps.ts'

const env = await startEnvironment()

/** The register of a person who works with a German Excel. */
const header = [
  'Nr',
  'Titel',
  'Projekt',
  'Verantwortlich',
  'Wahrscheinlichkeit',
  'Auswirkung',
  'Kategorie',
  'Nächste Prüfung',
  'Erfasst am',
  'Massnahme',
]
const rowCount = 200

/** A row, with days as a function writes them. Every 40th owner, category and date is wrong. */
function uglyRow(at: number, day: (year: number, month: number, date: number) => string): string[] {
  const isWrong = at % 40 === 7
  return [
    `R-${at}`,
    `Rechen ${at} verklemmt sich; "größer"`,
    at % 2 === 0 ? 'Lock renewal' : 'weir',
    isWrong ? 'Bauleitung' : (['mara@example.com', 'Kolář, Tomáš', ''][at % 3] ?? ''),
    String(1 + (at % 5)),
    String(1 + (at % 3)),
    isWrong ? 'Technisch' : 'Technical',
    isWrong ? 'Q1' : day(2027, 2, 1 + (at % 28)),
    day(2025, 1 + (at % 12), 3),
    'Taucher bestellen',
  ]
}

const pad = (number: number) => String(number).padStart(2, '0')
const germanDay = (year: number, month: number, day: number) => `${pad(day)}.${pad(month)}.${year}`
const rowsWith = (day: Parameters<typeof uglyRow>[1]) =>
  Array.from({ length: rowCount }, (_, at) => uglyRow(at, day))

function uglyCsv(): Buffer {
  const quoted = (cell: string) => (/[";]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const lines = [header, ...rowsWith(germanDay)].map((cells) => cells.map(quoted).join(';'))
  // Windows-1252 has no ř, and š at another place.
  const text = lines.join('\r\n').replaceAll('ř', 'r').replaceAll('š', '\u009A')
  return Buffer.from(`${text}\r\n`, 'latin1')
}

/** A ZIP archive of compressed files. */
function zip(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const entries = Object.entries(files).map(([path, content]) => {
    const data = deflateRawSync(content)
    const sizes = [crc32(content), data.length, Buffer.byteLength(content)]
    return { name: Buffer.from(path), data, sizes }
  })
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data, sizes } of entries) {
    const common = [20, 0, 8, 0, 0].flatMap((value) => [value, 0])
    const numbers = Buffer.alloc(12)
    for (const [at, size] of sizes.entries()) numbers.writeUInt32LE(size, at * 4)
    const length = Buffer.from([name.length, 0, 0, 0])
    const local = [Buffer.from([0x50, 0x4b, 3, 4, ...common]), numbers, length, name, data]
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 0, ...common]), numbers, length, place, name)
    parts.push(...local)
    offset += local.reduce((sum, each) => sum + each.length, 0)
  }
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A workbook with one sheet. A cell that is a number has the format of a day. */
function workbook(
  rows: readonly (readonly (string | number)[])[],
  more: Readonly<Record<string, string | Buffer>> = {},
): Buffer {
  const cellXml = (cell: string | number) =>
    typeof cell === 'number'
      ? `<c s="1"><v>${cell}</v></c>`
      : `<c t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`
  const sheet = rows.map((cells) => `<row>${cells.map(cellXml).join('')}</row>`).join('')
  return zip({
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="Risiken" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/styles.xml':
      '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...more,
  })
}

const serialOf = (year: number, month: number, day: number) =>
  (Date.UTC(year, month - 1, day) - Date.UTC(1899, 11, 30)) / 86_400_000

function uglyWorkbook(): Buffer {
  const isDay = /^\d{4}-\d{2}-\d{2}$/
  const days = rowsWith((year, month, day) => `${year}-${pad(month)}-${pad(day)}`)
  const typed = days.map((cells) =>
    cells.map((cell) => {
      const [year = 0, month = 0, day = 0] = cell.split('-').map(Number)
      return isDay.test(cell) ? serialOf(year, month, day) : cell
    }),
  )
  return workbook([header, ...typed])
}

/** Clicks like a person, and counts. */
function clicker() {
  let clicks = 0
  return {
    click: async (target: Locator) => {
      clicks += 1
      await target.click()
    },
    count: () => clicks,
  }
}

const files = {
  'Windows-1252 CSV with semicolons': { name: 'register.csv', content: uglyCsv },
  'an Excel workbook': { name: 'register.xlsx', content: uglyWorkbook },
}

for (const [format, { name, content }] of Object.entries(files)) {
  test(`imports the register of a German Excel: ${format}`, async () => {
    const { key, api } = await newWorkspace(env, name)
    await addRoster(api)
    const session = await signIn(env, key, { path: '/import' })
    const { page } = session
    const hand = clicker()
    await hand.click(page.getByRole('radiogroup', { name: 'File contents' }).getByText('Risks'))
    const chooser = page.waitForEvent('filechooser')
    await hand.click(button(page, 'Choose a file'))
    const file = { name, mimeType: 'application/octet-stream', buffer: content() }
    await (await chooser).setFiles(file)
    await page.getByText(/^200 rows, read /).waitFor()
    await page.getByRole('row', { name: 'Massnahme' }).getByText('Taucher bestellen').waitFor()
    await hand.click(button(page, 'Next'))

    await page.getByText('15 cells must be corrected.').waitFor()
    const rows = await page.getByRole('grid').getByRole('row').count()
    assert.ok(rows < 80, `${rows} of 200 rows are in the document`)
    await cellSelected(page, 'Owner, row 9')
    await hand.click(cellField(page))
    await page.keyboard.type('mara')
    await hand.click(page.getByRole('option', { name: 'Mara Lindqvist (mara@example.com)' }))
    await cellPanel(page).getByText('Also for the 4 other rows with “Bauleitung”').waitFor()
    await hand.click(button(page, 'Use'))
    await cellSelected(page, 'Category, row 9')
    await page.keyboard.type('Techni')
    await hand.click(page.getByRole('option', { name: 'Technical' }))
    await hand.click(button(page, 'Use'))
    await cellSelected(page, 'Next review, row 9')
    await page.keyboard.type('31.3.2027')
    await hand.click(button(page, 'Use'))
    await page.getByText('All cells are corrected.').waitFor()
    await hand.click(button(page, 'Check all rows'))
    assert.deepEqual(await previewCounts(page), ['200', '0', '0', '0'])
    await hand.click(button(page, 'Import 200 rows'))
    await page.getByText('Done: all 200 rows were imported.').waitFor()
    assert.ok(hand.count() <= 12, `${hand.count()} clicks`)

    await assertImported(api)
    const saved = page.waitForEvent('download')
    await button(page, 'Download the report').click()
    const report = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n')
    assert.equal(report.length, 1 + rowCount)
    assert.match(report[1] ?? '', /^2,New,(?:LOCK|WEIR)-R\d+,$/)

    await button(page, 'Import another file').click()
    await chooseFile(page, content(), name)
    await importAgain(page)
    assertNoErrors(session)
  })
}

async function assertImported(api: Api): Promise<void> {
  const { data } = await api.risks.list()
  assert.equal(data.length, rowCount)
  const people = (await api.personnel.list()).data
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const rows = data.map((risk) => [
    risk.external_id,
    risk.ref.replace(/\d+$/, ''),
    risk.title,
    names.get(risk.owner_user_id ?? ''),
    risk.likelihood,
    risk.impact,
    risk.category,
    risk.review_on,
    risk.identified_at.slice(0, 10),
  ])
  const rowOf = (id: string) => rows.find(([externalId]) => externalId === id)?.slice(1)
  const [second, eighth] = [1, 7].map((at) => `Rechen ${at} verklemmt sich; "größer"`)
  const days = ['2027-02-02', '2025-02-03']
  assert.deepEqual(rowOf('R-1'), ['WEIR-R', second, 'Tomáš Kolář', 2, 2, 'technical', ...days])
  const corrected = ['2027-03-31', '2025-08-03']
  const mara = 'Mara Lindqvist'
  assert.deepEqual(rowOf('R-7'), ['WEIR-R', eighth, mara, 3, 2, 'technical', ...corrected])
}

/** The second import of the file, with the same corrections, changes nothing. */
async function importAgain(page: Page): Promise<void> {
  await button(page, 'Next').click()
  await correctCell(page, 'Owner, row 9', 'Mara Lindqvist')
  await correctCell(page, 'Category, row 9', 'technical')
  await correctCell(page, 'Next review, row 9', '2027-03-31')
  await button(page, 'Check all rows').click()
  assert.deepEqual(await previewCounts(page), ['0', '0', '200', '0'])
  await page.getByText('The file contains no changes.').first().waitFor()
}

test('a zip bomb and a formula do no harm', async () => {
  const { key, api, project } = await newWorkspace(env, 'Harm')
  const session = await signIn(env, key, { path: `/import?kind=risks&project_id=${project.id}` })
  const { page } = session
  const bomb = workbook([['title']], { 'xl/sharedStrings.xml': Buffer.alloc(140 * 1024 * 1024) })
  assert.ok(bomb.length < 1024 * 1024)
  await chooseFile(page, bomb, 'bomb.xlsx')
  const alert = page.getByRole('alert')
  await alert.getByText('The workbook is larger than 128 MiB after decompression.').waitFor()
  assert.deepEqual(batchCalls(session), [])

  const formula = `=HYPERLINK("https://x.example","a")`
  const cells = `<c t="str"><f>${escaped(formula)}</f><v>=1+1</v></c><c><f>2+2</f><v>4</v></c>`
  const sheet = workbook([], {
    'xl/worksheets/sheet1.xml':
      '<worksheet><sheetData><row><c t="str"><v>Title</v></c><c t="str"><v>Likelihood</v></c>' +
      `<c t="str"><v>Impact</v></c></row><row>${cells}<c><v>5</v></c></row>` +
      '</sheetData></worksheet>',
  })
  await chooseFile(page, sheet, 'formula.xlsx')
  await button(page, 'Import 1 row').click()
  await page.getByText('Done: 1 row was imported.').waitFor()
  const { data } = await api.risks.list()
  assert.deepEqual(
    data.map(({ title, score }) => [title, score]),
    [['=1+1', 20]],
  )
  assert.deepEqual(session.outside, [])
  assertNoErrors(session)
})

test('reads each file in a worker, and runs no other script in one', async () => {
  const { key, project } = await newWorkspace(env, 'Worker')
  const path = `/import?kind=risks&project_id=${project.id}`
  const session = await signIn(env, key, { path })
  const { page } = session
  for (const [name, content] of [
    ['list.csv', Buffer.from('title,likelihood,impact\nIce,2,3\n')],
    [
      'list.xlsx',
      workbook([
        ['title', 'likelihood', 'impact'],
        ['Ice', '2', '3'],
      ]),
    ],
  ] as const) {
    const started = page.waitForEvent('worker')
    await chooseFile(page, content, name)
    assert.match((await started).url(), /\/console\/(?:csv|xlsx)-worker-[\w-]+\.js$/)
    await button(page, 'Import 1 row').waitFor()
  }
  const refused = await page.evaluate(() => {
    try {
      return String(Reflect.construct(Reflect.get(globalThis, 'Worker'), ['/docs']))
    } catch (error) {
      return (error as Error).message
    }
  })
  assert.equal(refused, 'A worker runs a script of the console alone.')
  assertNoErrors(session)
})
