import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { tabTo, waitForFocus } from './support/keyboard.ts'
import { assertNotOffered, button, region, toast } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, reader)

const parametersOf = (url: string) => Object.fromEntries(new URL(url).searchParams)

const register = (page: Page) => page.getByRole('table', { name: 'Register' })
const rowsOf = (page: Page) => page.locator('[data-row]')
const view = (page: Page, name: string | RegExp) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })
const bucket = (page: Page, name: string) =>
  region(page, 'Needs attention').getByRole('group', { name })

/** The number of rows that the table reports, without its head. */
async function expectCount(page: Page, query: object): Promise<void> {
  const { count } = await api.risks.summary({ query })
  await page.locator(`[role=table][aria-rowcount="${count + 1}"]`).waitFor()
}

async function openFilters(page: Page) {
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await page.getByRole('textbox', { name: 'Search' }).waitFor()
}

test('heat map, list, views and buckets match the API', async () => {
  const session = await signIn(env, reader)
  const { page, calls } = session
  const summary = await api.risks.summary()
  const map = region(page, 'Heat map')
  await map.getByRole('button').first().waitFor()
  assert.equal(await map.getByRole('table').getByRole('button').count(), summary.cells.length)
  for (const { likelihood, impact, count } of summary.cells) {
    const name = `Likelihood ${likelihood}, impact ${impact}, score ${likelihood * impact}, `
    assert.equal(await map.getByRole('button', { name }).textContent(), String(count))
  }
  const [first] = (await api.risks.list({ query: { limit: 1 } })).data
  const row = rowsOf(page).first()
  await row.getByRole('link', { name: first?.title ?? '' }).waitFor()
  await row
    .getByText(first?.ref ?? '')
    .first()
    .waitFor()
  await expectCount(page, {})
  await view(page, `All ${summary.count}`).waitFor()
  await view(page, `Above appetite ${summary.above_appetite_not_accepted}`).waitFor()
  for (const [name, count] of [
    ['Above appetite', summary.above_appetite_not_accepted],
    ['Review overdue', summary.by_flag.review_overdue],
    ['No owner', summary.by_owner.find(({ owner_user_id }) => owner_user_id === null)?.count],
  ] as const) {
    await bucket(page, name)
      .getByRole('link', { name: / with: / })
      .getByText(String(count))
      .waitFor()
  }
  const lists = calls.filter((call) => call.startsWith('GET /v1/risks?'))
  assert.equal(lists.length, 1, 'one request gives the list and the worst of each bucket')
  // The suspended people and the open treatments follow when the list is there.
  assert.ok(calls.length <= 6, `the first screen took ${calls.join(', ')}`)
  assertNoErrors(session)
})

for (const { width, height, rowsMin } of [
  { width: 1440, height: 900, rowsMin: 19 },
  { width: 1280, height: 720, rowsMin: 14 },
]) {
  // The key of the reader expires soon, which a notice above the list says.
  test(`the list begins high and is dense at ${width} × ${height}`, async () => {
    const session = await signIn(env, manager, { viewport: { width, height } })
    const { page } = session
    await rowsOf(page).nth(rowsMin).waitFor({ state: 'attached' })
    const boxes = await Promise.all((await rowsOf(page).all()).map((row) => row.boundingBox()))
    const places = boxes.flatMap((box) => (box ? [box] : []))
    const [first] = places
    assert.ok(first && first.y <= 140, `the first row is at ${first?.y}`)
    assert.ok(places.every((box) => box.height <= 40))
    const visible = places.filter((box) => box.y + box.height <= height).length
    assert.ok(visible >= rowsMin, `${visible} rows`)
    assertNoErrors(session)
  })
}

test('Tab reaches the first row in at most six presses', async () => {
  const session = await signIn(env, reader)
  const { page } = session
  await rowsOf(page).first().waitFor()
  await page.locator('#content').focus()
  let presses = 0
  while ((await page.locator('[data-row]:focus').count()) === 0) {
    await page.keyboard.press('Tab')
    presses += 1
    assert.ok(presses <= 6, 'the first row is too far')
  }
  await tabTo(page.getByRole('link', { name: 'Skip to content' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await waitForFocus(rowsOf(page).first())
  assertNoErrors(session)
})

test('the whole page follows the filters in the URL', async () => {
  const session = await signIn(env, reader)
  const { page } = session
  await page.getByRole('button', { name: /Likelihood 3, impact 3, / }).click()
  await expectCount(page, { likelihood: [3], impact: [3] })
  assert.deepEqual(parametersOf(page.url()), { likelihood: '3', impact: '3' })
  const cell = page.getByRole('button', { name: /Likelihood 3, impact 3, / })
  assert.equal(await cell.getAttribute('aria-pressed'), 'true')
  await page.reload()
  await expectCount(page, { likelihood: [3], impact: [3] })
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await expectCount(page, {})
  await page.goBack()
  await expectCount(page, { likelihood: [3], impact: [3] })
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await bucket(page, 'Review overdue')
    .getByRole('link', { name: / with: / })
    .click()
  await expectCount(page, { flag: ['review_overdue'] })
  await page.getByRole('button', { name: 'Clear Flags' }).click()
  await expectCount(page, {})
  await openFilters(page)
  await page.getByRole('textbox', { name: 'Search' }).fill('pier')
  await expectCount(page, { q: 'pier' })
  assert.deepEqual(parametersOf(page.url()), { q: 'pier' })
  assertNoErrors(session)
})

test('combines filters by status, project and owner', async () => {
  const session = await signIn(env, reader)
  const { page } = session
  await openFilters(page)
  await page.getByRole('combobox', { name: 'Project' }).click()
  await page.keyboard.type('BRG')
  await page.getByRole('option', { name: /^BRG / }).click()
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Treating' }).click()
  const projects = await api.projects.list({ query: { q: 'BRG' } })
  const project_id = [projects.data[0]?.id ?? '']
  await expectCount(page, { project_id, status: ['treating'] })
  await page.getByRole('combobox', { name: 'Owner' }).click()
  await page.getByRole('option', { name: 'No one' }).click()
  await page.getByRole('button', { name: 'Clear Owner' }).waitFor({ state: 'attached' })
  assert.equal(parametersOf(page.url())['owner_user_id'], 'none')
  assertNoErrors(session)
})

test('the views show what they name', async () => {
  const session = await signIn(env, manager)
  const { page } = session
  await view(page, /^Above appetite/).click()
  await expectCount(page, { flag: ['above_appetite'], accepted: false })
  await view(page, 'Needs attention').click()
  await register(page).getByText('Review overdue').waitFor()
  const { data: overdue } = await api.risks.list({ query: { flag: ['review_overdue'] } })
  for (const { title } of overdue) {
    await register(page).getByRole('link', { name: title }).first().waitFor()
  }
  await view(page, 'Closed').click()
  const { data: closed } = await api.risks.list_closed()
  const table = page.getByRole('table', { name: 'Closed' })
  await table.getByRole('link', { name: closed[0]?.title ?? '' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Clear all filters' }).count(), 0)
  await page.goto(`${env.base}/risks?group=level`)
  const { by_level } = await api.risks.summary()
  await register(page).getByText(`Critical ${by_level.critical}`).waitFor()
  assertNoErrors(session)
})

test('shows an empty result', async () => {
  const session = await signIn(env, reader, { path: '/risks?q=nothing+at+all+like+it' })
  await session.page.getByText('No risks match').waitFor()
  assertNoErrors(session)
})

test('the heat map shows target ratings', async () => {
  const session = await signIn(env, reader)
  const { page } = session
  const map = region(page, 'Heat map')
  await map.getByText('Target', { exact: true }).click()
  const { count, rated, cells } = await api.risks.summary({ query: { basis: 'target' } })
  await map.getByText(new RegExp(`^${count - rated} risks? ha(s|ve) no rating`)).waitFor()
  const total = (await map.getByRole('cell').allTextContents()).reduce(
    (sum, text) => sum + Number(text),
    0,
  )
  assert.equal(
    total,
    cells.reduce((sum, cell) => sum + cell.count, 0),
  )
  assert.equal(await map.getByRole('table').getByRole('button').count(), 0, 'it is no filter')
  assert.equal(parametersOf(page.url())['basis'], 'target')
  assertNoErrors(session)
})

test('reviews a risk from its row in three clicks', async () => {
  const session = await signIn(env, manager)
  const { page } = session
  const row = rowsOf(page).first()
  const ref = (await row.getByRole('cell').nth(2).textContent()) ?? ''
  await row.hover()
  await button(row, 'Review').click()
  const dialog = page.getByRole('dialog')
  await waitForFocus(dialog.getByLabel('What did you find?'))
  await page.keyboard.type('Looked at.')
  await button(dialog, 'Save review').click()
  await toast(page, `${ref} was reviewed.`).waitFor()
  assertNoErrors(session)
})

test('reviews an overdue risk from its bucket', async () => {
  const session = await signIn(env, manager)
  const { page } = session
  const overdue = bucket(page, 'Review overdue')
  const review = overdue.getByRole('button', { name: /^Review: [A-Z]+-R\d+$/ }).first()
  const name = (await review.getAttribute('aria-label')) ?? ''
  const ref = name.replace('Review: ', '')
  await review.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What did you find?').fill('Looked at together; nothing new.')
  await dialog.getByRole('button', { name: 'Save review' }).click()
  await page.getByText(`${ref} was reviewed.`).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await overdue.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' })
  const { data } = await api.risks.list({ query: { q: ref } })
  assert.deepEqual(data.find((risk) => risk.ref === ref)?.flags.includes('review_overdue'), false)
  assertNoErrors(session)
})

test('each bucket offers its remedy, but not to a read-only key', async () => {
  const session = await signIn(env, manager)
  const { page } = session
  const { data } = await api.risks.list({ query: { owner_user_id: ['none'], limit: 1 } })
  const ref = data[0]?.ref ?? ''
  await bucket(page, 'No owner')
    .getByRole('button', { name: `Assign: ${ref}` })
    .click()
  const dialog = page.getByRole('dialog', { name: `Assign ${ref}` })
  await dialog.getByRole('combobox', { name: 'Owner' }).fill('Mara')
  await page.getByRole('option', { name: /Mara/ }).click()
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await toast(page, `${ref} was updated.`).waitFor()
  const above = bucket(page, 'Above appetite').getByRole('button', { name: /^Add treatment: / })
  const untreated = ((await above.first().getAttribute('aria-label')) ?? '').split(': ')[1] ?? ''
  const [risk] = (await api.risks.list({ query: { q: untreated } })).data
  assert.deepEqual((await api.tasks.list({ query: { risk_id: [risk?.id ?? ''] } })).data, [])
  await above.first().click()
  await page.getByRole('dialog', { name: `Add a task to ${untreated}` }).waitFor()
  assertNoErrors(session)
  const other = await signIn(env, reader)
  await bucket(other.page, 'No owner').getByRole('link').nth(1).waitFor()
  await assertNotOffered(other.page, 'New risk')
  assert.equal(await bucket(other.page, 'No owner').getByRole('button').count(), 0)
})

test('moves through the register with the keyboard only', async () => {
  const session = await signIn(env, manager)
  const { page } = session
  await rowsOf(page).first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('j')
  const third = rowsOf(page).nth(2)
  await waitForFocus(third)
  const titleOf = async (at: number) =>
    (await rowsOf(page).nth(at).getByRole('link').first().textContent()) ?? ''
  const peek = page.getByRole('complementary', { name: 'Risk' })
  await page.keyboard.press('Enter')
  await peek.getByRole('heading', { name: await titleOf(2) }).waitFor()
  const description = (await api.risks.list({ query: { limit: 3 } })).data[2]?.description
  assert.ok(description)
  await peek.getByText(description).waitFor()
  await page.keyboard.press('k')
  await peek.getByRole('heading', { name: await titleOf(1) }).waitFor()
  await page.keyboard.press('Escape')
  await peek.waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await peek.waitFor()
  const title = await titleOf(1)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Risks' }).waitFor()
  assertNoErrors(session)
})
