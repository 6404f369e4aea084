import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Locator } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { locationOf, findProject, findIssue } from './support/issue-steps.ts'
import { assertDisabled, button, region, toast, conflictDialog, undo } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, manager)

test('changes the status with one click and undoes it', async () => {
  const { path, now } = await findIssue(api, 'Ventilation duct torn')
  const session = await signIn(env, manager, { path })
  const { page } = session
  const moves = page.getByRole('group', { name: 'Change status' })
  await button(moves, 'Open').click()
  await toast(page, /: Open\./).waitFor()
  assert.equal((await now()).status, 'open')
  await button(page, 'Undo').click()
  await moves.getByRole('button', { name: 'In progress', pressed: true }).waitFor()
  await toast(page, /: Open\./).waitFor({ state: 'hidden' })
  assert.equal((await now()).status, 'in_progress')
  await button(moves, 'Blocked').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Blocking reason').fill('The duct is on a lorry.')
  await button(dialog, 'Block').click()
  await dialog.waitFor({ state: 'hidden' })
  await region(page, 'Details').getByText('The duct is on a lorry.').waitFor()
  assert.equal((await now()).blocked_reason, 'The duct is on a lorry.')
  await button(moves, 'In progress').click()
  await toast(page, /: In progress\./).waitFor()
  const { status, blocked_reason } = await now()
  assert.deepEqual({ status, blocked_reason }, { status: 'in_progress', blocked_reason: null })
  await region(page, 'History').getByText('The duct is on a lorry.').first().waitFor()
  assertNoErrors(session)
})

test('a concurrent issue edit opens the conflict dialog', async () => {
  const { path, now } = await findIssue(api, 'No hot water in the huts')
  const [mine, theirs] = [
    await signIn(env, manager, { path }),
    await signIn(env, manager, { path }),
  ]
  const edit = async ({ page }: typeof mine, change: (dialog: Locator) => Promise<unknown>) => {
    await button(page, 'Edit').click()
    const dialog = page.getByRole('dialog', { name: /^Edit/ })
    await change(dialog)
    return { dialog, save: () => button(dialog, 'Save').click() }
  }
  const slow = await edit(mine, (dialog) => dialog.getByLabel('Title').fill('No water at all'))
  const fast = await edit(theirs, (dialog) =>
    dialog.getByLabel('Severity').selectOption('3 · Moderate'),
  )
  await fast.save()
  await fast.dialog.waitFor({ state: 'hidden' })
  await slow.save()
  const conflict = conflictDialog(mine.page)
  await conflict.getByRole('row', { name: /^Severity 2 3/ }).waitFor()
  await button(conflict, 'Keep theirs').click()
  await mine.page.getByRole('heading', { level: 1, name: /No hot water/ }).waitFor()
  assert.equal((await now()).title, 'No hot water in the huts on the east bank')

  const again = await edit(mine, (dialog) =>
    dialog.getByLabel('Severity').selectOption('1 · Negligible'),
  )
  const other = await edit(theirs, (dialog) =>
    dialog.getByLabel('Severity').selectOption('4 · Major'),
  )
  await other.save()
  await other.dialog.waitFor({ state: 'hidden' })
  await again.save()
  await button(conflict, 'Save mine').click()
  await toast(mine.page, /was updated\./).waitFor()
  assert.equal((await now()).severity, 1)
  await button(mine.page, 'Undo').click()
  await region(mine.page, 'Details').getByText('4 Major').waitFor()
  assert.equal((await now()).severity, 4, 'undo restores the other change')
  assertNoErrors(mine)
  assertNoErrors(theirs)
})

test('a status change on a stale issue opens the conflict dialog', async () => {
  const { issue, path, params, now } = await findIssue(api, 'Two operators of the night shift')
  const session = await signIn(env, manager, { path })
  const { page } = session
  await button(page, 'In progress').waitFor()
  const body = { status: 'blocked', blocked_reason: 'No licence.' } as const
  await api.issues.update({ params, body }, { ifMatch: issue.version })
  await button(page, 'In progress').click()
  await button(page.getByRole('dialog'), 'Keep theirs').click()
  await page.getByRole('button', { name: 'Blocked', pressed: true }).waitFor()
  assert.equal((await now()).status, 'blocked')
  assertNoErrors(session)
})

test('assigns, unassigns and undoes the assignment', async () => {
  const { issue, path, now } = await findIssue(api, 'Harbour master wants')
  const session = await signIn(env, manager, { path })
  const { page } = session
  const details = region(page, 'Details')
  const dialog = page.getByRole('dialog', { name: /^Assign/ })
  await button(page, 'Assign').click()
  await dialog.getByRole('combobox', { name: 'Assignee' }).fill('mara')
  await page.getByRole('option', { name: /^Mara Lindqvist/ }).click()
  await button(dialog, 'Assign').click()
  await details.getByRole('link', { name: 'Mara Lindqvist' }).waitFor()
  await toast(page, /was reassigned/).waitFor()
  assert.notEqual((await now()).assignee_user_id, issue.assignee_user_id)
  await button(page, 'Undo').click()
  await details.getByRole('link', { name: /^José/ }).waitFor()
  await button(page, 'Assign').click()
  await dialog.getByRole('combobox', { name: 'Assignee' }).click()
  await page.getByRole('option', { name: 'No one' }).click()
  await button(dialog, 'Assign').click()
  await details.getByText('No one').waitFor()
  await toast(page, /is unassigned/).waitFor()
  assert.equal((await now()).assignee_user_id, null)
  assertNoErrors(session)
})

test('closes an issue with a reason, undoes it and reopens it', async () => {
  const { path, now } = await findIssue(api, 'Load cells of the lifting frame differ')
  const session = await signIn(env, manager, { path })
  const { page } = session
  const close = async () => {
    await button(page, 'Close').click()
    const dialog = page.getByRole('dialog', { name: /^Close/ })
    await dialog.getByLabel('Resolution').selectOption('Workaround')
    await dialog.getByLabel('Closing note').fill('Weighed twice.')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await toast(page, /is closed\./).waitFor()
  }
  await close()
  const { status, close_reason, close_note } = await now()
  assert.deepEqual([status, close_reason, close_note], ['closed', 'workaround', 'Weighed twice.'])
  await button(page, 'Undo').click()
  await page.getByRole('button', { name: 'In progress', pressed: true }).waitFor()
  assert.equal((await now()).status, 'in_progress', 'undo restores the status')
  await assertDisabled(page, 'Reopen', /already open/)
  await close()
  await region(page, 'Details').getByText('Weighed twice.').waitFor()
  await assertDisabled(page, 'Close', /already closed/)
  await assertDisabled(page, 'In progress', /Reopen it first/)
  await button(page, 'Reopen').click()
  const dialog = page.getByRole('dialog', { name: /^Reopen/ })
  await dialog.getByLabel('Reason').fill('They differ again.')
  await button(dialog, 'Reopen').click()
  await region(page, 'History').getByText('They differ again.').waitFor()
  assert.equal((await now()).reopened_count, 2)
  await undo(page, /is open again\./)
  await region(page, 'Details').getByText('Weighed twice.').waitFor()
  assert.equal((await now()).close_reason, 'workaround')
  assertNoErrors(session)
})

test('adds a task to an issue, completes it and undoes it', async () => {
  const { issue, path } = await findIssue(api, 'Seepage at the downstream toe')
  const session = await signIn(env, manager, { path })
  const { page } = session
  const tasks = region(page, 'Tasks')
  await button(tasks, 'Add task').click()
  const dialog = page.getByRole('dialog', { name: /^Add a task/ })
  await button(dialog, 'Add task').click()
  await dialog.getByText('This field is required.').waitFor()
  await dialog.getByLabel('Task').fill('Lower the pool by a metre')
  await dialog.getByLabel('Due').fill('2030-01-01')
  await button(dialog, 'Add task').click()
  const row = tasks.getByRole('row', { name: /Lower the pool by a metre/ })
  await row.getByRole('button', { name: /^To do: status of/ }).click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  await toast(page, /: Done\./).waitFor()
  const added = async () => {
    const { data } = await api.tasks.list({ query: { issue_id: [issue.id], status: ['done'] } })
    return data.map(({ title, assignee_user_id }) => ({ title, assignee_user_id }))
  }
  assert.deepEqual(await added(), [
    { title: 'Lower the pool by a metre', assignee_user_id: issue.assignee_user_id },
  ])
  await button(page, 'Undo').click()
  await row.getByRole('button', { name: /^To do: status of/ }).waitFor()
  assert.deepEqual(await added(), [])
  assertNoErrors(session)
})

test('links to the source risk and shows the history', async () => {
  const { data } = await api.issues.list({
    query: { project_id: [(await findProject(api, 'DAM')).id] },
  })
  const issue = data.find(({ risk_id }) => risk_id !== null)
  assert.ok(issue)
  const session = await signIn(env, reader, locationOf(issue))
  const { page } = session
  const link = region(page, 'Details').getByRole('link', { name: /^DAM-R17/ })
  assert.match((await link.getAttribute('href')) ?? '', new RegExp(`/risks/${issue.risk_id}$`))
  await region(page, 'History').getByText('Created').waitFor()
  await region(page, 'Tasks')
    .getByText(/Dig out the bend/)
    .waitFor()
  assertNoErrors(session)
})

test('a read-only key sees disabled actions with the reason', async () => {
  const { path } = await findIssue(api, 'Seepage at the downstream toe')
  const session = await signIn(env, reader, { path: '/issues' })
  const { page } = session
  const reason = /needs the scope projects\.manage/
  await assertDisabled(page, 'New issue', reason)
  await page.goto(env.base + path)
  for (const name of ['Edit', 'Assign', 'Close', 'Reopen', 'Blocked', 'Add task']) {
    await assertDisabled(page, name, reason)
  }
  await button(page, 'Edit').hover()
  await page.getByRole('tooltip').filter({ hasText: reason }).waitFor()
  const task = page.getByRole('button', { name: /: status of / }).first()
  assert.equal(await task.getAttribute('aria-disabled'), 'true')
  assert.deepEqual(
    session.calls.filter((call) => !call.startsWith('GET ')),
    [],
  )
  assertNoErrors(session)
})

test('shows a refusal with a link to the fix', async () => {
  const project = await api.projects.create({ body: { code: 'ICE', name: 'Ice booms' } })
  const created = await api.issues.create({
    params: { project_id: project.id },
    body: { title: 'A boom drifted off', severity: 2 },
  })
  const { path, params } = locationOf(created)
  await api.issues.close({ params, body: { close_reason: 'resolved' } })
  const session = await signIn(env, manager, { path })
  const { page } = session
  await button(page, 'Reopen').click()
  await api.projects.archive({ params: { project_id: project.id }, body: {} })
  const dialog = page.getByRole('dialog', { name: /^Reopen/ })
  await button(dialog, 'Reopen').click()
  await dialog.getByRole('alert').getByText('The project is archived.').waitFor()
  await dialog.getByRole('link', { name: /What this means/ }).waitFor()
  await button(dialog, 'Cancel').click()
  await assertDisabled(page, 'Reopen', /“Ice booms” is archived/)
  assert.equal((await api.issues.view({ params })).status, 'closed')
  assertNoErrors(session)
})
