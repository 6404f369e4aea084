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
  chooseAction,
  property,
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
  await button(page, 'Report health').click()
  await page.getByText('This is the current health.').waitFor()
  await page.getByLabel('Off track').check()
  await page.getByLabel('Reason').fill('The steel is late.')
  await dialogButton(page, 'Report health').click()
  await toast(page, 'HEAL: Off track.').waitFor()
  await dialogClosed(page)
  const last = region(page, 'Health reports').getByRole('listitem').first()
  await last.getByText('The steel is late.').waitFor()
  const after = await view('HEAL')
  assert.deepEqual([after.health, after.health_note], ['off_track', 'The steel is late.'])

  await button(page, 'Undo').click()
  await last.getByText('On track').waitFor()
  assert.equal(await last.getByText('The steel is late.').count(), 0)
  const before = await view('HEAL')
  assert.deepEqual([before.health, before.health_note], ['on_track', null])

  const earlier = region(page, 'Health reports').getByRole('listitem').nth(1)
  await earlier.getByText('The steel is late.').waitFor()
  const activity = region(page, 'Activity')
  await activity.getByRole('listitem').first().waitFor()
  assert.equal(await activity.getByText('The steel is late.').count(), 0, 'reports appear once')
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
    await dialogButton(page, 'Report health').click()
  }
  const { page } = mine
  for (const each of [page, theirs.page]) await button(each, 'Report health').click()
  await setHealth(theirs.page, 'At risk', 'Theirs.')
  await toast(theirs.page, 'DUEL: At risk.').waitFor()
  await dialogClosed(theirs.page)
  await setHealth(page, 'Off track', 'Mine.')
  const conflict = conflictDialog(page)
  await conflict.getByRole('cell', { name: 'Theirs.' }).waitFor()
  await conflict.getByRole('button', { name: 'Keep theirs' }).click()
  await dialogClosed(page)
  assert.equal((await view('DUEL')).health_note, 'Theirs.')
  const last = region(page, 'Health reports').getByRole('listitem').first()
  await last.getByText('Theirs.').waitFor()

  for (const each of [page, theirs.page]) await button(each, 'Report health').click()
  await setHealth(theirs.page, 'On track', 'Theirs again.')
  await dialogClosed(theirs.page)
  await setHealth(page, 'Off track', 'Mine.')
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await toast(page, 'DUEL: Off track.').waitFor()
  await dialogClosed(page)
  assert.equal((await view('DUEL')).health_note, 'Mine.')

  await button(page, 'Undo').click()
  await last.getByText('Theirs again.').waitFor()
  assert.equal((await view('DUEL')).health, 'on_track', 'undo restores the other change')
  for (const each of [mine, theirs]) assertNoErrors(each)
})

test('an edit changes only the edited fields', async () => {
  await createProject('EDIT')
  const session = await signIn(env, manager, { path: pathOf('EDIT') })
  const { page } = session
  await chooseAction(page, 'EDIT', 'Edit …')
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

test('properties are saved at once and can be undone', async () => {
  await createProject('PROP')
  const session = await signIn(env, manager, { path: pathOf('PROP') })
  const { page } = session
  const change = (name: string) => property(page, name).click()
  await change('Status')
  await page.getByRole('option', { name: 'On hold' }).click()
  await toast(page, 'PROP was updated.').waitFor()
  await change('Appetite')
  await page.getByRole('option', { name: 'Up to 9', exact: true }).click()
  await page.getByRole('complementary').getByText('Up to 9').waitFor()
  await change('Owner')
  await page.getByRole('combobox', { name: 'Owner' }).fill('Mara')
  await page.getByRole('option', { name: /Mara Lindqvist/ }).click()
  await page.getByRole('complementary').getByText('Mara Lindqvist').waitFor()
  await change('Due')
  await page.getByLabel('Due', { exact: true }).fill('2027-03-01')
  await button(page.getByRole('dialog', { name: 'Due' }), 'Save').click()
  await page.getByRole('complementary').getByText('1 Mar 2027').waitFor()
  const { status, risk_appetite, owner_user_id, due_on } = await view('PROP')
  assert.deepEqual([status, risk_appetite, due_on], ['on_hold', 9, '2027-03-01'])
  assert.match(owner_user_id ?? '', /^usr_/)

  await button(toast(page, 'PROP was updated.'), 'Undo').click()
  await page.getByRole('complementary').getByText('1 Mar 2027').waitFor({ state: 'detached' })
  assert.equal((await view('PROP')).due_on, null, 'undo reverts the last change only')
  assert.equal((await view('PROP')).risk_appetite, 9)
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
  assert.equal(await button(page, 'Restore').count(), 0, 'what is impossible is not offered')
  await chooseAction(page, 'OLD', 'Archive …')
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

  await assertDisabled(page, 'New risk', 'OLD is archived. Restore it first.')
  for (const name of ['Report health', 'More actions: OLD']) {
    assert.equal(await button(page, name).count(), 0, name)
  }
  assert.equal(await property(page, 'Status').count(), 0)
  await button(page, 'Restore').click()
  await page.getByLabel('New status').selectOption('On hold')
  await dialogButton(page, 'Restore').click()
  await toast(page, 'OLD is restored.').waitFor()
  await dialogClosed(page)
  assert.equal((await view('OLD')).status, 'on_hold')

  await chooseAction(page, 'OLD', 'Archive …')
  await page.getByText('No open risks, issues or tasks are left.').waitFor()
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
  await chooseAction(page, 'SHUT', 'Archive …')
  await page.getByRole('dialog').getByRole('link', { name: '1 open task' }).click()
  await dialogClosed(page)
  await page.waitForURL(/\/tasks\?project_id=prj_/)
  await page.getByRole('link', { name: 'Never to be done' }).waitFor()
  await page.goBack()
  await chooseAction(page, 'SHUT', 'Archive …')
  await page.getByLabel('Close them with the project').check()
  await dialogButton(page, 'Archive').click()
  await page.getByText('This project is archived').waitFor()
  assert.equal((await viewTask('SHUT', id)).status, 'cancelled')
  assertNoErrors(session)
})

test('creates a task and opens it', async () => {
  await createProject('TASK')
  const session = await signIn(env, manager, { path: pathOf('TASK') })
  const { page } = session
  await button(page, 'New task').click()
  await dialogButton(page, 'Create task').click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Title').fill('Flush the pipes')
  await page.getByRole('dialog').getByRole('combobox', { name: 'Assignee' }).fill('Mara')
  await page.getByRole('option', { name: /Mara Lindqvist/ }).click()
  await page.getByRole('dialog').getByLabel('Due').fill('2025-01-31')
  await page.getByLabel('Description').fill('All of them.')
  await dialogButton(page, 'Create task').click()
  await toast(page, 'TASK-T1 was created.').waitFor()
  const tasks = region(page, 'Tasks')
  const row = tasks.getByRole('listitem').filter({ hasText: 'TASK-T1' })
  await row.getByText(/\d+d overdue/).waitFor()
  await row.getByText('Mara Lindqvist').waitFor()
  const { data } = await api.tasks.list_in_project({ params: { project_id: idOf('TASK') } })
  const [task] = data
  assert.deepEqual([task?.due_on, task?.description], ['2025-01-31', 'All of them.'])

  await row.getByRole('link', { name: 'Flush the pipes' }).click()
  await page.waitForURL(/\/tasks\/tsk_/)
  await page.getByRole('heading', { level: 1, name: 'Flush the pipes' }).waitFor()
  assertNoErrors(session)
})

test('changes a task status with the keyboard only and undoes it', async () => {
  await createProject('KEYS')
  const first = await addTask('KEYS', 'One')
  const second = await addTask('KEYS', 'Two')
  const session = await signIn(env, manager, { path: pathOf('KEYS') })
  const { page } = session
  await page.getByRole('link', { name: 'Two' }).waitFor()
  await tabTo(page.getByRole('button', { name: 'To do: status of KEYS-T2' }))
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
  const session = await signIn(env, manager, { path: pathOf('MOVES'), isLive: false })
  const { page } = session
  const conflict = conflictDialog(page)
  const move = async (from: string, to: string) => {
    await page.getByRole('button', { name: `${from}: status of MOVES-T1` }).click()
    await page.getByRole('menuitem', { name: to }).click()
  }
  const theyMove = (status: 'blocked' | 'cancelled') =>
    api.tasks.update({ params: { project_id: idOf('MOVES'), task_id: id }, body: { status } })

  await page.getByRole('link', { name: 'Contested' }).waitFor()
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

  await region(page, 'Tasks').getByText('No open tasks').waitFor()
  await api.projects.archive({ params: { project_id: idOf('MOVES') }, body: {} })
  await undo(page, 'MOVES-T1: Done.')
  await page.getByRole('alert', { name: 'The project is archived.' }).waitFor()
  assert.equal((await viewTask('MOVES', id)).status, 'done')
  assertNoErrors(session)
})
