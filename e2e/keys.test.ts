import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { dialogOf, keysOf, pathOf } from './key-steps.ts'
import { assertRefused, button, heading, region, rowOf, theConflict, undo } from './steps.ts'
import { apiOf, assertQuiet, signedIn, startWorld } from './world.ts'

const world = await startWorld()
const { api, make, view, asManager } = keysOf(world)

test('a key is shown with what it may do, and how full the workspace is', async () => {
  const visit = await asManager('/keys')
  const { page } = visit
  const { key, workspace, usage, limits } = await api.keys.whoami()

  const own = region(page, 'The key you are signed in with')
  await own.getByText('Demo manager').waitFor()
  await own.getByText('Active').waitFor()
  await own.getByText(`${key.hint}…`).waitFor()
  await own.getByText(key.id).waitFor()
  await region(page, 'The workspace').getByText(workspace.id).waitFor()

  const scopes = page.getByRole('table', { name: /whether this key has it/ })
  await scopes.getByRole('row', { name: 'personnel.manage Add and change people' }).waitFor()
  const every = await scopes.getByRole('cell').count()
  assert.equal(await scopes.getByRole('cell', { name: 'May', exact: true }).count(), every)

  const people = page.getByRole('meter', { name: 'People on the roster' })
  assert.equal(await people.getAttribute('aria-valuenow'), String(usage.people))
  assert.equal(await people.getAttribute('aria-valuemax'), String(limits.quota.people))
  assert.equal(await people.getAttribute('aria-valuetext'), '40 of 100,000')
  assert.equal(await page.getByRole('meter').count(), Object.keys(limits.quota).length)
  assertQuiet(visit)
})

test('what is done elsewhere is counted on the next visit', async () => {
  const visit = await asManager('/groups')
  const { page } = visit
  await api.groups.create({ body: { name: 'One more' } })
  const { usage } = await api.keys.whoami()
  await page.getByRole('link', { name: 'Keys' }).click()
  const meter = region(page, 'How full the workspace is')
  await meter.getByText(`${usage.groups} of 10,000`).waitFor()
  assertQuiet(visit)
})

test('whoever is signed in with a key that ends soon is told on every page', async () => {
  const brief = await make('Brief', { scopes: ['keys.read', 'projects.read'], expires_in_days: 1 })
  const visit = await signedIn(world, brief.secret, { path: '/risks' })
  const { page } = visit
  await page.getByText(/^The key you are signed in with ends in \d+ hours\./).waitFor()
  await page.getByRole('link', { name: 'Look at your key' }).click()
  await heading(page, 'Keys').waitFor()
  const own = region(page, 'The key you are signed in with')
  await own
    .getByRole('note')
    .getByText(/^This key ends in \d+ hours$/)
    .waitFor()
  assertQuiet(visit)

  const { secret, id } = await make('Long lived', { scopes: ['projects.read'] })
  const other = await signedIn(world, secret, { path: '/risks' })
  await page.reload()
  await rowOf(page, 'Long lived').waitFor()
  await other.page.getByRole('table').first().waitFor()
  assert.equal(await other.page.getByText('The key you are signed in with ends').count(), 0)
  await api.keys.rotate({ params: { key_id: id }, body: { overlap_seconds: 600_000 } })
  await other.page.reload()
  await other.page.getByText(/was replaced by another, and ends in 7 days\. Sign in/).waitFor()
  assertQuiet(other)
})

test('the keys are listed with what needs care first, and narrowed by it and by status', async () => {
  const { manager } = await world.emptyWorkspace('Careful')
  const { make: makeHere, view: viewHere, asManager: here, api: keyring } = keysOf(world, manager)
  await makeHere('Payroll sync', { expires_in_days: 30 })
  await makeHere('For ever', { expires_in_days: null })
  const old = await makeHere('Backup')
  const gone = await makeHere('Leaked')
  await keyring.keys.revoke({ params: { key_id: gone.id } })
  const next = await keyring.keys.rotate({ params: { key_id: old.id }, body: {} })
  await apiOf(world, old.secret).personnel.list({ query: { limit: 1 } })
  // That it was used is written down a moment after it is answered.
  while ((await viewHere(old)).last_used_at === null) await sleep(50)

  const visit = await here('/keys')
  const { page } = visit
  const list = region(page, 'Keys of the workspace')
  const row = (name: string) => list.getByRole('row', { name })
  await row('Payroll sync').getByText('in 30 days').waitFor()
  await row('Payroll sync').getByText('Never used').waitFor()
  await row('For ever').getByText('Never ends').waitFor()
  await row('Demo manager').getByText('Yours').waitFor()
  await list.getByRole('link', { name: `${next.hint}…` }).waitFor()
  assert.equal(await row('Leaked').count(), 0, 'it is revoked')
  const first = list.getByRole('row').nth(1)
  await first.getByText('Ends soon').waitFor()

  await page.getByRole('button', { name: 'Replaced, still used 1' }).click()
  await list.getByText('1 key', { exact: true }).waitFor()
  await row('Backup').getByText('Replaced, still used').waitFor()
  assert.match(page.url(), /\?care=still_used$/)

  await page.getByLabel('Status').selectOption('Revoked')
  await row('Leaked').getByText('Revoked').waitFor()
  assert.match(page.url(), /\?status=revoked$/)
  assert.equal(await page.getByRole('button', { name: 'Ends soon' }).count(), 0)
  await page.goBack()
  await row('Backup').getByRole('link', { name: 'Backup' }).click()
  await page.getByRole('link', { name: next.id }).click()
  await page.getByRole('link', { name: old.id }).waitFor()
  assertQuiet(visit)
})

test('a key is renamed and bound to networks, and taken back', async () => {
  const key = await make('Nightly')
  const visit = await asManager(pathOf(key))
  const { page } = visit
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

  await undo(page, 'Payroll, nightly was changed.')
  await heading(page, 'Nightly').waitFor()
  assert.deepEqual((await view(key)).allowed_cidrs, [])
  assertQuiet(visit)
})

test('when two change a key at once, the slower one chooses', async () => {
  const key = await make('Contested')
  const visit = await asManager(pathOf(key))
  const { page } = visit
  await button(page, 'Edit').click()
  await dialogOf(page, 'Edit Contested').getByLabel('Name').fill('Mine')
  const allowed_cidrs = ['192.0.2.0/24']
  await api.keys.update({ params: { key_id: key.id }, body: { allowed_cidrs } })
  await button(page, 'Save').click()
  const conflict = theConflict(page)
  await conflict.getByRole('row', { name: 'Allowed networks – 192.0.2.0/24' }).waitFor()
  await conflict.getByRole('button', { name: 'Do mine on top' }).click()
  await page.getByText('Mine was changed.').waitFor()
  const both = await view(key)
  assert.deepEqual([both.name, both.allowed_cidrs], ['Mine', allowed_cidrs])
  assertQuiet(visit)
})

test('a key that may only read sees every key, and why it can change none', async () => {
  const visit = await signedIn(world, world.keys.reader, { path: '/keys' })
  const { page } = visit
  const reason = /“Demo reader” may not do this: it needs the scope keys\.manage/
  for (const name of ['New key', 'Edit', 'Rotate']) await assertRefused(page, name, reason)
  await page.getByRole('link', { name: 'Demo manager' }).click()
  await heading(page, 'Demo manager').waitFor()
  for (const name of ['Edit', 'Rotate', 'Revoke']) await assertRefused(page, name, reason)
  assertQuiet(visit)
})

test('a key without scopes may look at itself, and at what it may not do', async () => {
  const visit = await signedIn(world, world.keys.nobody, { path: '/keys' })
  const { page } = visit
  await page.getByRole('cell', { name: 'May not' }).first().waitFor()
  assert.equal(await page.getByRole('cell', { name: 'May', exact: true }).count(), 0)
  const list = region(page, 'Keys of the workspace')
  await list.getByText('it needs the scope keys.read').waitFor()
  for (const name of ['API reference', 'What can go wrong, and what to do']) {
    const address = await page.getByRole('link', { name }).getAttribute('href')
    const { ok } = await fetch(new URL(address ?? '', world.base))
    assert(ok, `${name} is there`)
  }
  assert.ok(!visit.calls.some((call) => call.includes('/v1/keys')), 'nothing is asked in vain')
  assertQuiet(visit)

  const lost = await asManager('/keys/key_01ktrr9d3hen4v9q9t9m2g8x5d')
  await lost.page.getByRole('alert').getByText('There is no key').waitFor()
  assertQuiet(lost)
})
