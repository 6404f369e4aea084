import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { groupsOf, pathOf } from './group-steps.ts'
import { assertRefused, button, heading, rowOf, theConflict, undo } from './steps.ts'
import { assertQuiet, signedIn, startWorld } from './world.ts'

const world = await startWorld()
const { api, asManager, make, userIdOf, view } = await groupsOf(world)

test('the groups are listed with who leads them, and found as one types', async () => {
  const visit = await asManager('/groups')
  const { page } = visit

  const geotechnics = rowOf(page, 'Geotechnics')
  await geotechnics.getByText('Everyone who answers for soil and rock.').waitFor()
  await geotechnics.getByRole('cell', { name: '7', exact: true }).waitFor()
  await geotechnics.getByRole('link', { name: 'Åsa Öhman' }).waitFor()
  await geotechnics.getByText('Active').waitFor()
  assert.equal(await rowOf(page, 'Flood-warning handover').count(), 0, 'it is archived')

  await page.getByRole('searchbox', { name: 'Search' }).fill('tunn')
  await page.getByRole('heading', { name: '1 group' }).waitFor()
  await rowOf(page, 'Tunnel and shaft works').waitFor()
  assert.match(page.url(), /\?q=tunn$/)
  await page.getByRole('searchbox', { name: 'Search' }).fill('no such thing')
  await page.getByText('No group matches').waitFor()

  await button(page, 'Clear all filters').click()
  await geotechnics.waitFor()
  await button(page, 'Filters').click()
  await page.getByLabel('Status').selectOption('Archived')
  await rowOf(page, 'Flood-warning handover').getByText('Archived').waitFor()
  assert.match(page.url(), /status=archived/)
  await page.getByLabel('Order').selectOption('Newest first')
  await page.getByLabel('Status').selectOption('Active and archived')
  await page.getByRole('heading', { name: '8 groups' }).waitFor()
  await page.getByRole('row').nth(1).getByText('Flood-warning handover').waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: '1 group' }).waitFor()
  assertQuiet(visit)
})

test('a new group has its first members and leads, and a name of its own', async () => {
  const visit = await asManager('/groups')
  const { page } = visit
  await button(page, 'New group').click()
  const dialog = page.getByRole('dialog', { name: 'New group' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('geotechnics')
  await dialog.getByLabel('Description').fill('Who may lift.')
  await dialog.getByRole('combobox', { name: 'First members' }).fill('papado')
  await page.getByRole('option', { name: 'Dimitra Papadopoulou' }).click()
  await dialog.getByRole('combobox', { name: 'First members' }).fill('priya')
  await page.getByRole('option', { name: 'Priya Raghunathan' }).click()
  await dialog.getByRole('checkbox', { name: 'Priya Raghunathan' }).check()
  await dialog.getByRole('button', { name: 'Make the group' }).click()
  await dialog.getByRole('alert').getByText('already has this name').waitFor()

  await dialog.getByRole('textbox', { name: 'Name' }).fill('Crane crews')
  await dialog.getByRole('button', { name: 'Make the group' }).click()
  await heading(page, 'Crane crews').waitFor()
  await page.getByText('Crane crews was made.').waitFor()
  await rowOf(page, 'Priya Raghunathan').getByText('Lead', { exact: true }).waitFor()

  const { data } = await api.groups.list({ query: { q: 'Crane crews' } })
  assert.equal(data.length, 1)
  assert.equal(data[0]?.description, 'Who may lift.')
  assert.equal(data[0]?.member_count, 2)
  assert.deepEqual(data[0]?.lead_user_ids, [userIdOf('Priya Raghunathan')])
  assertQuiet(visit)
})

test('where there is nothing yet it says what to do first', async () => {
  const keys = await world.emptyWorkspace('Nowhere')
  const visit = await signedIn(world, keys.manager, { path: '/groups' })
  const { page } = visit
  await page.getByText('No groups yet').waitFor()
  await button(page, 'New group').click()
  const dialog = page.getByRole('dialog', { name: 'New group' })
  await dialog.getByRole('button', { name: 'Make the group' }).click()
  await dialog.getByText('Give the group a name.').waitFor()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('The first')
  await dialog.getByRole('button', { name: 'Make the group' }).click()
  await heading(page, 'The first').waitFor()
  await page.getByText('Nobody belongs to this group yet').waitFor()
  await button(page, 'Add people').click()
  await page.getByRole('combobox', { name: 'People' }).press('ArrowDown')
  await page.getByText('Nobody on the roster matches').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await page.getByText('Choose at least one person.').waitFor()
  assertQuiet(visit)
})

test('what is said of a group is changed, and taken back', async () => {
  const group = await make('Surveyors')
  const visit = await asManager(pathOf(group))
  const { page } = visit
  await button(page, 'Edit').click()
  const dialog = page.getByRole('dialog', { name: 'Edit Surveyors' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Land surveyors')
  await dialog.getByLabel('External id').fill('ou-9')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await heading(page, 'Land surveyors').waitFor()
  await page.getByText('Land surveyors was changed.').waitFor()
  const changed = await view(group)
  assert.deepEqual([changed.name, changed.external_id], ['Land surveyors', 'ou-9'])

  await undo(page, 'Land surveyors was changed.')
  await heading(page, 'Surveyors').waitFor()
  const back = await view(group)
  assert.deepEqual(
    [back.name, back.external_id, back.description],
    ['Surveyors', null, 'As it was.'],
  )
  assertQuiet(visit)
})

test('an archived group is left as it is until it is restored', async () => {
  const group = await make('Divers', ['Emil Sandström'])
  const visit = await asManager(pathOf(group))
  const { page } = visit
  await assertRefused(page, 'Restore', /nothing to restore/)
  await button(page, 'Archive').click()
  await page.getByText('Divers is archived.').waitFor()
  assert.equal((await view(group)).status, 'archived')
  await undo(page, 'Divers is archived.')
  await page.getByRole('button', { name: 'Archive', disabled: false }).waitFor()
  assert.equal((await view(group)).status, 'active')

  await button(page, 'Archive').click()
  await page.getByText('Divers is archived.').waitFor()
  await assertRefused(page, 'Archive', /archived already/)
  for (const name of [
    'Edit',
    'Add people',
    'Make lead: Emil Sandström',
    'Remove: Emil Sandström',
  ]) {
    await assertRefused(page, name, /Restore it first/)
  }

  const successor = await make('Divers')
  await button(page, 'Restore').click()
  const refusal = page.getByRole('alert').filter({ hasText: 'already has this name' })
  await refusal.getByRole('link', { name: 'What this means and how to fix it' }).waitFor()
  assert.equal((await view(group)).status, 'archived')

  await api.groups.archive({ params: { group_id: successor.id } })
  await button(page, 'Restore').click()
  await page.getByText('Divers is active again.').waitFor()
  assert.equal((await view(group)).status, 'active')
  assertQuiet(visit)
})

test('when two change a group at once, the slower one chooses', async () => {
  const group = await make('Drillers')
  const [slow, fast] = [await asManager(pathOf(group)), await asManager(pathOf(group))]
  const change = async (page: Page, field: string, text: string) => {
    await button(page, 'Edit').click()
    await page.getByRole('dialog').getByLabel(field).fill(text)
  }
  const conflict = theConflict(slow.page)

  await change(slow.page, 'Name', 'Mine')
  await change(fast.page, 'Description', 'Theirs.')
  await button(fast.page, 'Save').click()
  await fast.page.getByText('Drillers was changed.').waitFor()
  await button(slow.page, 'Save').click()
  await conflict.getByRole('row', { name: 'Description As it was. Theirs.' }).waitFor()
  await conflict.getByRole('row', { name: 'Name Drillers Drillers Mine' }).waitFor()
  await conflict.getByRole('button', { name: 'Leave theirs' }).click()
  await slow.page.getByText('Theirs.').waitFor()
  assert.equal((await view(group)).name, 'Drillers')

  await change(slow.page, 'Name', 'Mine')
  await change(fast.page, 'Description', 'Theirs again.')
  await button(fast.page, 'Save').click()
  await fast.page.getByText('Theirs again.').first().waitFor()
  await button(slow.page, 'Save').click()
  await conflict.getByRole('button', { name: 'Do mine on top' }).click()
  await slow.page.getByText('Mine was changed.').waitFor()
  await heading(slow.page, 'Mine').waitFor()
  const both = await view(group)
  assert.deepEqual([both.name, both.description], ['Mine', 'Theirs again.'])
  assertQuiet(slow)
  assertQuiet(fast)
})

test('a key that may only read sees everything, and why it can change nothing', async () => {
  const visit = await signedIn(world, world.keys.reader, { path: '/groups' })
  const { page } = visit
  const reason = /“Demo reader” may not do this: it needs the scope personnel\.manage/
  await assertRefused(page, 'New group', reason)
  await page.getByRole('link', { name: 'Safety board' }).click()
  await rowOf(page, 'Tomáš Kolář').getByText('Lead', { exact: true }).waitFor()
  for (const name of ['Edit', 'Archive', 'Restore', 'Add people', 'Remove selected']) {
    await assertRefused(page, name, reason)
  }
  await assertRefused(page, 'End lead: Tomáš Kolář', reason)
  await assertRefused(page, 'Remove: Tomáš Kolář', reason)
  assertQuiet(visit)
})

test('a key without the scope, and a group that is not there, are told so', async () => {
  const visit = await signedIn(world, world.keys.nobody, { path: '/groups' })
  const { page } = visit
  await page.getByRole('alert').getByText('personnel.read').waitFor()
  assertQuiet(visit)

  const lost = await asManager('/groups/grp_01ktrr9d3hen4v9q9t9m2g8x5d')
  await lost.page.getByRole('alert').getByText('There is no group').waitFor()
  await lost.page.getByRole('navigation', { name: 'Where this page is' }).waitFor()
  assertQuiet(lost)
})
