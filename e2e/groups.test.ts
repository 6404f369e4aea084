import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { groupSteps, pathOf } from './support/group-steps.ts'
import { menuOf } from './support/people-steps.ts'
import {
  assertNotOffered,
  button,
  chooseAction,
  conflictDialog,
  heading,
  openFilters,
  rowOf,
  undo,
} from './support/steps.ts'

const env = await startEnvironment()
const { api, asManager, createGroup, userIdOf, view } = await groupSteps(env)

test('lists groups with their leads, search, filters and order', async () => {
  const session = await asManager('/groups')
  const { page } = session

  const geotechnics = rowOf(page, 'Geotechnics')
  await geotechnics.getByText('Everyone who answers for soil and rock.').waitFor()
  await geotechnics.getByRole('cell', { name: '7', exact: true }).waitFor()
  await geotechnics.getByText('Åsa Öhman').waitFor()
  assert.equal(await rowOf(page, 'Flood-warning handover').count(), 0, 'archived groups are hidden')

  const filters = await openFilters(page)
  await filters.getByRole('textbox', { name: 'Search' }).fill('tunn')
  await geotechnics.waitFor({ state: 'detached' })
  await rowOf(page, 'Tunnel and shaft works').waitFor()
  assert.match(page.url(), /\?q=tunn$/)
  await filters.getByRole('textbox', { name: 'Search' }).fill('no such thing')
  await page.getByText('No groups match').waitFor()
  await page.keyboard.press('Escape')
  await button(page, 'Clear Search').click()
  await geotechnics.waitFor()

  await page.getByRole('link', { name: 'Archived 1' }).click()
  await rowOf(page, 'Flood-warning handover').waitFor()
  assert.match(page.url(), /view=archived/)
  await page.goBack()
  await geotechnics.waitFor()
  await button(page, 'Display').click()
  await page.getByRole('menuitemradio', { name: 'Newest first' }).click()
  const newest = await api.groups.list({ query: { sort: '-created_at', limit: 1 } })
  await page
    .getByRole('row')
    .nth(1)
    .getByText(newest.data[0]?.name ?? '', { exact: true })
    .waitFor()
  await geotechnics.getByText('Åsa Öhman').click()
  await heading(page, 'Geotechnics').waitFor()
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
  await chooseAction(page, 'Surveyors', 'Edit')
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
  const archive = async () => {
    await chooseAction(page, 'Divers', 'Archive')
    await page.getByText('Divers is archived.').last().waitFor()
  }
  assert.deepEqual(await menuOf(page), ['Edit …', 'Archive'])
  await archive()
  assert.equal((await view(group)).status, 'archived')
  await undo(page, 'Divers is archived.')
  await button(page, 'Add people').waitFor()
  assert.equal((await view(group)).status, 'active')

  await archive()
  await page.getByRole('note').getByText('read-only').waitFor()
  await rowOf(page, 'Emil Sandström').hover()
  for (const name of ['More actions: Divers', 'Add people', 'Remove: Emil Sandström']) {
    assert.equal(await button(page, name).count(), 0, name)
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
    await chooseAction(page, 'Drillers', 'Edit')
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

test('a read-only key is offered no actions that it cannot use', async () => {
  const session = await signIn(env, env.keys.reader, { path: '/groups' })
  const { page } = session
  await assertNotOffered(page, 'New group')
  await page.getByRole('link', { name: 'Safety board' }).click()
  await rowOf(page, 'Tomáš Kolář').getByText('Lead', { exact: true }).waitFor()
  await rowOf(page, 'Tomáš Kolář').hover()
  await assertNotOffered(
    page,
    'Add people',
    'More actions: Safety board',
    'Remove lead: Tomáš Kolář',
    'Remove: Tomáš Kolář',
  )
  assertNoErrors(session)
})

test('shows a missing scope and a missing group', async () => {
  const session = await signIn(env, env.keys.unscoped, { path: '/groups' })
  const { page } = session
  await page.getByRole('alert').getByText('personnel.read').waitFor()
  assertNoErrors(session)

  const lost = await asManager('/groups/grp_01ktrr9d3hen4v9q9t9m2g8x5d')
  await lost.page.getByRole('alert').getByText('This group does not exist or was moved.').waitFor()
  await lost.page.getByRole('navigation', { name: 'Breadcrumb' }).waitFor()
  assertNoErrors(lost)
})
