import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { dialogOf, keySteps, pathOf } from './support/key-steps.ts'
import {
  assertNotOffered,
  assertRows,
  button,
  chooseAction,
  heading,
  openFilters,
  property,
  region,
  rowOf,
  conflictDialog,
  undo,
} from './support/steps.ts'

const env = await startEnvironment()
const { api, createKey, view, asManager } = keySteps(env)

test('marks the own key and shows what it may do', async () => {
  const session = await asManager('/keys')
  const { page } = session
  const { key } = await api.keys.whoami()
  assert.ok(key)
  const row = rowOf(page, 'Demo manager')
  await row.getByText('Yours').waitFor()
  await row.getByText(`${key.hint}…`).waitFor()
  await row.getByText('Everything: change').waitFor()

  // Not the last cell: the actions of the row cover it under the pointer.
  await row.getByText('Everything: change').click()
  const peek = page.getByRole('complementary', { name: 'API key' })
  await peek.getByText('Active').waitFor()
  await button(peek, 'Renew …').waitFor()
  await peek.getByRole('link', { name: 'Open' }).click()
  await heading(page, 'Demo manager').waitFor()
  await page.getByText('Your key').waitFor()
  const scopes = page.getByRole('list', { name: 'What the key may do' })
  await scopes.getByText('Add and change people').waitFor()
  assert.equal(
    await scopes.getByText(': change').count(),
    await scopes.getByRole('listitem').count(),
  )
  assert.equal(await page.getByText(key.id).count(), 0, 'no raw id')
  assertNoErrors(session)
})

test('sets the responsible person of a key and undoes it', async () => {
  const { data } = await api.personnel.list({ query: { q: 'Mara', limit: 1 } })
  const [mara] = data
  assert.ok(mara)
  const key = await createKey('Alarm bridge')
  const session = await asManager(pathOf(key))
  const { page } = session
  await property(page, 'Responsible').click()
  await page.getByRole('combobox', { name: 'Responsible' }).fill(mara.name)
  await page.getByRole('option', { name: mara.name }).click()
  await property(page, 'Responsible').getByText(mara.name).waitFor()
  assert.equal((await view(key)).responsible_user_id, mara.id)
  await undo(page, 'Alarm bridge was updated.')
  await property(page, 'Responsible').getByText('—').waitFor()
  assert.equal((await view(key)).responsible_user_id, null)
  assertNoErrors(session)
})

test('shows the usage of the workspace, updated when the page is opened again', async () => {
  const session = await asManager('/workspace/usage')
  const { page } = session
  const { usage, limits } = await api.keys.whoami()
  const people = page.getByRole('meter', { name: 'People on the roster' })
  assert.equal(await people.getAttribute('aria-valuenow'), String(usage.people))
  assert.equal(await people.getAttribute('aria-valuemax'), String(limits.quota.people))
  assert.equal(await people.getAttribute('aria-valuetext'), '40 of 100,000')
  assert.equal(await page.getByRole('meter').count(), Object.keys(limits.quota).length)

  await page.getByRole('link', { name: 'General' }).click()
  await heading(page, 'General').waitFor()
  await api.groups.create({ body: { name: 'One more' } })
  await page.getByRole('link', { name: 'Usage and limits' }).click()
  const meter = region(page, 'Usage')
  await meter.getByText(`${Number(usage.groups) + 1} of 10,000`).waitFor()
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
  await heading(page, 'Brief').waitFor()
  await page
    .getByRole('note')
    .getByText(/^This key expires in \d+ hours$/)
    .waitFor()
  assert.equal(await page.getByText('Your key expires').count(), 0)
  assertNoErrors(session)

  const { secret, id } = await createKey('Long lived', { scopes: ['projects.read'] })
  const other = await signIn(env, secret, { path: '/risks' })
  await page.goto(`${env.base}/keys`)
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
  const list = page.getByRole('table', { name: 'Keys of the workspace' })
  const row = (name: string) => list.getByRole('row', { name })
  await row('Payroll sync').getByText('in 30 days').waitFor()
  await row('Payroll sync').getByTitle('Never used').waitFor()
  await row('No expiry').getByTitle('Never expires').getByText('Never').waitFor()
  await row('Demo manager').getByText('Yours').waitFor()
  await row('Demo manager').getByTitle('Can change data from any network').waitFor()
  assert.equal(await row('Leaked').count(), 0, 'revoked keys are hidden')
  const first = list.getByRole('row').nth(1)
  await first.getByTitle('Expires soon').waitFor()

  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('link', { name: 'Needs attention' }).click()
  const fields = await openFilters(page)
  await fields.getByRole('combobox', { name: 'Needs attention' }).click()
  await page.getByRole('option', { name: 'Replaced, still used' }).click()
  await page.keyboard.press('Escape')
  await assertRows(list.getByRole('row'), 2)
  await list.getByText('Replaced, still used').waitFor()
  assert.match(page.url(), /care=still_used/)

  await views.getByRole('link', { name: 'Revoked' }).click()
  await row('Leaked').getByText('Revoked').waitFor()
  assert.match(page.url(), /\?view=revoked$/)
  await page.goBack()
  await list.getByRole('link', { name: 'Backup' }).click()
  const properties = page.getByRole('complementary', { name: 'Properties' })
  await properties.getByText(`${next.hint}…`).waitFor()
  await properties.getByRole('link', { name: 'Backup' }).click()
  await properties.getByText('Replaces').waitFor()
  await properties.getByText(`${old.hint}…`).waitFor()
  assertNoErrors(session)
})

test('edits the name and networks of a key and undoes the edit', async () => {
  const key = await createKey('Nightly')
  const session = await asManager(pathOf(key))
  const { page } = session
  await chooseAction(page, 'Nightly', 'Edit')
  const dialog = dialogOf(page, 'Edit Nightly')
  await button(page, 'Save').click()
  await dialog.waitFor({ state: 'hidden' })
  assert.ok(!session.calls.some((call) => call.startsWith('PATCH')), 'nothing was changed')
  await chooseAction(page, 'Nightly', 'Edit')
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
  await chooseAction(page, 'Contested', 'Edit')
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

test('a read-only key sees all keys and no actions that it cannot use', async () => {
  const session = await signIn(env, env.keys.reader, { path: '/keys' })
  const { page } = session
  await assertNotOffered(page, 'New key')
  await page.getByRole('link', { name: 'Demo manager' }).click()
  await heading(page, 'Demo manager').waitFor()
  await assertNotOffered(page, 'Renew …')
  assert.equal(await page.getByRole('menuitem', { name: /^(Edit|Revoke)/ }).count(), 0)
  assertNoErrors(session)
})

test('a key without scopes sees itself and what it lacks', async () => {
  const session = await signIn(env, env.keys.unscoped, { path: '/keys' })
  const { page } = session
  await page.getByText('it needs the scope keys.read').waitFor()
  await button(page, 'More actions: API keys').click()
  for (const name of ['API reference', 'Error reference']) {
    const address = await page.getByRole('menuitem', { name }).getAttribute('href')
    const { ok } = await fetch(new URL(address ?? '', env.base))
    assert(ok, `${name} responds`)
  }
  await page.keyboard.press('Escape')
  await page.locator('#content').getByRole('link', { name: 'View your key' }).click()
  const scopes = page.getByRole('list', { name: 'What the key may do' })
  await scopes.getByText('People: none').waitFor()
  assert.equal(await scopes.getByText(': none').count(), await scopes.getByRole('listitem').count())
  assert.ok(
    !session.calls.some((call) => call.includes('/v1/keys')),
    'no request without the scope',
  )
  assertNoErrors(session)

  const missing = await asManager('/keys/key_01ktrr9d3hen4v9q9t9m2g8x5d')
  await missing.page.getByRole('alert').getByText('This key does not exist or was moved.').waitFor()
  assertNoErrors(missing)
})
