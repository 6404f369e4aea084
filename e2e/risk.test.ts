import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Risk } from '@muster/contract'

import { assertNoErrors, signIn } from './support/environment.ts'
import { waitForFocus, tabTo } from './support/keyboard.ts'
import { openDialog, startRiskTests } from './support/risk-steps.ts'
import { assertDisabled, region, toast, undo } from './support/steps.ts'

const { env, api, findRisk, findPerson, createRisk, now, openRisk } = await startRiskTests()

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const formatDay = (date: string | null) => day.format(new Date(`${date}T00:00:00Z`))

test('a read-only key sees a risk and disabled actions with the reason', async () => {
  const risk = await findRisk('DAM-R12')
  const session = await openRisk(risk, env.keys.reader)
  const { page } = session
  await page.getByRole('heading', { level: 1, name: 'Uplift under the stilling basin' }).waitFor()
  const details = region(page, 'Details')
  await details.getByRole('link', { name: 'Mara Lindqvist' }).waitFor()
  await details.getByRole('link', { name: 'DAM Norrfors dam renewal' }).waitFor()
  await details.getByText(formatDay(risk.review_on)).waitFor()
  const ratings = region(page, 'Ratings')
  await ratings
    .getByRole('img', { name: 'Current: likelihood 3, impact 4, score 12. Target: likelihood 1' })
    .waitFor()
  await ratings.getByRole('img', { name: /Score over time: 16 on .*, 12 on / }).waitFor()
  const treatment = page.getByRole('table', { name: 'Treatment' })
  await treatment.getByText('Flush the drains').waitFor()
  await region(page, 'History').getByText('Reviewed').waitFor()
  await region(page, 'History').getByText('by Risk office').first().waitFor()
  for (const name of ['Review', 'Edit', 'Accept', 'Mark as occurred', 'Close', 'Add task']) {
    await assertDisabled(page, name, /Demo reader.*projects\.manage/)
  }
  const status = treatment.getByRole('button', { name: /status of DAM-T1$/ })
  assert.equal(await status.getAttribute('aria-disabled'), 'true')
  await page.getByRole('link', { name: 'DAM', exact: true }).focus()
  await page.keyboard.press('Tab')
  await page.getByRole('tooltip').getByText('projects.manage').waitFor()
  await page.keyboard.press('Enter')
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.ok(session.calls.every((call) => call.startsWith('GET ')))
  assertNoErrors(session)
})

test('a key without keys.read sees changes by an integration', async () => {
  const { secret } = await api.keys.create({ body: { name: 'Board', scopes: ['projects.read'] } })
  const session = await openRisk(await findRisk('DAM-R12'), secret)
  const history = region(session.page, 'History')
  await history.getByText('by an integration').first().waitFor()
  assert.equal(await history.getByText('by Risk office').count(), 0)
  assertNoErrors(session)
})

test('edits all fields of a risk and undoes the edit', async () => {
  const risk = await createRisk({ category: 'external', tags: ['sea'], description: 'It is old.' })
  const session = await openRisk(risk)
  const { page } = session
  const dialog = await openDialog(page, 'Edit')
  await dialog.getByLabel('Title').fill('The ferry comes late')
  await dialog.getByLabel('Description').fill('It is slow.')
  await dialog.getByLabel('Status').selectOption('Treating')
  await dialog.getByLabel('Category').selectOption('Delivery')
  await dialog.getByLabel('Response').selectOption('Reduce')
  await dialog.getByRole('combobox', { name: 'Owner' }).fill('Nadia')
  await page.getByRole('option', { name: /Nadia/ }).click()
  await dialog.getByLabel('Next review').fill('2099-01-31')
  await dialog.getByRole('switch', { name: 'Set a target' }).check({ force: true })
  const target = dialog.getByRole('group', { name: 'Target' })
  await target.getByLabel('Likelihood').selectOption('1 · Rare')
  await target.getByText('4 Low').waitFor()
  await target.getByLabel('Target date').fill('2099-06-30')
  await dialog.getByLabel('Tags').fill('harbour ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await toast(page, `${risk.ref} was updated.`).waitFor()
  await page.getByRole('heading', { level: 1, name: 'The ferry comes late' }).waitFor()
  const changed = await now(risk)
  assert.equal(changed.owner_user_id, (await findPerson('Nadia')).id)
  assert.deepEqual(
    [changed.title, changed.description, changed.status, changed.category, changed.response],
    ['The ferry comes late', 'It is slow.', 'treating', 'delivery', 'reduce'],
  )
  assert.deepEqual(changed.target, { likelihood: 1, impact: 4, score: 4, due_on: '2099-06-30' })
  assert.deepEqual([changed.review_on, changed.tags], ['2099-01-31', ['harbour', 'sea']])
  await undo(page, `${risk.ref} was updated.`)
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
  assertNoErrors(session)
})

test('adds a task to a risk, changes its status and undoes it', async () => {
  const risk = await createRisk({ owner_user_id: (await findPerson('Mara')).id })
  const tasks = async () => (await api.tasks.list({ query: { risk_id: [risk.id] } })).data
  const session = await openRisk(risk)
  const { page } = session
  await page.getByText('No tasks yet').waitFor()
  const dialog = await openDialog(page, 'Add task')
  await dialog.getByRole('button', { name: 'Add task' }).click()
  await dialog.getByText('This field is required.').waitFor()
  await dialog.getByLabel('Task').fill('Ask the harbour master')
  await dialog.getByLabel('Due').fill('2099-02-01')
  await dialog.getByRole('button', { name: 'Add task' }).click()
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
  await toast(page, `${task.ref}: In progress.`).waitFor()
  await status('In progress').waitFor()
  assert.equal((await tasks())[0]?.status, 'in_progress')
  await undo(page, `${task.ref}: In progress.`)
  await status('To do').waitFor()
  assert.equal((await tasks())[0]?.status, 'todo')
  await status('To do').focus()
  await page.keyboard.press('Enter')
  await waitForFocus(page.getByRole('menu'))
  await tabTo(page.getByRole('menuitem', { name: 'Cancelled' }), 'ArrowDown')
  await page.keyboard.press('Enter')
  await status('Cancelled').waitFor()
  await toast(page, `${task.ref}: Cancelled.`).waitFor()
  assert.deepEqual(await tasks(), [])
  assertNoErrors(session)
})

test('adds a risk from the register and shows its score', async () => {
  const session = await signIn(env, env.keys.manager, { path: '/risks?q=sluice' })
  const { page } = session
  await page.getByRole('button', { name: 'New risk' }).click()
  const dialog = page.getByRole('dialog', { name: 'New risk' })
  await dialog.getByLabel('Title').fill('The sluice jams')
  await dialog.getByRole('button', { name: 'Add risk' }).click()
  await dialog.getByText('Choose a project.').waitFor()
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
  await dialog.getByRole('button', { name: 'Add risk' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('table', { name: 'Register' }).getByText('The sluice jams').waitFor()
  const { data } = await api.risks.list({ query: { q: 'sluice jams' } })
  assert.equal(data.length, 1)
  const { score, category, response, description, owner_user_id } = data[0] as Risk
  assert.deepEqual([score, category, response], [25, 'technical', 'avoid'])
  assert.deepEqual(
    [description, owner_user_id],
    ['Roots grow into it.', (await findPerson('Mara')).id],
  )
  await page.getByRole('button', { name: 'New risk' }).click()
  assert.equal(await dialog.getByLabel('Title').inputValue(), '', 'the next dialog starts empty')
  assertNoErrors(session)
})

test('shows a missing risk and a missing scope', async () => {
  const risk = await findRisk('DAM-R12')
  const missing = { ...risk, id: risk.id.replace(/.{4}$/, '0000') }
  const session = await openRisk(missing)
  await session.page.getByRole('alert').getByText('There is no risk').waitFor()
  await session.page.getByRole('link', { name: 'Go to the risk register' }).click()
  await session.page.getByRole('heading', { level: 1, name: 'Risks' }).waitFor()
  const withoutScopes = await openRisk(risk, env.keys.unscoped)
  await withoutScopes.page.getByRole('alert').getByText('projects.read').first().waitFor()
  assertNoErrors(session)
  assertNoErrors(withoutScopes)
})
