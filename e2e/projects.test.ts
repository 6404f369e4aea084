import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { waitForFocus, tabTo } from './support/keyboard.ts'
import {
  assertNotOffered,
  assertRows,
  button,
  dialogButton,
  dialogClosed,
  exportCsv,
  property,
  region,
  toast,
} from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, manager)
const listed = await api.projects.list()
const idOf = (wanted: string) =>
  listed.data.find(({ code }) => code === wanted)?.id ?? assert.fail(`There is no ${wanted}.`)
const pathOf = (code: string) => `/projects/${idOf(code)}`

const rows = (page: Page) => page.locator('[data-row]')
const view = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })

test('lists projects on two lines, high up, with their health', async () => {
  const session = await signIn(env, manager, { path: '/projects', width: 1440 })
  const { page } = session
  const dam = page.getByRole('row', { name: 'DAM Norrfors dam renewal' })
  await dam.getByText('Éloïse Marchand').waitFor()
  for (const text of ['At risk', 'Reported', '16', 'Seepage at the toe has doubled.']) {
    assert.match((await dam.textContent()) ?? '', new RegExp(text))
  }
  await dam.getByRole('img', { name: '4 high, 7 medium, 3 low' }).waitFor()
  const box = await rows(page).first().boundingBox()
  assert.ok(box && box.y <= 140, `the first row is at ${box?.y}`)
  assert.equal(box.height, 56)
  assert.equal(
    await page.getByRole('row', { name: 'PIPE' }).count(),
    0,
    'archived projects are hidden',
  )
  assertNoErrors(session)
})

test('views, filters and the order are in the URL; the export has the same rows', async () => {
  const session = await signIn(env, manager, { path: '/projects' })
  const { page } = session
  await view(page, 'Off track or at risk').click()
  await page.waitForURL(/view=attention/)
  const troubled = listed.data.filter(({ health }) => health !== null && health !== 'on_track')
  await assertRows(rows(page), troubled.length)
  assert.equal(await button(page, 'Export').count(), 0, 'the API has no such filter')
  assert.equal(await view(page, 'Mine').count(), 0, 'a service key owns nothing')
  await view(page, 'Archived').click()
  await page.getByRole('row', { name: 'PIPE Strandby rising main' }).waitFor()

  await page.goto(`${env.base}/projects`)
  await button(page, 'Display').click()
  await page.getByRole('menuitemradio', { name: 'Name' }).click()
  await page.waitForURL(/sort=name/)
  await button(page, 'Filters').click()
  const menu = page.getByRole('dialog', { name: 'Filters' })
  await menu.getByLabel('Search').fill('strandby')
  await page.waitForURL(/q=strandby/)
  await assertRows(rows(page), 1)
  await menu.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Archived' }).click()
  await page.getByRole('row', { name: 'PIPE Strandby rising main' }).waitFor()
  await page.reload()
  await page.getByRole('row', { name: 'PIPE Strandby rising main' }).waitFor()
  await assertRows(rows(page), 1)
  const csv = await exportCsv(page)
  assert.match(csv, /PIPE/)
  assert.doesNotMatch(csv, /DAM/)

  await page.goto(`${env.base}/projects?q=nothing+like+it&status=active`)
  await page.getByText('No projects match').waitFor()
  await button(page, 'Clear all filters').click()
  await page.getByRole('link', { name: 'Norrfors dam renewal' }).click()
  await page.getByRole('heading', { level: 1, name: 'Norrfors dam renewal' }).waitFor()
  assertNoErrors(session)
})

test('a row opens beside the list, and again in full', async () => {
  const session = await signIn(env, manager, { path: '/projects', width: 1440 })
  const { page } = session
  const peek = page.getByRole('complementary', { name: 'Project' })
  await page.getByRole('row', { name: 'DAM Norrfors dam renewal' }).click()
  await peek.getByRole('heading', { name: 'Norrfors dam renewal' }).waitFor()
  await peek.getByText('Seepage at the toe has doubled.').waitFor()
  await page.keyboard.press('Escape')
  await peek.waitFor({ state: 'detached' })
  await rows(page).first().focus()
  await page.keyboard.press('Enter')
  await peek.waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/projects\/prj_/)
  assertNoErrors(session)
})

test('pins a project to the sidebar from its row and unpins it on its page', async () => {
  const session = await signIn(env, manager, { path: '/projects', width: 1440 })
  const { page } = session
  const pinned = page.getByRole('navigation', { name: 'Main' }).getByRole('link', {
    name: 'Norrfors dam renewal',
  })
  await page.getByRole('row', { name: 'DAM Norrfors dam renewal' }).hover()
  await button(page, 'Pin Norrfors dam renewal to the sidebar').click()
  await pinned.waitFor()
  await page.reload()
  await pinned.click()
  await page.getByRole('heading', { level: 1, name: 'Norrfors dam renewal' }).waitFor()
  await button(page, 'Unpin Norrfors dam renewal from the sidebar').click()
  await pinned.waitFor({ state: 'detached' })
  assertNoErrors(session)
})

test('marks a health report older than 30 days as out of date', async () => {
  const session = await signIn(env, manager, { path: '/projects', width: 1440, isContextNew: true })
  const { page } = session
  const { health_set_at } = await api.projects.view({ params: { project_id: idOf('DAM') } })
  await page.clock.setFixedTime(Date.parse(health_set_at ?? '') + 40 * 86_400_000)
  await page.reload()
  const row = page.getByRole('row', { name: 'DAM Norrfors dam renewal' })
  await row.getByText('Reported 40 days ago').waitFor()
  await row.getByText('Out of date').waitFor()
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
  await page.getByRole('complementary').getByText('Mara Lindqvist').waitFor()
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

  for (const text of ['No open risks', 'No open issues', 'No open tasks']) {
    await page.getByText(text).waitFor()
  }
  const { data } = await apiOf(env, keys.manager).projects.list()
  assert.deepEqual(
    data.map(({ code, name }) => [code, name]),
    [['FIRST', 'The first']],
  )
  assertNoErrors(session)
})

test('a read-only key is offered no actions that it cannot use', async () => {
  const session = await signIn(env, reader, { path: '/projects' })
  const { page } = session
  await assertNotOffered(page, 'New project')

  await page.goto(env.base + pathOf('DAM'))
  const next = await api.tasks.list({ query: { project_id: [idOf('DAM')], limit: 1 } })
  const { ref } = next.data[0] ?? assert.fail()
  await page.getByText(ref, { exact: true }).first().waitFor()
  await assertNotOffered(page, 'Report health', 'New risk', 'New issue', 'More actions: DAM')
  assert.equal(await page.getByRole('button', { name: `status of ${ref}` }).count(), 0)
  assert.equal(await property(page, 'Status').count(), 0)
  assertNoErrors(session)
})

test('a project shows its worst items, links to all of them and creates records', async () => {
  const session = await signIn(env, manager, { path: pathOf('DAM') })
  const { page } = session
  const worst = await api.risks.list({ query: { project_id: [idOf('DAM')], limit: 8 } })
  const risks = region(page, 'Risks')
  await risks.getByRole('link', { name: 'Uplift under the stilling basin' }).waitFor()
  const refs = await risks.getByText(/^DAM-R\d+$/).allTextContents()
  assert.deepEqual(
    refs,
    worst.data.map(({ ref }) => ref),
    'by rank',
  )
  for (const name of ['New risk', 'New issue', 'New task']) {
    await button(page, name).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await dialogClosed(page)
  }
  await region(page, 'Issues').getByRole('link', { name: 'Crane foundation cracked' }).waitFor()
  // The newest reports have a card and are not repeated in the activity.
  await page.getByText('Seepage at the toe has doubled.').waitFor()
  const activity = region(page, 'Activity')
  await activity.getByRole('listitem').first().waitFor()

  const params = `project_id=${idOf('DAM')}`
  const links = [
    ['Risks', 'Occurred and closed risks', `/risks?view=closed&${params}`],
    ['Issues', 'Closed issues', `/issues?view=closed&${params}`],
    ['Tasks', 'All open tasks, by due date', `/tasks?${params}`],
  ] as const
  for (const [section, name, path] of links) {
    const link = region(page, section).getByRole('link', { name })
    assert.equal(await link.getAttribute('href'), path)
  }
  await risks.getByRole('link', { name: 'All open risks, by rank' }).click()
  await page.waitForURL(`${env.base}/risks?${params}`)
  await page.getByRole('link', { name: /Uplift under the stilling basin/ }).waitFor()
  assertNoErrors(session)
})

test('shows a missing project', async () => {
  const path = `/projects/${idOf('DAM').slice(0, -4)}zzzz`
  const session = await signIn(env, manager, { path })
  const { page } = session
  await page.getByRole('alert').getByText('This project does not exist or was moved.').waitFor()
  await page.getByRole('link', { name: 'Projects' }).first().waitFor()
  assertNoErrors(session)
})
