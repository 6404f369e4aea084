import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { tabTo, waitForFocus } from './support/keyboard.ts'
import { screenshot } from './support/screenshots.ts'
import { button, exportCsv, exportList } from './support/steps.ts'
import { readWorkbook } from './support/workbook.ts'

const env = await startEnvironment()
const { manager } = env.keys
const api = apiOf(env, manager)

/** The rows of a CSV export, without the escapes of formulas. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g
  for (const [, quoted, bare = '', stop] of text.replace(/^\uFEFF/, '').matchAll(cell)) {
    const value = quoted?.replaceAll('""', '"') ?? bare
    rows.at(-1)?.push(value.replace(/^'(?=[=+\-@])/, ''))
    if (stop === '\r\n') rows.push([])
  }
  return rows.filter((row) => row.length > 1)
}

/** Exports both formats, compares every cell, and returns the kinds of the columns. */
async function compareExports(page: Page) {
  const csv = readCsv(await exportCsv(page))
  const { name, content } = await exportList(page, 'Excel workbook (XLSX)')
  const workbook = readWorkbook(content)
  const texts = workbook.rows.map((row) => csv[0]?.map((_, at) => row[at]?.text ?? ''))
  assert.deepEqual(texts, csv)
  const kinds = new Map(
    csv[0]?.map((column, at) => [
      column,
      new Set(workbook.rows.slice(1).flatMap((row) => row[at]?.kind ?? [])),
    ]),
  )
  const kindOf = (column: string) => [...(kinds.get(column) ?? [])].join()
  return { name, workbook, count: csv.length - 1, kindOf }
}

const lists = {
  '/risks': 'risks',
  '/risks?view=closed': 'risks',
  '/risks?view=acceptances': 'acceptances',
  '/issues': 'issues',
  '/issues?view=closed': 'issues',
  '/tasks': 'tasks',
  '/projects': 'projects',
  '/people': 'people',
  '/groups': 'groups',
}

test('every list that exports CSV exports the same rows as a workbook', async () => {
  const session = await signIn(env, manager, { path: '/risks' })
  const { page } = session
  for (const [path, file] of Object.entries(lists)) {
    await page.goto(`${env.base}${path}`)
    const { name, count } = await compareExports(page)
    assert.equal(name, `${file}.xlsx`)
    assert.ok(count > 0, path)
  }
  assertNoErrors(session)
})

test('cells have the types of the API, and a text that starts with = stays text', async () => {
  const { data } = await api.projects.list({ query: { limit: 1 } })
  const params = { project_id: data[0]?.id ?? '' }
  const body = { title: '=1+1', likelihood: 5, impact: 5, review_on: '2027-03-31', tags: ['xlsx'] }
  await api.risks.create({ params, body })
  const session = await signIn(env, manager, { path: '/risks?tag=xlsx' })
  const { page } = session
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  const { workbook, count, kindOf } = await compareExports(page)
  assert.equal(count, 1)
  assert.equal(workbook.name, 'risks')
  assert.match(workbook.sheet, /<pane ySplit="1"[^>]*state="frozen"/)
  assert.deepEqual(['score', 'impact', 'review_on', 'created_at', 'title', 'level'].map(kindOf), [
    'number',
    'number',
    'date',
    'time',
    'text',
    'text',
  ])
  assert.ok(workbook.rows[1]?.some(({ kind, text }) => kind === 'text' && text === '=1+1'))
  const code = requested.findIndex((url) => /\/console\/xlsx-[^/]+\.js$/.test(url))
  const saved = requested.findIndex((url) => url.includes('/v1/risks?'))
  assert.ok(code > saved, 'the code is loaded after the first export, on use')
  assertNoErrors(session)
})

test('the format is chosen by keyboard', async () => {
  const session = await signIn(env, manager, { path: '/groups', width: 1440 })
  const { page } = session
  await page.locator('[data-row]').first().waitFor()
  await tabTo(button(page, 'Export'))
  await page.keyboard.press('Enter')
  const item = page.getByRole('menuitem', { name: 'CSV' })
  await item.waitFor()
  await screenshot(page, 'export-menu')
  await page.keyboard.press('ArrowDown')
  await waitForFocus(item)
  await page.keyboard.press('ArrowDown')
  const saved = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  assert.equal((await saved).suggestedFilename(), 'groups.xlsx')
  await waitForFocus(button(page, 'Export'))
  assertNoErrors(session)
})
