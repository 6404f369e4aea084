import assert from 'node:assert/strict'
import { test } from 'node:test'

import { axeViolations, contrast, wcag } from './support/axe.ts'
import {
  assertNoErrors,
  type PageSession,
  signIn,
  startEnvironment,
} from './support/environment.ts'
import {
  addRoster,
  type Api,
  batchCalls,
  cellField,
  cellSelected,
  chooseFile,
  correctCell,
  newWorkspace,
  previewCounts,
} from './support/import-steps.ts'
import { arrowTo, tabTo } from './support/keyboard.ts'
import { button } from './support/steps.ts'

const env = await startEnvironment()

test('corrects a wrong cell by keyboard, and leaves out a row', async () => {
  const { key, api, project } = await newWorkspace(env, 'Keyboard')
  await addRoster(api)
  const path = `/import?kind=tasks&project_id=${project.id}`
  const session = await signIn(env, key, { path })
  const { page } = session
  await chooseFile(
    page,
    'Aufgabe\tFrist\tZuständig\nTauchen\t1/2/2027\tMarra\nBohren\t3/4/2027\t?\n',
  )
  await page.getByText('Choose how the dates are written.').first().waitFor()
  await tabTo(page.getByRole('radio', { name: 'Day first: 1/2/2027 is 2027-02-01' }))
  await page.keyboard.press('Space')
  await tabTo(button(page, 'Next'))
  await page.keyboard.press('Enter')
  await page.getByText('2 cells must be corrected.').waitFor()
  await tabTo(page.getByRole('grid'))
  await page.keyboard.press('Enter')
  await cellField(page).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('mara')
  await arrowTo(page.getByRole('option', { name: 'Mara Lindqvist (mara@example.com)' }))
  await page.keyboard.press('Enter')
  await page.getByText('1 cell must be corrected.').waitFor()
  await cellSelected(page, 'Assignee, row 3')
  await cellField(page).and(page.locator(':focus')).waitFor()
  await tabTo(button(page, 'Check 1 row, leave out 1'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  assert.deepEqual(await previewCounts(page), ['1', '0', '0', '1'])
  await tabTo(button(page, 'Import 1 row'), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByText('1 row was left out. The report has the reason.').waitFor()
  const { data } = await api.tasks.list()
  const [mara] = (await api.personnel.list({ query: { q: 'Mara' } })).data
  assert.deepEqual(
    data.map(({ title, due_on, assignee_user_id }) => [title, due_on, assignee_user_id]),
    [['Tauchen', '2027-02-01', mara?.id]],
  )
  assertNoErrors(session)
})

test('the user chooses the field of an unknown column', async () => {
  const { key, api, project } = await newWorkspace(env, 'Columns')
  const session = await signIn(env, key, { path: `/import?kind=risks&project_id=${project.id}` })
  const { page } = session
  await chooseFile(page, 'title,likelihod,impact\nIce,2,3\n')
  await page.getByRole('status').getByText('Choose the columns for: Likelihood.').waitFor()
  assert.deepEqual(batchCalls(session), [])
  await page.getByLabel('Field of the column “likelihod”').selectOption('Likelihood')
  await button(page, 'Next').click()
  await button(page, 'Import 1 row').click()
  await page.getByText('Done: 1 row was imported.').waitFor()
  const { data } = await api.risks.list()
  assert.deepEqual(
    data.map(({ score, external_id }) => [score, external_id]),
    [[6, 'LOCK Ice']],
  )
  assertNoErrors(session)
})

test('imports projects by code', async () => {
  const { key, api } = await newWorkspace(env, 'Projects')
  const session = await signIn(env, key, { path: '/import?kind=projects' })
  const { page } = session
  const csv = 'Code,Name,Due,Health\nLOCK,Lock of Berg,2028-10-31,At risk\nWEIR,Weir,,\n'
  await chooseFile(page, csv)
  assert.deepEqual(await previewCounts(page), ['1', '1', '0', '0'])
  await button(page, 'Import 2 rows').click()
  await page.getByText('1 new, 1 changed, 0 unchanged.').waitFor()
  const { data } = await api.projects.list({ query: { sort: 'name' } })
  assert.deepEqual(
    data.map(({ code, name, health }) => [code, name, health]),
    [
      ['LOCK', 'Lock of Berg', 'at_risk'],
      ['WEIR', 'Weir', null],
    ],
  )
  assertNoErrors(session)
})

/** A register with two rows that are wrong. */
const register = Buffer.from(
  [
    'Nr;Titel;Projekt;Verantwortlich;Wahrscheinlichkeit;Auswirkung;Nächste Prüfung;Massnahme',
    ...Array.from({ length: 12 }, (_, at) => {
      const [owner, day] = at % 6 === 3 ? ['Bauleitung', 'Q1'] : ['Lindqvist, Mara', '02.02.2027']
      return `R-${at};Rechen ${at} verklemmt sich;Lock renewal;${owner};3;4;${day};Taucher`
    }),
  ].join('\r\n'),
  'latin1',
)

/** A risk that the register changes: its title, owner, likelihood, impact and next review. */
const addOldRisk = (api: Api, project_id: string) =>
  api.risks.create({
    params: { project_id },
    body: { external_id: 'R-2', title: 'Rechen 2 war anders', likelihood: 2, impact: 2 },
  })

const looks = [
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 375, colorScheme: 'light' },
  { width: 375, colorScheme: 'dark' },
] as const

for (const { width, colorScheme } of looks) {
  test(`every step is accessible: ${width} px, ${colorScheme}`, async () => {
    const { key, api, project } = await newWorkspace(env, `Look ${width} ${colorScheme}`)
    await addRoster(api)
    await addOldRisk(api, project.id)
    const session = await signIn(env, key, { path: '/import?kind=risks', width, colorScheme })
    const { page } = session
    await chooseFile(page, register, 'register.csv')
    await page.getByText('12 rows, read as Windows-1252 with semicolons.').waitFor()
    const look = (step: string) => assertAccessible(session, `${step}-${width}-${colorScheme}`)
    await look('columns')
    await button(page, 'Next').click()
    await page.getByText('4 cells must be corrected.').waitFor()
    await correctCell(page, 'Owner, row 5', '')
    await cellSelected(page, 'Next review, row 5')
    await look('fix')
    await button(page, 'Check 10 rows, leave out 2').click()
    assert.deepEqual(await previewCounts(page), ['9', '1', '0', '2'])
    await page.getByRole('tab', { name: 'Changed 1' }).click()
    await page.getByRole('row', { name: 'Rechen 2 war anders' }).waitFor()
    await look('check')
    await button(page, 'Import 10 rows').click()
    await page.getByText('Done: all 10 rows were imported.').waitFor()
    await look('result')
    assertNoErrors(session)
  })
}

async function assertAccessible({ page }: PageSession, name: string): Promise<void> {
  const folder = process.env['WIZARD_PICTURES']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  for (const rules of [wcag, contrast]) {
    assert.deepEqual(await axeViolations(page, { rules }), [], name)
  }
  const isWide = await page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  )
  assert.ok(!isWide, 'the page does not scroll sideways')
}
