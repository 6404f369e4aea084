import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Locator, Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import {
  chooseOption,
  menuOf,
  pathOf,
  personCreator,
  personFinder,
  properties,
  startAction,
  takesNewWork,
} from './support/people-steps.ts'
import { button, conflictDialog, property, region, toast } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, manager)
const findPerson = personFinder(api)

const view = (user_id: string) => api.personnel.view({ params: { user_id } })

const createPerson = personCreator(api)

test('shows properties, reports, groups, assigned work and history', async () => {
  const asa = await findPerson('Åsa')
  const session = await signIn(env, reader, { path: pathOf(asa) })
  const { page } = session
  const details = properties(page)
  for (const text of ['Head of geotechnics', '+46 8 465 004 20', '4 Mar 2013', 'nw-1011']) {
    await details.getByText(text, { exact: true }).waitFor()
  }
  await details.getByText('asa.ohman@northwater.example').waitFor()
  const email = page.getByRole('link', { name: 'Email', exact: true })
  assert.equal(await email.getAttribute('href'), 'mailto:asa.ohman@northwater.example')
  await details.getByText('Tomáš Kolář').waitFor()
  await region(page, 'Direct reports').getByRole('link', { name: 'Mihai' }).waitFor()
  await region(page, 'Groups').getByRole('link', { name: 'Safety' }).waitFor({ state: 'hidden' })
  await region(page, 'Groups').getByRole('link', { name: 'Geotechnics' }).waitFor()
  assert.equal(await page.getByText(asa.id).count(), 0)

  const { data: assignments } = await api.personnel.assignments({ params: { user_id: asa.id } })
  const table = region(page, 'Assigned work').getByRole('table')
  await table.waitFor()
  assert.equal(await table.locator('[data-row]').count(), assignments.length)
  for (const { type, id, title, project_id } of assignments) {
    const place = type === 'project' ? '' : `/${type}s/${id}`
    const link = table.getByRole('link', { name: title, exact: true }).first()
    assert.equal(await link.getAttribute('href'), `/projects/${project_id}${place}`)
  }

  await page.goto(env.base + pathOf(await findPerson('Leïla')))
  const history = region(page, 'Activity')
  await history.getByText('changed the manager from Jürgen Weiß to Åsa Öhman').waitFor()
  await history.getByText('changed the title from Instrumentation engineer to Senior').waitFor()
  await page.getByText('Reports to Åsa Öhman').getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Åsa Öhman' }).waitFor()
  await page.goto(`${env.base}/people/usr_01ktrr9d3hen4v9q9t9m2g8x5c`)
  await page.getByRole('alert').getByText('This person does not exist or was moved.').waitFor()
  assertNoErrors(session)
})

test('groups the work by due date', async () => {
  const { person, project_id } = await createPerson('Tora Lie', 1)
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  for (const [title, days] of [
    ['Late', -3],
    ['Soon', 2],
    ['Then', 40],
  ] as const) {
    await api.tasks.create({
      params: { project_id },
      body: { title, assignee_user_id: person.id, due_on: day(days) },
    })
  }
  const session = await signIn(env, reader, { path: pathOf(person) })
  const table = region(session.page, 'Assigned work').getByRole('table')
  await table.waitFor()
  const rows = (await table.getByRole('row').allInnerTexts()).slice(1)
  const shown = rows.map(
    (text) => /Overdue|This week|Later|No date \d|Late|Soon|Then|Dive/.exec(text)?.[0],
  )
  const groups = ['Overdue', 'Late', 'This week', 'Soon', 'Later', 'Then', 'No date 1', 'Dive']
  assert.deepEqual(shown, groups)
  assertNoErrors(session)
})

test('changes a property in place, and joins and leaves a group', async () => {
  const { person } = await createPerson('Una Strand')
  await api.groups.create({ body: { name: 'Night shift' } })
  const session = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  await property(page, 'Title').click()
  const editor = page.getByRole('dialog', { name: 'Title' })
  await editor.getByRole('textbox', { name: 'Title' }).fill('Lead diver')
  await page.keyboard.press('Enter')
  await toast(page, 'Una Strand was updated.').waitFor()
  assert.equal((await view(person.id)).title, 'Lead diver')

  const groups = region(page, 'Groups')
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  await click(button(groups, 'Add to group'))
  await page.getByRole('combobox', { name: 'Group' }).fill('night')
  await click(page.getByRole('option', { name: 'Night shift' }))
  await groups.getByRole('link', { name: 'Night shift' }).waitFor()
  assert.ok(clicks <= 3)
  assert.equal((await view(person.id)).group_ids.length, 1)
  await button(groups, 'Leave: Night shift').click()
  await groups.getByText('No groups.').waitFor()
  assert.deepEqual((await view(person.id)).group_ids, [])
  assertNoErrors(session)
})

test('edits a person, rejects a reporting cycle and undoes the edit', async () => {
  const { person } = await createPerson('Edda Vik')
  const report = await api.personnel.create({
    body: { name: 'Rune Vik', manager_user_id: person.id },
  })
  const session = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  const dialog = await startAction(page, 'Edit', 'Edda Vik')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Lead diver')
  await chooseOption(page, dialog, ['Reports to', 'Rune Vik'])
  await button(dialog, 'Save').click()
  await dialog.getByRole('alert').getByText('The person would report to themselves.').waitFor()
  await dialog.getByRole('alert').getByText('Rune Vik reports to Edda Vik').waitFor()
  assert.equal((await view(person.id)).title, 'Diver')

  await chooseOption(page, dialog, ['Reports to', 'Åsa Öhman'])
  await button(dialog, 'Save').click()
  await dialog.waitFor({ state: 'hidden' })
  await properties(page).getByText('Lead diver').waitFor()
  await region(page, 'Activity').getByText('from Diver to Lead diver').waitFor()
  assert.equal((await view(person.id)).manager_user_id, (await findPerson('Åsa')).id)

  await button(page, 'Undo').click()
  await button(page, 'Change: Title Diver').waitFor()
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
    const dialog = await startAction(page, 'Edit', 'Frida Holm')
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
  await properties(two.page).getByText('Captain').waitFor()
  assert.equal((await view(person.id)).title, 'Captain')

  const again = await begin(two.page, 'Pilot')
  await api.personnel.update({ params: { user_id: person.id }, body: { phone: '112' } })
  await button(again, 'Save').click()
  await button(conflict, 'Save mine').click()
  await two.page.getByText('Frida Holm was updated.').waitFor()
  await properties(two.page).getByText('Pilot').waitFor()
  const now = await view(person.id)
  assert.deepEqual([now.title, now.phone], ['Pilot', '112'])
  assertNoErrors(one)
  assertNoErrors(two)
})

test('suspends and resumes a person with a reason and undo', async () => {
  const { person } = await createPerson('Gro Lund')
  const session = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  const status = properties(page)
  await region(page, 'Assigned work').getByText('No assigned work').waitFor()
  assert.deepEqual(await menuOf(page), ['Edit …', 'Suspend …', 'Offboard …'])
  assert.equal(await button(page, 'Hand over …').count(), 0)
  const dialog = await startAction(page, 'Suspend', 'Gro Lund')
  await dialog.getByLabel('Reason').fill('Gone fishing.')
  await button(dialog, 'Suspend').click()
  await takesNewWork(page, 'No').waitFor()
  await status.getByText('Gone fishing.').waitFor()
  await button(page, 'Undo').click()
  await takesNewWork(page, 'Yes').waitFor()
  assert.equal((await view(person.id)).status, 'active')

  await button(await startAction(page, 'Suspend', 'Gro Lund'), 'Suspend').click()
  await page.getByText('Gro Lund is suspended.').waitFor()
  const back = await startAction(page, 'Resume', 'Gro Lund')
  await back.getByLabel('Reason').fill('No fish.')
  await button(back, 'Resume').click()
  await page.getByText('Gro Lund is active again.').waitFor()
  await status.getByText('No fish.').waitFor()
  assert.deepEqual((await view(person.id)).status_reason, 'No fish.')
  assertNoErrors(session)
})

test('erases a departed person and rejects a later rejoin', async () => {
  const { person } = await createPerson('Nils Foss')
  await api.personnel.depart({ params: { user_id: person.id }, body: {} })
  const session = await signIn(env, manager, { path: pathOf(person) })
  const late = await signIn(env, manager, { path: pathOf(person) })
  const { page } = session
  const rejoin = await startAction(late.page, 'Rejoin', 'Nils Foss')
  const dialog = await startAction(page, 'Erase', 'Nils Foss')
  await dialog.getByText('This cannot be undone.').waitFor()
  await dialog.getByLabel('Type Nils Foss to confirm').fill('Nils Fos')
  await button(dialog, 'Erase').click()
  await dialog.getByText('The name does not match.').waitFor()
  assert.equal((await view(person.id)).erased_at, null)
  await dialog.getByLabel('Type Nils Foss to confirm').fill('Nils Foss')
  await button(dialog, 'Erase').click()
  await page.getByRole('heading', { level: 1, name: 'Erased person' }).waitFor()
  assert.equal((await view(person.id)).name, 'Erased person')
  await region(page, 'Activity')
    .getByText(/erased/i)
    .first()
    .waitFor()
  await page.getByRole('note').getByText('The personal data is erased.').waitFor()
  assert.equal(await button(page, 'More actions: Erased person').count(), 0)
  assert.equal(await page.getByText('Nils').count(), 0)

  await button(rejoin, 'Rejoin').click()
  await button(conflictDialog(late.page), 'Save mine').click()
  const alert = rejoin.getByRole('alert')
  await alert.getByText('The data of this person has been erased.').waitFor()
  assertNoErrors(session)
  assertNoErrors(late)
})
