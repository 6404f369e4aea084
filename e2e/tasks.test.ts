import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { tabTo } from './support/keyboard.ts'
import {
  assertNotOffered,
  button,
  chooseAction,
  chooseProperty,
  dialogClosed,
  listLayout,
  property,
  region,
  toast,
  undo,
} from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, manager)

const taskRows = (page: Page) =>
  page.getByRole('table', { name: 'Tasks', exact: true }).locator('[data-row]')

/** An open task of the demo data by a part of its title. */
async function findTask(q: string) {
  const { data } = await api.tasks.list({ query: { q, limit: 1 } })
  const [task] = data
  assert.ok(task, `the demo data has a task “${q}”`)
  const params = { project_id: task.project_id, task_id: task.id }
  const path = `/projects/${task.project_id}/tasks/${task.id}`
  return { task, path, now: () => api.tasks.view({ params }) }
}

test('lists tasks by due date, with many rows at once', async () => {
  const session = await signIn(env, manager, { path: '/tasks', width: 1440 })
  const { page } = session
  const { overdue, count } = await api.tasks.summary()
  const { firstTop, rowHeight, shown } = await listLayout(taskRows(page))
  const { firstTop: headTop } = await listLayout(
    page.getByRole('row').filter({ hasText: /^Overdue/ }),
  )
  assert.ok(headTop <= 140, `the first head is at ${headTop}`)
  assert.ok(firstTop <= 172, `the first row is at ${firstTop}`)
  assert.ok(rowHeight <= 40, `a row is ${rowHeight} high`)
  assert.ok(shown >= 18, `${shown} rows are visible`)
  await page.getByRole('cell', { name: `Overdue ${overdue}`, exact: true }).waitFor()
  const first = taskRows(page).first()
  await first.getByText(/d overdue$/).waitFor()
  await first.getByText(/^(?:Treats|For) /).waitFor()
  await page
    .getByRole('link', { name: new RegExp(`^Open\\s*${count}$`) })
    .and(page.locator('[aria-current]'))
    .waitFor()
  await button(page, 'Display').click()
  await page.getByRole('menuitemradio', { name: 'Project' }).click()
  const { by_project } = await api.tasks.summary()
  const [largest] = by_project
  assert.ok(largest)
  await page
    .getByRole('cell', { name: `${largest.project.name} ${largest.count}`, exact: true })
    .waitFor()
  await page.goto(`${env.base}/tasks?view=done`)
  const done = await api.tasks.list({ query: { status: ['done'] } })
  await taskRows(page).first().waitFor()
  assert.ok((await listLayout(taskRows(page))).firstTop <= 140)
  assert.equal(await taskRows(page).count(), done.data.length)
  assertNoErrors(session)
})

test('completes a task in the list and undoes it', async () => {
  const { task, now } = await findTask('protocol converter')
  const session = await signIn(env, manager, { path: '/tasks' })
  const { page } = session
  const row = taskRows(page).filter({ hasText: task.ref })
  await row.hover()
  await button(row, 'Done').click()
  await toast(page, `${task.ref}: Done.`).waitFor()
  await row.waitFor({ state: 'hidden' })
  assert.equal((await now()).status, 'done')
  await undo(page, `${task.ref}: Done.`)
  await row.waitFor()
  assert.equal((await now()).status, task.status)
  assertNoErrors(session)
})

test('opens a task with the keyboard and changes it in place', async () => {
  const { task, now } = await findTask('Sew the torn duct')
  const session = await signIn(env, manager, { path: '/tasks?q=torn+duct' })
  const { page } = session
  const row = taskRows(page).filter({ hasText: task.ref })
  await row.waitFor()
  await tabTo(row)
  await page.keyboard.press('Enter')
  const peek = page.getByRole('complementary', { name: 'Task' })
  await peek.getByRole('heading', { name: task.title }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: task.title }).waitFor()
  await chooseProperty(page, 'Status', 'Blocked')
  await toast(page, `${task.ref}: Blocked.`).waitFor()
  assert.equal((await now()).status, 'blocked')
  await undo(page, `${task.ref}: Blocked.`)
  await property(page, 'Status').getByText('In progress').waitFor()
  await page.keyboard.press('d')
  await page.getByLabel('Due', { exact: true }).fill('2030-02-01')
  await button(page, 'Save').click()
  await property(page, 'Due').getByText('1 Feb 2030').waitFor()
  assert.equal((await now()).due_on, '2030-02-01')
  await chooseAction(page, task.ref, 'Edit …')
  const dialog = page.getByRole('dialog', { name: `Task ${task.ref}` })
  await dialog.getByLabel('Description').fill('Two people and a lift.')
  await button(dialog, 'Save').click()
  await dialogClosed(page)
  await page.getByText('Two people and a lift.').waitFor()
  await button(page, 'Mark as done').click()
  await button(page, 'Mark as to do').waitFor()
  assert.equal((await now()).status, 'done')
  assertNoErrors(session)
})

test('adds a task and a link to its evidence', async () => {
  const session = await signIn(env, manager, { path: '/tasks' })
  const { page } = session
  await button(page, 'New task').click()
  const dialog = page.getByRole('dialog', { name: 'New task' })
  await dialog.getByLabel('Title').fill('Photograph the trash rack')
  await button(dialog, 'Create task').click()
  await dialog.getByText('Choose a project.').waitFor()
  await dialog.getByRole('combobox', { name: 'Project' }).fill('TUN')
  await page.getByRole('option', { name: /^TUN/ }).click()
  await button(dialog, 'Create task').click()
  await toast(page, /was created\./).waitFor()
  const { path, now } = await findTask('Photograph the trash rack')
  await page.goto(env.base + path)
  await page.getByText('No links yet').waitFor()
  await button(region(page, 'Links'), 'Add link').click()
  const adding = page.getByRole('dialog', { name: 'Add a link' })
  await adding.getByLabel('Title').fill('Photographs')
  await adding.getByLabel('Address').fill('https://photos.example/rack')
  await button(adding, 'Add link').click()
  await region(page, 'Links').getByRole('link', { name: 'Photographs' }).waitFor()
  const links = [{ title: 'Photographs', url: 'https://photos.example/rack' }]
  assert.deepEqual((await now()).links, links)
  assertNoErrors(session)
})

test('a read-only key is offered no actions that it cannot use', async () => {
  const { path } = await findTask('protocol converter')
  const session = await signIn(env, reader, { path: '/tasks' })
  const { page } = session
  await assertNotOffered(page, 'New task')
  await page.goto(env.base + path)
  await page.getByRole('heading', { level: 1, name: /protocol converter/ }).waitFor()
  await assertNotOffered(page, 'Mark as done', 'Add link')
  assert.equal(await page.getByRole('button', { name: /^Change: / }).count(), 0)
  assert.deepEqual(
    session.calls.filter((call) => !call.startsWith('GET ')),
    [],
  )
  assertNoErrors(session)
})
