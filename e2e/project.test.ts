import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { focusAt, tabTo } from './keyboard.ts'
import { assertRefused, button, gone, inDialog, region, says, theConflict, undo } from './steps.ts'
import { apiOf, assertQuiet, signedIn, startWorld } from './world.ts'

const world = await startWorld()
const { manager } = world.keys
const api = apiOf(world, manager)
const ids = new Map<string, string>()
const idOf = (code: string) => ids.get(code) ?? assert.fail(`There is no project ${code}.`)
const pathOf = (code: string, search = '') => `/projects/${idOf(code)}${search}`
const view = (code: string) => api.projects.view({ params: { project_id: idOf(code) } })

/** A project of a test's own, so that no test is in the way of another. */
async function open(code: string, more: { health?: 'on_track' } = {}) {
  const project = await api.projects.create({ body: { code, name: `Project ${code}`, ...more } })
  ids.set(code, project.id)
  return project
}

const addTask = (code: string, title: string) =>
  api.tasks.create({ params: { project_id: idOf(code) }, body: { title } })

const viewTask = (code: string, taskId: string) =>
  api.tasks.view({ params: { project_id: idOf(code), task_id: taskId } })

test('health is set in a moment, with its reason, and taken back', async () => {
  await open('HEAL', { health: 'on_track' })
  const seen = await signedIn(world, manager, { path: pathOf('HEAL') })
  const { page } = seen
  await button(page, 'Set health').click()
  await page.getByText('It says this already.').waitFor()
  await page.getByLabel('Off track').check()
  await page.getByLabel('Why').fill('The steel is late.')
  await inDialog(page, 'Set health').click()
  await says(page, 'HEAL: Off track.').waitFor()
  await gone(page)
  const doing = region(page, 'How it is doing')
  await doing.getByText('The steel is late.').waitFor()
  const after = await view('HEAL')
  assert.deepEqual([after.health, after.health_note], ['off_track', 'The steel is late.'])

  await button(page, 'Undo').click()
  await doing.getByText('On track').waitFor()
  await doing.getByText('The steel is late.').waitFor({ state: 'detached' })
  const before = await view('HEAL')
  assert.deepEqual([before.health, before.health_note], ['on_track', null])

  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByText('The steel is late.').first().waitFor()
  assertQuiet(seen)
})

test('of two who say how it is doing, the slower one chooses', async () => {
  await open('DUEL', { health: 'on_track' })
  const [mine, theirs] = await Promise.all([
    signedIn(world, manager, { path: pathOf('DUEL') }),
    signedIn(world, manager, { path: pathOf('DUEL') }),
  ])
  const say = async (page: Page, health: string, note: string) => {
    await page.getByLabel(health).check()
    await page.getByLabel('Why').fill(note)
    await inDialog(page, 'Set health').click()
  }
  const { page } = mine
  for (const each of [page, theirs.page]) await button(each, 'Set health').click()
  await say(theirs.page, 'At risk', 'Theirs.')
  await says(theirs.page, 'DUEL: At risk.').waitFor()
  await gone(theirs.page)
  await say(page, 'Off track', 'Mine.')
  const conflict = theConflict(page)
  await conflict.getByRole('cell', { name: 'Theirs.' }).waitFor()
  await conflict.getByRole('button', { name: 'Leave theirs' }).click()
  await gone(page)
  assert.equal((await view('DUEL')).health_note, 'Theirs.')
  await region(page, 'How it is doing').getByText('Theirs.').waitFor()

  for (const each of [page, theirs.page]) await button(each, 'Set health').click()
  await say(theirs.page, 'On track', 'Theirs again.')
  await gone(theirs.page)
  await say(page, 'Off track', 'Mine.')
  await conflict.getByRole('button', { name: 'Do mine on top' }).click()
  await says(page, 'DUEL: Off track.').waitFor()
  await gone(page)
  assert.equal((await view('DUEL')).health_note, 'Mine.')

  await button(page, 'Undo').click()
  await region(page, 'How it is doing').getByText('Theirs again.').waitFor()
  assert.equal((await view('DUEL')).health, 'on_track', 'back to what it was on top of')
  for (const each of [mine, theirs]) assertQuiet(each)
})

test('an edit changes what was changed, and nothing else', async () => {
  await open('EDIT')
  const seen = await signedIn(world, manager, { path: pathOf('EDIT') })
  const { page } = seen
  await button(page, 'Edit').click()
  await page.getByLabel('Name').fill('')
  await inDialog(page, 'Save').click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Name').fill('Another name')
  await page.getByLabel('Risk appetite').fill('9')
  await page.getByRole('dialog').getByLabel('Status').selectOption('On hold')
  await inDialog(page, 'Save').click()
  await page.getByRole('heading', { level: 1, name: 'Another name' }).waitFor()
  await says(page, 'EDIT was changed.').waitFor()
  const { name, status, risk_appetite } = await view('EDIT')
  assert.deepEqual([name, status, risk_appetite], ['Another name', 'on_hold', 9])

  await button(page, 'Undo').click()
  await page.getByRole('heading', { level: 1, name: 'Project EDIT' }).waitFor()
  assert.equal((await view('EDIT')).risk_appetite, null)
  assertQuiet(seen)
})

test('a project is not archived while it needs someone, unless that is settled', async () => {
  await open('HEIR')
  const { id } = await open('OLD')
  const { ref } = await addTask('OLD', 'Left to do')
  await api.risks.create({
    params: { project_id: id },
    body: { title: 'Left to fear', likelihood: 2, impact: 2 },
  })
  const seen = await signedIn(world, manager, { path: pathOf('OLD') })
  const { page } = seen
  await assertRefused(page, 'Restore', 'OLD is not archived.')
  await button(page, 'Archive').click()
  await page.getByRole('dialog').getByRole('link', { name: '1 open task' }).waitFor()
  await inDialog(page, 'Archive').click()
  await page.getByRole('alert').getByText('1 live risks, 0 open issues, 1 open tasks').waitFor()
  await page.getByText('Something is left.').waitFor()

  await page.getByLabel('Move it to another project').check()
  await page.getByRole('combobox', { name: 'Project that takes it over' }).fill('HEIR')
  await page.getByRole('option', { name: 'HEIR Project HEIR' }).click()
  await inDialog(page, 'Archive').click()
  await page.getByText('This project is archived').waitFor()
  await says(page, 'OLD is archived.').waitFor()
  assert.equal(await button(page, 'Undo').count(), 0, 'what was moved does not come back by it')
  const moved = await api.tasks.list_in_project({ params: { project_id: idOf('HEIR') } })
  assert.deepEqual(
    moved.data.map((task) => task.ref),
    [ref],
  )

  await assertRefused(page, 'Set health', 'OLD is archived. Restore it first.')
  await assertRefused(page, 'New risk', 'OLD is archived. Restore it first.')
  await assertRefused(page, 'Archive', 'OLD is archived already.')
  await button(page, 'Restore').click()
  await page.getByLabel('Status it gets').selectOption('On hold')
  await inDialog(page, 'Restore').click()
  await says(page, 'OLD is back.').waitFor()
  await gone(page)
  assert.equal((await view('OLD')).status, 'on_hold')

  await button(page, 'Archive').click()
  await page.getByText('Nothing in it needs anyone any more.').waitFor()
  await inDialog(page, 'Archive').click()
  await undo(page, 'OLD is archived.')
  await page.getByText('This project is archived').waitFor({ state: 'detached' })
  assert.equal((await view('OLD')).status, 'on_hold', 'as it was')
  assertQuiet(seen)
})

test('what still needs someone is a click from where it is dealt with, or closed', async () => {
  await open('SHUT')
  const { id } = await addTask('SHUT', 'Never to be done')
  const seen = await signedIn(world, manager, { path: pathOf('SHUT') })
  const { page } = seen
  await button(page, 'Archive').click()
  await page.getByRole('dialog').getByRole('link', { name: '1 open task' }).click()
  await gone(page)
  await page.getByRole('link', { name: 'SHUT-T1 Never to be done' }).waitFor()
  await button(page, 'Archive').click()
  await page.getByLabel('Close it with the project').check()
  await inDialog(page, 'Archive').click()
  await page.getByText('This project is archived').waitFor()
  assert.equal((await viewTask('SHUT', id)).status, 'cancelled')
  assertQuiet(seen)
})

test('a task is made, edited at its own address, and its edit taken back', async () => {
  await open('TASK')
  const seen = await signedIn(world, manager, { path: pathOf('TASK', '?tab=tasks') })
  const { page } = seen
  await button(page, 'New task').first().click()
  await inDialog(page, 'Make task').click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Title').fill('Flush the pipes')
  await page.getByRole('dialog').getByRole('combobox', { name: 'Assignee' }).fill('Mara')
  await page.getByRole('option', { name: /Mara Lindqvist/ }).click()
  await page.getByRole('dialog').getByLabel('Due').fill('2025-01-31')
  await page.getByLabel('What is to be done').fill('All of them.')
  await inDialog(page, 'Make task').click()
  await says(page, 'TASK-T1 was made.').waitFor()
  const row = page.getByRole('row', { name: 'TASK-T1 Flush the pipes' })
  await row.getByText('Overdue').waitFor()
  await row.getByText('Mara Lindqvist').waitFor()

  await row.getByRole('link', { name: 'TASK-T1 Flush the pipes' }).click()
  await page.waitForURL(/task=tsk_/)
  await page.getByLabel('Title').fill('Flush all pipes')
  await page.getByRole('dialog').getByLabel('Status').selectOption('Done')
  await inDialog(page, 'Save').click()
  await says(page, 'TASK-T1 was changed.').waitFor()
  await gone(page)
  assert.doesNotMatch(page.url(), /task=tsk_/)
  const { data } = await api.tasks.list_in_project({ params: { project_id: idOf('TASK') } })
  const [task] = data
  assert.deepEqual([task?.title, task?.status], ['Flush all pipes', 'done'])
  assert.deepEqual([task?.due_on, task?.description], ['2025-01-31', 'All of them.'])

  await undo(page, 'was changed')
  await row.getByRole('button', { name: 'To do: status of TASK-T1' }).waitFor()
  assertQuiet(seen)
})

test('a task moves on by keyboard alone, and back', async () => {
  await open('KEYS')
  const first = await addTask('KEYS', 'One')
  const second = await addTask('KEYS', 'Two')
  const seen = await signedIn(world, manager, { path: pathOf('KEYS', '?tab=tasks') })
  const { page } = seen
  await tabTo(page.getByRole('link', { name: 'KEYS-T1 One' }))
  await page.keyboard.press('ArrowDown')
  await focusAt(page.getByRole('link', { name: 'KEYS-T2 Two' }))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await focusAt(page.getByRole('menu'))
  await tabTo(page.getByRole('menuitem', { name: 'Blocked' }), 'ArrowDown')
  await page.keyboard.press('Enter')
  await says(page, 'KEYS-T2: Blocked.').waitFor()
  assert.equal((await viewTask('KEYS', second.id)).status, 'blocked')
  assert.equal((await viewTask('KEYS', first.id)).status, 'todo')

  await tabTo(button(page, 'Undo'))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'To do: status of KEYS-T2' }).waitFor()
  assert.equal((await viewTask('KEYS', second.id)).status, 'todo')
  assertQuiet(seen)
})

test('a task that someone else moved is not moved over them', async () => {
  await open('MOVES')
  const { id } = await addTask('MOVES', 'Contested')
  const seen = await signedIn(world, manager, { path: pathOf('MOVES', '?tab=tasks') })
  const { page } = seen
  const conflict = theConflict(page)
  const move = async (from: string, to: string) => {
    await page.getByRole('button', { name: `${from}: status of MOVES-T1` }).click()
    await page.getByRole('menuitem', { name: to }).click()
  }
  const theyMove = (status: 'blocked' | 'cancelled') =>
    api.tasks.update({ params: { project_id: idOf('MOVES'), task_id: id }, body: { status } })

  await page.getByRole('link', { name: 'MOVES-T1 Contested' }).waitFor()
  await theyMove('blocked')
  await move('To do', 'Done')
  await conflict.getByRole('button', { name: 'Leave theirs' }).click()
  await page.getByRole('button', { name: 'Blocked: status of MOVES-T1' }).waitFor()
  assert.equal((await viewTask('MOVES', id)).status, 'blocked')

  await theyMove('cancelled')
  await move('Blocked', 'Done')
  await conflict.getByRole('button', { name: 'Do mine on top' }).click()
  await says(page, 'MOVES-T1: Done.').waitFor()
  assert.equal((await viewTask('MOVES', id)).status, 'done')

  await api.projects.archive({ params: { project_id: idOf('MOVES') }, body: {} })
  await move('Done', 'To do')
  await page.getByRole('alert', { name: 'The project is archived.' }).waitFor()
  await page.getByRole('button', { name: 'Done: status of MOVES-T1' }).waitFor()
  assertQuiet(seen)
})
