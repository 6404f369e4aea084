import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { problems, type Risk } from '@muster/contract'
import type { Page } from 'playwright-core'

import { assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { addAuthenticator, deleteSessions, signInSteps, useLink } from './support/sign-in-steps.ts'
import { button, dialogClosed, heading, property, toast } from './support/steps.ts'

const env = await startEnvironment()
const { api, addPerson, createLink, asPerson } = signInSteps(env)
const ada = await addPerson('Ada Lovelace', 'admin')
const signedOut = { name: 'You have been signed out' }

const {
  data: [project],
} = await api.projects.list({ query: { q: 'DAM' } })
assert(project)

const createRisk = (title: string) =>
  api.risks.create({
    params: { project_id: project.id },
    body: { title, likelihood: 3, impact: 4 },
  })
const now = ({ project_id, id }: Risk) => api.risks.view({ params: { project_id, risk_id: id } })
const pathOf = ({ project_id, id }: Risk) => `/projects/${project_id}/risks/${id}`
const titled = async (q: string) => (await api.risks.list({ query: { q } })).data

/** Opens a page as Ada, who has a passkey in this browser. */
async function withPasskey(path: string) {
  const session = await asPerson(ada.id, '/account')
  const { page } = session
  await addAuthenticator(page)
  await button(page, 'Create a passkey').click()
  await button(page.getByRole('dialog'), 'Create').click()
  await toast(page, /was created/).waitFor()
  await page.goto(env.publicUrl + path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  return session
}

async function fillReview(page: Page, note: string) {
  await button(page, 'Review').click()
  const form = page.getByRole('dialog', { name: /^Review / })
  await form.getByLabel('What did you find?').fill(note)
  return form
}

test('a session that ends in a form: a passkey signs in, and the risk is saved once', async () => {
  const session = await withPasskey('/risks')
  const { page } = session
  await button(page, 'New risk').click()
  const form = page.getByRole('dialog', { name: 'New risk' })
  await form.getByLabel('Title').fill('The ferry does not come')
  await form.getByRole('combobox', { name: 'Project' }).fill('DAM')
  await page.getByRole('option', { name: /DAM/ }).click()
  await form.getByRole('button', { name: /^Likelihood 3, impact 4/ }).click()
  await page.context().clearCookies()
  await button(form, 'Add risk').click()
  const dialog = page.getByRole('dialog', signedOut)
  await dialog.getByText('Sign in to save; your text stays here.').waitFor()
  assert.deepEqual(await titled('ferry does not'), [])
  await button(dialog, 'Sign in with a passkey').click()
  await heading(page, 'The ferry does not come').waitFor()
  assert.equal((await titled('ferry does not')).length, 1)
  assertNoErrors(session)
})

test('an inline property is saved after the sign-in', async () => {
  const person = await addPerson('Radia Perlman')
  const session = await withPasskey(`/people/${person.id}`)
  const { page } = session
  await property(page, 'Title').click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Network designer')
  await deleteSessions(env)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', signedOut)
  await dialog.waitFor()
  const stored = await page.evaluate<string>("sessionStorage.getItem('muster-draft')")
  assert.match(stored, /Network designer/, 'a provider would leave the page')
  await button(dialog, 'Sign in with a passkey').click()
  await property(page, 'Title').getByText('Network designer').waitFor()
  await dialog.waitFor({ state: 'detached' })
  const { title } = await api.personnel.view({ params: { user_id: person.id } })
  assert.equal(title, 'Network designer')
  assertNoErrors(session)
})

test('another person does not send the review, and the first one does, by link', async () => {
  const risk = await createRisk('The dam is dry')
  const grace = await addPerson('Grace Hopper', 'reader')
  const session = await asPerson(ada.id, pathOf(risk))
  const { page } = session
  const form = await fillReview(page, 'Seen on site')
  await deleteSessions(env)
  await button(form, 'Save review').click()
  const dialog = page.getByRole('dialog', signedOut)
  await button(dialog, 'I have signed in again').click()
  await dialog.getByText('You have not signed in again yet.').waitFor()
  const tab = await page.context().newPage()
  const useLinkOf = async (id: string) => {
    await useLink(tab, (await createLink(id)).url)
    await tab
      .getByRole('button', { name: /^Account of |^Not now$/ })
      .first()
      .waitFor()
  }
  await useLinkOf(grace.id)
  await button(dialog, 'I have signed in again').click()
  await dialog.getByRole('alert').getByText('You signed in as Grace Hopper').waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByText('because Ada Lovelace typed this text').waitFor()
  assert.equal((await now(risk)).version, risk.version, 'nothing was sent')
  assert.equal(await form.getByLabel('What did you find?').inputValue(), 'Seen on site')
  await useLinkOf(ada.id)
  await button(dialog, 'I have signed in again').click()
  await dialogClosed(page)
  assert.notEqual((await now(risk)).version, risk.version)
  assertNoErrors(session)
})

test('continues as the other person without the text', async () => {
  const risk = await createRisk('The pump is loud')
  const eve = await addPerson('Eve Stranger', 'reader')
  const { page } = await asPerson(ada.id, pathOf(risk))
  const form = await fillReview(page, 'Heard at night')
  await deleteSessions(env)
  await button(form, 'Save review').click()
  const tab = await page.context().newPage()
  await useLink(tab, (await createLink(eve.id)).url)
  await heading(tab, 'My work').waitFor()
  await button(page, 'I have signed in again').click()
  await button(page, 'Continue as Eve Stranger').click()
  await page.getByRole('button', { name: 'Account of Eve Stranger' }).waitFor()
  await page.goto(env.publicUrl + pathOf(risk))
  await heading(page, 'The pump is loud').waitFor()
  assert.equal(await page.evaluate("sessionStorage.getItem('muster-draft')"), null)
  assert.equal(await page.getByRole('dialog').count(), 0)
})

test('a read that finds no session keeps the form', async () => {
  const session = await asPerson(ada.id)
  const { page } = session
  await button(page, 'New risk').click()
  const form = page.getByRole('dialog', { name: 'New risk' })
  await form.getByLabel('Title').fill('Half a sentence')
  await page.context().clearCookies()
  await form.getByRole('combobox', { name: 'Owner' }).fill('mara')
  const dialog = page.getByRole('dialog', signedOut)
  await button(dialog, 'Close').click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await form.getByLabel('Title').inputValue(), 'Half a sentence')
  await button(form, 'Cancel').click()
  await heading(page, 'Sign in to Northwater').waitFor()
  assert.match(page.url(), /\?back=%2Frisks$/)
  assertNoErrors(session)
})

test('a reload keeps the text of a form whose session has ended, until it is discarded', async () => {
  const risk = await createRisk('The gate is open')
  const session = await asPerson(ada.id, pathOf(risk))
  const { page } = session
  const form = await fillReview(page, 'Closed by hand')
  await deleteSessions(env)
  await button(form, 'Save review').click()
  await page.getByRole('dialog', signedOut).waitFor()
  await page.reload()
  await heading(page, 'Sign in to Northwater').waitFor()
  const { url } = await createLink(ada.id)
  await page.goto('about:blank')
  await useLink(page, url.replace('#', `?back=${encodeURIComponent(pathOf(risk))}#`))
  await form.or(button(page, 'Not now')).first().waitFor()
  if (await button(page, 'Not now').isVisible()) await button(page, 'Not now').click()
  await form.waitFor()
  assert.equal(await form.getByLabel('What did you find?').inputValue(), 'Closed by hand')
  await page.keyboard.press('Escape')
  await button(form, 'Discard').click()
  await dialogClosed(page)
  await page.reload()
  await heading(page, 'The gate is open').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  assertNoErrors(session)
})

test('another person who signs in in the tab does not get the text', async () => {
  const risk = await createRisk('The road is wet')
  const joan = await addPerson('Joan Clarke', 'reader')
  const { page } = await asPerson(ada.id, pathOf(risk))
  const form = await fillReview(page, 'Private words')
  await deleteSessions(env)
  await button(form, 'Save review').click()
  await page.getByRole('dialog', signedOut).waitFor()
  await page.goto('about:blank')
  const { url } = await createLink(joan.id)
  await useLink(page, url.replace('#', `?back=${encodeURIComponent(pathOf(risk))}#`))
  await page.getByRole('alert').getByText('You are signed in as Joan Clarke.').waitFor()
  await heading(page, 'The road is wet').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal(await page.evaluate("sessionStorage.getItem('muster-draft')"), null)
})

/** What the service says to API clients. */
const texts = Object.values(problems)
  .filter(({ status }) => status === 401)
  .flatMap(({ title, happened, fix }) => [title, happened, fix])

const causes: Readonly<Record<string, (page: Page, keyId: string) => Promise<unknown>>> = {
  missing_credentials: (page) => page.context().clearCookies(),
  session_ended: () => deleteSessions(env),
  key_revoked: (_, key_id) => api.keys.revoke({ params: { key_id } }),
}

for (const [code, end] of Object.entries(causes)) {
  test(`shows no text for API clients: ${code}`, async () => {
    const key = await api.keys.create({
      body: { name: code, scopes: ['projects.manage', 'personnel.read'] },
    })
    const risk = await createRisk(`For ${code}`)
    const session = await signIn(env, key.secret, { path: pathOf(risk), isFresh: true })
    const { page } = session
    const form = await fillReview(page, 'Typed')
    await end(page, key.id)
    const reply = page.waitForResponse((each) => each.url().endsWith('/review'))
    await button(form, 'Save review').click()
    await button(page.getByRole('dialog', signedOut), 'Close').click()
    assert.equal(((await (await reply).json()) as { code: string }).code, code)
    const notice = form.getByRole('alert').filter({ hasText: 'You have been signed out' })
    await notice.getByText('Sign in to save; your text stays here.').waitFor()
    const shown = await page.locator('body').innerText()
    assert.deepEqual(
      texts.filter((text) => shown.includes(text)),
      [],
    )
    await button(notice, 'Sign in').click()
    await page.getByRole('dialog', signedOut).waitFor()
    assertNoErrors(session)
  })
}

test('one file of the console shows the texts of problems', () => {
  const source = fileURLToPath(new URL('../packages/console/src/', import.meta.url))
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((file) =>
    /(?<!')\bproblem\??\.(?:detail|title)/.test(readFileSync(source + file, 'utf8')),
  )
  assert.deepEqual(files.toSorted(), ['kit/feedback/problem.tsx', 'kit/parts/page-states.tsx'])
  const states = readFileSync(`${source}kit/parts/page-states.tsx`, 'utf8')
  assert.match(states, /isSignedOut\(error\)\s*\? [^:]+: error\.problem\.title/)
})
