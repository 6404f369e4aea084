import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { pathOf, chooseOption, personFinder, openDialog } from './support/people-steps.ts'
import { assertDisabled, assertRows, button, region, conflictDialog } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, manager)
const findPerson = personFinder(api)

const view = (user_id: string) => api.personnel.view({ params: { user_id } })

let projectCount = 0

/** Creates a person for one test, with this number of assigned tasks. */
async function createPerson(name: string, tasks = 0) {
  const person = await api.personnel.create({ body: { name, title: 'Diver' } })
  if (tasks === 0) return { person, project_id: '' }
  projectCount += 1
  const project = await api.projects.create({
    body: { code: `DIV${projectCount}`, name: `Dives ${projectCount}` },
  })
  for (let task = 1; task <= tasks; task++) {
    await api.tasks.create({
      params: { project_id: project.id },
      body: { title: `Dive ${task}`, assignee_user_id: person.id },
    })
  }
  return { person, project_id: project.id }
}

const assignedTo = async (user_id: string) =>
  (await api.personnel.assignments({ params: { user_id } })).data.map(({ title }) => title)

test('shows details, reports, groups, assigned work and history', async () => {
  const asa = await findPerson('Åsa')
  const session = await signIn(env, reader, { path: pathOf(asa) })
  const { page } = session
  const details = region(page, 'Details')
  for (const text of ['Head of geotechnics', '+46 8 465 004 20', '4 Mar 2013', 'nw-1011', asa.id]) {
    await details.getByText(text, { exact: true }).waitFor()
  }
  await details.getByRole('link', { name: 'asa.ohman@northwater.example' }).waitFor()
  await details.getByRole('link', { name: 'Tomáš Kolář' }).waitFor()
  await region(page, 'Direct reports').getByRole('link', { name: 'Mihai' }).waitFor()
  await region(page, 'Groups').getByRole('link', { name: 'Safety' }).waitFor({ state: 'hidden' })
  await region(page, 'Groups').getByRole('link', { name: 'Geotechnics' }).waitFor()

  const { data: assignments } = await api.personnel.assignments({ params: { user_id: asa.id } })
  const table = region(page, 'Assigned work').getByRole('table')
  await assertRows(table.getByRole('row'), assignments.length + 1)
  for (const { type, id, ref, project_id } of assignments) {
    const place = type === 'risk' || type === 'issue' ? `/${type}s/${id}` : ''
    const link = table.getByRole('link', { name: `${ref} `, exact: false }).first()
    assert.equal(await link.getAttribute('href'), `/projects/${project_id}${place}`)
  }

  await page.goto(env.base + pathOf(await findPerson('Leïla')))
  const history = region(page, 'History')
  await history.getByText('Jürgen Weiß → Åsa Öhman').waitFor()
  await history.getByText('Instrumentation engineer → Senior').waitFor()
  await region(page, 'Details').getByRole('link', { name: 'Åsa Öhman' }).click()
  await page.getByRole('heading', { level: 1, name: 'Åsa Öhman' }).waitFor()
  await page.goto(`${env.base}/people/usr_01ktrr9d3hen4v9q9t9m2g8x5c`)
  await page.getByRole('alert').getByText('There is no person').waitFor()
  assertNoErrors(session)
})

test('edits a person, rejects a reporting cycle and undoes the edit', async () => {
  const { person } = await createPerson('Edda Vik')
  const report = await api.personnel.create({
    body: { name: 'Rune Vik', manager_user_id: person.id },
  })
  const session = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  const dialog = await openDialog(page, 'Edit', 'Edit Edda Vik')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Lead diver')
  await chooseOption(page, dialog, ['Manager', 'Rune Vik'])
  await button(dialog, 'Save').click()
  await dialog.getByRole('alert').getByText('The person would report to themselves.').waitFor()
  await dialog.getByRole('alert').getByText('Rune Vik reports to Edda Vik').waitFor()
  assert.equal((await view(person.id)).title, 'Diver')

  await chooseOption(page, dialog, ['Manager', 'Åsa Öhman'])
  await button(dialog, 'Save').click()
  await dialog.waitFor({ state: 'hidden' })
  await region(page, 'Details').getByText('Lead diver').waitFor()
  await region(page, 'History').getByText('Diver → Lead diver').waitFor()
  assert.equal((await view(person.id)).manager_user_id, (await findPerson('Åsa')).id)

  await button(page, 'Undo').click()
  await region(page, 'Details').getByText('Diver', { exact: true }).waitFor()
  const now = await view(person.id)
  assert.deepEqual([now.title, now.manager_user_id], ['Diver', null])
  await region(page, 'Direct reports').getByRole('link', { name: report.name }).waitFor()
  assertNoErrors(session)
})

test('a concurrent edit of a person opens the conflict dialog', async () => {
  const { person } = await createPerson('Frida Holm')
  const one = await signIn(env, manager, { path: pathOf(person) })
  const two = await signIn(env, manager, { path: pathOf(person) })
  const begin = async (page: Page, title: string) => {
    const dialog = await openDialog(page, 'Edit', 'Edit Frida Holm')
    await dialog.getByRole('textbox', { name: 'Title' }).fill(title)
    return dialog
  }
  const slow = await begin(two.page, 'Pilot')
  const fast = await begin(one.page, 'Captain')
  await button(fast, 'Save').click()
  await fast.waitFor({ state: 'hidden' })
  await button(slow, 'Save').click()
  const conflict = conflictDialog(two.page)
  const row = conflict.getByRole('row').filter({ hasText: 'Title' })
  await row.waitFor()
  assert.deepEqual(await row.getByRole('cell').allTextContents(), ['Diver', 'Captain', 'Pilot'])
  await button(conflict, 'Keep theirs').click()
  await region(two.page, 'Details').getByText('Captain').waitFor()
  assert.equal((await view(person.id)).title, 'Captain')

  const again = await begin(two.page, 'Pilot')
  await api.personnel.update({ params: { user_id: person.id }, body: { phone: '112' } })
  await button(again, 'Save').click()
  await button(conflict, 'Save mine').click()
  await two.page.getByText('Frida Holm was updated.').waitFor()
  await region(two.page, 'Details').getByText('Pilot').waitFor()
  const now = await view(person.id)
  assert.deepEqual([now.title, now.phone], ['Pilot', '112'])
  assertNoErrors(one)
  assertNoErrors(two)
})

test('suspends and resumes a person with a reason and undo', async () => {
  const { person } = await createPerson('Gro Lund')
  const session = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  const status = region(page, 'Status')
  await assertDisabled(page, 'Resume', /Gro Lund is not suspended/)
  await assertDisabled(page, 'Rejoin', /is on the roster/)
  await assertDisabled(page, 'Erase', /Only a departed person/)
  await assertDisabled(page, 'Hand over', /nothing to hand over/)
  const dialog = await openDialog(page, 'Suspend', 'Suspend Gro Lund')
  await dialog.getByLabel('Reason').fill('Gone fishing.')
  await button(dialog, 'Suspend').click()
  await status.getByText('Cannot be assigned').waitFor()
  await status.getByText('Gone fishing.').waitFor()
  await button(page, 'Undo').click()
  await status.getByText('Can be assigned').waitFor()
  assert.equal((await view(person.id)).status, 'active')

  await button(await openDialog(page, 'Suspend', 'Suspend Gro Lund'), 'Suspend').click()
  await page.getByText('Gro Lund is suspended.').waitFor()
  const back = await openDialog(page, 'Resume', 'Resume Gro Lund')
  await back.getByLabel('Reason').fill('No fish.')
  await button(back, 'Resume').click()
  await page.getByText('Gro Lund is active again.').waitFor()
  await status.getByText('No fish.').waitFor()
  assert.deepEqual((await view(person.id)).status_reason, 'No fish.')
  assertNoErrors(session)
})

test('offboards a person after a handover and shows a receipt', async () => {
  const { person } = await createPerson('Hedda Moe', 2)
  const { person: successor } = await createPerson('Iver Moe')
  const session = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  const dialog = await openDialog(page, 'Offboard', 'Offboard Hedda Moe')
  await dialog.getByText('Assigned to Hedda Moe: 2 tasks.').waitFor()
  await button(dialog, 'Offboard').click()
  await dialog.getByText('Choose a new owner.').waitFor()
  await chooseOption(page, dialog, ['New owner', 'Noor El Idrissi'])
  await button(dialog, 'Offboard').click()
  await dialog.getByRole('alert').getByText('This person cannot be assigned new work.').waitFor()
  await dialog.getByRole('alert').getByText('Noor El Idrissi is suspended').waitFor()
  assert.equal((await view(person.id)).status, 'active')

  await chooseOption(page, dialog, ['New owner', 'Iver Moe'])
  await dialog.getByLabel('Reason').fill('Moved inland.')
  await button(dialog, 'Offboard').click()
  await dialog.waitFor({ state: 'hidden' })
  const receipt = page.getByRole('status').filter({ hasText: 'Receipt' })
  await receipt.getByText('Hedda Moe left the roster.').waitFor()
  await receipt.getByText('Handed over: 2 tasks.').waitFor()
  await receipt.getByRole('link', { name: 'Iver Moe' }).waitFor()
  await receipt.getByText('Still assigned to Hedda Moe: nothing.').waitFor()
  const now = await view(person.id)
  assert.deepEqual([now.status, now.status_reason], ['departed', 'Moved inland.'])
  assert.deepEqual(await assignedTo(successor.id), ['Dive 1', 'Dive 2'])
  await region(page, 'Assigned work').getByText('No assigned work').waitFor()
  await button(page, 'Dismiss the receipt').click()
  await receipt.waitFor({ state: 'hidden' })
  assertNoErrors(session)
})

test('offboarding fails with assigned work or keeps it, and the person rejoins', async () => {
  const { person } = await createPerson('Kari Berg', 1)
  const session = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  const dialog = await openDialog(page, 'Offboard', 'Offboard Kari Berg')
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
  await assertDisabled(page, 'Suspend', /Kari Berg has left/)
  await assertDisabled(page, 'Offboard', /Kari Berg has already left/)

  await button(await openDialog(page, 'Rejoin', 'Rejoin Kari Berg'), 'Rejoin').click()
  await page.getByText('Kari Berg rejoined.').waitFor()
  await region(page, 'Status').getByText('Can be assigned').waitFor()
  assert.equal((await view(person.id)).status, 'active')
  await button(page, 'Undo').click()
  await region(page, 'Status').getByText('Cannot be assigned').waitFor()
  assert.equal((await view(person.id)).status, 'departed')
  assertNoErrors(session)
})

test('hands over the work of one project without offboarding', async () => {
  const { person, project_id } = await createPerson('Liv Dahl', 1)
  const { person: successor } = await createPerson('Magne Dahl')
  const other = await api.projects.create({
    body: { code: 'KEEP', name: 'Kept', owner_user_id: person.id },
  })
  const { code } = await api.projects.view({ params: { project_id } })
  const session = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  const dialog = await openDialog(page, 'Hand over', 'Hand over the work of Liv Dahl')
  await dialog.getByText('Assigned to Liv Dahl: 1 project, 1 task.').waitFor()
  await button(dialog, 'Hand over').click()
  await dialog.getByText('Choose a new owner.').waitFor()
  await chooseOption(page, dialog, ['New owner', 'Magne Dahl'])
  await chooseOption(page, dialog, ['Only in this project', code])
  await button(dialog, 'Hand over').click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Handed over: 1 task.').waitFor()
  await page.getByText('Assigned to Liv Dahl: 1 project.').waitFor()
  assert.deepEqual(await assignedTo(successor.id), ['Dive 1'])
  assert.deepEqual(await assignedTo(person.id), [other.name])
  assertNoErrors(session)
})

test('erases a departed person and rejects a later rejoin', async () => {
  const { person } = await createPerson('Nils Foss')
  await api.personnel.depart({ params: { user_id: person.id }, body: {} })
  const session = await signIn(env, manager, { path: pathOf(person) })
  const late = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  const rejoin = await openDialog(late.page, 'Rejoin', 'Rejoin Nils Foss')
  const dialog = await openDialog(page, 'Erase', 'Erase Nils Foss')
  await dialog.getByText('This cannot be undone.').waitFor()
  await dialog.getByLabel('Type Nils Foss to confirm').fill('Nils Fos')
  await button(dialog, 'Erase').click()
  await dialog.getByText('The name does not match.').waitFor()
  assert.equal((await view(person.id)).erased_at, null)
  await dialog.getByLabel('Type Nils Foss to confirm').fill('Nils Foss')
  await button(dialog, 'Erase').click()
  await page.getByRole('heading', { level: 1, name: 'Erased person' }).waitFor()
  assert.equal((await view(person.id)).name, 'Erased person')
  await region(page, 'History').getByText('Erased', { exact: true }).waitFor()
  for (const name of ['Edit', 'Rejoin', 'Erase']) {
    await assertDisabled(page, name, /is erased/)
  }
  assert.equal(await page.getByText('Nils').count(), 0)

  await button(rejoin, 'Rejoin').click()
  await button(conflictDialog(late.page), 'Save mine').click()
  const alert = rejoin.getByRole('alert')
  await alert.getByText('The data of this person has been erased.').waitFor()
  assertNoErrors(session)
  assertNoErrors(late)
})
