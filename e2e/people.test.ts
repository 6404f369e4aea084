import assert from 'node:assert/strict'
import { test } from 'node:test'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { waitForFocus, tabTo } from './support/keyboard.ts'
import { pathOf, chooseOption, personFinder, openDialog } from './support/people-steps.ts'
import { assertDisabled, button, region } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader, unscoped } = env.keys
const findPerson = personFinder(apiOf(env, manager))

test('searches, filters and orders the directory through the URL', async () => {
  const session = await signIn(env, reader, { path: '/people' })
  const { page } = session
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

  await page.goto(`${env.base}/people?status=departed`)
  await page.getByText('3 people').waitFor()
  await list.getByRole('link', { name: 'Tuuli Rannamäe' }).waitFor()
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await page.getByText('40 people').waitFor()

  await page.getByRole('combobox', { name: 'Department' }).fill('geot')
  await page.getByRole('option', { name: 'Geotechnics' }).click()
  await page.getByText('5 people').waitFor()
  await chooseOption(page, page.getByRole('search'), ['Group', 'Duty engineers'])
  await page.getByText('1 person').waitFor()
  await list.getByRole('link', { name: 'Leïla Benhaddou' }).waitFor()
  await page.getByRole('button', { name: 'Clear all filters' }).click()

  await chooseOption(page, page.getByRole('search'), ['Manager', 'No one'])
  await page.getByText('1 person').waitFor()
  await list.getByRole('link', { name: 'Ingrid Aas-Lindholm' }).waitFor()
  await page.goBack()
  await page.getByText('40 people').waitFor()

  await page.getByRole('combobox', { name: 'Title' }).fill('Juggler')
  await page.getByText('No people match').waitFor()
  await page.goBack()
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Newest first')
  const first = list.getByRole('row').nth(1)
  await first.getByText('Noor El Idrissi').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('sort'), '-created_at')
  assertNoErrors(session)
})

test('adds a person and links a duplicate email to its owner', async () => {
  const session = await signIn(env, manager, { path: '/people' })
  const { page } = session
  const dialog = await openDialog(page, 'Add person', 'Add person')
  await dialog.getByRole('textbox', { name: 'Email' }).fill('MARA.lindqvist@northwater.example')
  await button(dialog, 'Add person').click()
  await dialog.getByText('Enter a name.').waitFor()

  await dialog.getByRole('textbox', { name: 'Name' }).fill('Solveig Ask')
  await chooseOption(page, dialog, ['Manager', 'Björn Håkansson'])
  await button(dialog, 'Add person').click()
  const alert = dialog.getByRole('alert')
  await alert.getByText('Another person on the roster has this email.').waitFor()
  await alert.getByText('This email belongs to Mara Lindqvist.').waitFor()
  const owner = dialog.getByRole('link', { name: 'Mara Lindqvist' })
  assert.equal(await owner.getAttribute('href'), pathOf(await findPerson('Mara Lind')))

  await dialog.getByRole('textbox', { name: 'Email' }).fill('solveig.ask@northwater.example')
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Mars/Olympus')
  await button(dialog, 'Add person').click()
  await dialog.getByText('Must be an IANA time zone').first().waitFor()
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Oslo')
  await dialog.getByLabel('First day').fill('2026-12-01')
  await button(dialog, 'Add person').click()
  await page.getByRole('heading', { level: 1, name: 'Solveig Ask' }).waitFor()
  await page.getByText('Solveig Ask was added.').waitFor()

  const added = await findPerson('solveig')
  assert.equal(added.manager_user_id, (await findPerson('Björn H')).id)
  assert.equal(added.time_zone, 'Europe/Oslo')
  assert.equal(added.start_on, '2026-12-01')
  assert.equal(added.phone, null)
  assertNoErrors(session)
})

test('shows an empty roster and loads a long one by scrolling', async () => {
  const keys = await env.emptyWorkspace('Empty roster')
  const session = await signIn(env, keys.manager, { path: '/people' })
  const { page } = session
  await page.getByText('The roster is empty').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Import a list' }).waitFor()
  await button(page, 'Add person').last().click()
  await page.getByRole('dialog', { name: 'Add person' }).waitFor()
  await page.keyboard.press('Escape')

  const data = Array.from({ length: 250 }, (_, index) => ({ name: `Person ${1000 + index}` }))
  await apiOf(env, keys.manager).personnel.batch({ body: { data } })
  await page.reload()
  await page.getByText('250 people').waitFor()
  await page.getByRole('link', { name: 'Person 1000' }).waitFor()
  const last = page.getByRole('link', { name: 'Person 1249' })
  for (let tries = 0; tries < 40 && !(await last.isVisible()); tries++) {
    await page.getByRole('row').last().scrollIntoViewIfNeeded()
  }
  await last.waitFor()
  assert.ok((await page.getByRole('row').count()) < 100, 'only visible rows are in the document')
  assertNoErrors(session)
})

test('disabled actions show the missing scope', async () => {
  const mara = await findPerson('Mara Lind')
  const session = await signIn(env, reader, { path: '/people' })
  const { page } = session
  await assertDisabled(page, 'Add person', /needs the scope personnel\.manage/)
  await tabTo(button(page, 'Add person'))
  await page.getByRole('tooltip').getByText('needs the scope personnel.manage').waitFor()
  await page.goto(env.base + pathOf(mara))
  await region(page, 'Assigned work').getByRole('table').waitFor()
  for (const name of ['Edit', 'Suspend', 'Resume', 'Offboard', 'Rejoin', 'Erase']) {
    await assertDisabled(page, name, /needs the scope personnel\.manage/)
  }
  await assertDisabled(page, 'Hand over', /needs the scope projects\.manage/)

  const withoutScopes = await signIn(env, unscoped, { path: '/people' })
  await withoutScopes.page.getByRole('alert').getByText('personnel.read').waitFor()
  await withoutScopes.page.goto(env.base + pathOf(mara))
  await withoutScopes.page.getByRole('alert').waitFor()
  assertNoErrors(session)
  assertNoErrors(withoutScopes)
})

test('adds, suspends and finds a person with the keyboard only', async () => {
  const session = await signIn(env, manager, { path: '/people?q=mara' })
  const { page } = session
  const { keyboard } = page
  await page.getByRole('link', { name: 'Mara Lindqvist' }).waitFor()
  await tabTo(button(page, 'Add person'))
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add person' })
  await waitForFocus(dialog.getByLabel('Name'))
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await waitForFocus(button(page, 'Add person'))
  await keyboard.press('Enter')
  await waitForFocus(dialog.getByLabel('Name'))
  await keyboard.type('Maranta Keys')
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Maranta Keys' }).waitFor()
  await page.getByText('Maranta Keys was added.').waitFor()

  await tabTo(button(page, 'Suspend'))
  await keyboard.press('Enter')
  const suspend = page.getByRole('dialog', { name: 'Suspend Maranta Keys' })
  await waitForFocus(suspend.getByLabel('Reason'))
  await keyboard.type('Hands tied.')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await region(page, 'Status').getByText('Hands tied.').waitFor()
  await suspend.waitFor({ state: 'hidden' })
  assert.equal((await findPerson('maranta')).status, 'suspended')

  await page.goto(`${env.base}/people?q=mara`)
  await page.getByText('2 people').waitFor()
  await tabTo(page.getByRole('link', { name: 'Mara Lindqvist' }))
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Maranta Keys' }).waitFor()
  assertNoErrors(session)
})
