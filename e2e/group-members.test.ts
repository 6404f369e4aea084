import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { assertNoErrors, startEnvironment } from './support/environment.ts'
import { groupSteps, pathOf } from './support/group-steps.ts'
import { arrowTo, waitForFocus, tabTo } from './support/keyboard.ts'
import { button, conflictDialog, heading, openFilters, rowOf, undo } from './support/steps.ts'

const env = await startEnvironment()

/** The actions of a row are there while it has the focus, even if it moves. */
async function pressInRow(page: Page, action: string, name: string): Promise<void> {
  // A row under the pointer would show its actions instead.
  await page.mouse.move(0, 0)
  await rowOf(page, name).focus()
  await button(page, `${action}: ${name}`).click()
}

async function select(page: Page, name: string): Promise<void> {
  await rowOf(page, name).hover()
  await page.getByRole('checkbox', { name: `Select: ${name}` }).check()
}

const waitForMembers = (page: Page, count: number) =>
  page.locator(`[role=table][aria-label=Members][aria-rowcount="${count + 1}"]`).waitFor()

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
  await button(dialog, 'Add 2 people').click()
  await page.getByText('2 people joined Welders.').waitFor()
  await waitForMembers(page, 4)
  const four = ['Emil Sandström', 'Lena Grünwald', 'Mara Lindqvist', 'Nadia Farouk']
  assert.deepEqual(await membersOf(group), four)

  const filters = await openFilters(page)
  await filters.getByRole('textbox', { name: 'Search' }).fill('grun')
  await waitForMembers(page, 1)
  await page.keyboard.press('Escape')
  await pressInRow(page, 'Remove', 'Lena Grünwald')
  await page.getByText('Lena Grünwald left Welders.').waitFor()
  await page.getByText('No members match').waitFor()
  assert.deepEqual((await view(group)).lead_user_ids, [])
  await undo(page, 'Lena Grünwald left Welders.')
  await rowOf(page, 'Lena Grünwald').getByText('Lead', { exact: true }).waitFor()
  assert.deepEqual((await view(group)).lead_user_ids, [userIdOf('Lena Grünwald')])

  await button(page, 'Clear Search').click()
  await select(page, 'Mara Lindqvist')
  await select(page, 'Nadia Farouk')
  await page.getByText('2 selected').waitFor()
  await button(page, 'Remove from the group').click()
  await page.getByText('2 people left Welders.').waitFor()
  assert.deepEqual(await membersOf(group), ['Emil Sandström', 'Lena Grünwald'])
  await undo(page, '2 people left Welders.')
  await waitForMembers(page, 4)
  assert.deepEqual(await membersOf(group), four)

  await select(page, 'Mara Lindqvist')
  await button(page, 'Select all 4').click()
  await button(page, 'Remove from the group').click()
  await page.getByText('No members yet').waitFor()
  assert.deepEqual(await membersOf(group), [])
  assertNoErrors(session)
})

test('makes a member a lead and removes the lead', async () => {
  const group = await createGroup('Painters', ['Emil Sandström'])
  const session = await asManager(pathOf(group))
  const { page } = session
  await pressInRow(page, 'Make lead', 'Emil Sandström')
  await page.getByText('Emil Sandström is now a lead of Painters.').waitFor()
  await rowOf(page, 'Emil Sandström').getByText('Lead', { exact: true }).waitFor()
  assert.deepEqual((await view(group)).lead_user_ids, [userIdOf('Emil Sandström')])

  await undo(page, 'Emil Sandström is now a lead of Painters.')
  await pressInRow(page, 'Make lead', 'Emil Sandström')
  await pressInRow(page, 'Remove lead', 'Emil Sandström')
  await page.getByText('Emil Sandström is no longer a lead of Painters.').waitFor()
  assert.deepEqual((await view(group)).lead_user_ids, [])
  assertNoErrors(session)
})

test('two quick changes by one user do not conflict', async () => {
  const group = await createGroup('Plumbers', ['Emil Sandström', 'Lena Grünwald', 'Nadia Farouk'])
  const session = await asManager(pathOf(group))
  const { page } = session
  await rowOf(page, 'Lena Grünwald').waitFor()
  await pressInRow(page, 'Remove', 'Emil Sandström')
  await pressInRow(page, 'Remove', 'Nadia Farouk')
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
  const session = await asManager(pathOf(group), false)
  const { page } = session
  const conflict = conflictDialog(page)
  const at = { params: { group_id: group.id } }

  await rowOf(page, 'Emil Sandström').waitFor()
  await api.groups.update({ ...at, body: { lead_user_ids: [userIdOf('Nadia Farouk')] } })
  await pressInRow(page, 'Make lead', 'Emil Sandström')
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
  await pressInRow(page, 'Remove', 'Lena Grünwald')
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
  await tabTo(rowOf(page, 'A keyboard crew'))
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowUp')
  await waitForFocus(rowOf(page, 'A keyboard crew'))
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
  await tabTo(button(page, 'Add 1 person'))
  await keyboard.press('Enter')
  await rowOf(page, 'Nadia Farouk').waitFor()
  assert.deepEqual(await membersOf(group), ['Nadia Farouk'])
  await tabTo(rowOf(page, 'Nadia Farouk'))
  await tabTo(button(page, 'Make lead: Nadia Farouk'))
  await keyboard.press('Enter')
  await page.getByText('Nadia Farouk is now a lead of A keyboard crew.').waitFor()

  const menu = button(page, 'More actions: A keyboard crew')
  await tabTo(menu)
  await keyboard.press('Enter')
  await tabTo(page.getByRole('menuitem', { name: 'Edit …' }), 'ArrowDown')
  await keyboard.press('Enter')
  await waitForFocus(dialog('Edit A keyboard crew'))
  await keyboard.press('Escape')
  await dialog('Edit A keyboard crew').waitFor({ state: 'detached' })
  assertNoErrors(session)
})
