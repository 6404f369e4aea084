import assert from 'node:assert/strict'
import { test } from 'node:test'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { waitForFocus, tabTo } from './support/keyboard.ts'
import { assertDisabled, button, dialogClosed, dialogButton, toast } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, manager)
const listed = await api.projects.list()
const idOf = (wanted: string) =>
  listed.data.find(({ code }) => code === wanted)?.id ?? assert.fail(`There is no ${wanted}.`)
const pathOf = (code: string, search = '') => `/projects/${idOf(code)}${search}`

test('lists projects with their health and filters through the URL', async () => {
  const session = await signIn(env, manager, { path: '/projects' })
  const { page } = session
  const dam = page.getByRole('row', { name: 'DAM Norrfors dam renewal' })
  await dam.getByRole('link', { name: 'Éloïse Marchand' }).waitFor()
  for (const text of ['Active', 'At risk', 'Reported', '16', 'High', '4 high, 7 medium, 3 low']) {
    assert.match((await dam.textContent()) ?? '', new RegExp(text))
  }
  assert.equal(
    await page.getByRole('row', { name: 'PIPE' }).count(),
    0,
    'archived projects are hidden',
  )

  await page.getByLabel('Order').selectOption('By name')
  await page.waitForURL(/sort=name/)
  await page.getByRole('searchbox', { name: 'Search' }).fill('strandby')
  await page.waitForURL(/q=strandby/)
  await toast(page, '1 project').waitFor()
  await button(page, '1 filter').click()
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Archived' }).click()
  await page.getByRole('row', { name: 'PIPE Strandby rising main' }).waitFor()
  await page.reload()
  await page.getByRole('row', { name: 'PIPE Strandby rising main' }).waitFor()

  await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like it')
  await page.getByText('No projects match').waitFor()
  await button(page, 'Clear all filters').click()
  await page.getByRole('link', { name: 'DAM Norrfors dam renewal' }).click()
  await page.getByRole('heading', { level: 1, name: 'Norrfors dam renewal' }).waitFor()
  assertNoErrors(session)
})

test('marks a health report older than 30 days as out of date', async () => {
  const session = await signIn(env, manager, { path: '/projects' })
  const { page } = session
  const { health_set_at } = await api.projects.view({ params: { project_id: idOf('DAM') } })
  await page.clock.setFixedTime(Date.parse(health_set_at ?? '') + 40 * 86_400_000)
  await page.reload()
  const row = page.getByRole('row', { name: 'DAM Norrfors dam renewal' })
  await row.getByText('Reported 40 days ago').waitFor()
  await row.getByText('Out of date: older than 30 days').waitFor()
  const over = page.getByRole('row', { name: 'FLOOD Flood-warning network' })
  assert.equal(
    await over.getByText('Out of date').count(),
    0,
    'completed projects are never out of date',
  )
  assertNoErrors(session)
})

test('creates a project after validation errors', async () => {
  const session = await signIn(env, manager, { path: '/projects' })
  const { page } = session
  await button(page, 'New project').click()
  await page.getByRole('textbox', { name: 'Code' }).fill('dam')
  await page.getByLabel('Name').fill('Älvsund weir')
  await page.getByRole('combobox', { name: 'Owner' }).fill('Mara')
  await page.getByRole('option', { name: /Mara Lindqvist/ }).click()
  await page.getByLabel('Risk appetite').fill('12')
  await page.getByLabel('Health').selectOption('On track')
  await page.getByLabel('Starts').fill('2027-05-01')
  await page.getByLabel('Due').fill('2027-04-01')
  await page.getByLabel('Description').fill('A new weir.')
  await dialogButton(page, 'Create project').click()
  await page.getByRole('alert', { name: 'Another project has this code.' }).waitFor()

  await page.getByRole('textbox', { name: 'Code' }).fill('weir')
  await dialogButton(page, 'Create project').click()
  await page.getByText('Must not be before starts_on', { exact: true }).waitFor()
  await page.getByLabel('Due').fill('2028-04-01')
  await dialogButton(page, 'Create project').click()

  await page.getByRole('heading', { level: 1, name: 'Älvsund weir' }).waitFor()
  await toast(page, 'WEIR was created.').waitFor()
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
  assertNoErrors(session)
})

test('creates the first project with the keyboard only', async () => {
  const keys = await env.emptyWorkspace('Emptywater')
  const session = await signIn(env, keys.manager, { path: '/projects' })
  const { page } = session
  await page.getByText('No projects yet').waitFor()
  await tabTo(button(page, 'New project').first())
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await waitForFocus(dialog)
  await page.keyboard.press('Escape')
  await dialogClosed(page)
  await waitForFocus(button(page, 'New project').first())

  await page.keyboard.press('Enter')
  await waitForFocus(dialog)
  await tabTo(dialog.getByLabel('Code'))
  await page.keyboard.type('first')
  await tabTo(dialog.getByLabel('Name'))
  await page.keyboard.type('The first')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'The first' }).waitFor()

  await page.getByText('No risks yet').waitFor()
  await tabTo(page.getByRole('tab', { name: 'Risks' }))
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/tab=issues/)
  await page.getByText('No issues yet').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText('No tasks yet').waitFor()
  const { data } = await apiOf(env, keys.manager).projects.list()
  assert.deepEqual(
    data.map(({ code, name }) => [code, name]),
    [['FIRST', 'The first']],
  )
  assertNoErrors(session)
})

test('a read-only key sees disabled actions with the reason', async () => {
  const session = await signIn(env, reader, { path: '/projects' })
  const { page } = session
  const why = 'The key “Demo reader” cannot do this: it needs the scope projects.manage.'
  await assertDisabled(page, 'New project', why)

  await page.goto(env.base + pathOf('DAM', '?tab=tasks'))
  for (const name of ['Set health', 'Edit', 'Archive', 'Restore', 'New task']) {
    await assertDisabled(page, name, why)
  }
  await assertDisabled(page, 'In progress: status of DAM-T1', why)
  await page.getByRole('link', { name: 'DAM-T1 Flush the drains' }).click()
  const dialog = page.getByRole('dialog', { name: 'Task DAM-T1' })
  await dialog.getByText('All twelve, from gallery 2.').waitFor()
  await dialog.getByRole('link', { name: 'DAM-R12 Uplift under the stilling basin' }).waitFor()
  assert.equal(await dialogButton(page, 'Edit').getAttribute('aria-disabled'), 'true')
  assertNoErrors(session)
})

test('the tabs of a project follow the URL and create records', async () => {
  const session = await signIn(env, manager, { path: pathOf('DAM') })
  const { page } = session
  await page.getByRole('link', { name: 'DAM-R12 Uplift under the stilling basin' }).waitFor()
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Closed' }).click()
  await page.waitForURL(/status=closed/)
  await page.getByRole('link', { name: 'DAM-R12' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /^DAM-R5 Asbestos/ }).waitFor()
  await button(page, 'New risk').click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await dialogClosed(page)

  await page.getByRole('tab', { name: 'Issues' }).click()
  await page.getByRole('link', { name: 'DAM-I7 Crane foundation cracked' }).waitFor()
  assert.equal(new URL(page.url()).search, '?tab=issues', 'the filter of the other tab is cleared')
  await button(page, 'New issue').click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await dialogClosed(page)

  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByText('Seepage at the toe has doubled.').nth(1).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'DAM-I7 Crane foundation cracked' }).waitFor()
  assertNoErrors(session)
})

test('shows a missing project and a missing task', async () => {
  const id = idOf('DAM')
  const session = await signIn(env, manager, { path: `/projects/${id.slice(0, -4)}zzzz` })
  const { page } = session
  await page.getByRole('alert').getByText('There is no project').waitFor()
  await page.getByRole('link', { name: 'Projects' }).first().waitFor()
  await page.goto(env.base + pathOf('FISH', `?tab=tasks&task=tsk${id.slice(3)}`))
  await page.getByRole('dialog').getByRole('alert').getByText('There is no task').waitFor()
  assertNoErrors(session)
})
