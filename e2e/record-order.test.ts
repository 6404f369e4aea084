import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import {
  apiOf,
  assertNoErrors,
  horizontalOverflow,
  signIn,
  startEnvironment,
} from './support/environment.ts'
import { waitForFocus } from './support/keyboard.ts'
import { screenshot } from './support/screenshots.ts'
import { accountButton } from './support/sign-in-steps.ts'
import { button, dialogClosed, heading } from './support/steps.ts'

const env = await startEnvironment()
const { manager } = env.keys
const api = apiOf(env, manager)

const place = (page: Page) => page.getByRole('group', { name: 'Place in the list' })
const rowWith = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** A risk with this title, opened by its heading. */
const shown = (page: Page, { title }: { readonly title: string }) => heading(page, title).waitFor()

test('a record has the next and previous one of its list, with filter and view', async () => {
  const { data: all } = await api.risks.list({ query: { flag: ['above_appetite'], limit: 100 } })
  const risks = all.filter(({ response }) => response !== 'accept')
  const [first, second, third] = risks
  assert.ok(first && second && third)
  const session = await signIn(env, manager, { path: '/risks?view=above', width: 1440 })
  const { page } = session
  await page.getByRole('link', { name: second.title }).click()
  await shown(page, second)
  await place(page).getByText(`2 of ${risks.length}`).waitFor()
  await screenshot(page, 'record-place')
  await button(page, 'Next').click()
  await shown(page, third)
  await place(page).getByText(`3 of ${risks.length}`).waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await shown(page, first)
  await page.keyboard.press('k')
  await place(page).getByText(`1 of ${risks.length}`).waitFor()
  await page.reload()
  await place(page).getByText(`1 of ${risks.length}`).waitFor()
  await page.keyboard.press('j')
  await shown(page, second)
  await page.goBack()
  await page.getByRole('link', { name: 'Above appetite' }).first().waitFor()
  assert.match(page.url(), /\/risks\?view=above$/)
  await waitForFocus(rowWith(page, second.ref))
  assertNoErrors(session)
})

test('a sign-out forgets the order of the list', async () => {
  const { page } = await signIn(env, manager, { path: '/issues', isFresh: true })
  const stored = () => page.evaluate(() => sessionStorage.getItem('muster.order'))
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await place(page).waitFor()
  assert.match((await stored()) ?? '', /iss_/)
  await accountButton(page).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await button(page, 'Use an API key').waitFor()
  assert.equal(await stored(), null)
})

test('a record that is opened directly is in the default list of its kind', async () => {
  const { data: issues } = await api.issues.list({ query: { limit: 100 } })
  const { data: people } = await api.personnel.list({ query: { sort: 'name', limit: 100 } })
  const { data: tasks } = await api.tasks.list({ query: { limit: 100 } })
  const { data: projects } = await api.projects.list({ query: { limit: 100 } })
  const [issue, person, task, project] = [issues[2], people[2], tasks[2], projects[2]]
  assert.ok(issue && person && task && project)
  const session = await signIn(env, manager, { path: '/account', width: 1440 })
  const { page } = session
  const expect = async (path: string, count: number, name: string) => {
    await page.goto(`${env.base}${path}`)
    await place(page).getByText(`3 of ${count}`).waitFor()
    await page.keyboard.press('j')
    await heading(page, name).waitFor()
    await place(page).getByText(`4 of ${count}`).waitFor()
  }
  const folderOf = (record: { project_id: string }) => `/projects/${record.project_id}`
  await expect(`${folderOf(issue)}/issues/${issue.id}`, issues.length, issues[3]?.title ?? '')
  await expect(`${folderOf(task)}/tasks/${task.id}`, tasks.length, tasks[3]?.title ?? '')
  await expect(`/people/${person.id}`, people.length, people[3]?.name ?? '')
  await expect(`/projects/${project.id}`, projects.length, projects[3]?.name ?? '')
  assertNoErrors(session)
})

test('the order of groups is that of the grouped list', async () => {
  const { data } = await api.tasks.list({ query: { status: ['in_progress'], limit: 100 } })
  const [first, second] = data
  assert.ok(first && second)
  const session = await signIn(env, manager, { path: '/tasks?group=status', width: 1440 })
  const { page } = session
  await page.getByRole('link', { name: first.title, exact: true }).click()
  await heading(page, first.title).waitFor()
  await place(page)
    .getByText(/^\d+ of \d+$/)
    .waitFor()
  await page.keyboard.press('j')
  await heading(page, second.title).waitFor()
  assertNoErrors(session)
})

test('the keys of a record open the review, the rating, a treatment and the menu', async () => {
  const { data } = await api.risks.list({ query: { limit: 1 } })
  const [risk] = data
  assert.ok(risk)
  const path = `/projects/${risk.project_id}/risks/${risk.id}`
  const session = await signIn(env, manager, { path })
  const { page } = session
  await shown(page, risk)
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('r')
  await waitForFocus(dialog.getByLabel('What did you find?'))
  assert.equal(await button(dialog, 'Save and next').count(), 0, 'no list to go on in')
  await page.keyboard.press('Escape')
  await dialogClosed(page)
  await page.keyboard.press('l')
  await waitForFocus(dialog.getByRole('group', { name: 'Rating' }))
  await page.keyboard.press('Escape')
  await dialogClosed(page)
  await page.keyboard.press('t')
  await waitForFocus(dialog.getByLabel('Task'))
  await page.keyboard.press('Escape')
  await dialogClosed(page)
  await page.keyboard.press('.')
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  for (const text of ['Next record of the list', 'Rating or severity', 'Select up to this row'])
    await dialog.getByText(text).waitFor()
  await screenshot(page, 'keyboard-help')
  assertNoErrors(session)
})

test('Shift X selects all rows from the last selected one', async () => {
  const session = await signIn(env, manager, { path: '/risks' })
  const { page } = session
  await page.getByRole('row').nth(1).waitFor()
  for (const key of ['j', 'j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key)
  await page.getByRole('toolbar').getByText('3 selected').waitFor()
  assertNoErrors(session)
})

test('Back returns to the row and the scroll position of the list', async () => {
  const session = await signIn(env, manager, { path: '/risks', width: 1440 })
  const { page } = session
  const list = page.locator('[data-scroll-restoration-id=list]')
  await page.getByRole('row').nth(1).waitFor()
  await list.evaluate((element) => element.scrollTo(0, 700))
  const { data } = await api.risks.list({ query: { limit: 100 } })
  const risk = data[30]
  assert.ok(risk)
  const link = page.getByRole('link', { name: risk.title })
  await link.waitFor()
  const top = await list.evaluate((element) => element.scrollTop)
  assert.ok(top > 300)
  await link.click()
  await shown(page, risk)
  await page.goBack()
  await waitForFocus(rowWith(page, risk.ref))
  assert.equal(await list.evaluate((element) => element.scrollTop), top)
  await page.keyboard.press('ArrowDown')
  await waitForFocus(rowWith(page, data[31]?.ref ?? ''))
  assertNoErrors(session)
})

test('Save and next goes on over the pages of records', async () => {
  const { data } = await api.risks.list({ query: { limit: 3 } })
  const [first, second] = data
  assert.ok(first && second)
  const session = await signIn(env, manager, { path: '/risks', width: 1440 })
  const { page } = session
  await page.getByRole('link', { name: first.title }).click()
  await shown(page, first)
  await place(page)
    .getByText(/^1 of /)
    .waitFor()
  await page.keyboard.press('r')
  await waitForFocus(page.getByRole('dialog').getByLabel('What did you find?'))
  await page.keyboard.type('Done.')
  for (const width of [1440, 768, 375]) {
    await page.setViewportSize({ width, height: 900 })
    assert.equal(await horizontalOverflow(page), 0)
    await screenshot(page, `review-next-${width}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await button(page.getByRole('dialog'), 'Save and next').click()
  const next = page.getByRole('dialog', { name: `Review ${second.ref}` })
  await waitForFocus(next.getByLabel('What did you find?'))
  assert.match(page.url(), new RegExp(second.id))
  await page.keyboard.press('Escape')
  await dialogClosed(page)
  await place(page)
    .getByText(/^2 of /)
    .waitFor()
  await page.goBack()
  await heading(page, 'Risks').waitFor()
  assertNoErrors(session)
})
