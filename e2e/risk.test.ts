import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Risk } from '@muster/contract'

import { assertNoErrors, signIn } from './support/environment.ts'
import { waitForFocus, tabTo } from './support/keyboard.ts'
import { assertMenu, openDialog, properties, startRiskTests } from './support/risk-steps.ts'
import { assertNotOffered, region, toast, undo } from './support/steps.ts'

const { env, api, findRisk, findPerson, createRisk, now, openRisk } = await startRiskTests()

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const formatDay = (date: string | null) => day.format(new Date(`${date}T00:00:00Z`))

test('a read-only key sees a risk and no actions that it cannot use', async () => {
  const risk = await findRisk('DAM-R12')
  const session = await openRisk(risk, env.keys.reader)
  const { page } = session
  await page.getByRole('heading', { level: 1, name: 'Uplift under the stilling basin' }).waitFor()
  const details = properties(page)
  await details.getByText('Mara Lindqvist').waitFor()
  await details.getByRole('link', { name: 'Norrfors dam renewal' }).waitFor()
  await details.getByTitle(formatDay(risk.review_on)).waitFor()
  assert.equal(await details.getByRole('button').count(), 0, 'nothing can be edited in place')
  await details
    .getByRole('img', { name: 'Current: likelihood 3, impact 4, score 12. Target: likelihood 1' })
    .waitFor()
  await details
    .getByRole('img', { name: /Score over time: 16 on .*, 12 on .*, Target \d+, Appetite \d+/ })
    .waitFor()
  const treatment = region(page, 'Treatments')
  await treatment.getByText('Flush the drains').waitFor()
  await region(page, 'Activity').getByText('reviewed this risk').waitFor()
  await region(page, 'Activity').getByText('Risk office').first().waitFor()
  await assertNotOffered(page, 'Review', 'Add task')
  await assertMenu(page, [])
  assert.equal(await treatment.getByRole('button', { name: /status of DAM-T1$/ }).count(), 0)
  assert.ok(session.calls.every((call) => call.startsWith('GET ')))
  assertNoErrors(session)
})

test('a key without keys.read sees changes by an integration', async () => {
  const { secret } = await api.keys.create({ body: { name: 'Board', scopes: ['projects.read'] } })
  const session = await openRisk(await findRisk('DAM-R12'), secret)
  const history = region(session.page, 'Activity')
  await history.getByText('An integration').first().waitFor()
  assert.equal(await history.getByText('Risk office').count(), 0)
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
  await target.getByRole('button', { name: 'Likelihood 1, impact 4: score 4, Low' }).click()
  await target.getByRole('status').getByText('4 Low').waitFor()
  await target.getByLabel('Target date').fill('2099-06-30')
  const hasInherent = dialog.getByRole('switch', { name: 'Set an inherent rating' })
  assert.equal(await hasInherent.isChecked(), false)
  await hasInherent.check({ force: true })
  const inherent = dialog.getByRole('group', { name: 'Inherent rating' }).last()
  await inherent.getByRole('button', { name: /^Likelihood 5, impact 4:/ }).click()
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
  assert.deepEqual(changed.inherent, { likelihood: 5, impact: 4, score: 20 })
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
  const row = region(page, 'Treatments')
    .getByRole('listitem')
    .filter({ hasText: 'Ask the harbour master' })
  await row.getByText('Mara Lindqvist').waitFor()
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
  const activity = region(page, 'Activity')
  await activity.getByText(`${task.ref} was added: “Ask the harbour master”`).waitFor()
  await status('To do').click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  await activity.getByText(`${task.ref} was finished: “Ask the harbour master”`).waitFor()
  await undo(page, `${task.ref}: Done.`)
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

test('adds a risk from the register and opens it', async () => {
  const session = await signIn(env, env.keys.manager, { path: '/risks?q=sluice' })
  const { page } = session
  await page.getByRole('button', { name: 'New risk' }).click()
  const dialog = page.getByRole('dialog', { name: 'New risk' })
  await dialog.getByLabel('Title').fill('The sluice jams')
  await dialog.getByRole('button', { name: 'Add risk' }).click()
  await dialog.getByText('Choose a project.').waitFor()
  await dialog.getByText('Rate the risk: choose a cell.').waitFor()
  await dialog.getByRole('combobox', { name: 'Project' }).fill('FISH')
  await page.getByRole('option', { name: /FISH/ }).click()
  await dialog.getByRole('button', { name: 'Likelihood 5, impact 5: score 25' }).click()
  await dialog.getByRole('status').getByText('25 Critical').waitFor()
  await dialog.getByRole('combobox', { name: 'Owner' }).fill('Mara')
  await page.getByRole('option', { name: /Mara/ }).click()
  await dialog.getByLabel('First review').fill('2099-01-31')
  await dialog.getByLabel('Category').selectOption('Technical')
  await dialog.getByLabel('Response').selectOption('Avoid')
  await dialog.getByLabel('Description').fill('Roots grow into it.')
  await dialog.getByRole('button', { name: 'Add risk' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { level: 1, name: 'The sluice jams' }).waitFor()
  const { data } = await api.risks.list({ query: { q: 'sluice jams' } })
  assert.equal(data.length, 1)
  const { score, category, response, description, owner_user_id, review_on } = data[0] as Risk
  assert.deepEqual([score, category, response], [25, 'technical', 'avoid'])
  assert.deepEqual(
    [description, owner_user_id, review_on],
    ['Roots grow into it.', (await findPerson('Mara')).id, '2099-01-31'],
  )
  await page.goBack()
  await page.getByRole('table', { name: 'Register' }).getByText('The sluice jams').waitFor()
  await page.getByRole('button', { name: 'New risk' }).click()
  assert.equal(await dialog.getByLabel('Title').inputValue(), '', 'the next dialog starts empty')
  assert.equal(await dialog.getByRole('button', { pressed: true }).count(), 0, 'it is not rated')
  assertNoErrors(session)
})

test('raises a risk in five clicks', async () => {
  const session = await signIn(env, env.keys.manager)
  const { page } = session
  const dialog = page.getByRole('dialog', { name: 'New risk' })
  await page.getByRole('button', { name: 'New risk' }).click()
  await waitForFocus(dialog.getByLabel('Title'))
  await page.keyboard.type('The weir moves')
  await dialog.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option', { name: /FISH/ }).click()
  await dialog.getByRole('button', { name: 'Likelihood 2, impact 3: score 6' }).click()
  await dialog.getByRole('button', { name: 'Add risk' }).click()
  await page.getByRole('heading', { level: 1, name: 'The weir moves' }).waitFor()
  assertNoErrors(session)
})

test('edits properties in place and undoes it', async () => {
  const risk = await createRisk({ status: 'identified' })
  const session = await openRisk(risk)
  const { page } = session
  const edit = (name: string) =>
    properties(page)
      .getByRole('button', { name: `Change: ${name}` })
      .click()
  await edit('Status')
  await page.getByRole('option', { name: 'Treating' }).click()
  await toast(page, `${risk.ref} was updated.`).waitFor()
  await properties(page).getByText('Treating').waitFor()
  assert.equal((await now(risk)).status, 'treating')
  await undo(page, `${risk.ref} was updated.`)
  await properties(page).getByRole('button', { name: 'Change: Status Identified' }).waitFor()
  await edit('Owner')
  await page.getByRole('combobox', { name: 'Owner' }).fill('Nadia')
  await page.getByRole('option', { name: /Nadia/ }).click()
  await properties(page).getByText('Nadia').waitFor()
  await edit('Next review')
  await page.getByLabel('Next review', { exact: true }).fill('2099-03-01')
  await page.keyboard.press('Enter')
  await properties(page).getByText('1 Mar 2099').waitFor()
  const { owner_user_id, review_on, status } = await now(risk)
  assert.deepEqual(
    [owner_user_id, review_on, status],
    [(await findPerson('Nadia')).id, '2099-03-01', 'identified'],
  )
  assertNoErrors(session)
})

test('adds and removes a link', async () => {
  const risk = await createRisk()
  const session = await openRisk(risk)
  const { page } = session
  const links = region(page, 'Links')
  await links.getByRole('button', { name: 'Add link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').first().fill('Survey')
  await dialog.getByRole('textbox').last().fill('https://example.com/survey')
  await dialog.getByRole('button', { name: 'Add link' }).click()
  const link = links.getByRole('link', { name: 'Survey' })
  assert.equal(await link.getAttribute('href'), 'https://example.com/survey')
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await now(risk)).links.length, 1)
  await links.getByRole('button', { name: /Survey/ }).click()
  await link.waitFor({ state: 'detached' })
  assert.deepEqual((await now(risk)).links, [])
  assertNoErrors(session)
})

test('shows a missing risk and a missing scope', async () => {
  const risk = await findRisk('DAM-R12')
  const missing = { ...risk, id: risk.id.replace(/.{4}$/, '0000') }
  const session = await openRisk(missing)
  await session.page
    .getByRole('alert')
    .getByText('This risk does not exist or was moved.')
    .waitFor()
  await session.page.getByRole('link', { name: 'Search the register' }).click()
  await session.page.getByRole('heading', { level: 1, name: 'Risks' }).waitFor()
  const withoutScopes = await openRisk(risk, env.keys.unscoped)
  await withoutScopes.page.getByRole('alert').getByText('projects.read').first().waitFor()
  assertNoErrors(session)
  assertNoErrors(withoutScopes)
})
