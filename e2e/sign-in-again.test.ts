import assert from 'node:assert/strict'
import { test } from 'node:test'

import { assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { pathOf } from './support/group-steps.ts'
import { addAuthenticator, ageSessions, signInSteps, useLink } from './support/sign-in-steps.ts'
import { button, dialogClosed, region, toast } from './support/steps.ts'

const env = await startEnvironment()
const { api, addPerson, createLink, asPerson } = signInSteps(env)
const ada = await addPerson('Ada Lovelace', 'admin')
/** She has no passkey. */
const barbara = await addPerson('Barbara Liskov', 'reader')
const again = { name: 'Sign in again' }

const createKey = async (page: Awaited<ReturnType<typeof asPerson>>['page'], name: string) => {
  await button(page, 'New personal key').click()
  const dialog = page.getByRole('dialog', { name: 'New personal key' })
  await dialog.getByLabel('Name').fill(name)
  await dialog
    .getByRole('radiogroup', { name: 'People' })
    .getByRole('radio', { name: 'Read' })
    .check()
  await button(dialog, 'Create key').click()
}

test('signs in again with a passkey and repeats the request', async () => {
  const session = await asPerson(ada.id, '/account')
  const { page } = session
  await addAuthenticator(page)
  await button(page, 'Create a passkey').click()
  await button(page.getByRole('dialog'), 'Create').click()
  await toast(page, /was created/).waitFor()
  await ageSessions(env)

  await createKey(page, 'Script')
  const dialog = page.getByRole('dialog', again)
  await button(dialog, 'Sign in with a passkey').waitFor()
  assert.deepEqual(await dialog.getByRole('button').allInnerTexts(), ['', 'Sign in with a passkey'])
  await button(dialog, 'Sign in with a passkey').click()
  await page.getByRole('dialog', { name: 'Key “Script” created' }).waitFor()
  await button(page, 'I have saved the key').click()
  await region(page, 'Personal API keys').getByRole('row', { name: 'Script' }).waitFor()
  assertNoErrors(session)
})

test('cancelling keeps the form and shows the refusal', async () => {
  const session = await asPerson(barbara.id, '/account')
  const { page } = session
  await ageSessions(env)
  await createKey(page, 'Cancelled')
  const dialog = page.getByRole('dialog', again)
  await dialog.getByText('Another administrator can create it for you').waitFor()
  assert.equal(await button(dialog, 'Sign in with a passkey').count(), 0, 'she has none')
  await button(dialog, 'I have signed in again').click()
  await dialog.getByText('You have not signed in again yet.').waitFor()
  await button(dialog, 'Close').click()
  const form = page.getByRole('dialog', { name: 'New personal key' })
  await form.getByRole('alert').getByText('This operation needs a recent sign-in.').waitFor()
  assert.equal(await form.getByLabel('Name').inputValue(), 'Cancelled')
  assertNoErrors(session)
})

test('continues after a sign-in by link in another tab', async () => {
  const session = await asPerson(barbara.id, '/account')
  const { page } = session
  await ageSessions(env)
  await createKey(page, 'Other tab')
  const dialog = page.getByRole('dialog', again)
  await dialog.waitFor()
  const { url } = await createLink(barbara.id)
  const tab = await page.context().newPage()
  await useLink(tab, url)
  await tab.getByRole('heading', { name: 'My work', level: 1 }).waitFor()
  await button(dialog, 'I have signed in again').click()
  await page.getByRole('dialog', { name: 'Key “Other tab” created' }).waitFor()
})

test('a sign-in as someone else does not repeat the request', async () => {
  const grace = await addPerson('Grace Hopper', 'reader')
  const session = await asPerson(barbara.id, '/account')
  const { page } = session
  await ageSessions(env)
  await createKey(page, 'Not mine')
  const dialog = page.getByRole('dialog', again)
  await dialog.waitFor()
  const tab = await page.context().newPage()
  await useLink(tab, (await createLink(grace.id)).url)
  await tab.getByRole('heading', { name: 'My work', level: 1 }).waitFor()
  await button(dialog, 'I have signed in again').click()
  await dialog.getByText('Nothing was sent, because Barbara Liskov typed this text.').waitFor()
  await button(dialog, 'Continue as Grace Hopper').click()
  await page.getByRole('button', { name: 'Account of Grace Hopper' }).waitFor()
  const { data } = await api.keys.list()
  assert.ok(!data.some(({ name }) => name === 'Not mine'))
})

test('a session of a key asks for the key', async () => {
  const session = await signIn(env, env.keys.manager, { path: '/access', isFresh: true })
  const { page } = session
  await ageSessions(env)
  await button(page, 'Change role: Saga Nyström').click()
  await page.getByRole('dialog').getByLabel('Role').selectOption('Manager')
  await button(page, 'Save').click()
  const dialog = page.getByRole('dialog', again)
  await dialog.getByLabel('API key', { exact: true }).fill(env.keys.manager)
  await page.keyboard.press('Enter')
  await toast(page, 'Saga Nyström is now Manager.').waitFor()
  await dialogClosed(page)
  assertNoErrors(session)
})

test('asks before a membership gives a role, and not before one that gives nothing', async () => {
  const [plain, wardens] = await Promise.all(
    ['Choir', 'Wardens'].map((name) => api.groups.create({ body: { name } })),
  )
  assert.ok(plain && wardens)
  const { entries } = await api.access.view()
  const role = { role: 'reader', group_id: wardens.id } as const
  await api.access.replace({ body: { entries: [...entries, role] } })
  const session = await signIn(env, env.keys.manager, { path: pathOf(plain), isFresh: true })
  const { page } = session
  await ageSessions(env)
  const addMara = async (group: string) => {
    await button(page, 'Add people').click()
    const dialog = page.getByRole('dialog', { name: `Add people to ${group}` })
    await dialog.getByRole('combobox', { name: 'People' }).fill('mara.l')
    await page.getByRole('option', { name: 'Mara Lindqvist' }).click()
    await button(dialog, 'Add 1 person').click()
  }
  await addMara('Choir')
  await toast(page, 'Mara Lindqvist joined Choir.').waitFor()
  await page.goto(env.base + pathOf(wardens))
  await addMara('Wardens')
  const dialog = page.getByRole('dialog', again)
  await dialog.getByLabel('API key', { exact: true }).fill(env.keys.manager)
  await page.keyboard.press('Enter')
  await toast(page, 'Mara Lindqvist joined Wardens.').waitFor()
  const { data } = await api.groups.members({ params: { group_id: wardens.id } })
  assert.equal(data.length, 1)
  assertNoErrors(session)
})
