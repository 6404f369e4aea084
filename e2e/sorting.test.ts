import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { auditView } from './support/audit.ts'
import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { waitForFocus } from './support/keyboard.ts'
import { button, exportCsv } from './support/steps.ts'

const env = await startEnvironment()
const { manager } = env.keys
const api = apiOf(env, manager)

const head = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })
const rows = (page: Page) => page.locator('[data-row]')
const sortOf = (page: Page) => new URL(page.url()).searchParams.get('sort')

/** Waits until the first rows are these, in this order. */
async function expectFirst(page: Page, items: readonly { readonly id: string }[]) {
  assert.ok(items.length > 0)
  for (const [at, { id }] of items.slice(0, 8).entries()) {
    await page
      .locator(`[data-row="${id}"][aria-rowindex="${at + 2}"]`)
      .first()
      .waitFor()
  }
}

const first = { limit: 8 }

test('the heads of the register sort it, reverse it and give the rank back', async () => {
  const session = await signIn(env, manager, { path: '/risks' })
  const { page } = session
  const ranked = (await api.risks.list({ query: first })).data
  await expectFirst(page, ranked)
  assert.equal(await head(page, 'Review').getAttribute('aria-sort'), null)

  await head(page, 'Review').getByRole('button').click()
  const byReview = (await api.risks.list({ query: { ...first, sort: 'review_on' } })).data
  await expectFirst(page, byReview)
  assert.equal(sortOf(page), 'review_on')
  assert.equal(await head(page, 'Review').getAttribute('aria-sort'), 'ascending')
  const [earliest] = byReview
  assert.ok(earliest && earliest.rank > 1, 'the demo ranks another risk first')
  await rows(page).first().getByText(String(earliest.rank), { exact: true }).first().waitFor()

  await head(page, 'Review').getByRole('button').click()
  await expectFirst(page, (await api.risks.list({ query: { ...first, sort: '-review_on' } })).data)
  assert.equal(await head(page, 'Review').getAttribute('aria-sort'), 'descending')
  await page.reload()
  await expectFirst(page, (await api.risks.list({ query: { ...first, sort: '-review_on' } })).data)

  const csv = await exportCsv(page)
  const all = (await api.risks.list({ query: { sort: '-review_on' } })).data
  assert.deepEqual(
    csv.match(/rsk_[0-9a-z]{26}(?=,)/g)?.filter((id, at, ids) => ids.indexOf(id) === at),
    all.map(({ id }) => id),
  )

  await head(page, 'Review').getByRole('button').click()
  await expectFirst(page, ranked)
  assert.equal(sortOf(page), null)
  await page.goBack()
  await expectFirst(page, (await api.risks.list({ query: { ...first, sort: '-review_on' } })).data)
  assertNoErrors(session)
})

test('the arrow keys go from the first row to the heads, and Enter sorts', async () => {
  const session = await signIn(env, manager, { path: '/risks' })
  const { page } = session
  await rows(page).first().focus()
  await page.keyboard.press('ArrowUp')
  await waitForFocus(head(page, 'Score').getByRole('button'))
  await page.keyboard.press('ArrowRight')
  await waitForFocus(head(page, 'Risk').getByRole('button'))
  await page.keyboard.press('Enter')
  await expectFirst(page, (await api.risks.list({ query: { ...first, sort: 'title' } })).data)
  await page.keyboard.press('Space')
  await expectFirst(page, (await api.risks.list({ query: { ...first, sort: '-title' } })).data)
  await waitForFocus(head(page, 'Risk').getByRole('button'))
  await page.keyboard.press('ArrowDown')
  await waitForFocus(rows(page).first())
  assertNoErrors(session)
})

test('groups, views and the printed list keep the order', async () => {
  const session = await signIn(env, manager, { path: '/risks?sort=owner&group=status' })
  const { page } = session
  const status = ['identified' as const]
  await expectFirst(
    page,
    (await api.risks.list({ query: { ...first, sort: 'owner', status } })).data.slice(0, 2),
  )
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: /^Above/ })
    .click()
  await page.waitForURL(/view=above/)
  assert.equal(sortOf(page), 'owner')

  await page.goto(`${env.base}/print/risks?sort=title`)
  const [title] = (await api.risks.list({ query: { ...first, sort: 'title' } })).data
  await page
    .getByRole('row')
    .nth(1)
    .getByText(title?.ref ?? '', { exact: true })
    .waitFor()
  assertNoErrors(session)
})

test('the display menu sorts on a phone, where there are no heads', async () => {
  const viewport = { width: 375, height: 812 }
  const session = await signIn(env, manager, { path: '/issues', viewport })
  const { page } = session
  await rows(page).first().waitFor()
  await button(page, 'Display').click()
  await page.getByRole('menuitemradio', { name: 'Due', exact: true }).click()
  await expectFirst(page, (await api.issues.list({ query: { ...first, sort: 'due_on' } })).data)
  await button(page, 'Display').click()
  await page.getByRole('menuitemcheckbox', { name: 'Reverse the order' }).click()
  await expectFirst(page, (await api.issues.list({ query: { ...first, sort: '-due_on' } })).data)
  assertNoErrors(session)
})

test('projects start with the worst, people are in the order of their names', async () => {
  const session = await signIn(env, manager, { path: '/projects' })
  const { page } = session
  await expectFirst(page, (await api.projects.list({ query: { ...first, sort: 'worst' } })).data)
  assert.equal(await head(page, 'Worst').getAttribute('aria-sort'), 'descending')
  await head(page, 'Due').getByRole('button').click()
  await expectFirst(page, (await api.projects.list({ query: { ...first, sort: 'due_on' } })).data)

  await page.goto(`${env.base}/people`)
  await expectFirst(page, (await api.personnel.list({ query: { ...first, sort: 'name' } })).data)
  await head(page, 'Department').getByRole('button').click()
  await expectFirst(
    page,
    (await api.personnel.list({ query: { ...first, sort: 'department' } })).data,
  )

  await page.goto(`${env.base}/tasks?sort=-updated_at`)
  await expectFirst(page, (await api.tasks.list({ query: { ...first, sort: '-updated_at' } })).data)
  assertNoErrors(session)
})

test('a sorted list passes axe in both themes and fits every width', async () => {
  const session = await signIn(env, manager, { path: '/risks?sort=review_on' })
  const { page } = session
  await head(page, 'Review').getByRole('button').waitFor()
  await auditView({ page, name: 'sorted-risks', part: 'body' })
  assertNoErrors(session)
})
