import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Risk } from '@muster/contract'

import { focusAt, tabTo } from './keyboard.ts'
import { opened, startRisks } from './risk-steps.ts'
import { assertRefused, region, says, undo } from './steps.ts'
import { assertQuiet, signedIn } from './world.ts'

const { world, api, riskOf, personOf, entered, now, see } = await startRisks()

test('a reader sees all of a risk, and why they cannot change it', async () => {
  const seen = await see(await riskOf('DAM-R12'), world.keys.reader)
  const { page } = seen
  await page.getByRole('heading', { level: 1, name: 'Uplift under the stilling basin' }).waitFor()
  const about = region(page, 'About')
  await about.getByRole('link', { name: 'Mara Lindqvist' }).waitFor()
  await about.getByRole('link', { name: 'DAM Norrfors dam renewal' }).waitFor()
  await about.getByText('15 Jan 2027').waitFor()
  const ratings = region(page, 'Ratings')
  await ratings
    .getByRole('img', { name: 'Current: likelihood 3, impact 4, score 12. Target: likelihood 1' })
    .waitFor()
  await ratings.getByRole('img', { name: /Score over time: 16 on .*, 12 on / }).waitFor()
  const treatment = page.getByRole('table', { name: 'Treatment' })
  await treatment.getByText('Flush the drains').waitFor()
  await region(page, 'History').getByText('Reviewed').waitFor()
  for (const name of ['Review', 'Edit', 'Accept', 'It occurred', 'Close', 'Add a task']) {
    await assertRefused(page, name, /Demo reader.*projects\.manage/)
  }
  const status = treatment.getByRole('button', { name: /status of DAM-T1$/ })
  assert.equal(await status.getAttribute('aria-disabled'), 'true')
  await page.getByRole('link', { name: 'DAM', exact: true }).focus()
  await page.keyboard.press('Tab')
  await page.getByRole('tooltip').getByText('projects.manage').waitFor()
  await page.keyboard.press('Enter')
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.ok(seen.calls.every((call) => call.startsWith('GET ')))
  assertQuiet(seen)
})

test('all that is said of a risk can be changed, and changed back', async () => {
  const risk = await entered({ category: 'external', tags: ['sea'], description: 'It is old.' })
  const seen = await see(risk)
  const { page } = seen
  const dialog = await opened(page, 'Edit')
  await dialog.getByLabel('Title').fill('The ferry comes late')
  await dialog.getByLabel('Description').fill('It is slow.')
  await dialog.getByLabel('Status').selectOption('Treating')
  await dialog.getByLabel('Category').selectOption('Delivery')
  await dialog.getByLabel('Response').selectOption('Reduce')
  await dialog.getByRole('combobox', { name: 'Owner' }).fill('Nadia')
  await page.getByRole('option', { name: /Nadia/ }).click()
  await dialog.getByLabel('Next review').fill('2099-01-31')
  await dialog.getByRole('switch', { name: 'It has a target' }).check({ force: true })
  const target = dialog.getByRole('group', { name: 'Target' })
  await target.getByLabel('Likelihood').selectOption('1 · Rare')
  await target.getByText('4 Low').waitFor()
  await target.getByLabel('To be reached by').fill('2099-06-30')
  await dialog.getByLabel('Tags').fill('harbour ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await says(page, `${risk.ref} was changed.`).waitFor()
  await page.getByRole('heading', { level: 1, name: 'The ferry comes late' }).waitFor()
  const changed = await now(risk)
  assert.equal(changed.owner_user_id, (await personOf('Nadia')).id)
  assert.deepEqual(
    [changed.title, changed.description, changed.status, changed.category, changed.response],
    ['The ferry comes late', 'It is slow.', 'treating', 'delivery', 'reduce'],
  )
  assert.deepEqual(changed.target, { likelihood: 1, impact: 4, score: 4, due_on: '2099-06-30' })
  assert.deepEqual([changed.review_on, changed.tags], ['2099-01-31', ['harbour', 'sea']])
  await undo(page, `${risk.ref} was changed.`)
  await page.getByRole('heading', { level: 1, name: 'The ferry does not come' }).waitFor()
  const { title, target: aim, owner_user_id, status, tags, category } = await now(risk)
  assert.deepEqual(
    { title, aim, owner_user_id, status, tags, category },
    {
      title: risk.title,
      aim: null,
      owner_user_id: null,
      status: 'identified',
      tags: ['sea'],
      category: 'external',
    },
  )
  assertQuiet(seen)
})

test('what is done about a risk starts with nothing, is added, moved on, and moved back', async () => {
  const risk = await entered({ owner_user_id: (await personOf('Mara')).id })
  const tasks = async () => (await api.tasks.list({ query: { risk_id: [risk.id] } })).data
  const seen = await see(risk)
  const { page } = seen
  await page.getByText('Nothing is being done about it yet').waitFor()
  const dialog = await opened(page, 'Add a task')
  await dialog.getByRole('button', { name: 'Add a task' }).click()
  await dialog.getByText('Fill this in.').waitFor()
  await dialog.getByLabel('Task').fill('Ask the harbour master')
  await dialog.getByLabel('Due').fill('2099-02-01')
  await dialog.getByRole('button', { name: 'Add a task' }).click()
  const table = page.getByRole('table', { name: 'Treatment' })
  const row = table.getByRole('row', { name: /Ask the harbour master/ })
  await row.getByRole('link', { name: 'Mara Lindqvist' }).waitFor()
  await row.getByText('1 Feb 2099').waitFor()
  const [task] = await tasks()
  assert(task)
  assert.deepEqual([task.status, task.due_on, task.risk_id], ['todo', '2099-02-01', risk.id])
  const status = (word: string) =>
    row.getByRole('button', { name: `${word}: status of ${task.ref}` })
  await status('To do').click()
  await page.getByRole('menuitem', { name: 'In progress' }).click()
  await says(page, `${task.ref}: In progress.`).waitFor()
  await status('In progress').waitFor()
  assert.equal((await tasks())[0]?.status, 'in_progress')
  await undo(page, `${task.ref}: In progress.`)
  await status('To do').waitFor()
  assert.equal((await tasks())[0]?.status, 'todo')
  await status('To do').focus()
  await page.keyboard.press('Enter')
  await focusAt(page.getByRole('menu'))
  await tabTo(page.getByRole('menuitem', { name: 'Cancelled' }), 'ArrowDown')
  await page.keyboard.press('Enter')
  await status('Cancelled').waitFor()
  await says(page, `${task.ref}: Cancelled.`).waitFor()
  assert.deepEqual(await tasks(), [])
  assertQuiet(seen)
})

test('a risk is entered from the register, with its score as it is rated', async () => {
  const seen = await signedIn(world, world.keys.manager, { path: '/risks?q=sluice' })
  const { page } = seen
  await page.getByRole('button', { name: 'New risk' }).click()
  const dialog = page.getByRole('dialog', { name: 'New risk' })
  await dialog.getByLabel('Title').fill('The sluice jams')
  await dialog.getByRole('button', { name: 'Enter the risk' }).click()
  await dialog.getByText('Choose the project that it belongs to.').waitFor()
  await dialog.getByRole('combobox', { name: 'Project' }).fill('FISH')
  await page.getByRole('option', { name: /FISH/ }).click()
  await dialog.getByLabel('Likelihood').selectOption('5 · Almost certain')
  await dialog.getByLabel('Impact').selectOption('5 · Severe')
  await dialog.getByText('25 Critical').waitFor()
  await dialog.getByRole('combobox', { name: 'Owner' }).fill('Mara')
  await page.getByRole('option', { name: /Mara/ }).click()
  await dialog.getByLabel('Category').selectOption('Technical')
  await dialog.getByLabel('Response').selectOption('Avoid')
  await dialog.getByLabel('Description').fill('Roots grow into it.')
  await dialog.getByRole('button', { name: 'Enter the risk' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('table', { name: 'Register' }).getByText('The sluice jams').waitFor()
  const { data } = await api.risks.list({ query: { q: 'sluice jams' } })
  assert.equal(data.length, 1)
  const { score, category, response, description, owner_user_id } = data[0] as Risk
  assert.deepEqual([score, category, response], [25, 'technical', 'avoid'])
  assert.deepEqual(
    [description, owner_user_id],
    ['Roots grow into it.', (await personOf('Mara')).id],
  )
  await page.getByRole('button', { name: 'New risk' }).click()
  assert.equal(await dialog.getByLabel('Title').inputValue(), '', 'the next one starts empty')
  assertQuiet(seen)
})

test('what is not there, or may not be seen, says so and leads back', async () => {
  const risk = await riskOf('DAM-R12')
  const gone = { ...risk, id: risk.id.replace(/.{4}$/, '0000') }
  const seen = await see(gone)
  await seen.page.getByRole('alert').getByText('There is no risk').waitFor()
  await seen.page.getByRole('link', { name: 'Go to the risk register' }).click()
  await seen.page.getByRole('heading', { level: 1, name: 'Risks' }).waitFor()
  const blind = await see(risk, world.keys.nobody)
  await blind.page.getByRole('alert').getByText('projects.read').first().waitFor()
  assertQuiet(seen)
  assertQuiet(blind)
})
