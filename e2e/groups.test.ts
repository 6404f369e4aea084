import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { groupSteps, pathOf } from './support/group-steps.ts'
import { assertDisabled, button, heading, rowOf, conflictDialog, undo } from './support/steps.ts'

const env = await startEnvironment()
const { api, asManager, createGroup, userIdOf, view } = await groupSteps(env)

test('lists groups with their leads, search, filters and order', async () => {
  const session = await asManager('/groups')
  const { page } = session

  const geotechnics = rowOf(page, 'Geotechnics')
  await geotechnics.getByText('Everyone who answers for soil and rock.').waitFor()
  await geotechnics.getByRole('cell', { name: '7', exact: true }).waitFor()
  await geotechnics.getByRole('link', { name: 'Åsa Öhman' }).waitFor()
  await geotechnics.getByText('Active').waitFor()
  assert.equal(await rowOf(page, 'Flood-warning handover').count(), 0, 'archived groups are hidden')

  await page.getByRole('searchbox', { name: 'Search' }).fill('tunn')
  await page.getByRole('heading', { name: '1 group' }).waitFor()
  await rowOf(page, 'Tunnel and shaft works').waitFor()
  assert.match(page.url(), /\?q=tunn$/)
  await page.getByRole('searchbox', { name: 'Search' }).fill('no such thing')
  await page.getByText('No groups match').waitFor()

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
  assertNoErrors(session)
})

test('creates a group with members and leads and rejects a duplicate name', async () => {
  const session = await asManager('/groups')
  const { page } = session
  await button(page, 'New group').click()
  const dialog = page.getByRole('dialog', { name: 'New group' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('geotechnics')
  await dialog.getByLabel('Description').fill('Crane operators.')
  await dialog.getByRole('combobox', { name: 'Members' }).fill('papado')
  await page.getByRole('option', { name: 'Dimitra Papadopoulou' }).click()
  await dialog.getByRole('combobox', { name: 'Members' }).fill('priya')
  await page.getByRole('option', { name: 'Priya Raghunathan' }).click()
  await dialog.getByRole('checkbox', { name: 'Priya Raghunathan' }).check()
  await dialog.getByRole('button', { name: 'Create group' }).click()
  await dialog.getByRole('alert').getByText('already has this name').waitFor()

  await dialog.getByRole('textbox', { name: 'Name' }).fill('Crane crews')
  await dialog.getByRole('button', { name: 'Create group' }).click()
  await heading(page, 'Crane crews').waitFor()
  await page.getByText('Crane crews was created.').waitFor()
  await rowOf(page, 'Priya Raghunathan').getByText('Lead', { exact: true }).waitFor()

  const { data } = await api.groups.list({ query: { q: 'Crane crews' } })
  assert.equal(data.length, 1)
  assert.equal(data[0]?.description, 'Crane operators.')
  assert.equal(data[0]?.member_count, 2)
  assert.deepEqual(data[0]?.lead_user_ids, [userIdOf('Priya Raghunathan')])
  assertNoErrors(session)
})

test('an empty workspace shows the first steps', async () => {
  const keys = await env.emptyWorkspace('No groups')
  const session = await signIn(env, keys.manager, { path: '/groups' })
  const { page } = session
  await page.getByText('No groups yet').waitFor()
  await button(page, 'New group').click()
  const dialog = page.getByRole('dialog', { name: 'New group' })
  await dialog.getByRole('button', { name: 'Create group' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('The first')
  await dialog.getByRole('button', { name: 'Create group' }).click()
  await heading(page, 'The first').waitFor()
  await page.getByText('No members yet').waitFor()
  await button(page, 'Add people').click()
  await page.getByRole('combobox', { name: 'People' }).press('ArrowDown')
  await page.getByText('No one on the roster matches').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await page.getByText('Choose at least one person.').waitFor()
  assertNoErrors(session)
})

test('edits a group and undoes the edit', async () => {
  const group = await createGroup('Surveyors')
  const session = await asManager(pathOf(group))
  const { page } = session
  await button(page, 'Edit').click()
  const dialog = page.getByRole('dialog', { name: 'Edit Surveyors' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Land surveyors')
  await dialog.getByLabel('External ID').fill('ou-9')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await heading(page, 'Land surveyors').waitFor()
  await page.getByText('Land surveyors was updated.').waitFor()
  const changed = await view(group)
  assert.deepEqual([changed.name, changed.external_id], ['Land surveyors', 'ou-9'])

  await undo(page, 'Land surveyors was updated.')
  await heading(page, 'Surveyors').waitFor()
  const back = await view(group)
  assert.deepEqual(
    [back.name, back.external_id, back.description],
    ['Surveyors', null, 'Original.'],
  )
  assertNoErrors(session)
})

test('an archived group is read-only until it is restored', async () => {
  const group = await createGroup('Divers', ['Emil Sandström'])
  const session = await asManager(pathOf(group))
  const { page } = session
  await assertDisabled(page, 'Restore', /already active/)
  await button(page, 'Archive').click()
  await page.getByText('Divers is archived.').waitFor()
  assert.equal((await view(group)).status, 'archived')
  await undo(page, 'Divers is archived.')
  await page.getByRole('button', { name: 'Archive', disabled: false }).waitFor()
  assert.equal((await view(group)).status, 'active')

  await button(page, 'Archive').click()
  await page.getByText('Divers is archived.').waitFor()
  await assertDisabled(page, 'Archive', /already archived/)
  for (const name of [
    'Edit',
    'Add people',
    'Make lead: Emil Sandström',
    'Remove: Emil Sandström',
  ]) {
    await assertDisabled(page, name, /Restore it first/)
  }

  const successor = await createGroup('Divers')
  await button(page, 'Restore').click()
  const refusal = page.getByRole('alert').filter({ hasText: 'already has this name' })
  await refusal.getByRole('link', { name: 'What this means and how to fix it' }).waitFor()
  assert.equal((await view(group)).status, 'archived')

  await api.groups.archive({ params: { group_id: successor.id } })
  await button(page, 'Restore').click()
  await page.getByText('Divers is active again.').waitFor()
  assert.equal((await view(group)).status, 'active')
  assertNoErrors(session)
})

test('a concurrent group edit opens the conflict dialog', async () => {
  const group = await createGroup('Drillers')
  const [slow, fast] = [await asManager(pathOf(group)), await asManager(pathOf(group))]
  const change = async (page: Page, field: string, text: string) => {
    await button(page, 'Edit').click()
    await page.getByRole('dialog').getByLabel(field).fill(text)
  }
  const conflict = conflictDialog(slow.page)

  await change(slow.page, 'Name', 'Mine')
  await change(fast.page, 'Description', 'Theirs.')
  await button(fast.page, 'Save').click()
  await fast.page.getByText('Drillers was updated.').waitFor()
  await button(slow.page, 'Save').click()
  await conflict.getByRole('row', { name: 'Description Original. Theirs.' }).waitFor()
  await conflict.getByRole('row', { name: 'Name Drillers Drillers Mine' }).waitFor()
  await conflict.getByRole('button', { name: 'Keep theirs' }).click()
  await slow.page.getByText('Theirs.').waitFor()
  assert.equal((await view(group)).name, 'Drillers')

  await change(slow.page, 'Name', 'Mine')
  await change(fast.page, 'Description', 'Theirs again.')
  await button(fast.page, 'Save').click()
  await fast.page.getByText('Theirs again.').first().waitFor()
  await button(slow.page, 'Save').click()
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await slow.page.getByText('Mine was updated.').waitFor()
  await heading(slow.page, 'Mine').waitFor()
  const both = await view(group)
  assert.deepEqual([both.name, both.description], ['Mine', 'Theirs again.'])
  assertNoErrors(slow)
  assertNoErrors(fast)
})

test('a read-only key sees disabled actions with the reason', async () => {
  const session = await signIn(env, env.keys.reader, { path: '/groups' })
  const { page } = session
  const reason = /“Demo reader” cannot do this: it needs the scope personnel\.manage/
  await assertDisabled(page, 'New group', reason)
  await page.getByRole('link', { name: 'Safety board' }).click()
  await rowOf(page, 'Tomáš Kolář').getByText('Lead', { exact: true }).waitFor()
  for (const name of ['Edit', 'Archive', 'Restore', 'Add people', 'Remove selected']) {
    await assertDisabled(page, name, reason)
  }
  await assertDisabled(page, 'Remove lead: Tomáš Kolář', reason)
  await assertDisabled(page, 'Remove: Tomáš Kolář', reason)
  assertNoErrors(session)
})

test('shows a missing scope and a missing group', async () => {
  const session = await signIn(env, env.keys.unscoped, { path: '/groups' })
  const { page } = session
  await page.getByRole('alert').getByText('personnel.read').waitFor()
  assertNoErrors(session)

  const lost = await asManager('/groups/grp_01ktrr9d3hen4v9q9t9m2g8x5d')
  await lost.page.getByRole('alert').getByText('There is no group').waitFor()
  await lost.page.getByRole('navigation', { name: 'Breadcrumb' }).waitFor()
  assertNoErrors(lost)
})
