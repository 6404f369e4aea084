import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import {
  addRoster,
  cellField,
  cellPanel,
  cellSelected,
  chooseFile,
  correctCell,
  newWorkspace,
  previewCounts,
} from './support/import-steps.ts'
import { tabTo, waitForFocus } from './support/keyboard.ts'
import { button } from './support/steps.ts'

const env = await startEnvironment()

/** Rows 4, 6 and 9 have a wrong owner, rows 5 and 8 a wrong date. */
const sheet = [
  'Nr,Title,Owner,Likelihood,Impact,Next review',
  ...Array.from({ length: 40 }, (_, at) => {
    const owner = { 2: 'Site office', 4: 'Bauleitung', 7: 'Dritter' }[at] ?? 'Mara Lindqvist'
    const day = at === 3 || at === 6 ? 'Q1' : '2027-03-04'
    return `${at},Risk ${at},${owner},3,4,${day}`
  }),
].join('\n')

async function openSheet(name: string, content: string) {
  const { key, api, project } = await newWorkspace(env, name)
  await addRoster(api)
  const path = `/import?kind=risks&project_id=${project.id}`
  const session = await signIn(env, key, { path })
  await chooseFile(session.page, content)
  await session.page.getByRole('grid').waitFor()
  return { session, page: session.page, api }
}

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

const marked = (page: Page, mark: 'wrong' | 'fixed') =>
  page.getByRole('grid').locator(`[data-mark=${mark}]`).allTextContents()

test('corrects a whole sheet by keyboard', async () => {
  const { session, page, api } = await openSheet('Grid keys', sheet)
  const grid = page.getByRole('grid')
  assert.equal(await grid.getAttribute('aria-rowcount'), '41')
  assert.deepEqual(await marked(page, 'wrong'), [
    'Site office',
    'Q1',
    'Bauleitung',
    'Q1',
    'Dritter',
  ])
  await cellSelected(page, 'Owner, row 4')
  await cellPanel(page).getByText('1 of 5').waitFor()
  await tabTo(grid)
  await press(page, 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight')
  await cellSelected(page, 'Next review, row 5')
  await press(page, 'Control+End')
  await cellSelected(page, 'Next review, row 41')
  await grid.getByRole('gridcell', { selected: true }).waitFor()
  await press(page, 'Control+Home', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight')
  await cellSelected(page, 'Owner, row 4')

  await press(page, 'Enter')
  await waitForFocus(cellField(page))
  await page.keyboard.type('Mara')
  await press(page, 'Control+d')
  await cellSelected(page, 'Next review, row 5')
  assert.deepEqual(await marked(page, 'wrong'), ['Q1', 'Q1'])
  assert.deepEqual(await marked(page, 'fixed'), Array(3).fill('Mara Lindqvist (mara@example.com)'))
  await press(page, 'Control+z')
  await cellSelected(page, 'Owner, row 4')
  assert.equal((await marked(page, 'wrong')).length, 5)
  await waitForFocus(cellField(page))
  await page.keyboard.type('Tom')
  await press(page, 'Enter')
  await cellSelected(page, 'Next review, row 5')
  await waitForFocus(cellField(page))
  await page.keyboard.type('31.3.2027')
  await press(page, 'Enter')
  await cellSelected(page, 'Owner, row 6')

  // The grid takes what was corrected above for all below, too.
  await press(page, 'Escape')
  await waitForFocus(grid)
  await press(page, 'ArrowUp', 'ArrowUp')
  await cellSelected(page, 'Owner, row 4')
  // A letter in the grid is typed in the field, and is no shortcut of the page.
  await press(page, 'c')
  await waitForFocus(cellField(page))
  assert.equal(await cellField(page).inputValue(), 'c')
  await tabTo(grid, 'Shift+Tab')
  await press(page, 'Control+d')
  await page.getByText('All cells are corrected.').waitFor()
  await page.getByRole('tab', { name: 'Fixed 5' }).waitFor()
  await tabTo(button(page, 'Check all rows'), 'Shift+Tab')
  await press(page, 'Enter')
  assert.deepEqual(await previewCounts(page), ['40', '0', '0', '0'])
  await tabTo(button(page, 'Import 40 rows'), 'Shift+Tab')
  await press(page, 'Enter')
  await page.getByText('Done: all 40 rows were imported.').waitFor()
  const [tomas] = (await api.personnel.list({ query: { q: 'Tom' } })).data
  const { data } = await api.risks.list({ query: { owner_user_id: [tomas?.id ?? ''] } })
  assert.deepEqual(data.map(({ title }) => title).toSorted(), ['Risk 2', 'Risk 4', 'Risk 7'])
  assertNoErrors(session)
})

test('tabs show the rows to fix and the fixed ones, and a cell can be left empty', async () => {
  const { session, page } = await openSheet('Grid tabs', sheet)
  await page.getByRole('tab', { name: 'To fix 5' }).click()
  assert.equal(await page.getByRole('grid').getByRole('rowheader').count(), 5)
  await page.getByRole('gridcell', { name: 'Bauleitung' }).click()
  await cellSelected(page, 'Owner, row 6')
  await button(page, 'Leave without').click()
  await page.getByRole('tab', { name: 'Fixed 1' }).click()
  assert.deepEqual(await marked(page, 'fixed'), [''])
  await page.getByRole('tab', { name: 'All 40' }).click()
  await page.getByRole('gridcell', { name: 'Risk 0', exact: true }).click()
  await cellSelected(page, 'Title, row 2')
  assert.equal(await button(page, 'Leave without').count(), 0, 'a risk needs a title')
  await cellField(page).fill('')
  await page.keyboard.press('Enter')
  await page.getByText('This value cannot be imported either.').waitFor()
  assertNoErrors(session)
})

test('a refused cell is corrected in the grid and imported', async () => {
  const { session, page, api } = await openSheet(
    'Refused cells',
    `Nr,Title,Likelihood,Impact\n1,Ice,2,3\n2,${'x'.repeat(201)},2,3\n3,Fire,2,9\n`,
  )
  await correctCell(page, 'Impact, row 4', '5')
  await button(page, 'Check all rows').click()
  await page.getByText('1 error. Nothing was changed.').waitFor()
  await button(page, 'Correct 1 cell').click()
  await cellSelected(page, 'Title, row 3')
  await cellPanel(page).getByText('Must have at most 200 characters.').waitFor()
  await page.getByText('1 cell must be corrected.').waitFor()
  await correctCell(page, 'Title, row 3', 'Shorter')
  await page.getByText('All cells are corrected.').waitFor()
  await button(page, 'Check all rows').click()
  assert.deepEqual(await previewCounts(page), ['3', '0', '0', '0'])
  await button(page, 'Import 3 rows').click()
  await page.getByText('Done: all 3 rows were imported.').waitFor()
  const { data } = await api.risks.list()
  assert.deepEqual(data.map(({ title, impact }) => `${title} ${impact}`).toSorted(), [
    'Fire 5',
    'Ice 3',
    'Shorter 3',
  ])
  assertNoErrors(session)
})

test('a phone shows the grid above the selected cell', async () => {
  const { key, api, project } = await newWorkspace(env, 'Phone')
  await addRoster(api)
  const path = `/import?kind=risks&project_id=${project.id}`
  const session = await signIn(env, key, { path, width: 375 })
  const { page } = session
  await chooseFile(page, sheet)
  await cellSelected(page, 'Owner, row 4')
  const grid = await page.getByRole('grid').boundingBox()
  const panel = await cellPanel(page).boundingBox()
  assert.ok(grid && panel && panel.y >= grid.y + grid.height)
  await page.getByRole('gridcell', { name: 'Bauleitung' }).click()
  await correctCell(page, 'Owner, row 6', 'Mara Lindqvist')
  await cellSelected(page, 'Next review, row 8')
  const cell = await page.getByRole('gridcell', { selected: true }).boundingBox()
  assert.ok(cell && cell.x >= grid.x && cell.x + cell.width <= grid.x + grid.width + 1)
  assertNoErrors(session)
})
