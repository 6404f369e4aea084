import assert from 'node:assert/strict'
import { test } from 'node:test'

import { groupsOf, pathOf } from './group-steps.ts'
import { arrowTo, focusAt, tabTo } from './keyboard.ts'
import { assertRefused, button, heading, rowOf, theConflict, undo } from './steps.ts'
import { assertQuiet, startWorld } from './world.ts'

const world = await startWorld()
const { api, asManager, make, membersOf, userIdOf, view } = await groupsOf(world)

test('people join and leave, one and many, and come back as they were', async () => {
  const group = await make('Welders', ['Lena Grünwald', 'Nadia Farouk'], ['Lena Grünwald'])
  const visit = await asManager(pathOf(group))
  const { page } = visit

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
  await page.getByText('No member matches').waitFor()
  assert.deepEqual((await view(group)).lead_user_ids, [])
  await undo(page, 'Lena Grünwald left Welders.')
  await rowOf(page, 'Lena Grünwald').getByText('Lead', { exact: true }).waitFor()
  assert.deepEqual((await view(group)).lead_user_ids, [userIdOf('Lena Grünwald')])

  await button(page, 'Clear all filters').click()
  await assertRefused(page, 'Remove selected', /Select the members/)
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
  await page.getByText('Nobody belongs to this group yet').waitFor()
  assert.deepEqual(await membersOf(group), [])
  assertQuiet(visit)
})

test('a member is made a lead, and no longer one', async () => {
  const group = await make('Painters', ['Emil Sandström'])
  const visit = await asManager(pathOf(group))
  const { page } = visit
  await button(page, 'Make lead: Emil Sandström').click()
  await page.getByText('Emil Sandström leads Painters now.').waitFor()
  await rowOf(page, 'Emil Sandström').getByText('Lead', { exact: true }).waitFor()
  assert.deepEqual((await view(group)).lead_user_ids, [userIdOf('Emil Sandström')])

  await undo(page, 'Emil Sandström leads Painters now.')
  await button(page, 'Make lead: Emil Sandström').click()
  await button(page, 'End lead: Emil Sandström').click()
  await page.getByText('Emil Sandström no longer leads Painters.').waitFor()
  assert.deepEqual((await view(group)).lead_user_ids, [])
  assertQuiet(visit)
})

test('one who is quick is not in conflict with themselves', async () => {
  const group = await make('Plumbers', ['Emil Sandström', 'Lena Grünwald', 'Nadia Farouk'])
  const visit = await asManager(pathOf(group))
  const { page } = visit
  await button(page, 'Remove: Lena Grünwald').waitFor()
  await button(page, 'Remove: Emil Sandström').click()
  await button(page, 'Remove: Nadia Farouk').click()
  await page.getByText('Emil Sandström left Plumbers.').waitFor()
  await page.getByText('Nadia Farouk left Plumbers.').waitFor()
  assert.deepEqual(await membersOf(group), ['Lena Grünwald'])
  await undo(page, 'Emil Sandström left Plumbers.')
  await rowOf(page, 'Emil Sandström').waitFor()
  assert.deepEqual(await membersOf(group), ['Emil Sandström', 'Lena Grünwald'])
  assertQuiet(visit)
})

test('when two change the members at once, both changes can stand', async () => {
  const people = ['Emil Sandström', 'Nadia Farouk', 'Lena Grünwald']
  const group = await make('Riggers', people)
  const visit = await asManager(pathOf(group))
  const { page } = visit
  const conflict = theConflict(page)
  const at = { params: { group_id: group.id } }

  await button(page, 'Make lead: Emil Sandström').waitFor()
  await api.groups.update({ ...at, body: { lead_user_ids: [userIdOf('Nadia Farouk')] } })
  await button(page, 'Make lead: Emil Sandström').click()
  await conflict
    .getByRole('row', { name: 'Leads – Nadia Farouk Nadia Farouk, Emil Sandström' })
    .waitFor()
  await conflict.getByRole('button', { name: 'Do mine on top' }).click()
  await page.getByText('Emil Sandström leads Riggers now.').waitFor()
  const leads = [userIdOf('Emil Sandström'), userIdOf('Nadia Farouk')]
  assert.deepEqual((await view(group)).lead_user_ids, leads.toSorted())

  await rowOf(page, 'Nadia Farouk').getByText('Lead', { exact: true }).waitFor()
  const add = { add: [userIdOf('Mara Lindqvist')] }
  await api.groups.change_members({ ...at, body: add })
  await button(page, 'Remove: Lena Grünwald').click()
  await conflict.getByRole('row', { name: 'Leaving – – Lena Grünwald' }).waitFor()
  await conflict.getByRole('button', { name: 'Leave theirs' }).click()
  await rowOf(page, 'Mara Lindqvist').waitFor()
  assert.deepEqual(await membersOf(group), [
    'Emil Sandström',
    'Lena Grünwald',
    'Mara Lindqvist',
    'Nadia Farouk',
  ])
  assertQuiet(visit)
})

test('someone joins a group by the keyboard alone', async () => {
  const group = await make('A keyboard crew')
  const visit = await asManager('/groups')
  const { page } = visit
  const { keyboard } = page
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const link = page.getByRole('link', { name: 'A keyboard crew', exact: true })
  await tabTo(link)
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowUp')
  await focusAt(link)
  await keyboard.press('Enter')
  await heading(page, 'A keyboard crew').waitFor()
  await tabTo(button(page, 'Add people'))
  await keyboard.press('Enter')
  await focusAt(dialog('Add people to A keyboard crew').getByRole('combobox', { name: 'People' }))
  await keyboard.type('farouk')
  await arrowTo(page.getByRole('option', { name: 'Nadia Farouk' }))
  await keyboard.press('Enter')
  await tabTo(button(page, 'Add'))
  await keyboard.press('Enter')
  await rowOf(page, 'Nadia Farouk').waitFor()
  assert.deepEqual(await membersOf(group), ['Nadia Farouk'])
  await tabTo(button(page, 'Make lead: Nadia Farouk'))
  await keyboard.press('Enter')
  await page.getByText('Nadia Farouk leads A keyboard crew now.').waitFor()

  await tabTo(button(page, 'Edit'))
  await keyboard.press('Enter')
  await focusAt(dialog('Edit A keyboard crew'))
  await keyboard.press('Escape')
  await focusAt(button(page, 'Edit'))
  await keyboard.press('Enter')
  await dialog('Edit A keyboard crew').waitFor()
  assertQuiet(visit)
})
