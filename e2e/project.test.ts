import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { waitForFocus, tabTo } from './support/keyboard.ts'
import {
  assertDisabled,
  button,
  dialogClosed,
  dialogButton,
  region,
  toast,
  conflictDialog,
  undo,
} from './support/steps.ts'

const env = await startEnvironment()
const { manager } = env.keys
const api = apiOf(env, manager)
const ids = new Map<string, string>()
const idOf = (code: string) => ids.get(code) ?? assert.fail(`There is no project ${code}.`)
const pathOf = (code: string, search = '') => `/projects/${idOf(code)}${search}`
const view = (code: string) => api.projects.view({ params: { project_id: idOf(code) } })

/** Creates a project for one test, so that tests are independent. */
async function createProject(code: string, more: { health?: 'on_track' } = {}) {
  const project = await api.projects.create({ body: { code, name: `Project ${code}`, ...more } })
  ids.set(code, project.id)
  return project
}

const addTask = (code: string, title: string) =>
  api.tasks.create({ params: { project_id: idOf(code) }, body: { title } })

const viewTask = (code: string, taskId: string) =>
  api.tasks.view({ params: { project_id: idOf(code), task_id: taskId } })

test('sets the health with a reason and undoes it', async () => {
  await createProject('HEAL', { health: 'on_track' })
  const session = await signIn(env, manager, { path: pathOf('HEAL') })
  const { page } = session
  await button(page, 'Set health').click()
  await page.getByText('This is the current health.').waitFor()
  await page.getByLabel('Off track').check()
  await page.getByLabel('Reason').fill('The steel is late.')
  await dialogButton(page, 'Set health').click()
  await toast(page, 'HEAL: Off track.').waitFor()
  await dialogClosed(page)
  const overview = region(page, 'Overview')
  await overview.getByText('The steel is late.').waitFor()
  const after = await view('HEAL')
  assert.deepEqual([after.health, after.health_note], ['off_track', 'The steel is late.'])

  await button(page, 'Undo').click()
  await overview.getByText('On track').waitFor()
  await overview.getByText('The steel is late.').waitFor({ state: 'detached' })
  const before = await view('HEAL')
  assert.deepEqual([before.health, before.health_note], ['on_track', null])

  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByText('The steel is late.').first().waitFor()
  assertNoErrors(session)
})

test('a concurrent health report opens the conflict dialog', async () => {
  await createProject('DUEL', { health: 'on_track' })
  const [mine, theirs] = await Promise.all([
    signIn(env, manager, { path: pathOf('DUEL') }),
    signIn(env, manager, { path: pathOf('DUEL') }),
  ])
  const setHealth = async (page: Page, health: string, note: string) => {
    await page.getByLabel(health).check()
    await page.getByLabel('Reason').fill(note)
    await dialogButton(page, 'Set health').click()
  }
  const { page } = mine
  for (const each of [page, theirs.page]) await button(each, 'Set health').click()
  await setHealth(theirs.page, 'At risk', 'Theirs.')
  await toast(theirs.page, 'DUEL: At risk.').waitFor()
  await dialogClosed(theirs.page)
  await setHealth(page, 'Off track', 'Mine.')
  const conflict = conflictDialog(page)
  await conflict.getByRole('cell', { name: 'Theirs.' }).waitFor()
  await conflict.getByRole('button', { name: 'Keep theirs' }).click()
  await dialogClosed(page)
  assert.equal((await view('DUEL')).health_note, 'Theirs.')
  await region(page, 'Overview').getByText('Theirs.').waitFor()

  for (const each of [page, theirs.page]) await button(each, 'Set health').click()
  await setHealth(theirs.page, 'On track', 'Theirs again.')
  await dialogClosed(theirs.page)
  await setHealth(page, 'Off track', 'Mine.')
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await toast(page, 'DUEL: Off track.').waitFor()
  await dialogClosed(page)
  assert.equal((await view('DUEL')).health_note, 'Mine.')

  await button(page, 'Undo').click()
  await region(page, 'Overview').getByText('Theirs again.').waitFor()
  assert.equal((await view('DUEL')).health, 'on_track', 'undo restores the other change')
  for (const each of [mine, theirs]) assertNoErrors(each)
})

test('an edit changes only the edited fields', async () => {
  await createProject('EDIT')
  const session = await signIn(env, manager, { path: pathOf('EDIT') })
  const { page } = session
  await button(page, 'Edit').click()
  await page.getByLabel('Name').fill('')
  await dialogButton(page, 'Save').click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Name').fill('Another name')
  await page.getByLabel('Risk appetite').fill('9')
  await page.getByRole('dialog').getByLabel('Status').selectOption('On hold')
  await dialogButton(page, 'Save').click()
  await page.getByRole('heading', { level: 1, name: 'Another name' }).waitFor()
  await toast(page, 'EDIT was updated.').waitFor()
  const { name, status, risk_appetite } = await view('EDIT')
  assert.deepEqual([name, status, risk_appetite], ['Another name', 'on_hold', 9])

  await button(page, 'Undo').click()
  await page.getByRole('heading', { level: 1, name: 'Project EDIT' }).waitFor()
  assert.equal((await view('EDIT')).risk_appetite, null)
  assertNoErrors(session)
})

test('archiving requires open items to be moved first', async () => {
  await createProject('HEIR')
  const { id } = await createProject('OLD')
  const { ref } = await addTask('OLD', 'Left to do')
  await api.risks.create({
    params: { project_id: id },
    body: { title: 'Left to fear', likelihood: 2, impact: 2 },
  })
  const session = await signIn(env, manager, { path: pathOf('OLD') })
  const { page } = session
  await assertDisabled(page, 'Restore', 'OLD is not archived.')
  await button(page, 'Archive').click()
  await page.getByRole('dialog').getByRole('link', { name: '1 open task' }).waitFor()
  await dialogButton(page, 'Archive').click()
  await page.getByRole('alert').getByText('1 live risks, 0 open issues, 1 open tasks').waitFor()
  await page.getByText('Some items are still open.').waitFor()

  await page.getByLabel('Move them to another project').check()
  await page.getByRole('combobox', { name: 'Target project' }).fill('HEIR')
  await page.getByRole('option', { name: 'HEIR Project HEIR' }).click()
  await dialogButton(page, 'Archive').click()
  await page.getByText('This project is archived').waitFor()
  await toast(page, 'OLD is archived.').waitFor()
  assert.equal(await button(page, 'Undo').count(), 0, 'moved items cannot be undone')
  const moved = await api.tasks.list_in_project({ params: { project_id: idOf('HEIR') } })
  assert.deepEqual(
    moved.data.map((task) => task.ref),
    [ref],
  )

  await assertDisabled(page, 'Set health', 'OLD is archived. Restore it first.')
  await assertDisabled(page, 'New risk', 'OLD is archived. Restore it first.')
  await assertDisabled(page, 'Archive', 'OLD is already archived.')
  await button(page, 'Restore').click()
  await page.getByLabel('New status').selectOption('On hold')
  await dialogButton(page, 'Restore').click()
  await toast(page, 'OLD is restored.').waitFor()
  await dialogClosed(page)
  assert.equal((await view('OLD')).status, 'on_hold')

  await button(page, 'Archive').click()
  await page.getByText('No live risks, open issues or open tasks are left.').waitFor()
  await dialogButton(page, 'Archive').click()
  await undo(page, 'OLD is archived.')
  await page.getByText('This project is archived').waitFor({ state: 'detached' })
  assert.equal((await view('OLD')).status, 'on_hold', 'undo restores the status')
  assertNoErrors(session)
})

test('links to open items and closes them with the project', async () => {
  await createProject('SHUT')
  const { id } = await addTask('SHUT', 'Never to be done')
  const session = await signIn(env, manager, { path: pathOf('SHUT') })
  const { page } = session
  await button(page, 'Archive').click()
  await page.getByRole('dialog').getByRole('link', { name: '1 open task' }).click()
  await dialogClosed(page)
  await page.getByRole('link', { name: 'SHUT-T1 Never to be done' }).waitFor()
  await button(page, 'Archive').click()
  await page.getByLabel('Close them with the project').check()
  await dialogButton(page, 'Archive').click()
  await page.getByText('This project is archived').waitFor()
  assert.equal((await viewTask('SHUT', id)).status, 'cancelled')
  assertNoErrors(session)
})

test('creates a task, edits it at its URL and undoes the edit', async () => {
  await createProject('TASK')
  const session = await signIn(env, manager, { path: pathOf('TASK', '?tab=tasks') })
  const { page } = session
  await button(page, 'New task').first().click()
  await dialogButton(page, 'Create task').click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Title').fill('Flush the pipes')
  await page.getByRole('dialog').getByRole('combobox', { name: 'Assignee' }).fill('Mara')
  await page.getByRole('option', { name: /Mara Lindqvist/ }).click()
  await page.getByRole('dialog').getByLabel('Due').fill('2025-01-31')
  await page.getByLabel('Description').fill('All of them.')
  await dialogButton(page, 'Create task').click()
  await toast(page, 'TASK-T1 was created.').waitFor()
  const row = page.getByRole('row', { name: 'TASK-T1 Flush the pipes' })
  await row.getByText('Overdue').waitFor()
  await row.getByText('Mara Lindqvist').waitFor()

  await row.getByRole('link', { name: 'TASK-T1 Flush the pipes' }).click()
  await page.waitForURL(/task=tsk_/)
  await page.getByLabel('Title').fill('Flush all pipes')
  await page.getByRole('dialog').getByLabel('Status').selectOption('Done')
  await dialogButton(page, 'Save').click()
  await toast(page, 'TASK-T1 was updated.').waitFor()
  await dialogClosed(page)
  assert.doesNotMatch(page.url(), /task=tsk_/)
  const { data } = await api.tasks.list_in_project({ params: { project_id: idOf('TASK') } })
  const [task] = data
  assert.deepEqual([task?.title, task?.status], ['Flush all pipes', 'done'])
  assert.deepEqual([task?.due_on, task?.description], ['2025-01-31', 'All of them.'])

  await undo(page, 'was updated')
  await row.getByRole('button', { name: 'To do: status of TASK-T1' }).waitFor()
  assertNoErrors(session)
})

test('changes a task status with the keyboard only and undoes it', async () => {
  await createProject('KEYS')
  const first = await addTask('KEYS', 'One')
  const second = await addTask('KEYS', 'Two')
  const session = await signIn(env, manager, { path: pathOf('KEYS', '?tab=tasks') })
  const { page } = session
  await tabTo(page.getByRole('link', { name: 'KEYS-T1 One' }))
  await page.keyboard.press('ArrowDown')
  await waitForFocus(page.getByRole('link', { name: 'KEYS-T2 Two' }))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await waitForFocus(page.getByRole('menu'))
  await tabTo(page.getByRole('menuitem', { name: 'Blocked' }), 'ArrowDown')
  await page.keyboard.press('Enter')
  await toast(page, 'KEYS-T2: Blocked.').waitFor()
  assert.equal((await viewTask('KEYS', second.id)).status, 'blocked')
  assert.equal((await viewTask('KEYS', first.id)).status, 'todo')

  await tabTo(button(page, 'Undo'))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'To do: status of KEYS-T2' }).waitFor()
  assert.equal((await viewTask('KEYS', second.id)).status, 'todo')
  assertNoErrors(session)
})

test('a concurrent task status change opens the conflict dialog', async () => {
  await createProject('MOVES')
  const { id } = await addTask('MOVES', 'Contested')
  const session = await signIn(env, manager, { path: pathOf('MOVES', '?tab=tasks') })
  const { page } = session
  const conflict = conflictDialog(page)
  const move = async (from: string, to: string) => {
    await page.getByRole('button', { name: `${from}: status of MOVES-T1` }).click()
    await page.getByRole('menuitem', { name: to }).click()
  }
  const theyMove = (status: 'blocked' | 'cancelled') =>
    api.tasks.update({ params: { project_id: idOf('MOVES'), task_id: id }, body: { status } })

  await page.getByRole('link', { name: 'MOVES-T1 Contested' }).waitFor()
  await theyMove('blocked')
  await move('To do', 'Done')
  await conflict.getByRole('button', { name: 'Keep theirs' }).click()
  await page.getByRole('button', { name: 'Blocked: status of MOVES-T1' }).waitFor()
  assert.equal((await viewTask('MOVES', id)).status, 'blocked')

  await theyMove('cancelled')
  await move('Blocked', 'Done')
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await toast(page, 'MOVES-T1: Done.').waitFor()
  assert.equal((await viewTask('MOVES', id)).status, 'done')

  await api.projects.archive({ params: { project_id: idOf('MOVES') }, body: {} })
  await move('Done', 'To do')
  await page.getByRole('alert', { name: 'The project is archived.' }).waitFor()
  await page.getByRole('button', { name: 'Done: status of MOVES-T1' }).waitFor()
  assertNoErrors(session)
})
