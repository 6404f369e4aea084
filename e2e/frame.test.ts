import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Page } from 'playwright-core'

import {
  apiOf,
  assertNoErrors,
  horizontalOverflow,
  signIn,
  startEnvironment,
} from './support/environment.ts'
import { waitForFocus } from './support/keyboard.ts'
import { screenshot } from './support/screenshots.ts'
import { button, dialogButton, dialogClosed, heading } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, manager)

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const sidebarWidth = async (page: Page) => (await navigation(page).boundingBox())?.width ?? 0

test('the sidebar collapses by button and key, and stays so', async () => {
  const session = await signIn(env, reader, { width: 1440 })
  const { page } = session
  assert.equal(await sidebarWidth(page), 204)
  await button(page, 'Collapse the sidebar').click()
  await button(page, 'Expand the sidebar').waitFor()
  assert.equal(await sidebarWidth(page), 52)
  await page.reload()
  await button(page, 'Expand the sidebar').waitFor()
  await page.getByRole('link', { name: 'Issues', exact: true }).hover()
  await page.getByRole('tooltip', { name: 'Issues' }).waitFor()
  await page.keyboard.press('[')
  await button(page, 'Collapse the sidebar').waitFor()
  assert.equal(await sidebarWidth(page), 204)
  assertNoErrors(session)
})

test('marks the page of a record in the sidebar', async () => {
  const { data } = await api.risks.list({ query: { limit: 1 } })
  const [risk] = data
  assert.ok(risk)
  const path = `/projects/${risk.project_id}/risks/${risk.id}`
  const { page } = await signIn(env, reader, { path })
  const current = navigation(page).locator('[aria-current=page]')
  assert.deepEqual(await current.allTextContents(), ['Risks'])
  await page.goto(`${env.base}/audit`)
  await heading(page, 'Audit log').waitFor()
  assert.deepEqual(await current.allTextContents(), ['Settings'])
  const settings = page.getByRole('navigation', { name: 'Settings' })
  assert.equal(await settings.locator('[aria-current=page]').textContent(), 'Audit log')
})

test('the sidebar has no pages that the user cannot use', async () => {
  const scopes = ['personnel.read', 'projects.read'] as const
  const { secret } = await api.keys.create({ body: { name: 'Like a reader', scopes: [...scopes] } })
  const session = await signIn(env, secret)
  const { page } = session
  const work = ['My work', 'Overview', 'Changes', 'Risks', 'Issues', 'Tasks', 'Projects']
  const pages = [...work, 'People', 'Groups']
  assert.deepEqual(await navigation(page).getByRole('link').allTextContents(), pages)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog')
  await palette.getByRole('button', { name: 'Groups' }).waitFor()
  for (const name of ['Import', 'API keys', 'Settings', 'Audit log']) {
    assert.equal(await palette.getByRole('button', { name }).count(), 0, name)
  }
  assertNoErrors(session)
})

test('shows pinned projects of this principal', async () => {
  const { data } = await api.projects.list({ query: { limit: 1 } })
  const [project] = data
  const { key, workspace } = await apiOf(env, reader).keys.whoami()
  assert.ok(project && key)
  const session = await signIn(env, reader)
  const { page } = session
  assert.equal(await navigation(page).getByRole('heading', { name: 'Pinned' }).count(), 0)
  const pins = JSON.stringify({
    [`muster.pinned.${workspace.id}.${key.id}`]: JSON.stringify([project.id]),
  })
  await page.evaluate(`Object.assign(localStorage, ${pins})`)
  await page.reload()
  await navigation(page).getByRole('heading', { name: 'Pinned' }).waitFor()
  await navigation(page).getByRole('link', { name: project.name }).click()
  await page.getByRole('heading', { level: 1, name: project.name }).waitFor()
  assertNoErrors(session)
})

test('a phone has a bar with four pages and a sheet with the others', async () => {
  const session = await signIn(env, reader, { width: 375 })
  const { page } = session
  const links = navigation(page).getByRole('link')
  assert.deepEqual(await links.allTextContents(), ['My work', 'Overview', 'Risks', 'Issues'])
  await button(page, 'More').click()
  const sheet = page.getByRole('dialog', { name: 'Northwater' })
  await sheet.getByRole('link', { name: 'Groups' }).click()
  await heading(page, 'Groups').waitFor()
  await dialogClosed(page)
  assert.equal(await horizontalOverflow(page), 0)
  assertNoErrors(session)
})

test('the skip link moves the focus to the content, and the window does not scroll', async () => {
  const session = await signIn(env, reader)
  const { page } = session
  await page.keyboard.press('Tab')
  await waitForFocus(page.getByRole('link', { name: 'Skip to content' }))
  await page.keyboard.press('Enter')
  await waitForFocus(page.getByRole('main'))
  const height = 'document.documentElement.scrollHeight - document.documentElement.clientHeight'
  assert.equal(await page.evaluate(height), 0)
  assertNoErrors(session)
})

test('keys open pages, the help and a dialog, until the user turns them off', async () => {
  const session = await signIn(env, manager)
  const { page } = session
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await heading(page, 'Projects').waitFor()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Search and commands').waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await page.keyboard.press('Escape')
  await dialogClosed(page)
  assert.equal(new URL(page.url()).pathname, '/projects', 'no letters in a dialog')
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New project' }).waitFor()
  await page.keyboard.press('Escape')
  await dialogClosed(page)

  await page.goto(`${env.base}/account`)
  await page.getByRole('switch', { name: 'Single-letter shortcuts' }).click()
  await page.reload()
  await heading(page, 'Account').waitFor()
  await page.keyboard.press('?')
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await page.keyboard.press('Control+k')
  await waitForFocus(page.getByRole('dialog').getByRole('textbox', { name: 'Search' }))
  assert.equal(await help.count(), 0)
  assert.equal(new URL(page.url()).pathname, '/account')
  assertNoErrors(session)
})

test('the palette keeps what is typed while it loads', async () => {
  const session = await signIn(env, manager, { path: '/account' })
  const { page } = session
  await page.route('**/console/command-palette-*.js', async (route) => {
    await sleep(1000)
    await route.continue()
  })
  await page.reload()
  await heading(page, 'Account').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('new proj')
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Search' })
  await waitForFocus(field)
  assert.equal(await field.inputValue(), 'new proj')
  await page.keyboard.type('ect')
  await page.getByRole('dialog').getByRole('button', { name: 'New project' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New project' }).waitFor()
  assert.equal(page.url(), `${env.base}/projects`)
  assertNoErrors(session)
})

test('a dialog asks before it discards input, and Ctrl+Enter submits', async () => {
  const session = await signIn(env, manager, { path: '/projects' })
  const { page } = session
  const dialog = page.getByRole('dialog', { name: 'New project' })
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' })
  await button(page, 'New project').click()
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialogClosed(page)

  await button(page, 'New project').click()
  const name = dialog.getByLabel('Name')
  await name.fill('Half a name')
  await page.keyboard.press('Escape')
  await waitForFocus(button(question, 'Keep editing'))
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await waitForFocus(name)
  assert.equal(await name.inputValue(), 'Half a name')
  await dialogButton(page, 'Close').click()
  await button(question, 'Discard').click()
  await dialogClosed(page)

  await button(page, 'New project').click()
  await name.fill('Ctrl and Enter')
  await dialog.getByLabel('Code').fill('CTLENT')
  await dialog.getByLabel('Description').fill('Two\nlines')
  await page.keyboard.press('Control+Enter')
  await dialogClosed(page)
  const { data } = await api.projects.list({ query: { q: 'Ctrl and Enter' } })
  assert.deepEqual(
    data.map(({ code }) => code),
    ['CTLENT'],
  )
  assertNoErrors(session)
})

test('shows a banner while the browser is offline', async () => {
  const { page } = await signIn(env, reader, { path: '/projects' })
  const banner = page.getByRole('status').filter({ hasText: 'You are offline.' })
  await page.context().setOffline(true)
  await banner.waitFor()
  await page.context().setOffline(false)
  await banner.waitFor({ state: 'detached' })
})

test('a failed start can be tried again', async () => {
  const { page } = await signIn(env, reader)
  await page.route('**/v1/whoami*', (route) => route.abort())
  await page.reload()
  await heading(page, 'This page could not be shown').waitFor()
  await page.unrouteAll()
  await button(page, 'Try again').click()
  await heading(page, 'Risks').waitFor()
})

test('an unknown address shows that the page does not exist', async () => {
  const { page } = await signIn(env, reader)
  for (const path of ['/nowhere/at-all', '/risk']) {
    const response = await page.goto(env.base + path)
    assert.equal(response?.status(), 404)
    await heading(page, 'Page not found').waitFor()
  }
  await screenshot(page, 'page-missing')
  await page.getByRole('link', { name: 'Risks', exact: true }).click()
  await heading(page, 'Risks').waitFor()
})

test('dates are British in a browser of another language', async () => {
  const { page } = await signIn(env, reader, { path: '/workspace', locale: 'de-DE' })
  await page.getByText(/^\d{1,2} [A-Z][a-z]{2,3} \d{4}, \d\d:\d\d$/).waitFor()
})

test('loads its font from the own origin', async () => {
  const session = await signIn(env, reader)
  const { page } = session
  await page.evaluate('document.fonts.ready')
  assert.ok(await page.evaluate(`[...document.fonts].some(({ status }) => status === 'loaded')`))
  assertNoErrors(session)
})
