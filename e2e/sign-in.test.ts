import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { assertNoErrors, openPage, startEnvironment } from './support/environment.ts'
import { waitForFocus } from './support/keyboard.ts'
import {
  accountButton,
  addAuthenticator,
  atPublicUrl,
  signInSteps,
  useLink,
} from './support/sign-in-steps.ts'
import { button, heading, region, toast } from './support/steps.ts'

const env = await startEnvironment()
const { createLink, addPerson, asPerson } = signInSteps(env)
const ada = await addPerson('Ada Lovelace', 'admin')
const open = () => openPage(atPublicUrl(env))

test('a link asks first, signs a person in once and offers a passkey', async () => {
  const grace = await addPerson('Grace Hopper', 'reader')
  const { url } = await createLink(grace.id)
  const session = await open()
  const { page } = session
  await page.goto(url)
  await heading(page, 'Sign in to Northwater as Grace Hopper').waitFor()
  await button(page, 'Sign in').waitFor()
  assert.equal(await page.getByRole('button').count(), 1, 'one button')
  assert.equal(await page.getByRole('note').count(), 0, 'there is no session to end')
  assert.ok(!page.url().includes('#'), 'the address has no token')
  await button(page, 'Sign in').click()
  await heading(page, 'My work').waitFor()
  await accountButton(page).getByText('Grace Hopper').waitFor()
  const offer = page.getByRole('note').filter({ hasText: 'Sign in faster next time' })
  await offer.waitFor()
  const before = await page.getByRole('main').boundingBox()
  await button(offer, 'Dismiss').click()
  await offer.waitFor({ state: 'detached' })
  const after = await page.getByRole('main').boundingBox()
  assert.deepEqual(before, after, 'the notice takes no place of the page')
  await page.reload()
  await heading(page, 'My work').waitFor()
  await accountButton(page).click()
  await page.getByRole('menuitem', { name: 'Create a passkey' }).waitFor()
  assert.equal(await offer.count(), 0, 'a dismissed notice does not return')
  assertNoErrors(session)

  const other = await open()
  await other.page.goto(url)
  await other.page.getByRole('alert').getByText('The sign-in was refused.').waitFor()
  await button(other.page, 'Sign in with a passkey').waitFor()
  const kept = await other.page.evaluate('JSON.stringify([location.href, history.state])')
  assert.ok(!String(kept).includes('muster_link_'))
  assertNoErrors(other)
})

test('loading the page of a link uses nothing up, with and without scripts', async () => {
  const { url } = await createLink(ada.id)
  assert.equal((await fetch(url)).status, 200)
  for (let round = 0; round < 2; round++) {
    const { page } = await open()
    await page.goto(url)
    await heading(page, 'Sign in to Northwater as Ada Lovelace').waitFor()
  }
  const { page } = await open()
  await useLink(page, url)
  await heading(page, 'Add a passkey').waitFor()
})

test('creates a passkey and signs in with it by keyboard', async () => {
  const edsger = await addPerson('Edsger Dijkstra', 'reader')
  const session = await asPerson(edsger.id)
  const { page } = session
  await addAuthenticator(page)
  await page.getByRole('link', { name: 'Create a passkey' }).click()
  const name = page.getByRole('dialog', { name: 'Create a passkey' }).getByLabel('Name')
  await waitForFocus(name)
  await name.fill('Work laptop')
  await page.keyboard.press('Enter')
  await toast(page, 'The passkey “Work laptop” was created.').waitFor()
  await region(page, 'Passkeys').getByRole('row', { name: 'Work laptop' }).waitFor()

  await accountButton(page).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(page, 'Sign in to Northwater').waitFor()
  const { pathname } = new URL(page.url())
  assert.equal(pathname, `/sign-in/${env.workspaceId}`)
  await button(page, 'Sign in with a passkey').focus()
  await page.keyboard.press('Enter')
  await heading(page, 'My work').waitFor()
  await accountButton(page).getByText('Edsger Dijkstra').waitFor()
  await page.goto(`${env.publicUrl}/account`)
  await region(page, 'You').getByText('(Passkey)').waitFor()
  assertNoErrors(session)
})

test('a browser without a passkey of the workspace shows what to do', async () => {
  const session = await open()
  const { page } = session
  await addAuthenticator(page)
  await page.goto(`${env.publicUrl}/sign-in/${env.workspaceId}`)
  await button(page, 'Sign in with a passkey').click()
  await page.getByRole('alert').getByText('No passkey was used').waitFor()
  assertNoErrors(session)
})

test('asks for the workspace if the service has several', async () => {
  const session = await open()
  const { page } = session
  await page.goto(`${env.publicUrl}/people`)
  await heading(page, 'Sign in to Northwater').waitFor()
  await env.emptyWorkspace('Second')
  // The service keeps the id of the only workspace for 2 s.
  await sleep(2100)
  await page.goto(`${env.publicUrl}/people`)
  await page.getByLabel('Your organisation').fill(env.workspaceId)
  await page.keyboard.press('Enter')
  await heading(page, 'Sign in to Northwater').waitFor()
  assert.match(page.url(), /\?back=%2Fpeople$/)

  await page.goto(`${env.publicUrl}/sign-in/wsp_01ktrr9d3hen4v9q9t9m2g8x5c`)
  await page.getByRole('alert').getByText('No organisation has this name').waitFor()
  await page.goto(`${env.publicUrl}/sign-in/${env.workspaceId}?problem=sign_in_refused`)
  await page.getByRole('alert').getByText('ask an administrator').waitFor()
  assertNoErrors(session)
})

test('the device remembers the workspace, and the slug finds it', async () => {
  const session = await asPerson(ada.id, '/people')
  const { page } = session
  const kept = JSON.parse(await page.evaluate("localStorage.getItem('muster-workspace')"))
  assert.deepEqual(kept, { id: env.workspaceId, name: 'Northwater' })
  await accountButton(page).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(page, 'Sign in to Northwater').waitFor()
  await page.goto(`${env.publicUrl}/risks?q=scour`)
  await heading(page, 'Sign in to Northwater').waitFor()
  const { pathname, searchParams } = new URL(page.url())
  assert.equal(pathname, `/sign-in/${env.workspaceId}`)
  assert.equal(searchParams.get('back'), '/risks?q=scour')
  await page.getByRole('link', { name: 'Another workspace' }).click()
  await page.getByLabel('Your organisation').fill('Northwater')
  await page.keyboard.press('Enter')
  await heading(page, 'Sign in to Northwater').waitFor()
  assert.equal(new URL(page.url()).pathname, '/sign-in/northwater')
  const { url } = await createLink(ada.id)
  await useLink(page, url.replace('#', '?back=%2Frisks%3Fq%3Dscour#'))
  await heading(page, 'Risks').or(button(page, 'Not now')).first().waitFor()
  assertNoErrors(session)
})

test('a session that ended returns to the sign-in page of its workspace', async () => {
  const session = await asPerson(ada.id, '/people')
  const { page } = session
  await heading(page, 'People').waitFor()
  await page.context().clearCookies()
  const leave = page.getByRole('link', { name: 'Groups' }).click()
  // A request in the background may end the session first. Then there is no link any more.
  leave.catch(() => {})
  await heading(page, 'Sign in to Northwater').waitFor()
  assert.equal(new URL(page.url()).pathname, `/sign-in/${env.workspaceId}`)
})

test('another site cannot replace a session: the page of a link warns and waits', async (t) => {
  const { manager } = await env.emptyWorkspace('Attackers')
  const attackers = signInSteps(env, manager)
  const decoy = await attackers.addPerson('Decoy')
  const { url } = await attackers.createLink(decoy.id)
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<script>location = ${JSON.stringify(url)}</script>`)
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  t.after(() => site.close())
  const { port } = site.address() as AddressInfo
  const session = await asPerson(ada.id)
  const { page } = session
  await page.goto(`http://127.0.0.1:${port}/`)
  await heading(page, 'Sign in to Attackers as Decoy').waitFor()
  const warning = 'You are signed in to Northwater as Ada Lovelace. This ends that session.'
  await page.getByRole('note').getByText(warning).waitFor()
  await page.goto(`${env.publicUrl}/risks`)
  await accountButton(page).getByText('Ada Lovelace').waitFor()
  assert.deepEqual(session.errors, [])
})
