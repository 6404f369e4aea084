import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Locator } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { locationOf, findProject, findIssue } from './support/issue-steps.ts'
import {
  assertDisabled,
  assertNotOffered,
  button,
  chooseAction,
  chooseProperty,
  conflictDialog,
  property,
  region,
  toast,
  undo,
} from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, manager)

test('changes the status in place and undoes it', async () => {
  const { path, now } = await findIssue(api, 'Ventilation duct torn')
  const session = await signIn(env, manager, { path })
  const { page } = session
  await chooseProperty(page, 'Status', 'Open')
  await toast(page, /: Open\./).waitFor()
  assert.equal((await now()).status, 'open')
  await button(page, 'Undo').click()
  await property(page, 'Status').getByText('In progress').waitFor()
  await toast(page, /: Open\./).waitFor({ state: 'hidden' })
  assert.equal((await now()).status, 'in_progress')
  await chooseProperty(page, 'Status', 'Blocked')
  const dialog = page.getByRole('dialog', { name: /^Block/ })
  await dialog.getByLabel('Blocking reason').fill('The duct is on a lorry.')
  await button(dialog, 'Block').click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('note').getByText('The duct is on a lorry.').waitFor()
  assert.equal((await now()).blocked_reason, 'The duct is on a lorry.')
  await chooseProperty(page, 'Status', 'In progress')
  await toast(page, /: In progress\./).waitFor()
  const { status, blocked_reason } = await now()
  assert.deepEqual({ status, blocked_reason }, { status: 'in_progress', blocked_reason: null })
  const activity = region(page, 'Activity')
  await activity.getByText('blocked this issue: “The duct is on a lorry.”').waitFor()
  await activity.getByText('unblocked this issue').waitFor()
  assertNoErrors(session)
})

test('a concurrent issue edit opens the conflict dialog', async () => {
  const { issue, path, now } = await findIssue(api, 'No hot water in the huts')
  const [mine, theirs] = [
    await signIn(env, manager, { path }),
    await signIn(env, manager, { path }),
  ]
  const edit = async ({ page }: typeof mine, change: (dialog: Locator) => Promise<unknown>) => {
    await chooseAction(page, issue.ref, 'Edit …')
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
  await property(mine.page, 'Severity').getByText('Major').waitFor()
  assert.equal((await now()).severity, 4, 'undo restores the other change')
  assertNoErrors(mine)
  assertNoErrors(theirs)
})

test('a status change on a stale issue opens the conflict dialog', async () => {
  const { issue, path, params, now } = await findIssue(api, 'Two operators of the night shift')
  const session = await signIn(env, manager, { path, isLive: false })
  const { page } = session
  await property(page, 'Status').waitFor()
  const body = { status: 'blocked', blocked_reason: 'No licence.' } as const
  await api.issues.update({ params, body }, { ifMatch: issue.version })
  await chooseProperty(page, 'Status', 'In progress')
  await button(conflictDialog(page), 'Keep theirs').click()
  await property(page, 'Status').getByText('Blocked').waitFor()
  assert.equal((await now()).status, 'blocked')
  assertNoErrors(session)
})

test('assigns, unassigns and undoes the assignment', async () => {
  const { issue, path, now } = await findIssue(api, 'Harbour master wants')
  const session = await signIn(env, manager, { path })
  const { page } = session
  const assignee = property(page, 'Assignee')
  await assignee.click()
  await page.getByRole('combobox', { name: 'Assignee' }).fill('mara')
  await page.getByRole('option', { name: /^Mara Lindqvist/ }).click()
  await assignee.getByText('Mara Lindqvist').waitFor()
  await toast(page, /was reassigned/).waitFor()
  assert.notEqual((await now()).assignee_user_id, issue.assignee_user_id)
  await button(page, 'Undo').click()
  await assignee.getByText(/^José/).waitFor()
  await assignee.click()
  await button(page, 'Clear').click()
  await assignee.getByText('Unassigned').waitFor()
  await toast(page, /is unassigned/).waitFor()
  assert.equal((await now()).assignee_user_id, null)
  assertNoErrors(session)
})

test('closes an issue with a reason, undoes it and reopens it', async () => {
  const { path, now } = await findIssue(api, 'Load cells of the lifting frame differ')
  const session = await signIn(env, manager, { path })
  const { page } = session
  const close = async () => {
    await button(page, 'Close issue').click()
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
  await property(page, 'Status').getByText('In progress').waitFor()
  assert.equal((await now()).status, 'in_progress', 'undo restores the status')
  assert.equal(await button(page, 'Reopen issue').count(), 0)
  await close()
  await page.getByRole('note').getByText('Weighed twice.').waitFor()
  assert.equal(await button(page, 'Close issue').count(), 0)
  await page.getByTitle('The issue is closed. Reopen it first.').waitFor()
  await button(page, 'Reopen issue').click()
  const dialog = page.getByRole('dialog', { name: /^Reopen/ })
  await dialog.getByLabel('Reason').fill('They differ again.')
  await button(dialog, 'Reopen').click()
  await region(page, 'Activity').getByText('They differ again.').waitFor()
  assert.equal((await now()).reopened_count, 2)
  await undo(page, /is open again\./)
  await page.getByRole('note').getByText('Weighed twice.').waitFor()
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
  const row = tasks.getByRole('listitem').filter({ hasText: 'Lower the pool by a metre' })
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

test('adds a link to evidence, undoes it and removes one', async () => {
  const { path, now } = await findIssue(api, 'Harbour master wants')
  const session = await signIn(env, manager, { path })
  const { page } = session
  const section = region(page, 'Links')
  const add = async (title: string) => {
    await button(section, 'Add link').click()
    const dialog = page.getByRole('dialog', { name: 'Add a link' })
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByLabel('Address').fill('http://documents.example/letter')
    await button(dialog, 'Add link').click()
    await dialog.getByText('Enter an address that starts with https://.').waitFor()
    await dialog.getByLabel('Address').fill('https://documents.example/letter')
    await button(dialog, 'Add link').click()
    await section.getByRole('link', { name: title }).waitFor()
  }
  const { links: before } = await now()
  await add('Letter of the harbour master')
  const url = 'https://documents.example/letter'
  const added = [...before, { title: 'Letter of the harbour master', url }]
  assert.deepEqual((await now()).links, added)
  await undo(page, /was updated\./)
  await section.getByRole('link', { name: 'Letter of' }).waitFor({ state: 'hidden' })
  assert.deepEqual((await now()).links, before)
  await add('Letter of the harbour master')
  await button(section, 'Remove link: Letter of the harbour master').click()
  await section.getByRole('link', { name: 'Letter of' }).waitFor({ state: 'hidden' })
  assert.deepEqual((await now()).links, before)
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
  const source = region(page, 'Source risk')
  await source.getByText('DAM-R17').waitFor()
  const link = source.getByRole('link')
  assert.match((await link.getAttribute('href')) ?? '', new RegExp(`/risks/${issue.risk_id}$`))
  await region(page, 'Activity')
    .getByText(/opened this issue/)
    .waitFor()
  await region(page, 'Tasks')
    .getByText(/Dig out the bend/)
    .waitFor()
  assertNoErrors(session)
})

test('a read-only key is offered no actions that it cannot use', async () => {
  const { issue, path } = await findIssue(api, 'Seepage at the downstream toe')
  const session = await signIn(env, reader, { path: '/issues' })
  const { page } = session
  const reason = /needs the scope projects\.manage/
  await assertNotOffered(page, 'New issue')
  await page.goto(env.base + path)
  await page.getByRole('heading', { level: 1, name: issue.title }).waitFor()
  await assertNotOffered(page, 'Close issue', 'Add task', `More actions: ${issue.ref}`)
  assert.equal(await page.getByRole('button', { name: /^Change: / }).count(), 0)
  await page.getByTitle(reason).first().waitFor()
  assert.equal(await page.getByRole('button', { name: /: status of / }).count(), 0)
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
  await button(page, 'Reopen issue').click()
  await api.projects.archive({ params: { project_id: project.id }, body: {} })
  const dialog = page.getByRole('dialog', { name: /^Reopen/ })
  await button(dialog, 'Reopen').click()
  await dialog.getByRole('alert').getByText('The project is archived.').waitFor()
  await dialog.getByRole('link', { name: /What this means/ }).waitFor()
  await button(dialog, 'Cancel').click()
  await assertDisabled(page, 'Reopen issue', /“Ice booms” is archived/)
  assert.equal((await api.issues.view({ params })).status, 'closed')
  assertNoErrors(session)
})
