import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Locator } from 'playwright-core'

import { place, projectNamed, storied } from './issue-steps.ts'
import { assertRefused, button, region, says, theConflict, undo } from './steps.ts'
import { apiOf, assertQuiet, signedIn, startWorld } from './world.ts'

const world = await startWorld()
const { manager, reader } = world.keys
const api = apiOf(world, manager)

test('a status is changed with one click, and back with another', async () => {
  const { path, now } = await storied(api, 'Ventilation duct torn')
  const seen = await signedIn(world, manager, { path })
  const { page } = seen
  const moves = page.getByRole('group', { name: 'Move to' })
  await button(moves, 'Open').click()
  await says(page, /is now: Open\./).waitFor()
  assert.equal((await now()).status, 'open')
  await button(page, 'Undo').click()
  await moves.getByRole('button', { name: 'In progress', pressed: true }).waitFor()
  await says(page, /is now: Open\./).waitFor({ state: 'hidden' })
  assert.equal((await now()).status, 'in_progress')
  await button(moves, 'Blocked').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What holds it up').fill('The duct is on a lorry.')
  await button(dialog, 'Block').click()
  await dialog.waitFor({ state: 'hidden' })
  await region(page, 'About').getByText('The duct is on a lorry.').waitFor()
  assert.equal((await now()).blocked_reason, 'The duct is on a lorry.')
  await button(moves, 'In progress').click()
  await says(page, /is now: In progress\./).waitFor()
  const { status, blocked_reason } = await now()
  assert.deepEqual({ status, blocked_reason }, { status: 'in_progress', blocked_reason: null })
  await region(page, 'History').getByText('The duct is on a lorry.').first().waitFor()
  assertQuiet(seen)
})

test('of two who edit the same issue, the slower one chooses what is kept', async () => {
  const { path, now } = await storied(api, 'No hot water in the huts')
  const [mine, theirs] = [
    await signedIn(world, manager, { path }),
    await signedIn(world, manager, { path }),
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
  const question = theConflict(mine.page)
  await question.getByRole('row', { name: /^Severity 2 3/ }).waitFor()
  await button(question, 'Leave theirs').click()
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
  await button(question, 'Do mine on top').click()
  await says(mine.page, /is changed\./).waitFor()
  assert.equal((await now()).severity, 1)
  await button(mine.page, 'Undo').click()
  await region(mine.page, 'About').getByText('4 Major').waitFor()
  assert.equal((await now()).severity, 4, 'an undo goes back to what the other one wrote')
  assertQuiet(mine)
  assertQuiet(theirs)
})

test('a click on a status that someone else has changed asks first', async () => {
  const { issue, path, params, now } = await storied(api, 'Two operators of the night shift')
  const seen = await signedIn(world, manager, { path })
  const { page } = seen
  await button(page, 'In progress').waitFor()
  const body = { status: 'blocked', blocked_reason: 'No licence.' } as const
  await api.issues.update({ params, body }, { ifMatch: issue.version })
  await button(page, 'In progress').click()
  await button(page.getByRole('dialog'), 'Leave theirs').click()
  await page.getByRole('button', { name: 'Blocked', pressed: true }).waitFor()
  assert.equal((await now()).status, 'blocked')
  assertQuiet(seen)
})

test('an issue is handed to someone, to nobody, and back', async () => {
  const { issue, path, now } = await storied(api, 'Harbour master wants')
  const seen = await signedIn(world, manager, { path })
  const { page } = seen
  const about = region(page, 'About')
  const dialog = page.getByRole('dialog', { name: /^Assign/ })
  await button(page, 'Assign').click()
  await dialog.getByRole('combobox', { name: 'Assignee' }).fill('mara')
  await page.getByRole('option', { name: /^Mara Lindqvist/ }).click()
  await button(dialog, 'Assign').click()
  await about.getByRole('link', { name: 'Mara Lindqvist' }).waitFor()
  await says(page, /has another assignee/).waitFor()
  assert.notEqual((await now()).assignee_user_id, issue.assignee_user_id)
  await button(page, 'Undo').click()
  await about.getByRole('link', { name: /^José/ }).waitFor()
  await button(page, 'Assign').click()
  await dialog.getByRole('combobox', { name: 'Assignee' }).click()
  await page.getByRole('option', { name: 'Nobody' }).click()
  await button(dialog, 'Assign').click()
  await about.getByText('Nobody').waitFor()
  await says(page, /is assigned to nobody/).waitFor()
  assert.equal((await now()).assignee_user_id, null)
  assertQuiet(seen)
})

test('an issue is closed with a reason, taken back, and reopened with another', async () => {
  const { path, now } = await storied(api, 'Load cells of the lifting frame differ')
  const seen = await signedIn(world, manager, { path })
  const { page } = seen
  const close = async () => {
    await button(page, 'Close').click()
    const dialog = page.getByRole('dialog', { name: /^Close/ })
    await dialog.getByLabel('How it ended').selectOption('Workaround')
    await dialog.getByLabel('Closing note').fill('Weighed twice.')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await says(page, /is closed\./).waitFor()
  }
  await close()
  const { status, close_reason, close_note } = await now()
  assert.deepEqual([status, close_reason, close_note], ['closed', 'workaround', 'Weighed twice.'])
  await button(page, 'Undo').click()
  await page.getByRole('button', { name: 'In progress', pressed: true }).waitFor()
  assert.equal((await now()).status, 'in_progress', 'it is as it was')
  await assertRefused(page, 'Reopen', /It is open\./)
  await close()
  await region(page, 'About').getByText('Weighed twice.').waitFor()
  await assertRefused(page, 'Close', /closed already/)
  await assertRefused(page, 'In progress', /Reopen it first/)
  await button(page, 'Reopen').click()
  const dialog = page.getByRole('dialog', { name: /^Reopen/ })
  await dialog.getByLabel('Why').fill('They differ again.')
  await button(dialog, 'Reopen').click()
  await region(page, 'History').getByText('They differ again.').waitFor()
  assert.equal((await now()).reopened_count, 2)
  await undo(page, /is open again\./)
  await region(page, 'About').getByText('Weighed twice.').waitFor()
  assert.equal((await now()).close_reason, 'workaround')
  assertQuiet(seen)
})

test('tasks are added to an issue and done, and done is taken back', async () => {
  const { issue, path } = await storied(api, 'Seepage at the downstream toe')
  const seen = await signedIn(world, manager, { path })
  const { page } = seen
  const tasks = region(page, 'Tasks')
  await button(tasks, 'Add a task').click()
  const dialog = page.getByRole('dialog', { name: /^Add a task/ })
  await button(dialog, 'Add a task').click()
  await dialog.getByText('Fill this in.').waitFor()
  await dialog.getByLabel('Task').fill('Lower the pool by a metre')
  await dialog.getByLabel('Due').fill('2030-01-01')
  await button(dialog, 'Add a task').click()
  const row = tasks.getByRole('row', { name: /Lower the pool by a metre/ })
  await row.getByRole('button', { name: /^To do: status of/ }).click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  await says(page, /: Done\./).waitFor()
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
  assertQuiet(seen)
})

test('an issue leads to the risk that it came from, and tells its history', async () => {
  const { data } = await api.issues.list({
    query: { project_id: [(await projectNamed(api, 'DAM')).id] },
  })
  const issue = data.find(({ risk_id }) => risk_id !== null)
  assert.ok(issue)
  const seen = await signedIn(world, reader, place(issue))
  const { page } = seen
  const link = region(page, 'About').getByRole('link', { name: /^DAM-R17/ })
  assert.match((await link.getAttribute('href')) ?? '', new RegExp(`/risks/${issue.risk_id}$`))
  await region(page, 'History').getByText('Created').waitFor()
  await region(page, 'Tasks')
    .getByText(/Dig out the bend/)
    .waitFor()
  assertQuiet(seen)
})

test('who may only read sees what could be done, and why not by them', async () => {
  const { path } = await storied(api, 'Seepage at the downstream toe')
  const seen = await signedIn(world, reader, { path: '/issues' })
  const { page } = seen
  const reason = /needs the scope projects\.manage/
  await assertRefused(page, 'New issue', reason)
  await page.goto(world.base + path)
  for (const name of ['Edit', 'Assign', 'Close', 'Reopen', 'Blocked', 'Add a task']) {
    await assertRefused(page, name, reason)
  }
  await button(page, 'Edit').hover()
  await page.getByRole('tooltip').filter({ hasText: reason }).waitFor()
  const task = page.getByRole('button', { name: /: status of / }).first()
  assert.equal(await task.getAttribute('aria-disabled'), 'true')
  assert.deepEqual(
    seen.calls.filter((call) => !call.startsWith('GET ')),
    [],
  )
  assertQuiet(seen)
})

test('what the service refuses is told, with what to do about it', async () => {
  const project = await api.projects.create({ body: { code: 'ICE', name: 'Ice booms' } })
  const made = await api.issues.create({
    params: { project_id: project.id },
    body: { title: 'A boom drifted off', severity: 2 },
  })
  const { path, params } = place(made)
  await api.issues.close({ params, body: { close_reason: 'resolved' } })
  const seen = await signedIn(world, manager, { path })
  const { page } = seen
  await button(page, 'Reopen').click()
  await api.projects.archive({ params: { project_id: project.id }, body: {} })
  const dialog = page.getByRole('dialog', { name: /^Reopen/ })
  await button(dialog, 'Reopen').click()
  await dialog.getByRole('alert').getByText('The project is archived.').waitFor()
  await dialog.getByRole('link', { name: /What this means/ }).waitFor()
  await button(dialog, 'Cancel').click()
  await assertRefused(page, 'Reopen', /“Ice booms” is archived/)
  assert.equal((await api.issues.view({ params })).status, 'closed')
  assertQuiet(seen)
})
