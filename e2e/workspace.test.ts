import assert from 'node:assert/strict'
import { test } from 'node:test'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { waitForFocus } from './support/keyboard.ts'
import { assertNotOffered, button, heading, conflictDialog, undo } from './support/steps.ts'

const env = await startEnvironment()
const keys = await env.emptyWorkspace('Acme')
const api = apiOf(env, keys.manager)
const asManager = () => signIn(env, keys.manager, { path: '/workspace' })
const usual = { session_idle_hours: 72, sign_in_methods: ['passkey', 'provider', 'link', 'key'] }

test('shows and edits the settings and undoes the edit', async () => {
  const session = await asManager()
  const { page } = session
  const policies = page.getByRole('region', { name: 'Policies' })
  await policies.getByText('No limit').waitFor()
  await policies.getByText('7 days').waitFor()
  await page.getByText(/^UTC \(now /).waitFor()

  await button(page, 'Edit').click()
  const dialog = page.getByRole('dialog', { name: 'Edit workspace' })
  await dialog.getByLabel('Name', { exact: true }).fill('Acme Dams')
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('new york')
  await page.getByRole('option', { name: 'America/New York' }).click()
  await dialog.getByLabel('Maximum key lifetime').fill('90')
  await dialog.getByLabel('Session lifetime').selectOption('1 day')
  await button(page, 'Save').click()
  await page.getByText(/^America\/New_York \(now /).waitFor()
  await policies.getByText('90 days').waitFor()
  await page.getByRole('banner').getByText('Acme Dams').waitFor()
  const changed = await api.workspace.view()
  assert.deepEqual(
    [changed.name, changed.time_zone, changed.policies],
    ['Acme Dams', 'America/New_York', { ...usual, key_days_max: 90, session_days: 1 }],
  )

  await undo(page, 'The workspace was updated.')
  await policies.getByText('No limit').waitFor()
  await page.getByRole('banner').getByText('Acme', { exact: true }).waitFor()
  const { name, time_zone, policies: back } = await api.workspace.view()
  assert.deepEqual(
    [name, time_zone, back],
    ['Acme', 'UTC', { ...usual, key_days_max: null, session_days: 7 }],
  )
  assertNoErrors(session)
})

test('edits the settings with the keyboard only', async () => {
  const session = await signIn(env, keys.manager, { path: '/risks' })
  const { page } = session
  await page.keyboard.press('Control+k')
  await waitForFocus(page.getByRole('dialog').getByRole('textbox'))
  await page.keyboard.type('settings')
  await page.keyboard.press('Enter')
  await heading(page, 'General').waitFor()
  await button(page, 'Edit').focus()
  await page.keyboard.press('Enter')
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
  await waitForFocus(name)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await page.getByText('This field is required.').waitFor()
  await page.keyboard.type('Acme by hand')
  await page.keyboard.press('Enter')
  await page.getByRole('banner').getByText('Acme by hand').waitFor()
  await waitForFocus(button(page, 'Edit'))
  assertNoErrors(session)
})

test('a concurrent edit opens the conflict dialog, with one row per policy', async () => {
  const session = await asManager()
  const { page } = session
  await button(page, 'Edit').click()
  await page.getByLabel('Session lifetime').selectOption('2 days')
  await api.workspace.update({ body: { policies: { key_days_max: 30 } } })
  await button(page, 'Save').click()
  const conflict = conflictDialog(page)
  await conflict.getByRole('row', { name: 'Maximum key lifetime (days) — 30' }).waitFor()
  await conflict.getByRole('row', { name: 'Session lifetime (days) 7 7 2' }).waitFor()
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await page.getByText('30 days').waitFor()
  const { policies } = await api.workspace.view()
  assert.deepEqual(policies, { ...usual, key_days_max: 30, session_days: 2 })

  await button(page, 'Edit').click()
  await page.getByLabel('Maximum key lifetime').fill('')
  await api.workspace.update({ body: { name: 'Theirs' } })
  await button(page, 'Save').click()
  await conflict.getByRole('button', { name: 'Keep theirs' }).click()
  await page.getByRole('banner').getByText('Theirs').waitFor()
  assert.equal((await api.workspace.view()).policies.key_days_max, 30)
  assertNoErrors(session)
})

test('a key without the scope can read or sees the reason', async () => {
  const session = await signIn(env, keys.reader, { path: '/workspace' })
  await session.page.getByRole('region', { name: 'Policies' }).waitFor()
  await assertNotOffered(session.page, 'Edit')
  assertNoErrors(session)

  const withoutScopes = await signIn(env, keys.unscoped, { path: '/workspace' })
  await withoutScopes.page.getByRole('alert').getByText('workspace.read').waitFor()
  assertNoErrors(withoutScopes)
})
