import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

import { assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import {
  batchCalls,
  cellPanel,
  cellSelected,
  chooseFile,
  correctCell,
  previewCounts,
  listedErrors,
  newWorkspace,
} from './support/import-steps.ts'
import { arrowTo, tabTo } from './support/keyboard.ts'
import { button, rowOf } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys

test('previews people and then imports them', async () => {
  const { key, api } = await newWorkspace(env, 'Preview')
  const session = await signIn(env, key, { path: '/import' })
  const { page } = session
  await page.getByText('At most 1,000 rows and 4 MiB are sent in one request.').waitFor()
  const rows = ['"Sand; Vega";"Diver, ""first""";Locks', '', 'Nils Moe;;Locks', '']
  await chooseFile(page, `\uFEFFname;title;department\r\n${rows.join('\r\n')}`)
  await page.getByText('All 2 rows are valid. Nothing was changed yet.').waitFor()
  assert.deepEqual(await previewCounts(page), ['2', '0', '0', '0'])
  const sample = page.getByRole('table', { name: 'Preview' })
  await sample.getByRole('row', { name: '2 Sand; Vega Diver, "first" Locks' }).waitFor()
  await sample.getByRole('row', { name: '4 Nils Moe Locks' }).waitFor()
  assert.equal((await api.personnel.list()).count, 0, 'the preview writes nothing')

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
  await page.getByRole('link', { name: 'View people' }).click()
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  assertNoErrors(session)
})

test('leaves out the columns that the service sets', async () => {
  const { key, api, project } = await newWorkspace(env, 'Dates')
  const path = `/import?kind=issues&project_id=${project.id}`
  const session = await signIn(env, key, { path })
  const { page } = session
  const since = '2024-01-01T00:00:00.000Z'
  await chooseFile(page, `title,severity,created_at,reopened_count\nLeak,3,${since},2\nIce,2,,\n`)
  await page.getByText('All 2 rows are valid.').waitFor()
  await button(page, 'Back').click()
  await page.getByRole('row', { name: 'created_at' }).getByText('Muster sets this').waitFor()
  await button(page, 'Next').click()
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await page.getByText('Done: all 2 rows were imported.').waitFor()
  assert.deepEqual((await api.issues.list()).data.map(({ title }) => title).toSorted(), [
    'Ice',
    'Leak',
  ])
  assertNoErrors(session)
})

test('lists wrong cells and imports the corrected ones', async () => {
  const { key, api, project } = await newWorkspace(env, 'Corrected')
  const path = `/import?kind=risks&project_id=${project.id}`
  const session = await signIn(env, key, { path })
  const { page } = session
  const good =
    'title,description,likelihood,impact,category\r\nIce drift,"two\r\nlines",2,5,organizational\r\n'
  await chooseFile(page, `${good}Leak,,9,x,technicl\r\n\r\n${'x'.repeat(201)},,1,1,\r\n`)
  await page.getByText('3 cells must be corrected.').waitFor()
  const left = await cellPanel(page).getByRole('term').allTextContents()
  assert.deepEqual(left.toSorted(), [
    'Category: unknown word',
    'Impact: not 1 to 5',
    'Likelihood: not 1 to 5',
  ])
  await correctCell(page, 'Likelihood, row 4', '4')
  await correctCell(page, 'Impact, row 4', '4')
  await cellSelected(page, 'Category, row 4')
  await cellPanel(page).getByText('Choose one of the words in the list.').waitFor()
  await correctCell(page, 'Category, row 4', 'Technical')
  await page.getByText('All cells are corrected.').waitFor()
  await button(page, 'Check all rows').click()
  await page.getByText('1 error. Nothing was changed.').waitFor()
  assert.deepEqual(await listedErrors(page), ['6 | title | Must have at most 200 characters.'])
  assert.equal(await page.getByRole('button', { name: /^Import / }).count(), 0)
  assert.equal((await api.risks.list()).count, 0)

  await button(page, 'Leave out 1 row and check again').click()
  assert.deepEqual(await previewCounts(page), ['2', '0', '0', '1'])
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await page.getByText('Done: all 2 rows were imported.').waitFor()
  await page.getByText('1 row was left out. The report has the reason.').waitFor()
  const { data } = await api.risks.list()
  assert.deepEqual(
    data.map(({ ref, score, description }) => [ref, score, description]),
    [
      ['LOCK-R2', 16, null],
      ['LOCK-R1', 10, 'two\nlines'],
    ],
  )
  await page.getByRole('link', { name: 'View risks' }).click()
  await rowOf(page, 'LOCK-R2').getByRole('link', { name: 'Leak' }).waitFor()
  assertNoErrors(session)
})

test('rows with an id update records and reject a stale version', async () => {
  const { key, api, params } = await newWorkspace(env, 'Conflict')
  const created = await Promise.all(
    ['Crane', 'Gate'].map((title) => api.issues.create({ params, body: { title, severity: 2 } })),
  )
  const session = await signIn(env, key, { path: '/import?kind=issues' })
  const { page } = session
  const csvRow = (index: number, severity: number) =>
    `${created[index]?.id},${created[index]?.version},${created[index]?.title},${severity}\n`
  const csv = `id,version,title,severity\n${csvRow(0, 5)}${csvRow(1, 2)},,Pump,3\n`
  await chooseFile(page, csv, 'issues.csv')
  await page.getByRole('status').getByText('Choose a project above').waitFor()
  await page.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option', { name: 'LOCK Lock renewal' }).click()
  assert.deepEqual(await previewCounts(page), ['1', '1', '1', '0'])
  await page.getByRole('tab', { name: 'Changed 1' }).click()
  await page.getByRole('row', { name: /^LOCK-I\d Crane Severity 2 5$/ }).waitFor()
  await page.getByRole('tab', { name: 'The same 1' }).click()
  await page.getByRole('row', { name: `3 ${created[1]?.id}` }).waitFor()

  const issue_id = created[0]?.id ?? ''
  await api.issues.update({ params: { ...params, issue_id }, body: { severity: 4 } })
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await page.getByText('Stopped: 0 of 3 rows were imported.').waitFor()
  await page.getByText('Nothing was changed.').waitFor()
  await page.getByText('The record was changed after your export.').waitFor()
  assert.match((await listedErrors(page)).join(), /^2 \| version \| /)
  assert.equal(
    (await api.issues.list()).count,
    2,
    'the other change is kept and nothing is imported',
  )

  await chooseFile(page, csv.replace(`,${created[0]?.version},`, ',,'))
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await page.getByText('1 new, 1 changed, 1 unchanged.').waitFor()
  const { severity } = await api.issues.view({ params: { ...params, issue_id } })
  assert.equal(severity, 5)
  await chooseFile(page, `id,severity\n${issue_id},5\n`)
  const again = page.getByRole('button', { name: 'Import 1 row' })
  await again.waitFor()
  assert.equal(await again.getAttribute('aria-disabled'), 'true')
  await page.getByText('The file contains no changes.').first().waitFor()
  assertNoErrors(session)
})

test('an unreadable file shows the reason and sends nothing', async () => {
  const session = await signIn(env, manager, { path: '/import' })
  const { page } = session
  const alert = page.getByRole('alert')
  await chooseFile(page, Buffer.from([0x50, 0x4b, 3, 4, 0, 0xff, 0xfe]), 'people.xlsx')
  await alert.getByText('The file is not a complete Excel workbook.').waitFor()
  await chooseFile(page, Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 1]), 'people.xls')
  await alert.getByText('The file is an old Excel workbook (XLS)').waitFor()
  await chooseFile(page, Buffer.from([0xff, 0, 1, 2]), 'people.csv')
  await alert.getByText('The file is neither text nor an Excel workbook (XLSX).').waitFor()
  await chooseFile(page, `name\n${'Ada\n'.repeat(10_001)}`)
  await alert.getByText('The file has more than 10,000 rows.').waitFor()
  await chooseFile(page, 'name,email\n\n')
  await alert.getByText('The file has no rows.').waitFor()
  await chooseFile(page, 'name,email\nAda,"a@x.se\nBo,b@x.se,5\nCy "the" Lee,c@x.se\nDi,d@x.se\n')
  await alert.getByText('3 errors.').waitFor()
  assert.deepEqual(await listedErrors(page), [
    '2 | Row | A quotation mark is not closed, or is inside an unquoted cell.',
    '3 | Row | The row has 3 cells, but the header has 2.',
    '4 | Row | A quotation mark is not closed, or is inside an unquoted cell.',
  ])
  assert.deepEqual(batchCalls(session), [])
  assertNoErrors(session)
})

test('shows a refusal of the whole file and allows a retry', async () => {
  const { key, api, project, params } = await newWorkspace(env, 'Refusal')
  const session = await signIn(env, key, { path: `/import?kind=risks&project_id=${project.id}` })
  const { page } = session
  await api.projects.archive({ params, body: {} })
  await chooseFile(page, 'title,likelihood,impact\nIce,1,1\n')
  const alert = page.getByRole('alert')
  await alert.getByText('The project is archived.').waitFor()
  assert.match(await alert.innerText(), /req_/)
  await api.projects.restore({ params, body: {} })
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('1 row is valid. Nothing was changed yet.').waitFor()
  assertNoErrors(session)
})

test('offers a template for each kind that passes the check', async () => {
  const { key, project } = await newWorkspace(env, 'Template')
  const session = await signIn(env, key, { path: `/import?project_id=${project.id}` })
  const { page } = session
  for (const [kind, row] of [
    ['people', { name: 'Ada' }],
    ['projects', { code: 'DAM', name: 'Dam' }],
    ['risks', { title: 'Ice', project_code: 'LOCK', likelihood: '2', impact: '3' }],
    ['issues', { title: 'Gate', project_code: 'Lock renewal', severity: '3' }],
    ['tasks', { title: 'Drain', project_code: 'lock' }],
  ] as const) {
    // The template is offered before a file is chosen.
    await page.reload()
    await page
      .getByRole('radiogroup', { name: 'File contents' })
      .getByText(new RegExp(kind, 'i'))
      .click()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download a template' }).click()
    const file = await saved
    assert.equal(file.suggestedFilename(), `${kind}.csv`)
    const header = (await readFile(await file.path(), 'utf8')).trim().split(',')
    const values: Readonly<Record<string, string>> = row
    const cells = header.map((column) => values[column] ?? '')
    await chooseFile(page, `${header.join(',')}\n${cells.join(',')}\n`, file.suggestedFilename())
    await page.getByText('1 row is valid.').waitFor()
  }
  assertNoErrors(session)
})

test('accepts a file dropped anywhere on the page', async () => {
  const { key } = await newWorkspace(env, 'Dropped')
  const session = await signIn(env, key, { path: '/import' })
  const { page } = session
  const dataTransfer = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['name\\nAda\\n'], 'dropped.csv', { type: 'text/csv' }))
      return transfer
    })()`,
  )
  const title = page.getByRole('heading', { name: 'Import', level: 1 })
  await title.dispatchEvent('dragover', { dataTransfer })
  await page.getByText('Drop the file to check it').waitFor()
  await title.dispatchEvent('drop', { dataTransfer })
  await page.getByText('dropped.csv').waitFor()
  await page.getByRole('button', { name: 'Import 1 row' }).waitFor()
  assertNoErrors(session)
})

test('a read-only key sees why it cannot import', async () => {
  const session = await signIn(env, reader, { path: '/import' })
  const { page } = session
  const choose = button(page, 'Choose a file')
  assert.equal(await choose.getAttribute('aria-disabled'), 'true')
  await page.getByText('it needs the scope personnel.manage').waitFor({ state: 'attached' })
  await page.goto(`${env.base}/import?kind=risks`)
  await page.getByText('it needs the scope projects.manage').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Download a template' }).waitFor()
  assertNoErrors(session)
})

test('a workspace without projects shows the first steps', async () => {
  const { manager: key } = await env.emptyWorkspace('Nothing yet')
  const session = await signIn(env, key, { path: '/import?kind=risks' })
  await session.page.getByText('No projects yet').waitFor()
  await session.page.getByRole('link', { name: 'Get started' }).click()
  await session.page.getByRole('heading', { name: 'Start', level: 1 }).waitFor()
  assertNoErrors(session)
})

test('imports a file with the keyboard only', async () => {
  const { key, api } = await newWorkspace(env, 'Keys')
  const session = await signIn(env, key, { path: '/import' })
  const { page } = session
  await tabTo(page.getByRole('radio', { name: 'People' }))
  await page.getByText('Required: Name.').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText('Required: Code, Name.').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText('Required: Title, Likelihood, Impact.').waitFor()
  await tabTo(page.getByRole('combobox', { name: 'Project' }))
  await page.keyboard.type('LOCK')
  await arrowTo(page.getByRole('option', { name: 'LOCK Lock renewal' }))
  await page.keyboard.press('Enter')
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page.getByRole('button', { name: 'Choose a file' }))
  await page.keyboard.press('Enter')
  const buffer = Buffer.from('title\tlikelihood\timpact\nIce\t2\t3\n')
  await (await chooser).setFiles({ name: 'pasted.tsv', mimeType: 'text/plain', buffer })
  await page.getByText('1 row is valid.').waitFor()
  await tabTo(page.getByRole('button', { name: 'Import 1 row' }))
  await page.keyboard.press('Enter')
  await page.getByText('Done: 1 row was imported.').waitFor()
  assert.equal((await api.risks.list()).data[0]?.score, 6)
  assertNoErrors(session)
})
