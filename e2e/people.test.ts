import assert from 'node:assert/strict'
import { test } from 'node:test'

import { focusAt, tabTo } from './keyboard.ts'
import { at, choose, finderIn, opened } from './people-steps.ts'
import { assertRefused, button, region } from './steps.ts'
import { apiOf, assertQuiet, signedIn, startWorld } from './world.ts'

const world = await startWorld()
const { manager, reader, nobody } = world.keys
const someone = finderIn(apiOf(world, manager))

test('the directory is searched as one types, filtered and ordered, all in its address', async () => {
  const seen = await signedIn(world, reader, { path: '/people' })
  const { page } = seen
  const list = page.getByRole('table', { name: 'Directory' })
  await page.getByText('40 people').waitFor()
  await list.getByRole('link', { name: 'Ágnes Szűcs' }).waitFor()
  assert.equal(await list.getAttribute('aria-rowcount'), '41')

  await page.getByRole('searchbox', { name: 'Search' }).fill('lindq')
  await page.getByText('1 person').waitFor()
  const row = list.getByRole('row').filter({ hasText: 'Mara Lindqvist' })
  for (const text of ['Site engineer', 'Civil works', 'Active', 'Duty engineers']) {
    await row.getByText(text, { exact: true }).waitFor()
  }
  const email = row.getByRole('link', { name: 'mara.lindqvist@northwater.example' })
  assert.equal(await email.getAttribute('href'), 'mailto:mara.lindqvist@northwater.example')
  assert.equal(new URL(page.url()).search, '?q=lindq')

  await page.goto(`${world.base}/people?status=departed`)
  await page.getByText('3 people').waitFor()
  await list.getByRole('link', { name: 'Tuuli Rannamäe' }).waitFor()
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await page.getByText('40 people').waitFor()

  await page.getByRole('combobox', { name: 'Department' }).fill('geot')
  await page.getByRole('option', { name: 'Geotechnics' }).click()
  await page.getByText('5 people').waitFor()
  await choose(page, page.getByRole('search'), ['Group', 'Duty engineers'])
  await page.getByText('1 person').waitFor()
  await list.getByRole('link', { name: 'Leïla Benhaddou' }).waitFor()
  await page.getByRole('button', { name: 'Clear all filters' }).click()

  await choose(page, page.getByRole('search'), ['Manager', 'Nobody'])
  await page.getByText('1 person').waitFor()
  await list.getByRole('link', { name: 'Ingrid Aas-Lindholm' }).waitFor()
  await page.goBack()
  await page.getByText('40 people').waitFor()

  await page.getByRole('combobox', { name: 'Title' }).fill('Juggler')
  await page.getByText('Nobody matches').waitFor()
  await page.goBack()
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Newest first')
  const first = list.getByRole('row').nth(1)
  await first.getByText('Noor El Idrissi').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('sort'), '-created_at')
  assertQuiet(seen)
})

test('a person is added; an email that is taken leads to whoever has it', async () => {
  const seen = await signedIn(world, manager, { path: '/people' })
  const { page } = seen
  const dialog = await opened(page, 'Add person', 'Add person')
  await dialog.getByRole('textbox', { name: 'Email' }).fill('MARA.lindqvist@northwater.example')
  await button(dialog, 'Add person').click()
  await dialog.getByText('Say what they are called.').waitFor()

  await dialog.getByRole('textbox', { name: 'Name' }).fill('Solveig Ask')
  await choose(page, dialog, ['Manager', 'Björn Håkansson'])
  await button(dialog, 'Add person').click()
  const alert = dialog.getByRole('alert')
  await alert.getByText('Another person on the roster has this email.').waitFor()
  await alert.getByText('This email belongs to Mara Lindqvist.').waitFor()
  const holder = dialog.getByRole('link', { name: 'Mara Lindqvist' })
  assert.equal(await holder.getAttribute('href'), at(await someone('Mara Lind')))

  await dialog.getByRole('textbox', { name: 'Email' }).fill('solveig.ask@northwater.example')
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Mars/Olympus')
  await button(dialog, 'Add person').click()
  await dialog.getByText('Must be a time zone of the IANA database').first().waitFor()
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Oslo')
  await dialog.getByLabel('First day').fill('2026-12-01')
  await button(dialog, 'Add person').click()
  await page.getByRole('heading', { level: 1, name: 'Solveig Ask' }).waitFor()
  await page.getByText('Solveig Ask was added.').waitFor()

  const added = await someone('solveig')
  assert.equal(added.manager_user_id, (await someone('Björn H')).id)
  assert.equal(added.time_zone, 'Europe/Oslo')
  assert.equal(added.start_on, '2026-12-01')
  assert.equal(added.phone, null)
  assertQuiet(seen)
})

test('an empty roster says what to do first, and a long one is read on as one scrolls', async () => {
  const keys = await world.emptyWorkspace('Nobody yet')
  const seen = await signedIn(world, keys.manager, { path: '/people' })
  const { page } = seen
  await page.getByText('The roster is empty').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Import a list' }).waitFor()
  await button(page, 'Add person').last().click()
  await page.getByRole('dialog', { name: 'Add person' }).waitFor()
  await page.keyboard.press('Escape')

  const data = Array.from({ length: 250 }, (_, index) => ({ name: `Person ${1000 + index}` }))
  await apiOf(world, keys.manager).personnel.batch({ body: { data } })
  await page.reload()
  await page.getByText('250 people').waitFor()
  await page.getByRole('link', { name: 'Person 1000' }).waitFor()
  const last = page.getByRole('link', { name: 'Person 1249' })
  for (let tries = 0; tries < 40 && !(await last.isVisible()); tries++) {
    await page.getByRole('row').last().scrollIntoViewIfNeeded()
  }
  await last.waitFor()
  assert.ok((await page.getByRole('row').count()) < 100, 'only the rows in sight are in the page')
  assertQuiet(seen)
})

test('what a key may not do is shown with the reason', async () => {
  const mara = await someone('Mara Lind')
  const seen = await signedIn(world, reader, { path: '/people' })
  const { page } = seen
  await assertRefused(page, 'Add person', /needs the scope personnel\.manage/)
  await tabTo(button(page, 'Add person'))
  await page.getByRole('tooltip').getByText('needs the scope personnel.manage').waitFor()
  await page.goto(world.base + at(mara))
  await region(page, 'What they hold').getByRole('table').waitFor()
  for (const name of ['Edit', 'Suspend', 'Resume', 'Depart', 'Bring back', 'Erase']) {
    await assertRefused(page, name, /needs the scope personnel\.manage/)
  }
  await assertRefused(page, 'Hand over', /needs the scope projects\.manage/)

  const stranger = await signedIn(world, nobody, { path: '/people' })
  await stranger.page.getByRole('alert').getByText('personnel.read').waitFor()
  await stranger.page.goto(world.base + at(mara))
  await stranger.page.getByRole('alert').waitFor()
  assertQuiet(seen)
  assertQuiet(stranger)
})

test('all of it is done by keyboard alone', async () => {
  const seen = await signedIn(world, manager, { path: '/people?q=mara' })
  const { page } = seen
  const { keyboard } = page
  await page.getByRole('link', { name: 'Mara Lindqvist' }).waitFor()
  await tabTo(button(page, 'Add person'))
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add person' })
  await focusAt(dialog.getByLabel('Name'))
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await focusAt(button(page, 'Add person'))
  await keyboard.press('Enter')
  await focusAt(dialog.getByLabel('Name'))
  await keyboard.type('Maranta Keys')
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Maranta Keys' }).waitFor()
  await page.getByText('Maranta Keys was added.').waitFor()

  await tabTo(button(page, 'Suspend'))
  await keyboard.press('Enter')
  const suspend = page.getByRole('dialog', { name: 'Suspend Maranta Keys' })
  await focusAt(suspend.getByLabel('Reason'))
  await keyboard.type('Hands tied.')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await region(page, 'Status').getByText('Hands tied.').waitFor()
  await suspend.waitFor({ state: 'hidden' })
  assert.equal((await someone('maranta')).status, 'suspended')

  await page.goto(`${world.base}/people?q=mara`)
  await page.getByText('2 people').waitFor()
  await tabTo(page.getByRole('link', { name: 'Mara Lindqvist' }))
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Maranta Keys' }).waitFor()
  assertQuiet(seen)
})
