import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Locator, Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import {
  chooseOption,
  type Dialog,
  menuOf,
  pathOf,
  personCreator,
  startAction,
  takesNewWork,
} from './support/people-steps.ts'
import { assertRows, button, region } from './support/steps.ts'

const env = await startEnvironment()
const { manager } = env.keys
const api = apiOf(env, manager)
const view = (user_id: string) => api.personnel.view({ params: { user_id } })

const createPerson = personCreator(api)

const assignedTo = async (user_id: string) =>
  (await api.personnel.assignments({ params: { user_id } })).data.map(({ title }) => title)

/** Chooses the successor of one item. */
async function chooseSuccessor(page: Page, dialog: Dialog, [ref, name]: readonly [string, string]) {
  await dialog.getByRole('button', { name: `New owner of ${ref}` }).click()
  await dialog.getByRole('combobox', { name: `New owner of ${ref}` }).fill(name)
  await page.getByRole('option', { name }).click()
}

test('offboards a person after a handover and shows a receipt', async () => {
  const { person } = await createPerson('Hedda Moe', 2)
  const { person: successor } = await createPerson('Iver Moe')
  const session = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  const dialog = await startAction(page, 'Offboard', 'Hedda Moe')
  await dialog.getByText('Assigned to Hedda Moe: 2 tasks.').waitFor()
  await button(dialog, 'Offboard').click()
  await dialog.getByText('Choose a new owner for every item.').waitFor()
  await chooseOption(page, dialog, ['All to one person …', 'Noor El Idrissi'])
  await button(dialog, 'Offboard').click()
  const lines = dialog.getByRole('listitem')
  await lines.first().getByRole('alert').getByText('Noor El Idrissi is suspended').waitFor()
  assert.equal((await view(person.id)).status, 'active')

  await chooseOption(page, dialog, ['All to one person …', 'Iver Moe'])
  await dialog.getByLabel('Reason').fill('Moved inland.')
  await button(dialog, 'Offboard').click()
  await dialog.waitFor({ state: 'hidden' })
  const receipt = page.getByRole('dialog', { name: 'Receipt: Hedda Moe' })
  await receipt.getByText('Hedda Moe left the roster.').waitFor()
  await receipt.getByText('Handed over: 2 tasks.').waitFor()
  await receipt.getByRole('link', { name: 'Iver Moe' }).waitFor()
  await receipt.getByText('Dive 2').waitFor()
  await receipt.getByText('Still assigned to Hedda Moe: nothing.').waitFor()
  const now = await view(person.id)
  assert.deepEqual([now.status, now.status_reason], ['departed', 'Moved inland.'])
  assert.deepEqual(await assignedTo(successor.id), ['Dive 1', 'Dive 2'])
  await button(receipt, 'Done').click()
  await receipt.waitFor({ state: 'hidden' })
  await region(page, 'Assigned work').getByText('No assigned work').waitFor()
  assertNoErrors(session)
})

test('a handover of more than 100 items shows the others on request', async () => {
  const { person } = await createPerson('Lars Vik', 101)
  const session = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  const dialog = await startAction(page, 'Offboard', 'Lars Vik')
  await dialog.getByText('101 items').waitFor()
  const lines = dialog.getByRole('listitem')
  assert.equal(await lines.count(), 100)
  await button(dialog, 'Show more').click()
  await button(dialog, 'Show more').waitFor({ state: 'detached' })
  assert.equal(await lines.count(), 101)
  assertNoErrors(session)
})

test('offboarding fails with assigned work or keeps it, and the person rejoins', async () => {
  const { person } = await createPerson('Kari Berg', 1)
  const session = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  const dialog = await startAction(page, 'Offboard', 'Kari Berg')
  await dialog.getByRole('radio', { name: 'Offboard only if no work is assigned' }).check()
  await button(dialog, 'Offboard').click()
  const alert = dialog.getByRole('alert')
  await alert.getByText('The person still has assigned work.').waitFor()
  await alert.getByText('Kari Berg still has 1 task.').waitFor()
  assert.equal((await view(person.id)).status, 'active')

  await dialog.getByRole('radio', { name: 'Keep assigned for now' }).check()
  await button(dialog, 'Offboard').click()
  await page.getByText('Still assigned to Kari Berg: 1 task.').waitFor()
  assert.deepEqual(await assignedTo(person.id), ['Dive 1'])
  await button(page, 'Done').click()
  assert.deepEqual(await menuOf(page), ['Edit …', 'Rejoin …', 'Erase …'])

  await button(await startAction(page, 'Rejoin', 'Kari Berg'), 'Rejoin').click()
  await page.getByText('Kari Berg rejoined.').waitFor()
  await takesNewWork(page, 'Yes').waitFor()
  assert.equal((await view(person.id)).status, 'active')
  await button(page, 'Undo').click()
  await takesNewWork(page, 'No').waitFor()
  assert.equal((await view(person.id)).status, 'departed')
  assertNoErrors(session)
})

test('hands over three items to two people in at most eight clicks', async () => {
  const { person, project_id } = await createPerson('Liv Dahl', 4)
  const { person: first } = await createPerson('Magne Dahl')
  const { person: second } = await createPerson('Marit Dahl')
  const { code } = await api.projects.view({ params: { project_id } })
  const session = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  await click(button(page, 'Hand over …').first())
  const dialog = page.getByRole('dialog', { name: 'Hand over the work of Liv Dahl' })
  await dialog.getByText('Assigned to Liv Dahl: 4 tasks.').waitFor()
  for (const [task, name] of [
    [1, 'Magne Dahl'],
    [2, 'Marit Dahl'],
    [3, 'Magne Dahl'],
  ] as const) {
    const field = `New owner of ${code}-T${task}`
    await click(dialog.getByRole('button', { name: field }))
    await dialog.getByRole('combobox', { name: field }).fill(name)
    await click(page.getByRole('option', { name }))
  }
  await click(button(dialog, 'Hand over 3 items'))
  assert.ok(clicks <= 8, `${clicks} clicks`)
  const receipt = page.getByRole('dialog', { name: 'Receipt: Liv Dahl' })
  await receipt.getByText('Handed over: 3 tasks.').waitFor()
  await receipt.getByRole('link', { name: 'Marit Dahl' }).waitFor()
  await button(receipt, 'Done').click()
  assert.deepEqual(await assignedTo(first.id), ['Dive 1', 'Dive 3'])
  assert.deepEqual(await assignedTo(second.id), ['Dive 2'])
  assert.deepEqual(await assignedTo(person.id), ['Dive 4'])
  assertNoErrors(session)
})

test('hands over selected work, and names an item that changed meanwhile', async () => {
  const { person, project_id } = await createPerson('Nora Vang', 3)
  const { person: successor } = await createPerson('Odd Vang')
  const { code } = await api.projects.view({ params: { project_id } })
  const session = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  for (const task of ['Dive 1', 'Dive 3']) {
    await page.getByRole('row').filter({ hasText: task }).hover()
    await page.getByRole('checkbox', { name: new RegExp(`^Select: .*${task}$`) }).check()
  }
  await page.getByRole('toolbar').getByText('2 selected').waitFor()
  await button(page, 'Hand over to …').click()
  const dialog = page.getByRole('dialog', { name: 'Hand over the work of Nora Vang' })
  await assertRows(dialog.getByRole('listitem'), 2)
  await button(dialog, 'Hand over').click()
  await dialog.getByText('Choose a new owner for at least one item.').waitFor()
  await chooseSuccessor(page, dialog, [`${code}-T1`, 'Odd Vang'])
  await chooseSuccessor(page, dialog, [`${code}-T3`, 'Odd Vang'])
  const { data: tasks } = await api.tasks.list({ query: { project_id: [project_id] } })
  const third = tasks.find(({ title }) => title === 'Dive 3')
  assert.ok(third)
  await api.tasks.update({
    params: { project_id, task_id: third.id },
    body: { assignee_user_id: null },
  })
  await button(dialog, 'Hand over 2 items').click()
  const line = dialog.getByRole('listitem').filter({ hasText: 'Dive 3' })
  await line.getByRole('alert').getByText('not assigned to Nora Vang').waitFor()
  assert.deepEqual(await assignedTo(successor.id), [])
  assertNoErrors(session)
})
