import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Locator, Page } from 'playwright-core'

import { auditView } from './support/audit.ts'
import {
  apiOf,
  assertNoErrors,
  enterKey,
  openPage,
  signIn,
  startEnvironment,
} from './support/environment.ts'
import { tabTo, waitForFocus } from './support/keyboard.ts'
import { accountButton, signInSteps } from './support/sign-in-steps.ts'
import { button, dialogButton, heading } from './support/steps.ts'

const env = await startEnvironment()

async function newWorkspace(name: string) {
  const keys = await env.emptyWorkspace(name)
  return { ...keys, api: apiOf(env, keys.manager), steps: signInSteps(env, keys.manager) }
}

/** The steps with their states, such as `Add people: Done`. */
async function stepsOf(page: Page): Promise<string[]> {
  const items = page.getByRole('main').getByRole('listitem')
  const texts: string[] = []
  for (const item of await items.all()) {
    const name = await item.getByRole('heading').textContent()
    texts.push(`${name}: ${await item.getByRole('img').getAttribute('aria-label')}`)
  }
  return texts
}

const link = (page: Page | Locator, name: string) => page.getByRole('link', { name, exact: true })

test('an empty workspace opens on Start, which ticks what is done', async () => {
  const { api, steps } = await newWorkspace('Startwater')
  const ida = await steps.addPerson('Ida Berg', 'admin')
  const session = await steps.asPerson(ida.id, '/')
  const { page } = session
  await heading(page, 'Start').waitFor()
  await page.getByText('0 of 4 steps done').waitFor()
  assert.deepEqual(await stepsOf(page), [
    'Add people: Not done yet',
    'Create a project: Not done yet',
    'Import a file, or write down the first risk: Not done yet',
    'Connect sign-in: Not done yet',
  ])
  await auditView({ page, part: 'body', name: 'start-empty', widths: [1440, 768, 375] })

  await link(page, 'Add person').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Edda Holm')
  await dialogButton(page, 'Add person').click()
  await heading(page, 'Edda Holm').waitFor()
  await page.goto(`${env.publicUrl}/start`)
  await page.getByText('1 of 4 steps done').waitFor()

  const { id } = await api.projects.create({ body: { code: 'WEIR', name: 'Weir' } })
  const params = { project_id: id }
  await api.risks.create({ params, body: { title: 'Ice', likelihood: 2, impact: 2 } })
  await page.reload()
  await page.getByText('3 of 4 steps done').waitFor()
  assert.deepEqual(await stepsOf(page), [
    'Add people: Done',
    'Create a project: Done',
    'Import a file, or write down the first risk: Done',
    'Connect sign-in: Not done yet',
  ])
  await link(page, 'Set up sign-in').click()
  await page.waitForURL(/\/workspace\/sign-in$/)
  await page.goto(env.publicUrl)
  await heading(page, 'Overview').waitFor()
  assertNoErrors(session)
})

test('Start can be left, and My work and the menu of the account lead back', async () => {
  const { steps } = await newWorkspace('Laterwater')
  const ida = await steps.addPerson('Ida Berg', 'admin')
  const session = await steps.asPerson(ida.id, '/')
  const { page } = session
  await heading(page, 'Start').waitFor()
  await link(page, 'Go to My work').click()
  await heading(page, 'My work').waitFor()
  await link(page, 'Set up the workspace: 0 of 4 done').click()
  await heading(page, 'Start').waitFor()
  await link(page, 'Risks').click()
  await link(page, 'New project').waitFor()
  await accountButton(page).click()
  await page.getByRole('menuitem', { name: 'Set up the workspace: 0 of 4 done' }).click()
  await heading(page, 'Start').waitFor()
  await page.reload()
  await link(page, 'Go to My work').click()
  await heading(page, 'My work').waitFor()
  assertNoErrors(session)
})

test('a reader of an empty workspace sees who can do each step, and no button', async () => {
  const { reader, unscoped, steps } = await newWorkspace('Readwater')
  const rut = await steps.addPerson('Rut Ek', 'reader')
  const session = await steps.asPerson(rut.id, '/')
  const { page } = session
  await heading(page, 'Start').waitFor()
  await page.getByText('A manager can do this.').waitFor()
  assert.equal((await stepsOf(page)).length, 3, 'only administrators see the provider')
  assert.equal(await page.getByRole('main').getByRole('listitem').getByRole('link').count(), 0)
  await link(page, 'Projects').click()
  await heading(page, 'Projects').waitFor()
  assert.equal(await button(page.getByRole('main'), 'New project').count(), 0)
  assertNoErrors(session)
  // A key that may not count the projects does not know that there are none.
  for (const [key, title] of [
    [reader, 'Start'],
    [unscoped, 'Overview'],
  ] as const) {
    const other = await signIn(env, key, { path: '/' })
    await heading(other.page, title).waitFor()
    assertNoErrors(other)
  }
})

test('adds the first risk in fewer than ten clicks after sign-in', async () => {
  const { manager, api } = await newWorkspace('Clicks')
  const session = await openPage(env)
  const { page } = session
  let clicks = 0
  const click = async (target: Locator) => {
    await target.click()
    clicks += 1
  }
  const dialog = page.getByRole('dialog')
  await page.goto(env.base)
  await enterKey(page, manager)
  await click(link(page, 'New project'))
  await waitForFocus(dialog.getByLabel('Name'))
  await page.keyboard.type('Norrfors dam renewal')
  assert.equal(await dialog.getByLabel('Code').inputValue(), 'NDR')
  await click(dialogButton(page, 'Create project'))
  await heading(page, 'Norrfors dam renewal').waitFor()
  await click(link(page, 'Risks'))
  await click(link(page, 'New risk'))
  await waitForFocus(dialog.getByLabel('Title'))
  await page.keyboard.type('Uplift under the stilling basin')
  await click(dialog.getByRole('combobox', { name: 'Project' }))
  await click(page.getByRole('option', { name: /^NDR/ }))
  await click(dialog.getByRole('button', { name: /^Likelihood 4, impact 5/ }))
  await click(dialogButton(page, 'Add risk'))
  await heading(page, 'Uplift under the stilling basin').waitFor()
  assert.ok(clicks < 10, `it took ${clicks} clicks`)
  const [risk] = (await api.risks.list()).data
  assert.deepEqual([risk?.ref, risk?.likelihood, risk?.impact], ['NDR-R1', 4, 5])
  assertNoErrors(session)
})

test('creates the first project from Start with the keyboard only', async () => {
  const { manager, api } = await newWorkspace('Keyboard')
  const session = await signIn(env, manager, { path: '/start' })
  const { page } = session
  await tabTo(link(page, 'New project'))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await waitForFocus(dialog.getByLabel('Name'))
  await page.keyboard.type('Älvsund')
  await page.keyboard.press('Tab')
  assert.equal(await dialog.getByLabel('Code').inputValue(), 'ALVS')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('weir')
  await page.keyboard.press('Enter')
  await heading(page, 'Älvsund').waitFor()
  assert.equal((await api.projects.list()).data[0]?.code, 'WEIR')
  assertNoErrors(session)
})

test('derives the code of a project from its name until it is edited', async () => {
  const { manager } = await newWorkspace('Codes')
  const session = await signIn(env, manager, { path: '/projects?create=project' })
  const { page } = session
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('Name')
  const code = dialog.getByLabel('Code')
  for (const [given, suggested] of [
    ['Norrfors dam renewal', 'NDR'],
    ['2027 Övre kanalen', 'OK'],
    ['Phase 2 of the works', 'P2OTW'],
    ['Weir', 'WEIR'],
    ['水', ''],
  ] as const) {
    await name.fill(given)
    assert.equal(await code.inputValue(), suggested, given)
  }
  await code.fill('own1')
  await name.fill('Another name')
  assert.equal(await code.inputValue(), 'OWN1')
  await code.fill('')
  await name.fill('Third name')
  assert.equal(await code.inputValue(), 'TN')
  assertNoErrors(session)
})
