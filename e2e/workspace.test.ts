import assert from 'node:assert/strict'
import { test } from 'node:test'

import { focusAt } from './keyboard.ts'
import { assertRefused, button, heading, theConflict, undo } from './steps.ts'
import { apiOf, assertQuiet, signedIn, startWorld } from './world.ts'

const world = await startWorld()
const keys = await world.emptyWorkspace('Acme')
const api = apiOf(world, keys.manager)
const asManager = () => signedIn(world, keys.manager, { path: '/workspace' })

test('the settings of the workspace are seen, changed and taken back', async () => {
  const visit = await asManager()
  const { page } = visit
  const policies = page.getByRole('region', { name: 'Policies' })
  await policies.getByText('Any, also without end').waitFor()
  await policies.getByText('7 days').waitFor()
  await page.getByText(/^UTC, where it is /).waitFor()

  await button(page, 'Edit').click()
  const dialog = page.getByRole('dialog', { name: 'Edit the workspace' })
  await dialog.getByLabel('Name').fill('Acme Dams')
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('new york')
  await page.getByRole('option', { name: 'America/New York' }).click()
  await dialog.getByLabel('Longest life of a key').fill('90')
  await dialog.getByLabel('Signed in for').selectOption('1 day')
  await button(page, 'Save').click()
  await page.getByText(/^America\/New_York, where it is /).waitFor()
  await policies.getByText('90 days').waitFor()
  await page.getByRole('banner').getByText('Acme Dams').waitFor()
  const changed = await api.workspace.view()
  assert.deepEqual(
    [changed.name, changed.time_zone, changed.policies],
    ['Acme Dams', 'America/New_York', { key_days_max: 90, session_days: 1 }],
  )

  await undo(page, 'The workspace was changed.')
  await policies.getByText('Any, also without end').waitFor()
  await page.getByRole('banner').getByText('Acme', { exact: true }).waitFor()
  const { name, time_zone, policies: back } = await api.workspace.view()
  assert.deepEqual(
    [name, time_zone, back],
    ['Acme', 'UTC', { key_days_max: null, session_days: 7 }],
  )
  assertQuiet(visit)
})

test('it is reached and changed by keyboard alone', async () => {
  const visit = await signedIn(world, keys.manager, { path: '/risks' })
  const { page } = visit
  await page.keyboard.press('Control+k')
  await focusAt(page.getByRole('dialog').getByRole('textbox'))
  await page.keyboard.type('worksp')
  await page.keyboard.press('Enter')
  await heading(page, 'Workspace').waitFor()
  await button(page, 'Edit').focus()
  await page.keyboard.press('Enter')
  const name = page.getByRole('dialog').getByLabel('Name')
  await focusAt(name)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await page.getByText('Fill this in.').waitFor()
  await page.keyboard.type('Acme by hand')
  await page.keyboard.press('Enter')
  await page.getByRole('banner').getByText('Acme by hand').waitFor()
  await focusAt(button(page, 'Edit'))
  assertQuiet(visit)
})

test('when two change it at once, the slower one chooses, and each policy is its own', async () => {
  const visit = await asManager()
  const { page } = visit
  await button(page, 'Edit').click()
  await page.getByLabel('Signed in for').selectOption('2 days')
  await api.workspace.update({ body: { policies: { key_days_max: 30 } } })
  await button(page, 'Save').click()
  const conflict = theConflict(page)
  await conflict.getByRole('row', { name: 'Longest life of a key, in days – 30' }).waitFor()
  await conflict.getByRole('row', { name: 'Days until one signs in again 7 7 2' }).waitFor()
  await conflict.getByRole('button', { name: 'Do mine on top' }).click()
  await page.getByText('30 days').waitFor()
  const { policies } = await api.workspace.view()
  assert.deepEqual(policies, { key_days_max: 30, session_days: 2 })

  await button(page, 'Edit').click()
  await page.getByLabel('Longest life of a key').fill('')
  await api.workspace.update({ body: { name: 'Theirs' } })
  await button(page, 'Save').click()
  await conflict.getByRole('button', { name: 'Leave theirs' }).click()
  await page.getByRole('banner').getByText('Theirs').waitFor()
  assert.equal((await api.workspace.view()).policies.key_days_max, 30)
  assertQuiet(visit)
})

test('whoever may only read sees why they can change nothing, and others why not', async () => {
  const visit = await signedIn(world, keys.reader, { path: '/workspace' })
  await visit.page.getByRole('region', { name: 'Policies' }).waitFor()
  const reason = /“Demo reader” may not do this: it needs the scope workspace\.manage/
  await assertRefused(visit.page, 'Edit', reason)
  assertQuiet(visit)

  const nobody = await signedIn(world, keys.nobody, { path: '/workspace' })
  await nobody.page.getByRole('alert').getByText('workspace.read').waitFor()
  assertQuiet(nobody)
})
