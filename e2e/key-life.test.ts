import assert from 'node:assert/strict'
import { test } from 'node:test'

import { assertNoErrors, enterKey, signIn, startEnvironment } from './support/environment.ts'
import {
  assertSecretCleared,
  dialogOf,
  keySteps,
  pathOf,
  readSecret,
  keyOfSecret,
} from './support/key-steps.ts'
import { waitForFocus } from './support/keyboard.ts'
import {
  assertDisabled,
  button,
  chooseAction,
  heading,
  rowOf,
  toast,
  undo,
} from './support/steps.ts'

const env = await startEnvironment()
const { api, createKey, view, asManager } = keySteps(env)

test('creates a key with the keyboard only and shows the secret once', async () => {
  // The sign-in page is the entry of the history to which “Back” would lead.
  const session = await asManager('/keys', { isFresh: true })
  const { page } = session
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await button(page, 'New key').focus()
  await press('Enter')
  const form = dialogOf(page, 'New key')
  await waitForFocus(form.getByLabel('Name'))
  await press('Enter')
  await form.getByText('This field is required.').waitFor()
  await page.keyboard.type('Payroll sync')
  await press('Enter')
  await form.getByText('Choose what the key may do.').waitFor()
  // Tab moves to the first area and then to the next. Arrow keys select.
  await press('Tab', 'ArrowRight', 'Tab', 'ArrowRight', 'ArrowRight')
  await form.getByText('Add and change projects, risks, issues and tasks.').waitFor()
  // Skips the other two areas and selects a shorter lifetime.
  await press('Tab', 'Tab', 'Tab', 'ArrowUp', 'Tab')
  await page.keyboard.type('127.0.0.0/8 ::1')
  // Skips the responsible person and Cancel.
  await press('Tab', 'Tab', 'Tab', 'Enter')

  const dialog = dialogOf(page, 'Key “Payroll sync” created')
  await dialog.getByText('The key is shown only once').waitFor()
  const secret = await readSecret(page)
  const copy = dialog.getByRole('button', { name: 'Copy: Secret key' })
  await waitForFocus(copy)
  await press('Enter')
  await dialog.getByRole('button', { name: 'Copied' }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret)

  const address = page.url()
  await press('Escape')
  await page.mouse.click(5, 400)
  await page.evaluate('history.back()')
  assert.equal(await readSecret(page), secret, 'only its button closes the dialog')
  assert.equal(page.url(), address)

  await button(page, 'I have saved the key').focus()
  await press('Enter')
  await waitForFocus(button(page, 'New key'))
  await assertSecretCleared(page, secret)
  await rowOf(page, 'Payroll sync').getByText('in 30 days').waitFor()
  const created = await keyOfSecret(env, secret)
  const { scopes, allowed_cidrs } = await view(created ?? { id: '' })
  assert.deepEqual(scopes, ['personnel.read', 'projects.manage'])
  assert.deepEqual(allowed_cidrs, ['127.0.0.0/8', '::1'])
  assertNoErrors(session)
})

test('a key grants only its own scopes and the allowed lifetime', async () => {
  const { manager } = await env.emptyWorkspace('Strict')
  const here = keySteps(env, manager)
  const { secret } = await here.createKey('Team lead', {
    scopes: ['keys.manage', 'personnel.read', 'workspace.read'],
    expires_in_days: null,
  })
  await here.api.workspace.update({ body: { policies: { key_days_max: 45 } } })
  const session = await signIn(env, secret, { path: '/keys' })
  const { page } = session
  await button(page, 'New key').click()
  const form = dialogOf(page, 'New key')
  await form.getByLabel('Name').fill('Clerk')
  const area = (name: string) => form.getByRole('radiogroup', { name })
  await form.getByText('does not have personnel.manage, so it cannot grant it').waitFor()
  assert.ok(await area('People').getByRole('radio', { name: 'Manage' }).isDisabled())
  assert.ok(await area('Projects').getByRole('radio', { name: 'Read' }).isDisabled())
  await area('People').getByRole('radio', { name: 'Read' }).check()
  await form.getByText('The workspace allows at most 45 days.').waitFor()
  assert.ok(await form.getByRole('radio', { name: /^45 days/ }).isChecked())
  assert.ok(await form.getByRole('radio', { name: 'Never' }).isDisabled())
  await button(page, 'Create key').click()
  await readSecret(page)
  await button(page, 'I have saved the key').click()
  await rowOf(page, 'Clerk').getByText('in 45 days').waitFor()

  const wider = await here.createKey('Wider', { scopes: ['projects.manage'] })
  await page.goto(env.base + pathOf(wider))
  await assertDisabled(page, 'Renew …', /does not have projects\.manage/)
  await button(page, 'More actions: Wider').click()
  const edit = { name: /^Edit ….*does not have projects\.manage/, disabled: true }
  await page.getByRole('menuitem', edit).waitFor()
  assertNoErrors(session)
})

test('a restricted, expiring key offers only its own networks and lifetimes', async () => {
  const own = await createKey('Site office', {
    scopes: ['keys.manage', 'personnel.read'],
    allowed_cidrs: ['127.0.0.0/8'],
    expires_in_days: 31,
  })
  const session = await signIn(env, own.secret, { path: '/keys' })
  const { page } = session
  await button(page, 'New key').click()
  const form = dialogOf(page, 'New key')
  await form.getByText('Keys that it creates cannot expire later.').waitFor()
  const lifetime = (name: string | RegExp) => form.getByRole('radio', { name })
  assert.ok(await lifetime(/^With your own key/).isChecked())
  assert.ok(await lifetime(/^30 days/).isEnabled())
  for (const name of [/^90 days/, /^366 days/, 'Never'])
    assert.ok(await lifetime(name).isDisabled())
  const networks = form.getByLabel('Allowed networks')
  assert.equal(await networks.inputValue(), '127.0.0.0/8')
  await form.getByText('these must be within 127.0.0.0/8').waitFor()

  await form.getByLabel('Name').fill('Gate')
  const people = form.getByRole('radiogroup', { name: 'People' })
  await people.getByRole('radio', { name: 'Read' }).check()
  await networks.fill('127.0.0.1, 10.0.0.0/8')
  await button(page, 'Create key').click()
  const error = '10.0.0.0/8: Must be within the networks of your key: 127.0.0.0/8.'
  await form.getByText(error, { exact: true }).waitFor()
  await networks.fill('127.0.0.1')
  await button(page, 'Create key').click()
  const created = await view((await keyOfSecret(env, await readSecret(page))) ?? { id: '' })
  assert.deepEqual([created.allowed_cidrs, created.expires_at], [['127.0.0.1'], own.expires_at])
  await button(page, 'I have saved the key').click()

  await page.goto(env.base + pathOf(created))
  await chooseAction(page, 'Gate', 'Edit')
  const edit = dialogOf(page, 'Edit Gate')
  await edit.getByLabel('Allowed networks').fill('')
  await button(page, 'Save').click()
  const empty = 'Must not be empty: your key is restricted to networks and can grant no others'
  await edit.getByText(empty, { exact: true }).waitFor()
  await edit.getByLabel('Allowed networks').fill('127.0.0.1')
  await edit.getByLabel('Name').fill('Entrance')
  await button(page, 'Save').click()
  await undo(page, 'Entrance was updated.')
  await heading(page, 'Gate').waitFor()
  await chooseAction(page, 'Gate', 'Edit')
  await edit.getByLabel('Allowed networks').fill('127.0.0.2')
  await button(page, 'Save').click()
  await toast(page, 'Gate was updated.').waitFor()
  assert.equal(await button(toast(page, 'Gate was updated.'), 'Undo').count(), 0)

  await page.goto(env.base + pathOf(await createKey('Anywhere')))
  await assertDisabled(
    page,
    'Renew …',
    /“Site office” is restricted to networks and this key is not/,
  )
  assertNoErrors(session)
})

test('rotates a key with an overlap of one day', async () => {
  const old = await createKey('Backup', { expires_in_days: 30 })
  const session = await asManager(pathOf(old))
  const { page } = session
  await button(page, 'Renew …').click()
  const form = dialogOf(page, 'Renew Backup')
  await form
    .getByText('Creates a new key with the same name, scopes, networks and projects.')
    .waitFor()
  assert.ok(await form.getByRole('radio', { name: '1 hour' }).isChecked())
  assert.ok(await form.getByRole('radio', { name: '30 days, as before' }).isChecked())
  await form.getByRole('radio', { name: '1 day', exact: true }).check()
  await button(page, 'Renew key').click()
  const secret = await readSecret(page)
  await button(page, 'I have saved the key').click()
  await assertSecretCleared(page, secret)
  await page.getByText(/^This key was replaced and expires in (1 day|24 hours|tomorrow)/).waitFor()
  await button(page, 'Renew …').waitFor({ state: 'detached' })
  const { replaced_by } = await view(old)
  assert.equal((await keyOfSecret(env, secret))?.id, replaced_by)
  assert.equal((await keyOfSecret(env, old.secret))?.id, old.id)
  assertNoErrors(session)
})

test('shows the new secret before rotation ends the own session', async () => {
  const own = await createKey('Own', { scopes: ['keys.manage', 'personnel.read'] })
  const old = own.secret
  const session = await signIn(env, old, { path: pathOf(own), isFresh: true })
  const { page } = session
  await button(page, 'Renew …').click()
  await dialogOf(page, 'Renew Own').getByRole('radio', { name: 'None' }).check()
  await page.getByText('You are signed out after you save the new key.').waitFor()
  await button(page, 'Renew key').click()
  const secret = await readSecret(page)
  assert.equal(await keyOfSecret(env, old), null)
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
  assert.equal(await readSecret(page), secret, 'the secret stays after the session ended')
  await button(page, 'I have saved the key').click()
  await enterKey(page, secret)
  await heading(page, 'Own').waitFor()
  assertNoErrors(session)
})

test('revokes a key, which the service then refuses', async () => {
  const key = await createKey('Leaked')
  await keyOfSecret(env, key.secret)
  const session = await asManager(pathOf(key))
  const { page } = session
  await chooseAction(page, 'Leaked', 'Revoke …')
  const dialog = dialogOf(page, 'Revoke Leaked?')
  await dialog.getByText(`${key.hint}…`).waitFor()
  await dialog.getByText('This cannot be undone.').waitFor()
  await dialog.getByText('People: read').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await view(key)).status, 'active')
  await chooseAction(page, 'Leaked', 'Revoke …')
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Leaked was revoked.').waitFor()
  await button(page, 'Renew …').waitFor({ state: 'detached' })
  await button(page, 'More actions: Leaked').click()
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: /^(Edit|Revoke)/ }).count(), 0)
  assert.equal(await keyOfSecret(env, key.secret), null)
  assertNoErrors(session)
})

test('a key revokes itself and the session ends', async () => {
  const { secret, id } = await createKey('Found on a train', { scopes: ['projects.read'] })
  const session = await signIn(env, secret, { path: pathOf({ id }), isFresh: true })
  const { page } = session
  await chooseAction(page, 'Found on a train', 'Revoke …')
  const dialog = dialogOf(page, 'Revoke Found on a train?')
  await dialog.getByText('You are signed in with this key and will be signed out.').waitFor()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await button(page, 'Use an API key').waitFor()
  assert.deepEqual(await page.context().cookies(), [])
  assert.equal((await api.keys.view({ params: { key_id: id } })).status, 'revoked')
  assertNoErrors(session)
})
