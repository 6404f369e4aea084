import assert from 'node:assert/strict'
import { test } from 'node:test'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { dialogOf } from './support/key-steps.ts'
import { screenshot } from './support/screenshots.ts'
import { button, dialogClosed, heading, region, toast } from './support/steps.ts'

const env = await startEnvironment()
const api = apiOf(env, env.keys.manager)
const asManager = (path: string) =>
  signIn(env, env.keys.manager, { path, permissions: ['clipboard-read', 'clipboard-write'] })

test('sets, tests, edits and removes the identity provider', async () => {
  const session = await asManager('/workspace')
  const { page } = session
  await page.getByRole('link', { name: 'Sign-in settings' }).click()
  await heading(page, 'Sign-in settings').waitFor()
  await button(page, 'Copy: Redirect URI, to register at the identity provider').click()
  const { redirect_uri } = await api.sign_in.view()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), redirect_uri)

  await button(page, 'Set identity provider').click()
  const dialog = dialogOf(page, 'Identity provider')
  await button(dialog, 'Save').click()
  await dialog.getByText('This field is required.').first().waitFor()
  const issuer = dialog.getByLabel('Issuer')
  await dialog.getByLabel('Provider').selectOption('Google')
  assert.equal(await issuer.inputValue(), 'https://accounts.google.com')
  await dialog.getByText('List your email domains below').waitFor()
  await dialog.getByLabel('Provider').selectOption('Microsoft Entra ID')
  assert.equal(await issuer.inputValue(), 'https://login.microsoftonline.com/TENANT_ID/v2.0')
  assert.equal(await dialog.getByLabel('Find a person by').inputValue(), 'external_id')
  await button(dialog, 'Save').click()
  await dialog.getByText('Replace TENANT_ID.').waitFor()
  await screenshot(page, 'provider-preset')
  await issuer.fill('https://127.0.0.1:9/id')
  assert.equal(await dialog.getByLabel('Provider').inputValue(), 'other')
  await dialog.getByLabel('Find a person by').selectOption('Verified email')
  await dialog.getByLabel('Client ID').fill('muster')
  await dialog.getByLabel('Client secret', { exact: true }).fill('not-a-real-secret')
  await dialog.getByLabel('Allowed email domains').fill('Example.com, example.org')
  await button(dialog, 'Save').click()
  await dialog.getByText('A check failed.').waitFor()
  assert.equal((await api.sign_in.view()).provider, null, 'nothing was saved')
  await screenshot(page, 'provider-check')
  await button(dialog, 'Save anyway').click()
  await toast(page, 'The identity provider was saved.').waitFor()
  await dialogClosed(page)
  const section = region(page, 'Identity provider')
  await section.getByText('example.com, example.org').waitFor()
  await section.getByText('Verified email').waitFor()

  await button(section, 'Test').click()
  await section.getByText('A check failed.').waitFor()
  await section.getByText('Failed:').waitFor()

  await button(section, 'Edit').click()
  await dialog.getByLabel('People without a role').selectOption('reader')
  await button(dialog, 'Save').click()
  await section.getByText('Give the role Reader at the first sign-in').waitFor()
  await dialogClosed(page)
  const { provider } = await api.sign_in.view()
  assert.deepEqual(
    [provider?.issuer, provider?.first_sign_in, provider?.allowed_domains],
    ['https://127.0.0.1:9/id', 'reader', ['example.com', 'example.org']],
  )

  await page.goto(`${env.base}/sign-in/${env.workspaceId}`)
  const link = page.getByRole('link', { name: 'Sign in with your organisation' })
  assert.match((await link.getAttribute('href')) ?? '', /\/oidc\/start\?return_to=%2F$/)
  await page.goBack()

  await button(section, 'Remove').click()
  await button(dialogOf(page, 'Remove the identity provider?'), 'Remove').click()
  await section.getByText('No identity provider').waitFor()
  assertNoErrors(session)
})

test('those who may not manage the workspace see the reason', async () => {
  const session = await signIn(env, env.keys.reader, { path: '/workspace/sign-in' })
  await session.page.getByText('it needs the scope workspace.manage').waitFor()
  assertNoErrors(session)
})
