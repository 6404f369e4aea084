import assert from 'node:assert/strict'
import { test } from 'node:test'

import { focusAt, tabTo } from './keyboard.ts'
import { assertRefused, button, gone, inDialog, says } from './steps.ts'
import { apiOf, assertQuiet, signedIn, startWorld } from './world.ts'

const world = await startWorld()
const { manager, reader } = world.keys
const api = apiOf(world, manager)
const told = await api.projects.list()
const idOf = (wanted: string) =>
  told.data.find(({ code }) => code === wanted)?.id ?? assert.fail(`There is no ${wanted}.`)
const pathOf = (code: string, search = '') => `/projects/${idOf(code)}${search}`

test('the list tells how each project is doing, and its filters are its address', async () => {
  const seen = await signedIn(world, manager, { path: '/projects' })
  const { page } = seen
  const dam = page.getByRole('row', { name: 'DAM Norrfors dam renewal' })
  await dam.getByRole('link', { name: 'Éloïse Marchand' }).waitFor()
  for (const text of ['Active', 'At risk', 'Said', '16', 'High', '4 high, 7 medium, 3 low']) {
    assert.match((await dam.textContent()) ?? '', new RegExp(text))
  }
  assert.equal(await page.getByRole('row', { name: 'PIPE' }).count(), 0, 'the archive is aside')

  await page.getByLabel('Order').selectOption('By name')
  await page.waitForURL(/sort=name/)
  await page.getByRole('searchbox', { name: 'Search' }).fill('strandby')
  await page.waitForURL(/q=strandby/)
  await says(page, '1 project').waitFor()
  await button(page, '1 filter').click()
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Archived' }).click()
  await page.getByRole('row', { name: 'PIPE Strandby rising main' }).waitFor()
  await page.reload()
  await page.getByRole('row', { name: 'PIPE Strandby rising main' }).waitFor()

  await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like it')
  await page.getByText('No project matches').waitFor()
  await button(page, 'Clear all filters').click()
  await page.getByRole('link', { name: 'DAM Norrfors dam renewal' }).click()
  await page.getByRole('heading', { level: 1, name: 'Norrfors dam renewal' }).waitFor()
  assertQuiet(seen)
})

test('a health that nobody has renewed for a month says so', async () => {
  const seen = await signedIn(world, manager, { path: '/projects' })
  const { page } = seen
  await page.clock.setFixedTime(Date.now() + 40 * 86_400_000)
  await page.reload()
  const row = page.getByRole('row', { name: 'DAM Norrfors dam renewal' })
  await row.getByText('Said 40 days ago').waitFor()
  await row.getByText('Out of date: older than 30 days').waitFor()
  const over = page.getByRole('row', { name: 'FLOOD Flood-warning network' })
  assert.equal(await over.getByText('Out of date').count(), 0, 'what is over needs none')
  assertQuiet(seen)
})

test('a project is opened, and what is refused is said where it is wrong', async () => {
  const seen = await signedIn(world, manager, { path: '/projects' })
  const { page } = seen
  await button(page, 'New project').click()
  await page.getByRole('textbox', { name: 'Code' }).fill('dam')
  await page.getByLabel('Name').fill('Älvsund weir')
  await page.getByRole('combobox', { name: 'Owner' }).fill('Mara')
  await page.getByRole('option', { name: /Mara Lindqvist/ }).click()
  await page.getByLabel('Risk appetite').fill('12')
  await page.getByLabel('Health').selectOption('On track')
  await page.getByLabel('Starts').fill('2027-05-01')
  await page.getByLabel('Due').fill('2027-04-01')
  await page.getByLabel('What it is for').fill('A new weir.')
  await inDialog(page, 'Open project').click()
  await page.getByRole('alert', { name: 'Another project has this code.' }).waitFor()

  await page.getByRole('textbox', { name: 'Code' }).fill('weir')
  await inDialog(page, 'Open project').click()
  await page.getByText('Must not be before starts_on', { exact: true }).waitFor()
  await page.getByLabel('Due').fill('2028-04-01')
  await inDialog(page, 'Open project').click()

  await page.getByRole('heading', { level: 1, name: 'Älvsund weir' }).waitFor()
  await says(page, 'WEIR is open.').waitFor()
  const { data } = await api.projects.list({ query: { q: 'WEIR' } })
  const { code, health, risk_appetite, due_on, description, owner_user_id } =
    data[0] ?? assert.fail()
  assert.deepEqual(
    { code, health, risk_appetite, due_on, description },
    {
      code: 'WEIR',
      health: 'on_track',
      risk_appetite: 12,
      due_on: '2028-04-01',
      description: 'A new weir.',
    },
  )
  await page.getByRole('link', { name: 'Mara Lindqvist' }).waitFor()
  assert.match(owner_user_id ?? '', /^usr_/)
  assertQuiet(seen)
})

test('an empty workspace is begun by keyboard alone', async () => {
  const keys = await world.emptyWorkspace('Emptywater')
  const seen = await signedIn(world, keys.manager, { path: '/projects' })
  const { page } = seen
  await page.getByText('There is no project yet').waitFor()
  await tabTo(button(page, 'New project').first())
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await focusAt(dialog)
  await page.keyboard.press('Escape')
  await gone(page)
  await focusAt(button(page, 'New project').first())

  await page.keyboard.press('Enter')
  await focusAt(dialog)
  await tabTo(dialog.getByLabel('Code'))
  await page.keyboard.type('first')
  await tabTo(dialog.getByLabel('Name'))
  await page.keyboard.type('The first')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'The first' }).waitFor()

  await page.getByText('No risk has been entered yet').waitFor()
  await tabTo(page.getByRole('tab', { name: 'Risks' }))
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/tab=issues/)
  await page.getByText('No issue has been opened yet').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText('There is no task yet').waitFor()
  const { data } = await apiOf(world, keys.manager).projects.list()
  assert.deepEqual(
    data.map(({ code, name }) => [code, name]),
    [['FIRST', 'The first']],
  )
  assertQuiet(seen)
})

test('whoever may only read sees what could be done, and why they may not', async () => {
  const seen = await signedIn(world, reader, { path: '/projects' })
  const { page } = seen
  const why = 'The key “Demo reader” may not do this: it needs the scope projects.manage.'
  await assertRefused(page, 'New project', why)

  await page.goto(world.base + pathOf('DAM', '?tab=tasks'))
  for (const name of ['Set health', 'Edit', 'Archive', 'Restore', 'New task']) {
    await assertRefused(page, name, why)
  }
  await assertRefused(page, 'In progress: status of DAM-T1', why)
  await page.getByRole('link', { name: 'DAM-T1 Flush the drains' }).click()
  const dialog = page.getByRole('dialog', { name: 'Task DAM-T1' })
  await dialog.getByText('All twelve, from gallery 2.').waitFor()
  await dialog.getByRole('link', { name: 'DAM-R12 Uplift under the stilling basin' }).waitFor()
  assert.equal(await inDialog(page, 'Edit').getAttribute('aria-disabled'), 'true')
  assertQuiet(seen)
})

test('the lists of a project are its address, and things are added from them', async () => {
  const seen = await signedIn(world, manager, { path: pathOf('DAM') })
  const { page } = seen
  await page.getByRole('link', { name: 'DAM-R12 Uplift under the stilling basin' }).waitFor()
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Closed' }).click()
  await page.waitForURL(/status=closed/)
  await page.getByRole('link', { name: 'DAM-R12' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^DAM-R5 Asbestos/ }).waitFor()
  await button(page, 'New risk').click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await gone(page)

  await page.getByRole('tab', { name: 'Issues' }).click()
  await page.getByRole('link', { name: 'DAM-I7 Crane foundation cracked' }).waitFor()
  assert.equal(new URL(page.url()).search, '?tab=issues', 'the filter was of the other list')
  await button(page, 'New issue').click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await gone(page)

  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByText('Seepage at the toe has doubled.').nth(1).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'DAM-I7 Crane foundation cracked' }).waitFor()
  assertQuiet(seen)
})

test('what is not there is said to be missing', async () => {
  const id = idOf('DAM')
  const seen = await signedIn(world, manager, { path: `/projects/${id.slice(0, -4)}zzzz` })
  const { page } = seen
  await page.getByRole('alert').getByText('There is no project').waitFor()
  await page.getByRole('link', { name: 'Projects' }).first().waitFor()
  await page.goto(world.base + pathOf('FISH', `?tab=tasks&task=tsk${id.slice(3)}`))
  await page.getByRole('dialog').getByRole('alert').getByText('There is no task').waitFor()
  assertQuiet(seen)
})
