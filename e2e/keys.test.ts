import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { dialogOf, keySteps, pathOf } from './support/key-steps.ts'
import {
  assertDisabled,
  button,
  heading,
  region,
  rowOf,
  conflictDialog,
  undo,
} from './support/steps.ts'

const env = await startEnvironment()
const { api, createKey, view, asManager } = keySteps(env)

test('shows the own key, its scopes and the usage of the workspace', async () => {
  const session = await asManager('/keys')
  const { page } = session
  const { key, workspace, usage, limits } = await api.keys.whoami()

  const own = region(page, 'Your key')
  await own.getByText('Demo manager').waitFor()
  await own.getByText('Active').waitFor()
  await own.getByText(`${key.hint}…`).waitFor()
  await own.getByText(key.id).waitFor()
  await region(page, 'Workspace').getByText(workspace.id).waitFor()

  const scopes = page.getByRole('table', { name: /whether this key has it/ })
  await scopes.getByRole('row', { name: 'personnel.manage Add and change people' }).waitFor()
  const every = await scopes.getByRole('cell').count()
  assert.equal(await scopes.getByRole('cell', { name: 'Yes', exact: true }).count(), every)

  const people = page.getByRole('meter', { name: 'People on the roster' })
  assert.equal(await people.getAttribute('aria-valuenow'), String(usage.people))
  assert.equal(await people.getAttribute('aria-valuemax'), String(limits.quota.people))
  assert.equal(await people.getAttribute('aria-valuetext'), '40 of 100,000')
  assert.equal(await page.getByRole('meter').count(), Object.keys(limits.quota).length)
  assertNoErrors(session)
})

test('usage is updated when the page is opened again', async () => {
  const session = await asManager('/groups')
  const { page } = session
  await api.groups.create({ body: { name: 'One more' } })
  const { usage } = await api.keys.whoami()
  await page.getByRole('link', { name: 'Keys' }).click()
  const meter = region(page, 'Usage')
  await meter.getByText(`${usage.groups} of 10,000`).waitFor()
  assertNoErrors(session)
})

test('every page warns about a key that expires soon', async () => {
  const brief = await createKey('Brief', {
    scopes: ['keys.read', 'projects.read'],
    expires_in_days: 1,
  })
  const session = await signIn(env, brief.secret, { path: '/risks' })
  const { page } = session
  await page.getByText(/^Your key expires in \d+ hours\./).waitFor()
  await page.getByRole('link', { name: 'View your key' }).click()
  await heading(page, 'Keys').waitFor()
  const own = region(page, 'Your key')
  await own
    .getByRole('note')
    .getByText(/^This key expires in \d+ hours$/)
    .waitFor()
  assertNoErrors(session)

  const { secret, id } = await createKey('Long lived', { scopes: ['projects.read'] })
  const other = await signIn(env, secret, { path: '/risks' })
  await page.reload()
  await rowOf(page, 'Long lived').waitFor()
  await other.page.getByRole('table').first().waitFor()
  assert.equal(await other.page.getByText('Your key expires').count(), 0)
  await api.keys.rotate({ params: { key_id: id }, body: { overlap_seconds: 600_000 } })
  await other.page.reload()
  await other.page.getByText(/was replaced and expires in 7 days\. Sign in/).waitFor()
  assertNoErrors(other)
})

test('lists keys that need attention first and filters them', async () => {
  const { manager } = await env.emptyWorkspace('Attention')
  const {
    createKey: createHere,
    view: viewHere,
    asManager: here,
    api: keyring,
  } = keySteps(env, manager)
  await createHere('Payroll sync', { expires_in_days: 30 })
  await createHere('No expiry', { expires_in_days: null })
  const old = await createHere('Backup')
  const revoked = await createHere('Leaked')
  await keyring.keys.revoke({ params: { key_id: revoked.id } })
  const next = await keyring.keys.rotate({ params: { key_id: old.id }, body: {} })
  await apiOf(env, old.secret).personnel.list({ query: { limit: 1 } })
  // The service records the last use shortly after the response.
  while ((await viewHere(old)).last_used_at === null) await sleep(50)

  const session = await here('/keys')
  const { page } = session
  const list = region(page, 'Keys of the workspace')
  const row = (name: string) => list.getByRole('row', { name })
  await row('Payroll sync').getByText('in 30 days').waitFor()
  await row('Payroll sync').getByText('Never used').waitFor()
  await row('No expiry').getByText('Never expires').waitFor()
  await row('Demo manager').getByText('Yours').waitFor()
  await list.getByRole('link', { name: `${next.hint}…` }).waitFor()
  assert.equal(await row('Leaked').count(), 0, 'revoked keys are hidden')
  const first = list.getByRole('row').nth(1)
  await first.getByText('Expires soon').waitFor()

  await page.getByRole('button', { name: 'Replaced, still used 1' }).click()
  await list.getByText('1 key', { exact: true }).waitFor()
  await row('Backup').getByText('Replaced, still used').waitFor()
  assert.match(page.url(), /\?care=still_used$/)

  await page.getByLabel('Status').selectOption('Revoked')
  await row('Leaked').getByText('Revoked').waitFor()
  assert.match(page.url(), /\?status=revoked$/)
  assert.equal(await page.getByRole('button', { name: 'Expires soon' }).count(), 0)
  await page.goBack()
  await row('Backup').getByRole('link', { name: 'Backup' }).click()
  await page.getByRole('link', { name: next.id }).click()
  await page.getByRole('link', { name: old.id }).waitFor()
  assertNoErrors(session)
})

test('edits the name and networks of a key and undoes the edit', async () => {
  const key = await createKey('Nightly')
  const session = await asManager(pathOf(key))
  const { page } = session
  await button(page, 'Edit').click()
  const dialog = dialogOf(page, 'Edit Nightly')
  await dialog.getByLabel('Allowed networks').fill('203.0.113.0/24\n300.1.2.3')
  await button(page, 'Save').click()
  await dialog.getByText('300.1.2.3: Must be a network such as 203.0.113.0/24').waitFor()
  await dialog.getByLabel('Allowed networks').fill('203.0.113.0/24, 2001:db8::/32')
  await dialog.getByLabel('Name').fill('Payroll, nightly')
  await button(page, 'Save').click()
  await heading(page, 'Payroll, nightly').waitFor()
  const { name, allowed_cidrs } = await view(key)
  assert.deepEqual([name, allowed_cidrs], ['Payroll, nightly', ['203.0.113.0/24', '2001:db8::/32']])

  await undo(page, 'Payroll, nightly was updated.')
  await heading(page, 'Nightly').waitFor()
  assert.deepEqual((await view(key)).allowed_cidrs, [])
  assertNoErrors(session)
})

test('a concurrent key edit opens the conflict dialog', async () => {
  const key = await createKey('Contested')
  const session = await asManager(pathOf(key))
  const { page } = session
  await button(page, 'Edit').click()
  await dialogOf(page, 'Edit Contested').getByLabel('Name').fill('Mine')
  const allowed_cidrs = ['192.0.2.0/24']
  await api.keys.update({ params: { key_id: key.id }, body: { allowed_cidrs } })
  await button(page, 'Save').click()
  const conflict = conflictDialog(page)
  await conflict.getByRole('row', { name: 'Allowed networks — 192.0.2.0/24' }).waitFor()
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await page.getByText('Mine was updated.').waitFor()
  const both = await view(key)
  assert.deepEqual([both.name, both.allowed_cidrs], ['Mine', allowed_cidrs])
  assertNoErrors(session)
})

test('a read-only key sees all keys and disabled actions with the reason', async () => {
  const session = await signIn(env, env.keys.reader, { path: '/keys' })
  const { page } = session
  const reason = /“Demo reader” cannot do this: it needs the scope keys\.manage/
  for (const name of ['New key', 'Edit', 'Rotate']) await assertDisabled(page, name, reason)
  await page.getByRole('link', { name: 'Demo manager' }).click()
  await heading(page, 'Demo manager').waitFor()
  for (const name of ['Edit', 'Rotate', 'Revoke']) await assertDisabled(page, name, reason)
  assertNoErrors(session)
})

test('a key without scopes sees itself and the scopes it lacks', async () => {
  const session = await signIn(env, env.keys.unscoped, { path: '/keys' })
  const { page } = session
  await page.getByRole('cell', { name: 'No', exact: true }).first().waitFor()
  assert.equal(await page.getByRole('cell', { name: 'Yes', exact: true }).count(), 0)
  const list = region(page, 'Keys of the workspace')
  await list.getByText('it needs the scope keys.read').waitFor()
  for (const name of ['API reference', 'Error reference']) {
    const address = await page.getByRole('link', { name }).getAttribute('href')
    const { ok } = await fetch(new URL(address ?? '', env.base))
    assert(ok, `${name} responds`)
  }
  assert.ok(
    !session.calls.some((call) => call.includes('/v1/keys')),
    'no request without the scope',
  )
  assertNoErrors(session)

  const missing = await asManager('/keys/key_01ktrr9d3hen4v9q9t9m2g8x5d')
  await missing.page.getByRole('alert').getByText('There is no key').waitFor()
  assertNoErrors(missing)
})
