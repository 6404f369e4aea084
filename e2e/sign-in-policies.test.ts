import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Page } from 'playwright-core'

import { axeViolations, wcag } from './support/axe.ts'
import {
  assertNoErrors,
  horizontalOverflow,
  openPage,
  signIn,
  startEnvironment,
} from './support/environment.ts'
import { dialogOf } from './support/key-steps.ts'
import { screenshot } from './support/screenshots.ts'
import { addAuthenticator, atPublicUrl, bindAccount, signInSteps } from './support/sign-in-steps.ts'
import { button, dialogClosed, heading, region, toast } from './support/steps.ts'

const env = await startEnvironment()
const { api, addPerson, asPerson, createLink } = signInSteps(env)

/** Checks the page with axe and stores a picture of it. */
async function inspect(page: Page, name: string): Promise<void> {
  assert.deepEqual(await axeViolations(page, { rules: wcag }), [], name)
  assert.equal(await horizontalOverflow(page), 0, name)
  await screenshot(page, name, { fullPage: true })
}

test('removes the account of a person on their page', async () => {
  const eve = await addPerson('Eve Stranger', 'reader')
  await bindAccount(env, 'Eve Stranger')
  const session = await signIn(env, env.keys.manager, { path: `/people/${eve.id}` })
  const { page } = session
  const access = region(page, 'Access')
  await access.getByText('248289761001 at https://id.example.com/realms/acme').waitFor()
  await access.getByText(/^Bound .*, not used yet$/).waitFor()
  await inspect(page, 'person-account')
  await button(access, 'Remove the account').click()
  const dialog = dialogOf(page, 'Remove the account of Eve Stranger?')
  await dialog.getByText(/Correct them first/).waitFor()
  await button(dialog, 'Remove').click()
  await toast(page, 'The account of Eve Stranger was removed.').waitFor()
  await access.getByText('None at the identity provider').waitFor()
  await dialogClosed(page)
  assertNoErrors(session)
})

/** The sign-in page shows an earlier answer for 2 seconds. */
async function untilAllowed(...methods: string[]): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const reply = await fetch(`${env.base}/sign-in/${env.workspaceId}/methods`)
    const { allowed_methods } = (await reply.json()) as { allowed_methods: string[] }
    if (allowed_methods.join() === methods.join()) return
    await sleep(100)
  }
  assert.fail('the sign-in page shows other methods')
}

test('allows passkeys only; a link then adds a passkey, which an administrator removes', async () => {
  const [ada, bob] = [await addPerson('Ada Admin', 'admin'), await addPerson('Bob Bold', 'reader')]
  const chief = await asPerson(ada.id, '/account')
  await addAuthenticator(chief.page)
  await button(region(chief.page, 'Passkeys'), 'Create a passkey').click()
  await button(dialogOf(chief.page, 'Create a passkey'), 'Create').click()
  await toast(chief.page, /^The passkey “.*” was created\.$/).waitFor()

  await chief.page.goto(`${env.publicUrl}/workspace`)
  await button(chief.page, 'Edit').click()
  const dialog = dialogOf(chief.page, 'Edit workspace')
  await dialog.getByLabel('Inactivity limit of sessions').fill('24')
  for (const method of ['Identity provider', 'Sign-in link', 'API key'])
    await dialog.getByRole('checkbox', { name: method }).uncheck()
  await inspect(chief.page, 'workspace-policies-edit')
  await button(dialog, 'Save').click()
  await region(chief.page, 'Policies').getByText('Passkey', { exact: true }).waitFor()
  const { policies } = await api.workspace.view()
  assert.deepEqual([policies.session_idle_hours, policies.sign_in_methods], [24, ['passkey']])
  await untilAllowed('passkey')

  const session = await openPage(atPublicUrl(env))
  const { page } = session
  await addAuthenticator(page)
  await page.goto((await createLink(bob.id)).url)
  await button(page, 'Create a passkey').waitFor()
  assert.equal(await button(page, 'Use an API key').count(), 0)
  await inspect(page, 'sign-in-enrol')
  await button(page, 'Create a passkey').click()
  await page.getByText('The passkey was created. Sign in with it now.').waitFor()
  await button(page, 'Sign in with a passkey').click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })

  await chief.page.goto(`${env.publicUrl}/people/${bob.id}`)
  const access = region(chief.page, 'Access')
  await access.getByText('In 1 browser').waitFor()
  await inspect(chief.page, 'person-passkeys')
  await button(access, 'Remove Chrome on Linux').click()
  const removal = dialogOf(chief.page, 'Remove the passkey “Chrome on Linux” of Bob Bold?')
  await button(removal, 'Remove').click()
  await toast(chief.page, 'The passkey “Chrome on Linux” was removed.').waitFor()
  await page.reload()
  await heading(page, 'Sign in to Northwater').waitFor()
  assertNoErrors(chief)
})

test('names a way to sign in that is not allowed', async () => {
  const { page } = await openPage(atPublicUrl(env))
  const problem = 'sign_in_method_not_allowed'
  await page.goto(`${env.publicUrl}/sign-in/${env.workspaceId}?problem=${problem}`)
  await page.getByText(/does not allow sign-in with an identity provider/).waitFor()
})
