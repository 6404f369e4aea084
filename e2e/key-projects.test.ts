import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Locator, Page } from 'playwright-core'

import { auditView } from './support/audit.ts'
import { assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { dialogOf, keySteps, pathOf, readSecret } from './support/key-steps.ts'
import { signInSteps } from './support/sign-in-steps.ts'
import {
  assertNotOffered,
  assertRows,
  button,
  chooseAction,
  dialogClosed,
  heading,
  rowOf,
  undo,
} from './support/steps.ts'

const env = await startEnvironment()
const { api, createKey, view, asManager } = keySteps(env)

const people = signInSteps(env)

const { data: projects } = await api.projects.list({ query: { limit: 50 } })

function projectOf(code: string) {
  const project = projects.find((each) => each.code === code)
  assert.ok(project)
  return project
}

const [dam, bridge] = [projectOf('DAM'), projectOf('BRG')]

const scopes = ['personnel.read', 'projects.manage'] as const
const bindKey = (name: string, ...bound: readonly { readonly id: string }[]) =>
  createKey(name, { scopes: [...scopes], project_ids: bound.map(({ id }) => id) })

const picker = (dialog: Locator) => dialog.getByRole('combobox', { name: 'Selected projects' })

/** Finds the project by its code, and selects it. */
async function selectProject(dialog: Locator, { code, name }: typeof dam): Promise<void> {
  await picker(dialog).fill(code)
  await dialog
    .page()
    .getByRole('option', { name: `${code} ${name}` })
    .click()
  await dialog.getByText(`${code} ${name}`).waitFor()
}

const level = (dialog: Locator, area: string, name: string) =>
  dialog.getByRole('radiogroup', { name: area, exact: true }).getByRole('radio', { name })

/** Waits for the pages of a list, and returns its rows without the head. */
const rowsOf = (page: Page) => page.locator('[data-row]')

test('creates a key for one project, with the scopes that it can have', async () => {
  const session = await asManager('/keys')
  const { page } = session
  await button(page, 'New key').click()
  const dialog = dialogOf(page, 'New key')
  await dialog.getByLabel('Name').fill('Agency')
  await level(dialog, 'People', 'Manage').check()
  await level(dialog, 'API keys', 'Read').check()
  await level(dialog, 'Projects', 'Manage').check()

  await dialog.getByRole('radio', { name: 'Selected projects' }).check()
  for (const area of ['API keys', 'Settings'])
    for (const name of ['Read', 'Manage'])
      assert.ok(await level(dialog, area, name).isDisabled(), `${area}: ${name}`)
  assert.ok(await level(dialog, 'People', 'Manage').isDisabled())
  assert.ok(await level(dialog, 'People', 'None').isChecked(), 'the scope is not selected')
  assert.ok(await level(dialog, 'Projects', 'Manage').isChecked(), 'the scope is kept')
  await dialog.getByText('Manage is not possible with selected projects.').waitFor()

  await button(page, 'Create key').click()
  await dialog.getByText('Select at least one project.').waitFor()
  await level(dialog, 'People', 'Read').check()
  await selectProject(dialog, dam)
  await auditView({ page, part: '[role=dialog]', name: 'key-projects-new' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await button(page, 'Create key').click()
  await readSecret(page)
  await button(page, 'I have saved the key').click()

  const row = rowOf(page, 'Agency')
  await row.getByText(dam.code, { exact: true }).waitFor()
  await rowOf(page, 'Demo manager').getByText('All', { exact: true }).waitFor()
  await auditView({ page, part: 'body', name: 'key-projects-list' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await row.getByRole('link', { name: 'Agency' }).click()
  const properties = page.getByRole('complementary', { name: 'Properties' })
  await properties.getByRole('link', { name: `${dam.code} ${dam.name}` }).waitFor()
  await auditView({ page, part: 'body', name: 'key-projects-page' })
  assert.equal(await page.getByText(dam.id).count(), 0, 'no raw id')
  assertNoErrors(session)
})

test('a session of a bound key sees its projects and creates none', async () => {
  const { secret } = await bindKey('Plant', dam)
  const session = await signIn(env, secret, { path: '/projects' })
  const { page } = session
  await rowOf(page, dam.name).waitFor()
  await assertRows(rowsOf(page), 1)
  await assertNotOffered(page, 'New project')
  await page.keyboard.press('c')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog')
  await palette.getByRole('textbox', { name: 'Search' }).fill('New')
  await palette.getByRole('button', { name: 'New risk' }).waitFor()
  assert.equal(await palette.getByRole('button', { name: 'New project' }).count(), 0)
  await page.keyboard.press('Escape')
  assert.equal(await dialogOf(page, 'New project').count(), 0)

  for (const path of ['/risks', '/issues', '/tasks', '/overview']) {
    await page.goto(env.base + path)
    await page.getByText('In the projects of your key').waitFor()
    assert.equal(await page.getByText(bridge.name).count(), 0, path)
  }
  await page.goto(`${env.base}/risks`)
  await rowsOf(page).first().waitFor()
  await auditView({ page, part: 'body', name: 'key-projects-risks' })
  await page.goto(`${env.base}/overview`)
  await auditView({ page, part: 'body', name: 'key-projects-overview', widths: [1440, 375] })
  await page.goto(`${env.base}/start`)
  await heading(page, 'Overview').waitFor()
  await page.goto(`${env.base}/projects/${bridge.id}`)
  await page.getByRole('alert').getByText('This project does not exist').waitFor()
  await page.goto(`${env.base}/account`)
  await page.getByRole('link', { name: `${dam.code} ${dam.name}` }).waitFor()
  assertNoErrors(session)
})

test('an edit changes what the session of the key sees, and can be undone', async () => {
  const key = await bindKey('Tool', dam)
  const { page: bound, ...ofBound } = await signIn(env, key.secret, { path: '/projects' })
  await rowOf(bound, dam.name).waitFor()
  const session = await asManager(pathOf(key))
  const { page } = session
  await chooseAction(page, 'Tool', 'Edit')
  const dialog = dialogOf(page, 'Edit Tool')
  await dialog.getByText(`${dam.code} ${dam.name}`).waitFor()
  await picker(dialog).press('Backspace')
  await selectProject(dialog, bridge)
  await auditView({ page, part: '[role=dialog]', name: 'key-projects-edit' })
  await button(page, 'Save').click()
  await dialogClosed(page)
  await page.getByRole('link', { name: `${bridge.code} ${bridge.name}` }).waitFor()
  assert.deepEqual((await view(key)).project_ids, [bridge.id])

  await bound.reload()
  await rowOf(bound, bridge.name).waitFor()
  await assertRows(rowsOf(bound), 1)
  await undo(page, 'Tool was updated.')
  await page.getByRole('link', { name: `${dam.code} ${dam.name}` }).waitFor()
  assert.deepEqual((await view(key)).project_ids, [dam.id])
  await bound.reload()
  await rowOf(bound, dam.name).waitFor()
  await assertRows(rowsOf(bound), 1)
  await page.goto(`${env.base}/audit`)
  await page.getByText('Key changed').first().waitFor()
  for (const { id } of [dam, bridge])
    assert.equal(await page.getByText(id).count(), 0, 'no raw id in the audit log')
  assertNoErrors(session)
  assertNoErrors({ page: bound, ...ofBound })
})

test('a person binds a personal key', async () => {
  const { id } = await people.addPerson('Grace Hopper', 'reader')
  const session = await people.asPerson(id, '/account')
  const { page } = session
  await button(page, 'New personal key').click()
  const dialog = dialogOf(page, 'New personal key')
  await dialog.getByLabel('Name').fill('Script')
  await dialog.getByRole('radio', { name: 'Selected projects' }).check()
  await selectProject(dialog, dam)
  await level(dialog, 'Projects', 'Read').check()
  await button(page, 'Create key').click()
  await readSecret(page)
  await button(page, 'I have saved the key').click()
  await rowOf(page, 'Script').getByText(dam.code, { exact: true }).waitFor()
  await auditView({ page, part: 'body', name: 'key-projects-account' })
  assertNoErrors(session)
})

test('an empty register of a bound key offers a risk, not the start of a workspace', async () => {
  const empty = await api.projects.create({ body: { code: 'NEW', name: 'New lock' } })
  const { secret } = await bindKey('Empty', empty)
  const session = await signIn(env, secret)
  const { page } = session
  const content = page.locator('#content')
  await content.getByRole('link', { name: 'New risk' }).waitFor()
  assert.equal(await content.getByRole('link', { name: 'New project' }).count(), 0)
  assert.equal(await content.locator('a[href="/start"]').count(), 0)
  assertNoErrors(session)
})

test('a key has at most 50 projects', async () => {
  const full = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      api.projects.create({ body: { code: `FULL${index}`, name: `Full ${index}` } }),
    ),
  )
  const session = await asManager(pathOf(await bindKey('Full', ...full)))
  const { page } = session
  await chooseAction(page, 'Full', 'Edit')
  const dialog = dialogOf(page, 'Edit Full')
  await dialog.getByText('FULL49 Full 49').waitFor()
  await selectProject(dialog, dam)
  await button(page, 'Save').click()
  await dialog.getByText('Select at most 50 projects. 51 are selected.').waitFor()
  await auditView({ page, part: '[role=dialog]', name: 'key-projects-full', widths: [1440, 375] })
  assertNoErrors(session)
})

test('a key with other scopes cannot be bound to projects', async () => {
  const key = await createKey('Keyring', { scopes: ['keys.read'] })
  const { page, ...session } = await asManager(pathOf(key))
  await chooseAction(page, 'Keyring', 'Edit')
  const dialog = dialogOf(page, 'Edit Keyring')
  await dialog.getByText('This key has keys.read').waitFor()
  assert.ok(await dialog.getByRole('radio', { name: 'Selected projects' }).isDisabled())
  assertNoErrors({ page, ...session })
})

test('projects that the viewer cannot see are counted, and no id is shown', async () => {
  const many = await Promise.all(
    Array.from({ length: 7 }, (_, index) =>
      api.projects.create({ body: { code: `MANY${index}`, name: `Many ${index}` } }),
    ),
  )
  const key = await bindKey('Many', ...many)
  const session = await asManager('/keys')
  const { page } = session
  await rowOf(page, 'Many').getByText('MANY0, MANY1 + 5 more').waitFor()
  await page.goto(env.base + pathOf(key))
  await button(page, '+ 2 more').click()
  await page.getByRole('link', { name: 'MANY6 Many 6' }).waitFor()
  assertNoErrors(session)

  const { secret } = await createKey('Only keys', { scopes: ['keys.read'] })
  const other = await signIn(env, secret, { path: pathOf(key) })
  await other.page.getByText('7 projects that you cannot see').first().waitFor()
  assertNoErrors(other)
})
