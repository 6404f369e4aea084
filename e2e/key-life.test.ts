import assert from 'node:assert/strict'
import { test } from 'node:test'

import { assertForgotten, dialogOf, keysOf, pathOf, secretIn, whoHolds } from './key-steps.ts'
import { focusAt } from './keyboard.ts'
import { assertRefused, button, heading, rowOf } from './steps.ts'
import { assertQuiet, signedIn, startWorld } from './world.ts'

const world = await startWorld()
const { api, make, view, asManager } = keysOf(world)

test('a key is made by keyboard alone, and its secret is shown once', async () => {
  const visit = await asManager('/keys')
  const { page } = visit
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await button(page, 'New key').focus()
  await press('Enter')
  const form = dialogOf(page, 'New key')
  await focusAt(form.getByLabel('Name'))
  await press('Enter')
  await form.getByText('Fill this in.').waitFor()
  await page.keyboard.type('Payroll sync')
  await press('Enter')
  await form.getByText('Choose at least one thing that the key may do.').waitFor()
  // To the first area, and on to the next; the arrows choose.
  await press('Tab', 'ArrowRight', 'Tab', 'ArrowRight', 'ArrowRight')
  await form.getByText('Add and change projects, risks, issues and tasks.').waitFor()
  // Past the other two areas to how long it lives, and less of it.
  await press('Tab', 'Tab', 'Tab', 'ArrowUp', 'Tab')
  await page.keyboard.type('127.0.0.0/8 ::1')
  await press('Tab', 'Tab', 'Enter')

  const dialog = dialogOf(page, 'The key “Payroll sync” is made')
  await dialog.getByText('This is the only time you see it').waitFor()
  const secret = await secretIn(page)
  const copy = dialog.getByRole('button', { name: 'Copy: The key' })
  await focusAt(copy)
  await press('Enter')
  await dialog.getByRole('button', { name: 'Copied' }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret)

  const address = page.url()
  await press('Escape')
  await page.mouse.click(5, 400)
  await page.evaluate('history.back()')
  assert.equal(await secretIn(page), secret, 'nothing but its button closes it')
  assert.equal(page.url(), address)

  await button(page, 'I have kept it').focus()
  await press('Enter')
  await focusAt(button(page, 'New key'))
  await assertForgotten(page, secret)
  await rowOf(page, 'Payroll sync').getByText('in 30 days').waitFor()
  const made = await whoHolds(world, secret)
  const { scopes, allowed_cidrs } = await view(made ?? { id: '' })
  assert.deepEqual(scopes, ['personnel.read', 'projects.manage'])
  assert.deepEqual(allowed_cidrs, ['127.0.0.0/8', '::1'])
  assertQuiet(visit)
})

test('nobody gives what their own key does not hold, nor a longer life than is allowed', async () => {
  const { manager } = await world.emptyWorkspace('Strict')
  const here = keysOf(world, manager)
  const { secret } = await here.make('Team lead', {
    scopes: ['keys.manage', 'personnel.read', 'workspace.read'],
    expires_in_days: null,
  })
  await here.api.workspace.update({ body: { policies: { key_days_max: 45 } } })
  const visit = await signedIn(world, secret, { path: '/keys' })
  const { page } = visit
  await button(page, 'New key').click()
  const form = dialogOf(page, 'New key')
  await form.getByLabel('Name').fill('Clerk')
  const area = (name: string) => form.getByRole('radiogroup', { name })
  await form.getByText('does not hold personnel.manage, so it cannot give that').waitFor()
  assert.ok(await area('People').getByRole('radio', { name: 'Manage' }).isDisabled())
  assert.ok(await area('Projects').getByRole('radio', { name: 'Read' }).isDisabled())
  await area('People').getByRole('radio', { name: 'Read' }).check()
  await form.getByText('The workspace allows at most 45 days.').waitFor()
  assert.ok(await form.getByRole('radio', { name: /^45 days/ }).isChecked())
  assert.ok(await form.getByRole('radio', { name: 'Never' }).isDisabled())
  await button(page, 'Make the key').click()
  await secretIn(page)
  await button(page, 'I have kept it').click()
  await rowOf(page, 'Clerk').getByText('in 45 days').waitFor()

  const wider = await here.make('Wider', { scopes: ['projects.manage'] })
  await page.goto(world.base + pathOf(wider))
  for (const name of ['Edit', 'Rotate']) {
    await assertRefused(page, name, /does not hold projects\.manage/)
  }
  assertQuiet(visit)
})

test('a bound, expiring key is offered only networks and lives that it may give', async () => {
  const own = await make('Site office', {
    scopes: ['keys.manage', 'personnel.read'],
    allowed_cidrs: ['127.0.0.0/8'],
    expires_in_days: 31,
  })
  const visit = await signedIn(world, own.secret, { path: '/keys' })
  const { page } = visit
  await button(page, 'New key').click()
  const form = dialogOf(page, 'New key')
  await form.getByText('A key that it makes cannot outlive it').waitFor()
  const life = (name: string | RegExp) => form.getByRole('radio', { name })
  assert.ok(await life(/^With your own key/).isChecked())
  assert.ok(await life(/^30 days/).isEnabled())
  for (const name of [/^90 days/, /^366 days/, 'Never']) assert.ok(await life(name).isDisabled())
  const networks = form.getByLabel('Allowed networks')
  assert.equal(await networks.inputValue(), '127.0.0.0/8')
  await form.getByText('these must be within 127.0.0.0/8').waitFor()

  await form.getByLabel('Name').fill('Gate')
  const people = form.getByRole('radiogroup', { name: 'People' })
  await people.getByRole('radio', { name: 'Read' }).check()
  await networks.fill('127.0.0.1, 10.0.0.0/8')
  await button(page, 'Make the key').click()
  const flaw = '10.0.0.0/8: Must be within the networks of your key: 127.0.0.0/8.'
  await form.getByText(flaw, { exact: true }).waitFor()
  await networks.fill('127.0.0.1')
  await button(page, 'Make the key').click()
  const made = await view((await whoHolds(world, await secretIn(page))) ?? { id: '' })
  assert.deepEqual([made.allowed_cidrs, made.expires_at], [['127.0.0.1'], own.expires_at])
  await button(page, 'I have kept it').click()

  await page.goto(world.base + pathOf(made))
  await button(page, 'Edit').click()
  const edit = dialogOf(page, 'Edit Gate')
  await edit.getByLabel('Allowed networks').fill('')
  await button(page, 'Save').click()
  const empty = 'Must not be empty: your key is bound to networks, and can give no others'
  await edit.getByText(empty, { exact: true }).waitFor()

  await page.goto(world.base + pathOf(await make('Anywhere')))
  await assertRefused(page, 'Rotate', /“Site office” is bound to networks, and this key is not/)
  assertQuiet(visit)
})

test('a key is rotated: the new secret is shown, and the old one works on for a day', async () => {
  const old = await make('Backup', { expires_in_days: 30 })
  const visit = await asManager(pathOf(old))
  const { page } = visit
  await button(page, 'Rotate').click()
  const form = dialogOf(page, 'Rotate Backup')
  await form.getByText('A new key is made with the same name, scopes and networks.').waitFor()
  assert.ok(await form.getByRole('radio', { name: '1 hour' }).isChecked())
  assert.ok(await form.getByRole('radio', { name: '30 days, as before' }).isChecked())
  await form.getByRole('radio', { name: '1 day', exact: true }).check()
  await button(page, 'Make the new key').click()
  const secret = await secretIn(page)
  await button(page, 'I have kept it').click()
  await assertForgotten(page, secret)
  await page.getByText(/^This key was replaced, and ends in (1 day|24 hours|tomorrow)/).waitFor()
  await assertRefused(page, 'Rotate', /rotated already/)
  const { replaced_by } = await view(old)
  assert.equal((await whoHolds(world, secret))?.id, replaced_by)
  assert.equal((await whoHolds(world, old.secret))?.id, old.id)
  assertQuiet(visit)
})

test('whoever ends their own key by rotating it keeps the new one before they are out', async () => {
  const { secret: old } = await make('Own', { scopes: ['keys.manage', 'personnel.read'] })
  const visit = await signedIn(world, old, { path: '/keys', isFresh: true })
  const { page } = visit
  await button(page, 'Rotate').click()
  await dialogOf(page, 'Rotate Own').getByRole('radio', { name: 'No time' }).check()
  await page.getByText('You will be signed out once you have kept the new one.').waitFor()
  await button(page, 'Make the new key').click()
  const secret = await secretIn(page)
  assert.equal(await whoHolds(world, old), null)
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
  assert.equal(await secretIn(page), secret, 'it stays, though the session is over')
  await button(page, 'I have kept it').click()
  await page.getByLabel('API key').fill(secret)
  await button(page, 'Sign in').click()
  await heading(page, 'Keys').waitFor()
  assertQuiet(visit)
})

test('a key is revoked by whoever sees what it is, and is refused from then on', async () => {
  const key = await make('Leaked')
  await whoHolds(world, key.secret)
  const visit = await asManager(pathOf(key))
  const { page } = visit
  await button(page, 'Revoke').click()
  const dialog = dialogOf(page, 'Revoke Leaked?')
  await dialog.getByText(`${key.hint}…`).waitFor()
  await dialog.getByText('There is no way back.').waitFor()
  await dialog.getByText('personnel.read').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await view(key)).status, 'active')
  await button(page, 'Revoke').click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Leaked was revoked.').waitFor()
  for (const name of ['Edit', 'Rotate', 'Revoke']) {
    await assertRefused(page, name, /The key is revoked/)
  }
  assert.equal(await whoHolds(world, key.secret), null)
  assertQuiet(visit)
})

test('any key can be revoked by whoever is signed in with it, who is then signed out', async () => {
  const { secret, id } = await make('Found on a train', { scopes: ['projects.read'] })
  const visit = await signedIn(world, secret, { path: '/keys', isFresh: true })
  const { page } = visit
  await button(page, 'Revoke').click()
  const dialog = dialogOf(page, 'Revoke Found on a train?')
  await dialog.getByText('You are signed in with this key, so you will be signed out.').waitFor()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByLabel('API key').waitFor()
  assert.deepEqual(await page.context().cookies(), [])
  assert.equal((await api.keys.view({ params: { key_id: id } })).status, 'revoked')
  assertQuiet(visit)
})
