import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { at, choose, finderIn, opened } from './people-steps.ts'
import { assertRefused, assertRows, button, region, theConflict } from './steps.ts'
import { apiOf, assertQuiet, signedIn, startWorld } from './world.ts'

const world = await startWorld()
const { manager, reader } = world.keys
const api = apiOf(world, manager)
const someone = finderIn(api)

const view = (user_id: string) => api.personnel.view({ params: { user_id } })

let made = 0

/** Someone of whom no other test knows, and as many tasks as they are to hold. */
async function newcomer(name: string, tasks = 0) {
  const person = await api.personnel.create({ body: { name, title: 'Diver' } })
  if (tasks === 0) return { person, project_id: '' }
  made += 1
  const project = await api.projects.create({ body: { code: `DIV${made}`, name: `Dives ${made}` } })
  for (let task = 1; task <= tasks; task++) {
    await api.tasks.create({
      params: { project_id: project.id },
      body: { title: `Dive ${task}`, assignee_user_id: person.id },
    })
  }
  return { person, project_id: project.id }
}

const heldBy = async (user_id: string) =>
  (await api.personnel.assignments({ params: { user_id } })).data.map(({ title }) => title)

test('a page tells who someone is, whom they work with, what they hold and what became of them', async () => {
  const asa = await someone('Åsa')
  const seen = await signedIn(world, reader, { path: at(asa) })
  const { page } = seen
  const details = region(page, 'Details')
  for (const text of ['Head of geotechnics', '+46 8 465 004 20', '4 Mar 2013', 'nw-1011', asa.id]) {
    await details.getByText(text, { exact: true }).waitFor()
  }
  await details.getByRole('link', { name: 'asa.ohman@northwater.example' }).waitFor()
  await details.getByRole('link', { name: 'Tomáš Kolář' }).waitFor()
  await region(page, 'Who reports to them').getByRole('link', { name: 'Mihai' }).waitFor()
  await region(page, 'Groups').getByRole('link', { name: 'Safety' }).waitFor({ state: 'hidden' })
  await region(page, 'Groups').getByRole('link', { name: 'Geotechnics' }).waitFor()

  const { data: held } = await api.personnel.assignments({ params: { user_id: asa.id } })
  const table = region(page, 'What they hold').getByRole('table')
  await assertRows(table.getByRole('row'), held.length + 1)
  for (const { type, id, ref, project_id } of held) {
    const place = type === 'risk' || type === 'issue' ? `/${type}s/${id}` : ''
    const link = table.getByRole('link', { name: `${ref} `, exact: false }).first()
    assert.equal(await link.getAttribute('href'), `/projects/${project_id}${place}`)
  }

  await page.goto(world.base + at(await someone('Leïla')))
  const history = region(page, 'History')
  await history.getByText('Jürgen Weiß → Åsa Öhman').waitFor()
  await history.getByText('Instrumentation engineer → Senior').waitFor()
  await region(page, 'Details').getByRole('link', { name: 'Åsa Öhman' }).click()
  await page.getByRole('heading', { level: 1, name: 'Åsa Öhman' }).waitFor()
  await page.goto(`${world.base}/people/usr_01ktrr9d3hen4v9q9t9m2g8x5c`)
  await page.getByRole('alert').getByText('There is no person').waitFor()
  assertQuiet(seen)
})

test('a person is edited, and it can be undone; nobody reports to themselves', async () => {
  const { person } = await newcomer('Edda Vik')
  const report = await api.personnel.create({
    body: { name: 'Rune Vik', manager_user_id: person.id },
  })
  const seen = await signedIn(world, manager, { path: at(person) })
  const { page } = seen
  const dialog = await opened(page, 'Edit', 'Edit Edda Vik')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Lead diver')
  await choose(page, dialog, ['Manager', 'Rune Vik'])
  await button(dialog, 'Save').click()
  await dialog.getByRole('alert').getByText('The person would report to themselves.').waitFor()
  await dialog.getByRole('alert').getByText('Rune Vik reports to Edda Vik').waitFor()
  assert.equal((await view(person.id)).title, 'Diver')

  await choose(page, dialog, ['Manager', 'Åsa Öhman'])
  await button(dialog, 'Save').click()
  await dialog.waitFor({ state: 'hidden' })
  await region(page, 'Details').getByText('Lead diver').waitFor()
  await region(page, 'History').getByText('Diver → Lead diver').waitFor()
  assert.equal((await view(person.id)).manager_user_id, (await someone('Åsa')).id)

  await button(page, 'Undo').click()
  await region(page, 'Details').getByText('Diver', { exact: true }).waitFor()
  const now = await view(person.id)
  assert.deepEqual([now.title, now.manager_user_id], ['Diver', null])
  await region(page, 'Who reports to them').getByRole('link', { name: report.name }).waitFor()
  assertQuiet(seen)
})

test('of two who change the same person, the slower one chooses: theirs, or mine on top', async () => {
  const { person } = await newcomer('Frida Holm')
  const one = await signedIn(world, manager, { path: at(person) })
  const two = await signedIn(world, manager, { path: at(person) })
  const begin = async (page: Page, title: string) => {
    const dialog = await opened(page, 'Edit', 'Edit Frida Holm')
    await dialog.getByRole('textbox', { name: 'Title' }).fill(title)
    return dialog
  }
  const slow = await begin(two.page, 'Pilot')
  const fast = await begin(one.page, 'Captain')
  await button(fast, 'Save').click()
  await fast.waitFor({ state: 'hidden' })
  await button(slow, 'Save').click()
  const conflict = theConflict(two.page)
  const row = conflict.getByRole('row').filter({ hasText: 'Title' })
  await row.waitFor()
  assert.deepEqual(await row.getByRole('cell').allTextContents(), ['Diver', 'Captain', 'Pilot'])
  await button(conflict, 'Leave theirs').click()
  await region(two.page, 'Details').getByText('Captain').waitFor()
  assert.equal((await view(person.id)).title, 'Captain')

  const again = await begin(two.page, 'Pilot')
  await api.personnel.update({ params: { user_id: person.id }, body: { phone: '112' } })
  await button(again, 'Save').click()
  await button(conflict, 'Do mine on top').click()
  await two.page.getByText('Frida Holm was changed.').waitFor()
  await region(two.page, 'Details').getByText('Pilot').waitFor()
  const now = await view(person.id)
  assert.deepEqual([now.title, now.phone], ['Pilot', '112'])
  assertQuiet(one)
  assertQuiet(two)
})

test('someone is suspended and resumed, each with its reason and its undo', async () => {
  const { person } = await newcomer('Gro Lund')
  const seen = await signedIn(world, manager, { path: at(person) })
  const { page } = seen
  const life = region(page, 'Status')
  await assertRefused(page, 'Resume', /Gro Lund is not suspended/)
  await assertRefused(page, 'Bring back', /is on the roster/)
  await assertRefused(page, 'Erase', /Only someone who has departed/)
  await assertRefused(page, 'Hand over', /nothing to hand over/)
  const dialog = await opened(page, 'Suspend', 'Suspend Gro Lund')
  await dialog.getByLabel('Reason').fill('Gone fishing.')
  await button(dialog, 'Suspend').click()
  await life.getByText('Cannot be given to them').waitFor()
  await life.getByText('Gone fishing.').waitFor()
  await button(page, 'Undo').click()
  await life.getByText('Can be given to them').waitFor()
  assert.equal((await view(person.id)).status, 'active')

  await button(await opened(page, 'Suspend', 'Suspend Gro Lund'), 'Suspend').click()
  await page.getByText('Gro Lund is suspended.').waitFor()
  const back = await opened(page, 'Resume', 'Resume Gro Lund')
  await back.getByLabel('Reason').fill('No fish.')
  await button(back, 'Resume').click()
  await page.getByText('Gro Lund is active again.').waitFor()
  await life.getByText('No fish.').waitFor()
  assert.deepEqual((await view(person.id)).status_reason, 'No fish.')
  assertQuiet(seen)
})

test('someone departs once their work is handed over, and a receipt tells what went to whom', async () => {
  const { person } = await newcomer('Hedda Moe', 2)
  const { person: heir } = await newcomer('Iver Moe')
  const seen = await signedIn(world, manager, { path: at(person) })
  const { page } = seen
  const dialog = await opened(page, 'Depart', 'Let Hedda Moe depart')
  await dialog.getByText('Hedda Moe holds 2 tasks.').waitFor()
  await button(dialog, 'Depart').click()
  await dialog.getByText('Choose who takes it over.').waitFor()
  await choose(page, dialog, ['Who takes it over', 'Noor El Idrissi'])
  await button(dialog, 'Depart').click()
  await dialog.getByRole('alert').getByText('This person cannot be given new work.').waitFor()
  await dialog.getByRole('alert').getByText('Noor El Idrissi is suspended').waitFor()
  assert.equal((await view(person.id)).status, 'active')

  await choose(page, dialog, ['Who takes it over', 'Iver Moe'])
  await dialog.getByLabel('Reason').fill('Moved inland.')
  await button(dialog, 'Depart').click()
  await dialog.waitFor({ state: 'hidden' })
  const receipt = page.getByRole('status').filter({ hasText: 'Receipt' })
  await receipt.getByText('Hedda Moe has left the roster.').waitFor()
  await receipt.getByText('Handed over: 2 tasks.').waitFor()
  await receipt.getByRole('link', { name: 'Iver Moe' }).waitFor()
  await receipt.getByText('Still with Hedda Moe: nothing.').waitFor()
  const now = await view(person.id)
  assert.deepEqual([now.status, now.status_reason], ['departed', 'Moved inland.'])
  assert.deepEqual(await heldBy(heir.id), ['Dive 1', 'Dive 2'])
  await region(page, 'What they hold').getByText('Nothing is in their hands').waitFor()
  await button(page, 'Dismiss the receipt').click()
  await receipt.waitFor({ state: 'hidden' })
  assertQuiet(seen)
})

test('a departure may be refused for what is held, or leave it; who left is brought back', async () => {
  const { person } = await newcomer('Kari Berg', 1)
  const seen = await signedIn(world, manager, { path: at(person) })
  const { page } = seen
  const dialog = await opened(page, 'Depart', 'Let Kari Berg depart')
  await dialog.getByRole('radio', { name: 'Depart only if they hold nothing' }).check()
  await button(dialog, 'Depart').click()
  const alert = dialog.getByRole('alert')
  await alert.getByText('The person still holds projects, risks, issues or tasks.').waitFor()
  await alert.getByText('Kari Berg still holds 1 task.').waitFor()
  assert.equal((await view(person.id)).status, 'active')

  await dialog.getByRole('radio', { name: 'Leave it with them for now' }).check()
  await button(dialog, 'Depart').click()
  await page.getByText('Still with Kari Berg: 1 task.').waitFor()
  assert.deepEqual(await heldBy(person.id), ['Dive 1'])
  await assertRefused(page, 'Suspend', /Kari Berg has left/)
  await assertRefused(page, 'Depart', /Kari Berg has already left/)

  await button(await opened(page, 'Bring back', 'Bring Kari Berg back'), 'Bring back').click()
  await page.getByText('Kari Berg is back.').waitFor()
  await region(page, 'Status').getByText('Can be given to them').waitFor()
  assert.equal((await view(person.id)).status, 'active')
  await button(page, 'Undo').click()
  await region(page, 'Status').getByText('Cannot be given to them').waitFor()
  assert.equal((await view(person.id)).status, 'departed')
  assertQuiet(seen)
})

test('what someone holds of one project is handed over without their leaving', async () => {
  const { person, project_id } = await newcomer('Liv Dahl', 1)
  const { person: heir } = await newcomer('Magne Dahl')
  const other = await api.projects.create({
    body: { code: 'KEEP', name: 'Kept', owner_user_id: person.id },
  })
  const { code } = await api.projects.view({ params: { project_id } })
  const seen = await signedIn(world, manager, { path: at(person) })
  const { page } = seen
  const dialog = await opened(page, 'Hand over', 'Hand over what Liv Dahl holds')
  await dialog.getByText('Liv Dahl holds 1 project, 1 task.').waitFor()
  await button(dialog, 'Hand over').click()
  await dialog.getByText('Choose who takes it over.').waitFor()
  await choose(page, dialog, ['Who takes it over', 'Magne Dahl'])
  await choose(page, dialog, ['Only of this project', code])
  await button(dialog, 'Hand over').click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Handed over: 1 task.').waitFor()
  await page.getByText('Liv Dahl holds 1 project.').waitFor()
  assert.deepEqual(await heldBy(heir.id), ['Dive 1'])
  assert.deepEqual(await heldBy(person.id), [other.name])
  assertQuiet(seen)
})

test('who left is erased by name and for good; what comes too late is told', async () => {
  const { person } = await newcomer('Nils Foss')
  await api.personnel.depart({ params: { user_id: person.id }, body: {} })
  const seen = await signedIn(world, manager, { path: at(person) })
  const late = await signedIn(world, manager, { path: at(person) })
  const { page } = seen
  const rejoin = await opened(late.page, 'Bring back', 'Bring Nils Foss back')
  const dialog = await opened(page, 'Erase', 'Erase Nils Foss')
  await dialog.getByText('This cannot be undone.').waitFor()
  await dialog.getByLabel('Type Nils Foss to confirm').fill('Nils Fos')
  await button(dialog, 'Erase').click()
  await dialog.getByText('That is not the name.').waitFor()
  assert.equal((await view(person.id)).erased_at, null)
  await dialog.getByLabel('Type Nils Foss to confirm').fill('Nils Foss')
  await button(dialog, 'Erase').click()
  await page.getByRole('heading', { level: 1, name: 'Erased person' }).waitFor()
  assert.equal((await view(person.id)).name, 'Erased person')
  await region(page, 'History').getByText('Erased', { exact: true }).waitFor()
  for (const name of ['Edit', 'Bring back', 'Erase']) {
    await assertRefused(page, name, /is erased/)
  }
  assert.equal(await page.getByText('Nils').count(), 0)

  await button(rejoin, 'Bring back').click()
  await button(theConflict(late.page), 'Do mine on top').click()
  const alert = rejoin.getByRole('alert')
  await alert.getByText('What was known of this person has been erased.').waitFor()
  assertQuiet(seen)
  assertQuiet(late)
})
