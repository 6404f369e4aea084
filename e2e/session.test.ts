import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  assertNoErrors,
  enterKey,
  signIn,
  startEnvironment,
  openPage,
} from './support/environment.ts'
import { arrowTo, waitForFocus } from './support/keyboard.ts'
import { accountButton } from './support/sign-in-steps.ts'
import { assertNotOffered } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader, unscoped } = env.keys

test('redirects to sign-in and back to the requested page', async () => {
  const session = await openPage(env)
  const { page } = session
  await page.goto(`${env.base}/people`)
  await enterKey(page, manager)
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/people')
  const [cookie, ...others] = await page.context().cookies()
  assert.ok(cookie?.httpOnly && cookie.secure && others.length === 0)
  assert.ok(!cookie.value.includes('muster_key_'))
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
  assert.ok(!String(kept).includes('muster_key_'), 'the browser does not store the key')
  assertNoErrors(session)
})

test('rejects a wrong key with advice and the request id', async () => {
  const session = await openPage(env)
  const { page } = session
  await page.goto(`${env.base}/sign-in`)
  await enterKey(page, 'muster_key_of_my_own')
  const alert = page.getByRole('alert')
  await alert.getByRole('link', { name: 'What this means and how to fix it' }).waitFor()
  assert.match(await alert.innerText(), /req_/)
  assertNoErrors(session)
})

test('signing out ends the session in every window', async () => {
  const session = await signIn(env, reader, { isFresh: true })
  const other = await session.page.context().newPage()
  await other.goto(`${env.base}/issues`)
  await other.getByRole('heading', { name: 'Issues', level: 1 }).waitFor()
  await accountButton(session.page).click()
  await session.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await session.page.getByRole('button', { name: 'Use an API key' }).waitFor()
  await other.reload()
  await other.getByRole('button', { name: 'Use an API key' }).waitFor()
})

test('an action without its scope is not shown', async () => {
  const session = await signIn(env, reader)
  await assertNotOffered(session.page, 'New risk')
  assertNoErrors(session)
})

test('a key without scopes sees the required scope', async () => {
  const session = await signIn(env, unscoped)
  await session.page.getByText('requires the scope projects.read').first().waitFor()
  assertNoErrors(session)
})

test('the palette opens a page, a risk and a person with the keyboard only', async () => {
  const session = await signIn(env, manager)
  const { page } = session
  const search = async (text: string) => {
    await page.keyboard.press('Control+k')
    await waitForFocus(page.getByRole('dialog').getByRole('textbox', { name: 'Search' }))
    await page.keyboard.type(text)
  }
  const choose = async (name: RegExp) => {
    await arrowTo(page.getByRole('dialog').getByRole('button', { name }))
    await page.keyboard.press('Enter')
  }
  await search('grou')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor()
  await search('TUN-R1')
  await choose(/TUN-R1 /)
  await page.getByRole('heading', { name: /Water under pressure/, level: 1 }).waitFor()
  await search('Briain')
  await choose(/Séamus Ó Briain/)
  await page.getByRole('heading', { name: 'Séamus Ó Briain', level: 1 }).waitFor()
  assertNoErrors(session)
})

test('keeps the selected theme', async () => {
  const session = await signIn(env, reader, { colorScheme: 'light' })
  const { page } = session
  await accountButton(page).click()
  await page.getByRole('menuitem', { name: 'Dark theme' }).click()
  await page.reload()
  await accountButton(page).click()
  await page.getByRole('menuitem', { name: 'Light theme' }).waitFor()
  assertNoErrors(session)
})

test('shows an unknown route and a missing person', async () => {
  const session = await signIn(env, reader)
  const { page } = session
  await page.goto(`${env.base}/risks/nowhere`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.goto(`${env.base}/people/usr_01aaaaaaaaaaaaaaaaaaaaaaaa`)
  await page.getByRole('alert').waitFor()
})
