import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { waitForFocus, tabTo } from './support/keyboard.ts'
import {
  chooseOption,
  openDialog,
  pathOf,
  personFinder,
  properties,
} from './support/people-steps.ts'
import {
  assertNotOffered,
  button,
  exportCsv,
  listLayout,
  openFilters,
  region,
  rowOf,
} from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader, unscoped } = env.keys
const findPerson = personFinder(apiOf(env, manager))

const directory = (page: Page) => page.getByRole('table', { name: 'Directory' })

/** Waits until the list has this number of people. */
const waitForCount = (page: Page, count: number) =>
  page.locator(`[role=table][aria-label=Directory][aria-rowcount="${count + 1}"]`).waitFor()

test('searches, filters and orders the directory through the URL', async () => {
  const session = await signIn(env, reader, { path: '/people' })
  const { page } = session
  const list = directory(page)
  await waitForCount(page, 40)
  await page.getByRole('link', { name: 'On roster 40' }).waitFor()
  await list.getByRole('link', { name: 'Ágnes Szűcs' }).waitFor()

  const filters = await openFilters(page)
  await filters.getByRole('textbox', { name: 'Search' }).fill('lindq')
  await waitForCount(page, 1)
  const row = list.getByRole('row').filter({ hasText: 'Mara Lindqvist' })
  for (const text of ['Site engineer', 'Civil works', 'Björn Håkansson']) {
    await row.getByText(text, { exact: true }).waitFor()
  }
  await row.getByText(/^Duty engineers/).waitFor()
  assert.equal(new URL(page.url()).search, '?q=lindq')
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Departed 3' }).click()
  await waitForCount(page, 3)
  await list.getByRole('link', { name: 'Tuuli Rannamäe' }).waitFor()
  assert.equal(new URL(page.url()).search, '?view=departed')
  await page.goto(`${env.base}/people?status=departed,suspended`)
  await waitForCount(page, 5)
  await page.getByRole('link', { name: 'On roster 40' }).click()
  await waitForCount(page, 40)

  await openFilters(page)
  await filters.getByRole('combobox', { name: 'Department' }).fill('geot')
  await page.getByRole('option', { name: 'Geotechnics' }).click()
  await waitForCount(page, 5)
  await chooseOption(page, filters, ['Group', 'Duty engineers'])
  await waitForCount(page, 1)
  await list.getByRole('link', { name: 'Leïla Benhaddou' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('search').getByText('Duty engineers').waitFor()
  await page.getByRole('button', { name: 'Clear all filters' }).click()

  await openFilters(page)
  await chooseOption(page, filters, ['Reports to', 'No one'])
  await waitForCount(page, 1)
  await list.getByRole('link', { name: 'Ingrid Aas-Lindholm' }).waitFor()
  await page.goBack()
  await waitForCount(page, 40)

  await page.goto(`${env.base}/people?title=Juggler`)
  await page.getByText('No people match').waitFor()
  await button(page, 'Clear Title').click()
  await button(page, 'Display').click()
  await page.getByRole('menuitemradio', { name: 'Newest first' }).click()
  const first = list.getByRole('row').nth(1)
  await first.getByText('Noor El Idrissi').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('sort'), '-created_at')
  assertNoErrors(session)
})

test('shows the list first, on rows of one line', async () => {
  const session = await signIn(env, manager, { path: '/people' })
  const { page } = session
  await page.setViewportSize({ width: 1440, height: 900 })
  await waitForCount(page, 40)
  const { firstTop, rowHeight, shown } = await listLayout(directory(page).locator('[data-row]'))
  assert.ok(firstTop <= 140, `the first row is at ${firstTop}`)
  assert.ok(rowHeight <= 40, `a row is ${rowHeight} high`)
  assert.ok(shown >= 19, `${shown} rows are shown`)
  assertNoErrors(session)
})

test('shows a person beside the list and exports what is listed', async () => {
  const session = await signIn(env, manager, { path: '/people?q=wei' })
  const { page } = session
  await waitForCount(page, 1)
  await directory(page).getByText('Principal geotechnical engineer').click()
  const peek = page.getByRole('complementary', { name: 'Person', exact: true })
  await peek.getByRole('heading', { name: 'Jürgen Weiß' }).waitFor()
  const email = peek.getByRole('link', { name: 'juergen.weiss@northwater.example' })
  assert.equal(await email.getAttribute('href'), 'mailto:juergen.weiss@northwater.example')
  const facts = ['Status', 'Department', 'Reports to', 'Email', 'Phone', 'First day']
  assert.deepEqual(await peek.getByRole('term').allTextContents(), facts)
  await peek.getByRole('region', { name: 'Assigned work' }).getByRole('link').first().waitFor()
  await peek.getByRole('link', { name: 'Geotechnics' }).waitFor()
  await button(peek, 'Hand over …').click()
  await page.getByRole('dialog', { name: 'Hand over the work of Jürgen Weiß' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await peek.waitFor({ state: 'detached' })

  const file = await exportCsv(page)
  assert.equal(file.trim().split('\n').length, 2)
  assert.match(file, /Jürgen Weiß/)
  assertNoErrors(session)
})

test('adds several people to a group', async () => {
  const api = apiOf(env, manager)
  const group = await api.groups.create({ body: { name: 'Bulk crew' } })
  const session = await signIn(env, manager, { path: '/people' })
  const { page } = session
  for (const name of ['Ágnes Szűcs', 'Aino Mäkelä']) {
    await rowOf(page, name).hover()
    await page.getByRole('checkbox', { name: `Select: ${name}` }).check()
  }
  const bar = page.getByRole('toolbar', { name: 'Actions for the selected rows' })
  await bar.getByText('2 selected').waitFor()
  await button(bar, 'Add to group').click()
  await page.getByRole('option', { name: 'Bulk crew' }).click()
  await page.getByText('2 people joined Bulk crew.').waitFor()
  await bar.waitFor({ state: 'detached' })
  assert.equal((await api.groups.view({ params: { group_id: group.id } })).member_count, 2)
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
  await chooseOption(page, dialog, ['Reports to', 'Björn Håkansson'])
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
  await waitForCount(page, 250)
  await page.getByRole('link', { name: 'Person 1000' }).waitFor()
  const last = page.getByRole('link', { name: 'Person 1249' })
  for (let tries = 0; tries < 40 && !(await last.isVisible()); tries++) {
    await page.getByRole('row').last().scrollIntoViewIfNeeded()
  }
  await last.waitFor()
  assert.ok((await page.getByRole('row').count()) < 100, 'only visible rows are in the document')
  assertNoErrors(session)
})

test('a reader is offered no actions that they cannot use', async () => {
  const mara = await findPerson('Mara Lind')
  const session = await signIn(env, reader, { path: '/people' })
  const { page } = session
  await assertNotOffered(page, 'Add person')
  await page.goto(env.base + pathOf(mara))
  await region(page, 'Assigned work').getByRole('table').waitFor()
  await assertNotOffered(page, 'Hand over …', 'Add to group', 'More actions: Mara Lindqvist')

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

  await tabTo(button(page, 'More actions: Maranta Keys'))
  await keyboard.press('Enter')
  await tabTo(page.getByRole('menuitem', { name: 'Suspend …' }), 'ArrowDown')
  await keyboard.press('Enter')
  const suspend = page.getByRole('dialog', { name: 'Suspend Maranta Keys' })
  await waitForFocus(suspend.getByLabel('Reason'))
  await keyboard.type('Hands tied.')
  await keyboard.press('Control+Enter')
  await properties(page).getByText('Hands tied.').waitFor()
  await suspend.waitFor({ state: 'hidden' })
  assert.equal((await findPerson('maranta')).status, 'suspended')

  await page.goto(`${env.base}/people?q=mara`)
  await waitForCount(page, 2)
  await tabTo(rowOf(page, 'Mara Lindqvist'))
  await keyboard.press('j')
  await waitForFocus(rowOf(page, 'Maranta Keys'))
  await keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Person' }).getByText('Suspended').waitFor()
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Maranta Keys' }).waitFor()
  assertNoErrors(session)
})
