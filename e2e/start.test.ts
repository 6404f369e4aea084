import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Locator, Page } from 'playwright-core'

import {
  apiOf,
  assertNoErrors,
  enterKey,
  signIn,
  startEnvironment,
  openPage,
} from './support/environment.ts'
import { waitForFocus, tabTo } from './support/keyboard.ts'
import { region } from './support/steps.ts'

const env = await startEnvironment()

async function newWorkspace(name: string) {
  const { manager, reader, unscoped } = await env.emptyWorkspace(name)
  return { manager, reader, unscoped, api: apiOf(env, manager) }
}

const currentStep = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByText('Now', { exact: true }) })

test('adds the first risk in fewer than ten clicks after sign-in', async () => {
  const { manager, api } = await newWorkspace('Clicks')
  const session = await openPage(env)
  const { page } = session
  let clicks = 0
  const click = async (target: Locator) => {
    await target.click()
    clicks += 1
  }
  const fill = async (name: string, text: string) => {
    await click(page.getByLabel(name))
    await page.keyboard.type(text)
  }
  await page.goto(env.base)
  await enterKey(page, manager)
  await click(page.getByRole('link', { name: 'Risks', exact: true }))
  await click(page.getByRole('link', { name: 'Get started' }))
  await page.getByText('Step 1 of 3').waitFor()
  await fill('Project name', 'Norrfors dam renewal')
  assert.equal(await page.getByLabel('Code').inputValue(), 'NDR')
  await click(page.getByRole('button', { name: 'Create project' }))
  await page.getByText('Step 2 of 3').waitFor()
  await fill('What could go wrong', 'Uplift under the stilling basin')
  await click(page.getByRole('button', { name: 'Likelihood 4, impact 5: score 20, Critical' }))
  await currentStep(page).getByRole('status').getByText('20 Critical').waitFor()
  await click(page.getByRole('button', { name: 'Add risk' }))
  await page.getByText('Step 3 of 3').waitFor()
  await page.getByText('NDR-R1 Uplift under the stilling basin').waitFor()
  await click(page.getByRole('link', { name: 'View on the heat map' }))
  const cell = page.getByRole('button', {
    name: 'Likelihood 4, impact 5, score 20, Critical: 1 risk',
  })
  await cell.waitFor()
  assert.equal(await cell.getAttribute('aria-pressed'), 'true')
  await page.getByRole('link', { name: 'Uplift under the stilling basin' }).first().waitFor()
  assert.ok(clicks < 10, `it took ${clicks} clicks`)
  const [risk] = (await api.risks.list()).data
  assert.deepEqual([risk?.ref, risk?.likelihood, risk?.impact], ['NDR-R1', 4, 5])
  assertNoErrors(session)
})

test('adds the first risk with the keyboard only', async () => {
  const { manager, api } = await newWorkspace('Keyboard')
  const session = await signIn(env, manager, { path: '/start' })
  const { page } = session
  await tabTo(page.getByLabel('Project name'))
  await page.keyboard.type('Älvsund')
  await page.keyboard.press('Tab')
  assert.equal(await page.getByLabel('Code').inputValue(), 'ALVS')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('weir')
  await page.keyboard.press('Enter')
  await waitForFocus(page.getByLabel('What could go wrong'))
  await page.keyboard.type('Ice on the gates')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowLeft')
  const cell = page.getByRole('button', { name: 'Likelihood 4, impact 2: score 8, Medium' })
  await waitForFocus(cell)
  assert.equal(await cell.getAttribute('aria-pressed'), 'true')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const link = page.getByRole('link', { name: 'View on the heat map' })
  await waitForFocus(link)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Likelihood 4, impact 2, .*: 1 risk$/ }).waitFor()
  assert.equal((await api.risks.list()).data[0]?.ref, 'WEIR-R1')
  assertNoErrors(session)
})

test('derives the code from the name until it is edited', async () => {
  const { manager } = await newWorkspace('Codes')
  const session = await signIn(env, manager, { path: '/start' })
  const { page } = session
  const name = page.getByLabel('Project name')
  const code = page.getByLabel('Code')
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
  await page.getByText('such as OWN1-R1').waitFor()
  assertNoErrors(session)
})

test('shows errors at their fields and keeps the input', async () => {
  const { manager, api } = await newWorkspace('Refused')
  const first = await signIn(env, manager, { path: '/start' })
  const { page } = first
  await page.getByLabel('Project name').fill('Weir')
  await api.projects.create({ body: { code: 'WEIR', name: 'Opened by someone else' } })
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByText('Another project already has this code.').waitFor()
  await page.getByLabel('Code').fill('9')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByLabel('Project name').inputValue(), 'Weir')
  await page.getByLabel('Code').fill('WEIR2')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('button', { name: 'Add risk' }).click()
  await page.getByText('This field is required.').waitFor()
  await page.getByText('Rate the risk: choose a cell.').waitFor()
  assert.equal((await api.risks.list()).count, 0)
  await page.getByLabel('What could go wrong').fill('Ice')
  await page.getByRole('button', { name: 'Likelihood 5, impact 5: score 25, Critical' }).click()
  await page.getByRole('button', { name: 'Add risk' }).click()
  await page.getByText('WEIR2-R1 was added to the register.').waitFor()
  assert.equal((await api.risks.list()).data[0]?.score, 25)
  assertNoErrors(first)
})

test('skips completed steps', async () => {
  const { manager, api } = await newWorkspace('Skipped')
  const project = await api.projects.create({ body: { code: 'DAM', name: 'Dam' } })
  const session = await signIn(env, manager, { path: '/start' })
  const { page } = session
  await page.getByText('Step 2 of 3').waitFor()
  await page.getByText('DAM Dam').waitFor()
  const params = { project_id: project.id }
  await api.risks.create({ params, body: { title: 'Ice', likelihood: 2, impact: 2 } })
  await page.reload()
  await page.getByText('Step 3 of 3').waitFor()
  await page.getByText('DAM already has 1 live risk.').waitFor()
  await page.getByRole('button', { name: 'Add another risk' }).click()
  await page.getByLabel('What could go wrong').fill('Fire')
  await page.getByRole('button', { name: 'Likelihood 2, impact 2: ' }).click()
  await page.getByRole('button', { name: 'Add risk' }).click()
  await page.getByText('DAM-R2 Fire').waitFor()
  await page.reload()
  await page.getByText('DAM-R2 Fire').waitFor()

  await api.projects.create({ body: { code: 'WEIR', name: 'Weir' } })
  await page.goto(`${env.base}/start`)
  await page.getByText('The workspace already has projects.').waitFor()
  await page.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option', { name: 'WEIR Weir' }).click()
  await page.getByText('Step 2 of 3').waitFor()
  await page.getByRole('button', { name: 'Choose another project' }).click()
  await page.getByRole('button', { name: 'Create a new project instead' }).click()
  await page.getByLabel('Project name').waitFor()
  await page.goBack()
  await page.getByText('Step 2 of 3').waitFor()
  assertNoErrors(session)
})

test('a key without the scope sees the reason', async () => {
  const { reader, unscoped, api } = await newWorkspace('Reader')
  const session = await signIn(env, reader, { path: '/start' })
  const { page } = session
  const open = page.getByRole('button', { name: 'Create project' })
  assert.equal(await open.getAttribute('aria-disabled'), 'true')
  await page.getByText('it needs the scope projects.manage').last().waitFor()
  await page.getByLabel('Project name').fill('Weir')
  await page.keyboard.press('Enter')
  await api.projects.create({ body: { code: 'DAM', name: 'Dam' } })
  await page.reload()
  const enter = page.getByRole('button', { name: 'Add risk' })
  await enter.waitFor()
  assert.equal(await enter.getAttribute('aria-disabled'), 'true')
  assert.equal((await api.projects.list()).count, 1)
  assertNoErrors(session)
  const other = await signIn(env, unscoped, { path: '/start' })
  await other.page.getByText('requires the scope projects.read').first().waitFor()
  assertNoErrors(other)
})

test('links to the next steps', async () => {
  const { manager } = await newWorkspace('Next')
  const session = await signIn(env, manager, { path: '/start' })
  const next = region(session.page, 'Next steps')
  await next.getByRole('link', { name: /^Invite others/ }).waitFor()
  const guide = next.getByRole('link', { name: /^Read the guide/ })
  assert.equal(await guide.getAttribute('href'), '/docs')
  await next.getByRole('link', { name: /^Import people/ }).click()
  await session.page.getByRole('heading', { name: 'Import', level: 1 }).waitFor()
  assertNoErrors(session)
})
