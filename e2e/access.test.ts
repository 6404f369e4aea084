import assert from 'node:assert/strict'
import { test } from 'node:test'

import { assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { dialogOf } from './support/key-steps.ts'
import { tabTo, waitForFocus } from './support/keyboard.ts'
import { chooseOption } from './support/people-steps.ts'
import { screenshot } from './support/screenshots.ts'
import { signInSteps } from './support/sign-in-steps.ts'
import {
  button,
  chooseAction,
  dialogClosed,
  heading,
  region,
  rowOf,
  toast,
} from './support/steps.ts'

const env = await startEnvironment()
const { api, addPerson, asPerson } = signInSteps(env)
const asManager = (path = '/access', isLive = true) =>
  signIn(env, env.keys.manager, {
    path,
    isLive,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
const roleOf = async (id: string) =>
  (await api.access.view()).entries.find(({ user_id, group_id }) => (user_id ?? group_id) === id)
    ?.role

test('gives, changes and removes the role of a person', async () => {
  const person = await addPerson('Ada Lovelace')
  const session = await asManager()
  const { page } = session
  await button(page, 'Add access').click()
  const dialog = dialogOf(page, 'Add access')
  await button(dialog, 'Add').click()
  await dialog.getByText('Choose a person or a group.').waitFor()
  await chooseOption(page, dialog, ['Person', 'Ada Lovelace'])
  await dialog.getByText('Reads the roster and all projects.').waitFor()
  await dialog.getByLabel('Role').selectOption('Contributor')
  await button(dialog, 'Add').click()
  await toast(page, 'Ada Lovelace is now Contributor.').waitFor()
  await rowOf(page, 'Ada Lovelace').getByText('Contributor').waitFor()
  assert.equal(await roleOf(person.id), 'contributor')
  await dialogClosed(page)

  await button(page, 'Change role: Ada Lovelace').click()
  await page.getByRole('dialog').getByLabel('Role').selectOption('Administrator')
  await button(page, 'Save').click()
  await rowOf(page, 'Ada Lovelace').getByText('Administrator').waitFor()
  assert.equal(await roleOf(person.id), 'admin')
  await dialogClosed(page)

  await chooseAction(page, 'Ada Lovelace', 'Remove …')
  await button(dialogOf(page, 'Remove the role of Ada Lovelace?'), 'Remove').click()
  await toast(page, 'The role of Ada Lovelace was removed.').waitFor()
  await rowOf(page, 'Ada Lovelace').waitFor({ state: 'detached' })
  assert.equal(await roleOf(person.id), undefined)
  assertNoErrors(session)
})

test('gives a role to a group and shows its members', async () => {
  const person = await addPerson('Grace Hopper')
  const group = await api.groups.create({ body: { name: 'Compilers' } })
  await api.groups.add_member({ params: { group_id: group.id, user_id: person.id } })
  const session = await asManager()
  const { page } = session
  await button(page, 'Add access').click()
  const dialog = dialogOf(page, 'Add access')
  await dialog.getByRole('radio', { name: 'Group' }).check()
  await chooseOption(page, dialog, ['Group', 'Compilers'])
  await dialog.getByLabel('Role').selectOption('Manager')
  await button(dialog, 'Add').click()
  await button(page, 'All members of Compilers').click()
  const members = page.getByRole('list', {
    name: 'Members of Compilers, who have the role Manager',
  })
  await members.getByRole('link', { name: 'Grace Hopper' }).click()
  await heading(page, 'Grace Hopper').waitFor()
  const access = region(page, 'Access')
  await access.getByText('Manager, through Compilers').waitFor()

  await api.groups.archive({ params: { group_id: group.id } })
  await access.getByRole('link', { name: 'Manage access' }).click()
  await heading(page, 'Access').waitFor()
  await page.reload()
  await rowOf(page, 'Compilers').getByText('The group is archived').waitFor()
  assertNoErrors(session)
})

test('changes a role with the keyboard only', async () => {
  const person = await addPerson('Edsger Dijkstra', 'reader')
  const session = await asManager()
  const { page } = session
  await tabTo(button(page, 'Change role: Edsger Dijkstra'))
  await page.keyboard.press('Enter')
  await waitForFocus(page.getByRole('dialog').getByLabel('Role'))
  await page.keyboard.press('ArrowDown')
  await tabTo(button(page, 'Save'))
  await page.keyboard.press('Enter')
  await toast(page, 'Edsger Dijkstra is now Contributor.').waitFor()
  await waitForFocus(button(page, 'Change role: Edsger Dijkstra'))
  assert.equal(await roleOf(person.id), 'contributor')
  assertNoErrors(session)
})

test('a concurrent change reloads the list and says so', async () => {
  const person = await addPerson('Barbara Liskov', 'reader')
  const session = await asManager('/access', false)
  const { page } = session
  await chooseAction(page, 'Barbara Liskov', 'Remove …')
  const { entries } = await api.access.view()
  const changed = entries.map((entry) =>
    entry.user_id === person.id ? { ...entry, role: 'manager' as const } : entry,
  )
  await api.access.replace({ body: { entries: changed } })
  await button(page.getByRole('dialog'), 'Remove').click()
  const alert = page.getByRole('alert')
  await alert.getByText('This was changed by someone else').waitFor()
  await rowOf(page, 'Barbara Liskov').getByText('Manager').waitFor()
  assert.equal(await roleOf(person.id), 'manager')

  await chooseAction(page, 'Barbara Liskov', 'Remove …')
  await alert.waitFor({ state: 'detached' })
  await button(page.getByRole('dialog'), 'Remove').click()
  await rowOf(page, 'Barbara Liskov').waitFor({ state: 'detached' })
  assertNoErrors(session)
})

test('creates a link that signs the person in, and ends their sessions', async () => {
  const person = await addPerson('Katherine Johnson', 'reader')
  const session = await asManager()
  const { page } = session
  await chooseAction(page, 'Katherine Johnson', 'Sign-in link …')
  const dialog = dialogOf(page, 'Sign-in link for Katherine Johnson')
  await dialog.getByRole('radio', { name: 'Sign-in, valid for 15 minutes' }).check()
  await button(dialog, 'Create link').click()
  const created = dialogOf(page, 'Link for Katherine Johnson created')
  const url = await created.getByRole('region', { name: 'Link' }).locator('pre').innerText()
  assert.match(url, /#muster_link_\w+$/)
  await button(created, 'Copy: Link').click()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), url)
  await button(created, 'I have copied the link').click()
  await dialogClosed(page)

  const theirs = await asPerson(person.id, '/people')
  await chooseAction(page, 'Katherine Johnson', 'End sessions …')
  await page.getByRole('dialog').getByText('signed in to 1 browser.').waitFor()
  await button(page.getByRole('dialog'), 'End sessions').click()
  await toast(page, 'Katherine Johnson was signed out of every browser.').waitFor()
  await theirs.page.reload()
  await button(theirs.page, 'Use an API key').waitFor()
  assertNoErrors(session)
})

test('a link and the end of sessions are on the page of a person too', async () => {
  const person = await addPerson('Margaret Hamilton')
  const session = await asManager(`/people/${person.id}`)
  const { page } = session
  const access = region(page, 'Access')
  await access.getByText('No role. The person cannot use the console.').waitFor()
  await button(access, 'Sign-in link').click()
  await button(page.getByRole('dialog'), 'Create link').click()
  await button(page, 'I have copied the link').click()
  await dialogClosed(page)
  await button(access, 'Allow sign-in after changed email').click()
  await button(page.getByRole('dialog'), 'Allow sign-in after changed email').click()
  await toast(page, 'The identity of Margaret Hamilton is confirmed.').waitFor()
  assertNoErrors(session)
})

test('shows who changed an email beside the role, and confirms it before a new role', async () => {
  const person = await addPerson('Annie Easley', 'reader')
  const { secret } = await api.keys.create({
    body: { name: 'HR sync', scopes: ['personnel.manage'] },
  })
  const hr = await fetch(`${env.base}/v1/personnel/${person.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'annie@example.com' }),
  })
  assert.equal(hr.status, 200)
  const session = await asManager()
  const { page } = session
  const note = rowOf(page, 'Annie Easley').getByRole('button', {
    name: /^Email changed by HR sync on /,
  })
  await note.waitFor()
  await screenshot(page, 'access-identity')
  await button(page, 'Change role: Annie Easley').click()
  const dialog = dialogOf(page, 'Change role: Annie Easley')
  await dialog.getByLabel('Role').selectOption('Administrator')
  await button(dialog, 'Save').click()
  const alert = dialog.getByRole('alert')
  await alert.getByText('The identity of a person is not confirmed.').waitFor()
  await alert.getByRole('link', { name: 'Annie Easley' }).waitFor()
  await button(dialog, 'Cancel').click()
  await dialogClosed(page)

  await note.click()
  const confirm = dialogOf(page, 'Confirm the identity of Annie Easley?')
  await confirm.getByText(/^Email changed by HR sync on /).waitFor()
  await button(confirm, 'Allow sign-in after changed email').click()
  await note.waitFor({ state: 'detached' })
  await dialogClosed(page)
  await button(page, 'Change role: Annie Easley').click()
  await dialog.getByLabel('Role').selectOption('Administrator')
  await button(dialog, 'Save').click()
  await rowOf(page, 'Annie Easley').getByText('Administrator').waitFor()
  assert.equal(await roleOf(person.id), 'admin')
  assertNoErrors(session)
})

test('those who may not manage access see the reason', async () => {
  const session = await signIn(env, env.keys.reader, { path: '/access' })
  await session.page.getByText('it needs the scope workspace.manage').waitFor()
  assert.ok(!session.calls.some((call) => call.includes('/v1/access')))
  assertNoErrors(session)

  const person = await addPerson('Radia Perlman', 'reader')
  const theirs = await asPerson(person.id, '/access')
  await theirs.page.getByText('Your role does not allow this').waitFor()
  assertNoErrors(theirs)
})
