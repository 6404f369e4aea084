import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Locator, Page } from 'playwright-core'

import { focusAt, tabTo } from './keyboard.ts'
import { region } from './steps.ts'
import { apiOf, assertQuiet, signedIn, startWorld, visit } from './world.ts'

const world = await startWorld()

async function newWorkspace(name: string) {
  const { manager, reader, nobody } = await world.emptyWorkspace(name)
  return { manager, reader, nobody, api: apiOf(world, manager) }
}

const stepNow = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByText('Now', { exact: true }) })

test('from signing in to the first risk on the map in under ten clicks', async () => {
  const { manager, api } = await newWorkspace('Clicks')
  const seen = await visit(world)
  const { page } = seen
  let clicks = 0
  const click = async (target: Locator) => {
    await target.click()
    clicks += 1
  }
  const fill = async (name: string, text: string) => {
    await click(page.getByLabel(name))
    await page.keyboard.type(text)
  }
  await page.goto(world.base)
  await fill('API key', manager)
  await click(page.getByRole('button', { name: 'Sign in' }))
  await click(page.getByRole('link', { name: 'Get started' }))
  await page.getByText('Step 1 of 3').waitFor()
  await fill('Name of the project', 'Norrfors dam renewal')
  assert.equal(await page.getByLabel('Code').inputValue(), 'NDR')
  await click(page.getByRole('button', { name: 'Open the project' }))
  await page.getByText('Step 2 of 3').waitFor()
  await fill('What could go wrong', 'Uplift under the stilling basin')
  await click(page.getByRole('button', { name: 'Likelihood 4, impact 5: score 20, Critical' }))
  await stepNow(page).getByTitle('Critical').getByText('20').waitFor()
  await click(page.getByRole('button', { name: 'Enter the risk' }))
  await page.getByText('Step 3 of 3').waitFor()
  await page.getByText('NDR-R1 Uplift under the stilling basin').waitFor()
  await click(page.getByRole('link', { name: 'See it on the map' }))
  const cell = page.getByRole('button', {
    name: 'Likelihood 4, impact 5, score 20, Critical: 1 risk',
  })
  await cell.waitFor()
  assert.equal(await cell.getAttribute('aria-pressed'), 'true')
  await page.getByRole('link', { name: 'NDR-R1 Uplift under the stilling basin' }).first().waitFor()
  assert.ok(clicks < 10, `it took ${clicks} clicks`)
  const [risk] = (await api.risks.list()).data
  assert.deepEqual([risk?.ref, risk?.likelihood, risk?.impact], ['NDR-R1', 4, 5])
  assertQuiet(seen)
})

test('the same goes by keyboard alone', async () => {
  const { manager, api } = await newWorkspace('Keyboard')
  const seen = await signedIn(world, manager, { path: '/start' })
  const { page } = seen
  await tabTo(page.getByLabel('Name of the project'))
  await page.keyboard.type('Älvsund')
  await page.keyboard.press('Tab')
  assert.equal(await page.getByLabel('Code').inputValue(), 'ALVS')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('weir')
  await page.keyboard.press('Enter')
  await focusAt(page.getByLabel('What could go wrong'))
  await page.keyboard.type('Ice on the gates')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowLeft')
  const cell = page.getByRole('button', { name: 'Likelihood 4, impact 2: score 8, Medium' })
  await focusAt(cell)
  assert.equal(await page.getByLabel('Likelihood', { exact: true }).inputValue(), '4')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const link = page.getByRole('link', { name: 'See it on the map' })
  await focusAt(link)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Likelihood 4, impact 2, .*: 1 risk$/ }).waitFor()
  assert.equal((await api.risks.list()).data[0]?.ref, 'WEIR-R1')
  assertQuiet(seen)
})

test('the code follows the name until someone writes their own', async () => {
  const { manager } = await newWorkspace('Codes')
  const seen = await signedIn(world, manager, { path: '/start' })
  const { page } = seen
  const name = page.getByLabel('Name of the project')
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
  await page.getByText('as OWN1-R1').waitFor()
  assertQuiet(seen)
})

test('what is refused is told beside its field, and nothing is lost', async () => {
  const { manager, api } = await newWorkspace('Refused')
  const first = await signedIn(world, manager, { path: '/start' })
  const { page } = first
  await page.getByLabel('Name of the project').fill('Weir')
  await api.projects.create({ body: { code: 'WEIR', name: 'Opened by someone else' } })
  await page.getByRole('button', { name: 'Open the project' }).click()
  await page.getByText('Another project has this code already.').waitFor()
  await page.getByLabel('Code').fill('9')
  await page.getByRole('button', { name: 'Open the project' }).click()
  await page.getByRole('alert').waitFor()
  assert.equal(await page.getByLabel('Name of the project').inputValue(), 'Weir')
  await page.getByLabel('Code').fill('WEIR2')
  await page.getByRole('button', { name: 'Open the project' }).click()
  await page.getByRole('button', { name: 'Enter the risk' }).click()
  const alert = page.getByRole('alert')
  await alert.getByRole('link', { name: 'What this means and how to fix it' }).waitFor()
  assert.equal((await api.risks.list()).count, 0)
  await page.getByLabel('What could go wrong').fill('Ice')
  await page.getByLabel('Likelihood', { exact: true }).selectOption('5')
  await page.getByLabel('Impact', { exact: true }).selectOption('5')
  await page.getByRole('button', { name: 'Enter the risk' }).click()
  await page.getByText('WEIR2-R1 is on the register.').waitFor()
  assert.equal((await api.risks.list()).data[0]?.score, 25)
  assertQuiet(first)
})

test('steps that are done already are skipped', async () => {
  const { manager, api } = await newWorkspace('Skipped')
  const project = await api.projects.create({ body: { code: 'DAM', name: 'Dam' } })
  const seen = await signedIn(world, manager, { path: '/start' })
  const { page } = seen
  await page.getByText('Step 2 of 3').waitFor()
  await page.getByText('DAM Dam').waitFor()
  const params = { project_id: project.id }
  await api.risks.create({ params, body: { title: 'Ice', likelihood: 2, impact: 2 } })
  await page.reload()
  await page.getByText('Step 3 of 3').waitFor()
  await page.getByText('DAM has 1 live risk already.').waitFor()
  await page.getByRole('button', { name: 'Enter another risk' }).click()
  await page.getByLabel('What could go wrong').fill('Fire')
  await page.getByRole('button', { name: 'Enter the risk' }).click()
  await page.getByText('DAM-R2 Fire').waitFor()
  await page.reload()
  await page.getByText('DAM-R2 Fire').waitFor()

  await api.projects.create({ body: { code: 'WEIR', name: 'Weir' } })
  await page.goto(`${world.base}/start`)
  await page.getByText('There are projects already.').waitFor()
  await page.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option', { name: 'WEIR Weir' }).click()
  await page.getByText('Step 2 of 3').waitFor()
  await page.getByRole('button', { name: 'Take another project' }).click()
  await page.getByRole('button', { name: 'Open a new project instead' }).click()
  await page.getByLabel('Name of the project').waitFor()
  await page.goBack()
  await page.getByText('Step 2 of 3').waitFor()
  assertQuiet(seen)
})

test('a key that may only read, or not even that, is told why it cannot', async () => {
  const { reader, nobody, api } = await newWorkspace('Reader')
  const seen = await signedIn(world, reader, { path: '/start' })
  const { page } = seen
  const open = page.getByRole('button', { name: 'Open the project' })
  assert.equal(await open.getAttribute('aria-disabled'), 'true')
  await page.getByText('it needs the scope projects.manage').last().waitFor()
  await page.getByLabel('Name of the project').fill('Weir')
  await page.keyboard.press('Enter')
  await api.projects.create({ body: { code: 'DAM', name: 'Dam' } })
  await page.reload()
  const enter = page.getByRole('button', { name: 'Enter the risk' })
  await enter.waitFor()
  assert.equal(await enter.getAttribute('aria-disabled'), 'true')
  assert.equal((await api.projects.list()).count, 1)
  assertQuiet(seen)
  const other = await signedIn(world, nobody, { path: '/start' })
  await other.page.getByText('This needs projects.read').first().waitFor()
  assertQuiet(other)
})

test('what can be done next is named', async () => {
  const { manager } = await newWorkspace('Next')
  const seen = await signedIn(world, manager, { path: '/start' })
  const next = region(seen.page, 'What you can do next')
  await next.getByRole('link', { name: /^Invite others/ }).waitFor()
  const guide = next.getByRole('link', { name: /^Read the guide/ })
  assert.equal(await guide.getAttribute('href'), '/docs')
  await next.getByRole('link', { name: /^Import people/ }).click()
  await seen.page.getByRole('heading', { name: 'Import', level: 1 }).waitFor()
  assertQuiet(seen)
})
