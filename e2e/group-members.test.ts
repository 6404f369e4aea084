import assert from 'node:assert/strict'
import { test } from 'node:test'

import { assertNoErrors, startEnvironment } from './support/environment.ts'
import { groupSteps, pathOf } from './support/group-steps.ts'
import { arrowTo, waitForFocus, tabTo } from './support/keyboard.ts'
import { assertDisabled, button, heading, rowOf, conflictDialog, undo } from './support/steps.ts'

const env = await startEnvironment()
const { api, asManager, createGroup, membersOf, userIdOf, view } = await groupSteps(env)

test('adds and removes one or several members, with undo', async () => {
  const group = await createGroup('Welders', ['Lena Grünwald', 'Nadia Farouk'], ['Lena Grünwald'])
  const session = await asManager(pathOf(group))
  const { page } = session

  await button(page, 'Add people').click()
  const dialog = page.getByRole('dialog', { name: 'Add people to Welders' })
  const picker = dialog.getByRole('combobox', { name: 'People' })
  await picker.fill('nadia')
  await page.getByRole('option', { name: 'Already a member', disabled: true }).waitFor()
  await picker.fill('mara.l')
  await page.getByRole('option', { name: 'Mara Lindqvist' }).click()
  await picker.fill('sandstrom')
  await page.getByRole('option', { name: 'Emil Sandström' }).click()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('2 people joined Welders.').waitFor()
  await page.getByText('4 members').waitFor()
  const four = ['Emil Sandström', 'Lena Grünwald', 'Mara Lindqvist', 'Nadia Farouk']
  assert.deepEqual(await membersOf(group), four)

  await page.getByRole('searchbox', { name: 'Search' }).fill('grun')
  await page.getByText('1 member', { exact: true }).waitFor()
  await button(page, 'Remove: Lena Grünwald').click()
  await page.getByText('Lena Grünwald left Welders.').waitFor()
  await page.getByText('No members match').waitFor()
  assert.deepEqual((await view(group)).lead_user_ids, [])
  await undo(page, 'Lena Grünwald left Welders.')
  await rowOf(page, 'Lena Grünwald').getByText('Lead', { exact: true }).waitFor()
  assert.deepEqual((await view(group)).lead_user_ids, [userIdOf('Lena Grünwald')])

  await button(page, 'Clear all filters').click()
  await assertDisabled(page, 'Remove selected', /Select the members/)
  await page.getByRole('checkbox', { name: 'Select Mara Lindqvist' }).check()
  await page.getByRole('checkbox', { name: 'Select Nadia Farouk' }).check()
  await page.getByText('2 selected').waitFor()
  await button(page, 'Remove selected').click()
  await page.getByText('2 people left Welders.').waitFor()
  assert.deepEqual(await membersOf(group), ['Emil Sandström', 'Lena Grünwald'])
  await undo(page, '2 people left Welders.')
  await page.getByText('4 members').waitFor()
  assert.deepEqual(await membersOf(group), four)

  await page.getByRole('checkbox', { name: 'Select all 4' }).check()
  await button(page, 'Remove selected').click()
  await page.getByText('No members yet').waitFor()
  assert.deepEqual(await membersOf(group), [])
  assertNoErrors(session)
})

test('makes a member a lead and removes the lead', async () => {
  const group = await createGroup('Painters', ['Emil Sandström'])
  const session = await asManager(pathOf(group))
  const { page } = session
  await button(page, 'Make lead: Emil Sandström').click()
  await page.getByText('Emil Sandström is now a lead of Painters.').waitFor()
  await rowOf(page, 'Emil Sandström').getByText('Lead', { exact: true }).waitFor()
  assert.deepEqual((await view(group)).lead_user_ids, [userIdOf('Emil Sandström')])

  await undo(page, 'Emil Sandström is now a lead of Painters.')
  await button(page, 'Make lead: Emil Sandström').click()
  await button(page, 'Remove lead: Emil Sandström').click()
  await page.getByText('Emil Sandström is no longer a lead of Painters.').waitFor()
  assert.deepEqual((await view(group)).lead_user_ids, [])
  assertNoErrors(session)
})

test('two quick changes by one user do not conflict', async () => {
  const group = await createGroup('Plumbers', ['Emil Sandström', 'Lena Grünwald', 'Nadia Farouk'])
  const session = await asManager(pathOf(group))
  const { page } = session
  await button(page, 'Remove: Lena Grünwald').waitFor()
  await button(page, 'Remove: Emil Sandström').click()
  await button(page, 'Remove: Nadia Farouk').click()
  await page.getByText('Emil Sandström left Plumbers.').waitFor()
  await page.getByText('Nadia Farouk left Plumbers.').waitFor()
  assert.deepEqual(await membersOf(group), ['Lena Grünwald'])
  await undo(page, 'Emil Sandström left Plumbers.')
  await rowOf(page, 'Emil Sandström').waitFor()
  assert.deepEqual(await membersOf(group), ['Emil Sandström', 'Lena Grünwald'])
  assertNoErrors(session)
})

test('concurrent member changes can both be kept', async () => {
  const people = ['Emil Sandström', 'Nadia Farouk', 'Lena Grünwald']
  const group = await createGroup('Riggers', people)
  const session = await asManager(pathOf(group))
  const { page } = session
  const conflict = conflictDialog(page)
  const at = { params: { group_id: group.id } }

  await button(page, 'Make lead: Emil Sandström').waitFor()
  await api.groups.update({ ...at, body: { lead_user_ids: [userIdOf('Nadia Farouk')] } })
  await button(page, 'Make lead: Emil Sandström').click()
  await conflict
    .getByRole('row', { name: 'Leads — Nadia Farouk Nadia Farouk, Emil Sandström' })
    .waitFor()
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await page.getByText('Emil Sandström is now a lead of Riggers.').waitFor()
  const leads = [userIdOf('Emil Sandström'), userIdOf('Nadia Farouk')]
  assert.deepEqual((await view(group)).lead_user_ids, leads.toSorted())

  await rowOf(page, 'Nadia Farouk').getByText('Lead', { exact: true }).waitFor()
  const add = { add: [userIdOf('Mara Lindqvist')] }
  await api.groups.change_members({ ...at, body: add })
  await button(page, 'Remove: Lena Grünwald').click()
  await conflict.getByRole('row', { name: 'Leaving — — Lena Grünwald' }).waitFor()
  await conflict.getByRole('button', { name: 'Keep theirs' }).click()
  await rowOf(page, 'Mara Lindqvist').waitFor()
  assert.deepEqual(await membersOf(group), [
    'Emil Sandström',
    'Lena Grünwald',
    'Mara Lindqvist',
    'Nadia Farouk',
  ])
  assertNoErrors(session)
})

test('adds a member with the keyboard only', async () => {
  const group = await createGroup('A keyboard crew')
  const session = await asManager('/groups')
  const { page } = session
  const { keyboard } = page
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const link = page.getByRole('link', { name: 'A keyboard crew', exact: true })
  await tabTo(link)
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowUp')
  await waitForFocus(link)
  await keyboard.press('Enter')
  await heading(page, 'A keyboard crew').waitFor()
  await tabTo(button(page, 'Add people'))
  await keyboard.press('Enter')
  await waitForFocus(
    dialog('Add people to A keyboard crew').getByRole('combobox', { name: 'People' }),
  )
  await keyboard.type('farouk')
  await arrowTo(page.getByRole('option', { name: 'Nadia Farouk' }))
  await keyboard.press('Enter')
  await tabTo(button(page, 'Add'))
  await keyboard.press('Enter')
  await rowOf(page, 'Nadia Farouk').waitFor()
  assert.deepEqual(await membersOf(group), ['Nadia Farouk'])
  await tabTo(button(page, 'Make lead: Nadia Farouk'))
  await keyboard.press('Enter')
  await page.getByText('Nadia Farouk is now a lead of A keyboard crew.').waitFor()

  await tabTo(button(page, 'Edit'))
  await keyboard.press('Enter')
  await waitForFocus(dialog('Edit A keyboard crew'))
  await keyboard.press('Escape')
  await waitForFocus(button(page, 'Edit'))
  await keyboard.press('Enter')
  await dialog('Edit A keyboard crew').waitFor()
  assertNoErrors(session)
})
