import assert from 'node:assert/strict'
import { test } from 'node:test'

import { axeViolations, wcag } from './support/axe.ts'
import {
  assertNoErrors,
  horizontalOverflow,
  signIn,
  startEnvironment,
} from './support/environment.ts'
import { dialogOf, readSecret } from './support/key-steps.ts'
import { waitForFocus } from './support/keyboard.ts'
import { screenshot } from './support/screenshots.ts'
import { accountButton, addAuthenticator, signInSteps } from './support/sign-in-steps.ts'
import { assertRows, button, dialogClosed, heading, region, toast } from './support/steps.ts'

const env = await startEnvironment()
const { addPerson, asPerson } = signInSteps(env)

test('opens the account by keyboard and shows name and role', async () => {
  const ada = await addPerson('Ada Lovelace', 'reader')
  const session = await asPerson(ada.id)
  const { page } = session
  await accountButton(page).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Ada Lovelace · Reader').waitFor()
  await page.keyboard.press('ArrowDown')
  await waitForFocus(page.getByRole('menuitem', { name: 'Your account' }))
  await page.keyboard.press('Enter')
  await heading(page, 'Account').waitFor()
  const you = region(page, 'You')
  await you.getByText('Reader').waitFor()
  await you.getByText('(Sign-in link)').waitFor()
  await you.getByRole('link', { name: 'Ada Lovelace' }).click()
  await heading(page, 'Ada Lovelace').waitFor()
  assert.equal(await region(page, 'Access').count(), 0, 'a reader manages no access')
  assertNoErrors(session)
})

test('lists sessions and ends that of another browser', async () => {
  const grace = await addPerson('Grace Hopper', 'admin')
  const other = await asPerson(grace.id, '/people')
  const otherAgent = await asPerson(grace.id, '/account')
  const { page } = otherAgent
  const rows = region(page, 'Sessions').getByRole('table').getByRole('row')
  await assertRows(rows, 3)
  await rows.filter({ hasText: 'This browser' }).getByText('Chrome on Linux').waitFor()
  await page.getByRole('button', { name: 'End the session of Chrome on Linux' }).click()
  await toast(page, 'The session was ended.').waitFor()
  await rows.nth(2).waitFor({ state: 'detached' })
  await other.page.reload()
  await button(other.page, 'Use an API key').waitFor()
  await button(page, 'Sign out').click()
  await heading(page, 'Sign in to Northwater').waitFor()
  assertNoErrors(otherAgent)
})

test('creates, renames and removes a passkey', async () => {
  const edsger = await addPerson('Edsger Dijkstra', 'reader')
  const session = await asPerson(edsger.id, '/account')
  const { page } = session
  await addAuthenticator(page)
  const passkeys = region(page, 'Passkeys')
  await passkeys.getByText('No passkeys yet').waitFor()
  await button(passkeys, 'Create a passkey').click()
  await button(page.getByRole('dialog'), 'Create').click()
  await passkeys.getByRole('row', { name: 'Chrome on Linux' }).waitFor()
  await dialogClosed(page)

  await button(passkeys, 'Create a passkey').click()
  await button(page.getByRole('dialog'), 'Create').click()
  const exists = page.getByRole('dialog').getByText('This device already has a passkey')
  await exists.waitFor()
  await button(page, 'Cancel').click()

  await button(page, 'Rename Chrome on Linux').click()
  await page.getByRole('dialog').getByLabel('Name').fill('Desk')
  await page.keyboard.press('Enter')
  await passkeys.getByRole('row', { name: 'Desk' }).waitFor()
  await dialogClosed(page)
  await button(page, 'Remove Desk').click()
  await button(dialogOf(page, 'Remove the passkey “Desk”?'), 'Remove').click()
  await passkeys.getByText('No passkeys yet').waitFor()
  assertNoErrors(session)
})

test('creates a personal key, shows its secret once and revokes it', async () => {
  const barbara = await addPerson('Barbara Liskov', 'reader')
  const session = await asPerson(barbara.id, '/account')
  const { page } = session
  await button(page, 'New personal key').click()
  const dialog = dialogOf(page, 'New personal key')
  await dialog.getByLabel('Name').fill('My script')
  const people = dialog.getByRole('radiogroup', { name: 'People' })
  assert.ok(await people.getByRole('radio', { name: 'Manage' }).isDisabled())
  await people.getByRole('radio', { name: 'Read' }).check()
  await button(dialog, 'Create key').click()
  const secret = await readSecret(page)
  await button(page, 'I have saved the key').click()
  const keys = region(page, 'Personal API keys')
  await keys.getByRole('row', { name: 'My script' }).getByText('People: read').waitFor()
  const headers = { authorization: `Bearer ${secret}` }
  const whoami = () => fetch(`${env.base}/v1/whoami`, { headers })
  const { person } = (await (await whoami()).json()) as { person: { name: string } }
  assert.equal(person.name, 'Barbara Liskov')

  for (const width of [1440, 768, 375]) {
    await page.setViewportSize({ width, height: 900 })
    assert.equal(await horizontalOverflow(page), 0, `at ${width} pixels`)
    await screenshot(page, `account-person-${width}`, { fullPage: true })
  }
  assert.deepEqual(await axeViolations(page, { rules: wcag }), [])
  await page.setViewportSize({ width: 1280, height: 900 })

  await button(page, 'Revoke My script').click()
  await button(dialogOf(page, 'Revoke My script?'), 'Revoke').click()
  await keys.getByText('No personal keys yet').waitFor()
  assert.equal((await whoami()).status, 401)
  assertNoErrors(session)
})

test('a session of a key shows the key', async () => {
  const session = await signIn(env, env.keys.reader, { path: '/account' })
  const { page } = session
  await region(page, 'Your key').getByText('Demo reader', { exact: true }).waitFor()
  await page.getByText('You are signed in with an API key').waitFor()
  assertNoErrors(session)
})
