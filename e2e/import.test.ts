import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

import { batchesIn, choose, countsIn, flawsIn, newPlace } from './import-steps.ts'
import { arrowTo, tabTo } from './keyboard.ts'
import { assertQuiet, signedIn, startWorld } from './world.ts'

const world = await startWorld()
const { manager, reader } = world.keys

test('people are looked at first, and then added', async () => {
  const { key, api } = await newPlace(world, 'Looked at')
  const seen = await signedIn(world, key, { path: '/import' })
  const { page } = seen
  const rows = ['"Sand; Vega";"Diver, ""first""";Locks', '', 'Nils Moe;;Locks', '']
  await choose(page, `\uFEFFname;title;department\r\n${rows.join('\r\n')}`)
  await page.getByText('All 2 rows are fine. Nothing was changed yet.').waitFor()
  assert.deepEqual(await countsIn(page), ['2', '0', '0'])
  const sample = page.getByRole('table', { name: 'The first rows' })
  await sample.getByRole('row', { name: '2 New Sand; Vega Diver, "first" Locks' }).waitFor()
  await sample.getByRole('row', { name: '4 New Nils Moe Locks' }).waitFor()
  assert.equal((await api.personnel.list()).count, 0, 'nothing is done by looking')

  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await page.getByText('Done: all 2 rows were imported.').waitFor()
  await page.getByText('2 new, 0 changed, 0 unchanged.').waitFor()
  const { data } = await api.personnel.list({ query: { sort: 'name' } })
  assert.deepEqual(
    data.map(({ name, title, department }) => [name, title, department]),
    [
      ['Nils Moe', null, 'Locks'],
      ['Sand; Vega', 'Diver, "first"', 'Locks'],
    ],
  )
  await page.getByRole('link', { name: 'See the people' }).click()
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  assertQuiet(seen)
})

test('what is wrong is told row by row, and the corrected file is taken', async () => {
  const { key, api, project } = await newPlace(world, 'Corrected')
  const path = `/import?kind=risks&project_id=${project.id}`
  const seen = await signedIn(world, key, { path })
  const { page } = seen
  const good =
    'title,description,likelihood,impact,category\r\nIce,"two\r\nlines",2,5,technical\r\n'
  await choose(page, `${good}Leak,,9,x,technicl\r\n\r\n${'x'.repeat(201)},,1,1,\r\n`)
  await page.getByText('4 things to correct. Nothing was changed.').waitFor()
  const words = 'technical, external, organizational, delivery, financial, legal, security, people'
  assert.deepEqual(await flawsIn(page), [
    `4 | category | Must be one of ${words}, other.`,
    '4 | impact | Must be integer.',
    '4 | likelihood | Must be <= 5.',
    '6 | title | Must NOT have more than 200 characters.',
  ])
  await page.getByText('In the file: technicl').waitFor()
  await page.getByText('Use one of the words that are listed, as they are written.').waitFor()
  await page.getByText('The check may find more then').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Import / }).count(), 0)

  await choose(page, `${good}Leak,,,4,\r\n`)
  await page.getByText('1 thing to correct. Nothing was changed.').waitFor()
  assert.deepEqual(await flawsIn(page), ['4 | likelihood | Is required.'])
  assert.equal((await api.risks.list()).count, 0)

  await choose(page, `${good}Leak,,4,4,\r\n`)
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await page.getByText('Done: all 2 rows were imported.').waitFor()
  const { data } = await api.risks.list()
  assert.deepEqual(
    data.map(({ ref, score, description }) => [ref, score, description]),
    [
      ['LOCK-R2', 16, null],
      ['LOCK-R1', 10, 'two\nlines'],
    ],
  )
  await page.getByRole('link', { name: 'See the risks' }).click()
  await page.getByRole('link', { name: 'LOCK-R2 Leak' }).waitFor()
  assertQuiet(seen)
})

test('rows with an id change what is there, unless someone else was faster', async () => {
  const { key, api, params } = await newPlace(world, 'Faster')
  const made = await Promise.all(
    ['Crane', 'Gate'].map((title) => api.issues.create({ params, body: { title, severity: 2 } })),
  )
  const seen = await signedIn(world, key, { path: '/import?kind=issues' })
  const { page } = seen
  const rowOf = (index: number, severity: number) =>
    `${made[index]?.id},${made[index]?.version},${made[index]?.title},${severity}\n`
  const csv = `id,version,title,severity\n${rowOf(0, 5)}${rowOf(1, 2)},,Pump,3\n`
  await choose(page, csv, 'issues.csv')
  await page.getByText('Choose the project, and the file is checked.').waitFor()
  await page.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option', { name: 'LOCK Lock renewal' }).click()
  assert.deepEqual(await countsIn(page), ['1', '1', '1'])
  const sample = page.getByRole('table', { name: 'The first rows' })
  const fates = (await sample.getByRole('row').allInnerTexts()).slice(1)
  assert.deepEqual(
    fates.map((text) => text.split(/\s+/)[1]),
    ['Changed', 'Unchanged', 'New'],
  )

  const issue_id = made[0]?.id ?? ''
  await api.issues.update({ params: { ...params, issue_id }, body: { severity: 4 } })
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await page.getByText('Stopped: 0 of 3 rows were imported.').waitFor()
  await page.getByText('Nothing was changed.').waitFor()
  await page.getByText('Someone changed it since your export.').waitFor()
  assert.match((await flawsIn(page)).join(), /^2 \| version \| /)
  assert.equal((await api.issues.list()).count, 2, 'theirs is left, and nothing else is done')

  await choose(page, csv.replace(`,${made[0]?.version},`, ',,'))
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await page.getByText('1 new, 1 changed, 1 unchanged.').waitFor()
  const { severity } = await api.issues.view({ params: { ...params, issue_id } })
  assert.equal(severity, 5)
  await choose(page, `id,severity\n${issue_id},5\n`)
  const again = page.getByRole('button', { name: 'Import 1 row' })
  await again.waitFor()
  assert.equal(await again.getAttribute('aria-disabled'), 'true')
  await page.getByText('Nothing in this file differs').first().waitFor()
  assertQuiet(seen)
})

test('a file that cannot be read says why, and nothing of it is sent', async () => {
  const seen = await signedIn(world, manager, { path: '/import' })
  const { page } = seen
  const alert = page.getByRole('alert')
  await choose(page, Buffer.from([0x50, 0x4b, 3, 4, 0, 0xff, 0xfe]), 'people.xlsx')
  await alert.getByText('save it as “CSV UTF-8”').waitFor()
  await choose(page, 'name,email\n\n')
  await alert.getByText('There are no rows in it.').waitFor()
  await choose(page, 'name,email\nAda,"a@x.se\nBo,b@x.se,5\nCy "the" Lee,c@x.se\nDi,d@x.se\n')
  await alert.getByText('3 things to correct.').waitFor()
  assert.deepEqual(await flawsIn(page), [
    '2 | The row | A quotation mark is not closed, or stands within a cell.',
    '3 | The row | It has 3 cells, and the header has 2.',
    '4 | The row | A quotation mark is not closed, or stands within a cell.',
  ])
  assert.deepEqual(batchesIn(seen), [])
  assertQuiet(seen)
})

test('a refusal of the whole file is told as it is, and can be tried again', async () => {
  const { key, api, project, params } = await newPlace(world, 'Refusal')
  const seen = await signedIn(world, key, { path: `/import?kind=risks&project_id=${project.id}` })
  const { page } = seen
  await choose(page, 'title,likelihod,impact\nIce,1,1\n')
  const alert = page.getByRole('alert')
  await alert.getByText('did you mean likelihood?').waitFor()
  assert.match(await alert.innerText(), /req_/)
  await api.projects.archive({ params, body: {} })
  await choose(page, 'title,likelihood,impact\nIce,1,1\n')
  await alert.getByText('The project is archived.').waitFor()
  await api.projects.restore({ params, body: {} })
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('1 row is fine. Nothing was changed yet.').waitFor()
  assertQuiet(seen)
})

test('a template of each kind is there, and imports as it is', async () => {
  const { key, project } = await newPlace(world, 'Template')
  const seen = await signedIn(world, key, { path: `/import?project_id=${project.id}` })
  const { page } = seen
  for (const [kind, row] of [
    ['people', { name: 'Ada' }],
    ['risks', { title: 'Ice', likelihood: '2', impact: '3' }],
    ['issues', { title: 'Gate', severity: '3' }],
  ] as const) {
    await page
      .getByRole('radiogroup', { name: 'What is in the file' })
      .getByText(new RegExp(kind, 'i'))
      .click()
    await page.getByText(`Needed: ${Object.keys(row).join(', ')}.`).waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download a template' }).click()
    const file = await saved
    assert.equal(file.suggestedFilename(), `${kind}.csv`)
    const header = (await readFile(await file.path(), 'utf8')).trim().split(',')
    const values: Readonly<Record<string, string>> = row
    const cells = header.map((column) => values[column] ?? '')
    await choose(page, `${header.join(',')}\n${cells.join(',')}\n`, file.suggestedFilename())
    await page.getByText('1 row is fine.').waitFor()
  }
  assertQuiet(seen)
})

test('a file can be dropped anywhere on the page', async () => {
  const { key } = await newPlace(world, 'Dropped')
  const seen = await signedIn(world, key, { path: '/import' })
  const { page } = seen
  const dataTransfer = await page.evaluateHandle(
    `(() => {
      const carried = new DataTransfer()
      carried.items.add(new File(['name\\nAda\\n'], 'dropped.csv', { type: 'text/csv' }))
      return carried
    })()`,
  )
  const title = page.getByRole('heading', { name: 'Import', level: 1 })
  await title.dispatchEvent('dragover', { dataTransfer })
  await page.getByText('Let go to check this file').waitFor()
  await title.dispatchEvent('drop', { dataTransfer })
  await page.getByText('dropped.csv').waitFor()
  await page.getByRole('button', { name: 'Import 1 row' }).waitFor()
  assertQuiet(seen)
})

test('a key that may only read is told why it cannot import', async () => {
  const seen = await signedIn(world, reader, { path: '/import' })
  const { page } = seen
  const button = page.getByRole('button', { name: 'Choose a file' })
  assert.equal(await button.getAttribute('aria-disabled'), 'true')
  await page.getByText('it needs the scope personnel.manage').waitFor({ state: 'attached' })
  await page.goto(`${world.base}/import?kind=risks`)
  await page.getByText('it needs the scope projects.manage').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Download a template' }).waitFor()
  assertQuiet(seen)
})

test('where there is no project yet, it says what to do first', async () => {
  const { manager: key } = await world.emptyWorkspace('Nothing yet')
  const seen = await signedIn(world, key, { path: '/import?kind=risks' })
  await seen.page.getByText('There is no project yet').waitFor()
  await seen.page.getByRole('link', { name: 'Get started' }).click()
  await seen.page.getByRole('heading', { name: 'Start', level: 1 }).waitFor()
  assertQuiet(seen)
})

test('an import goes by keyboard alone', async () => {
  const { key, api } = await newPlace(world, 'Keys')
  const seen = await signedIn(world, key, { path: '/import' })
  const { page } = seen
  await tabTo(page.getByRole('radio', { name: 'People' }))
  await page.keyboard.press('ArrowRight')
  await page.getByText('Needed: title, likelihood, impact.').waitFor()
  await tabTo(page.getByRole('combobox', { name: 'Project' }))
  await page.keyboard.type('LOCK')
  await arrowTo(page.getByRole('option', { name: 'LOCK Lock renewal' }))
  await page.keyboard.press('Enter')
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page.getByRole('button', { name: 'Choose a file' }))
  await page.keyboard.press('Enter')
  const buffer = Buffer.from('title\tlikelihood\timpact\nIce\t2\t3\n')
  await (await chooser).setFiles({ name: 'pasted.tsv', mimeType: 'text/plain', buffer })
  await page.getByText('1 row is fine.').waitFor()
  await tabTo(page.getByRole('button', { name: 'Import 1 row' }))
  await page.keyboard.press('Enter')
  await page.getByText('Done: 1 row was imported.').waitFor()
  assert.equal((await api.risks.list()).data[0]?.score, 6)
  assertQuiet(seen)
})
