import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

import { measure } from '@muster/testing/measure'
import type { Page } from 'playwright-core'

import { assertNoErrors, signIn, startProcessEnvironment } from './support/environment.ts'
import { newWorkspace } from './support/import-steps.ts'
import { plainWorkbook, writeTemporary } from './support/large-files.ts'
import { button } from './support/steps.ts'

/** The most rows that the console reads. One request has 1000. */
const rowCount = 10_000
const shown = (count: number) => count.toLocaleString('en-GB')
const env = await startProcessEnvironment()

const open = async (name: string) => {
  const { key, api, project, params } = await newWorkspace(env, name)
  const session = await signIn(env, key, { path: `/import?kind=risks&project_id=${project.id}` })
  const total = async () =>
    (await api.risks.list({ query: { limit: 1, include: ['total_count'] } })).total_count
  return { session, page: session.page, params, total }
}

async function choosePath(page: Page, path: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await button(page, 'Choose a file').click()
  await (await chooser).setFiles(path)
}

/** Holds the request with this number, from 1, until `wait` resolves. */
async function hold(
  page: Page,
  { dryRun, number }: { dryRun: boolean; number: number },
  wait: () => Promise<unknown>,
) {
  let count = 0
  await page.route('**/v1/**/batch?*', async (route) => {
    const isDryRun = route.request().url().includes('dry_run=true')
    if (isDryRun !== dryRun) return route.fallback()
    count += 1
    if (count === number) await wait()
    return route.fallback()
  })
}

test(`imports ${shown(rowCount)} rows: with progress, stopped after a part, and continued`, async (t) => {
  const { session, page, total } = await open('Large')
  const rows = Array.from(
    { length: rowCount },
    (_, at) => `N-${at},Risk ${at} of the old register,${1 + (at % 5)},${1 + (at % 4)}`,
  )
  const csv = ['external_id,title,likelihood,impact', ...rows].join('\n')
  await hold(page, { dryRun: true, number: 3 }, () =>
    page.getByText(`Checking 2,000 of ${shown(rowCount)} rows.`).waitFor(),
  )
  await hold(page, { dryRun: false, number: 2 }, async () => {
    await page.getByText(`1,000 of ${shown(rowCount)} rows are imported.`).waitFor()
    await button(page, 'Stop after this part').click()
    await page.getByText('The import stops after the current part.').first().waitFor()
  })
  const startedAt = performance.now()
  const lap = (what: string) =>
    t.diagnostic(`${what}: ${Math.round(performance.now() - startedAt)} ms`)
  await choosePath(page, writeTemporary('register.csv', csv))
  const start = button(page, `Import ${shown(rowCount)} rows`)
  await start.waitFor()
  lap('checked')
  assert.equal(await total(), 0)
  await start.click()

  const alert = page.getByRole('alert')
  await alert.getByText(`Stopped: 2,000 of ${shown(rowCount)} rows were imported.`).waitFor()
  lap('stopped')
  await alert.getByText('Imported: lines 2 to 2,001. 2,000 new, 0 changed, 0 unchanged.').waitFor()
  assert.equal(await total(), 2000)
  const saved = page.waitForEvent('download')
  await button(page, 'Download the report').click()
  const report = await readFile(await (await saved).path(), 'utf8')
  assert.equal(report.match(/,New,/g)?.length, 2000)
  assert.equal(report.match(/,Not imported,/g)?.length, rowCount - 2000)

  await button(page, 'Continue from line 2,002').click()
  await page.getByText(`Done: all ${shown(rowCount)} rows were imported.`).waitFor()
  lap('imported')
  assert.equal(await total(), rowCount)
  assertNoErrors(session)
})

const mebibyte = 1024 * 1024
const large = {
  'a CSV file of 49 MiB': {
    name: 'notes.csv',
    content: () =>
      ['title,likelihood,impact,Note', ...notes((at, note) => `Risk ${at},2,3,${note}`)].join('\n'),
    answer: '10,000 rows, read as UTF-8 with commas.',
  },
  'a CSV file of 51 MiB': {
    name: 'too-large.csv',
    content: () => Buffer.alloc(51 * mebibyte, 'x'),
    answer: 'The file is larger than 50 MiB.',
  },
  'a CSV file of 49 MiB in short lines': {
    name: 'lines.csv',
    content: () => `title,likelihood,impact\n${'Ice,2,3\n'.repeat((49 * mebibyte) / 8)}`,
    answer: 'The file has more than 10,000 rows.',
  },
  'a workbook of 49 MiB': {
    name: 'notes.xlsx',
    content: () =>
      plainWorkbook([
        ['title', 'likelihood', 'impact', 'Note'],
        ...notes((at, note) => [`Risk ${at}`, '2', '3', note]),
      ]),
    answer: '10,000 rows, read from the sheet “Large”.',
  },
  'a workbook of 51 MiB': {
    name: 'too-large.xlsx',
    content: () => Buffer.concat([plainWorkbook([['title']]), Buffer.alloc(51 * mebibyte)]),
    answer: 'The file is larger than 50 MiB.',
  },
}

/** 10 000 rows with long texts in a column that is left out. */
function notes<T>(rowOf: (at: number, note: string) => T): T[] {
  const note = 'x'.repeat(4900)
  return Array.from({ length: 10_000 }, (_, at) => rowOf(at, note))
}

/** Clicks a button of the frame until the text is there, and returns the longest wait. */
async function longestClick(page: Page, text: string): Promise<number> {
  const isThere = page.getByText(text).first()
  let longest = 0
  for (let isFolded = false; !(await isThere.isVisible()); isFolded = !isFolded) {
    const startedAt = performance.now()
    await button(page, isFolded ? 'Expand the sidebar' : 'Collapse the sidebar').click()
    await button(page, isFolded ? 'Collapse the sidebar' : 'Expand the sidebar').waitFor()
    longest = Math.max(longest, performance.now() - startedAt)
  }
  return longest
}

for (const [what, { name, content, answer }] of Object.entries(large)) {
  test(`answers clicks while it reads ${what}`, async (t) => {
    const { session, page, total } = await open(name)
    const path = writeTemporary(name, content())
    const startedAt = performance.now()
    await choosePath(page, path)
    const longestMs = await longestClick(page, answer)
    t.diagnostic(`${Math.round(performance.now() - startedAt)} ms until the answer`)
    measure(t, 'longest click', { value: longestMs, atMost: 1000 })
    assert.equal(await total(), 0)
    assert.deepEqual(
      session.calls.filter((call) => call.includes('/batch')),
      [],
    )
    assertNoErrors(session)
  })
}
