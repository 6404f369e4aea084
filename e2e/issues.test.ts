import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { findProject, issueRows, findIssue } from './support/issue-steps.ts'
import { waitForFocus, tabTo } from './support/keyboard.ts'
import {
  assertRows,
  button,
  listLayout,
  openFilters,
  property,
  region,
  toast,
} from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, manager)

const viewLink = (page: Page, name: string, count: number) =>
  page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: new RegExp(`^${name}\\s*${count}$`) })

/** A bar of the side panel, which is a filter. */
const bar = (page: Page, section: string, name: RegExp | string) =>
  region(page, section).getByRole('button', { name })

test('the views, bars and list follow the filters in the URL', async () => {
  const session = await signIn(env, manager, { path: '/issues' })
  const { page } = session
  const summary = await api.issues.summary()
  const month = new Date().toISOString().slice(0, 7)
  const query = { severity: [2], opened_from: `${month}-01` }
  const { count: recent } = await api.issues.summary({ query })
  await viewLink(page, 'All', summary.count).waitFor()
  await bar(page, 'Opened', /^This month/).click()
  await bar(page, 'Severity', `2 Minor ${recent}`).click()
  await assertRows(issueRows(page), recent)
  assert.equal(new URL(page.url()).search, `?opened_from=${month}-01&severity=2`)
  await page.getByRole('button', { name: /^2 Minor/, pressed: true }).waitFor()
  await page.goBack()
  const { count: opened } = await api.issues.summary({ query: { opened_from: `${month}-01` } })
  await assertRows(issueRows(page), opened)
  await viewLink(page, 'Overdue', summary.by_flag.overdue).click()
  await assertRows(issueRows(page).filter({ hasText: /\dd overdue/ }), summary.by_flag.overdue)
  assert.equal(new URL(page.url()).search, '?view=overdue')
  assertNoErrors(session)
})

test('shows many rows at once, also in groups', async () => {
  const session = await signIn(env, manager, { path: '/issues', width: 1440 })
  const { page } = session
  const { firstTop, rowHeight, shown } = await listLayout(issueRows(page))
  assert.ok(firstTop <= 140, `the first row is at ${firstTop}`)
  assert.ok(rowHeight <= 40, `a row is ${rowHeight} high`)
  assert.ok(shown >= 19, `${shown} rows are visible`)
  const { by_status } = await api.issues.summary()
  await button(page, 'Display').click()
  await page.getByRole('menuitemradio', { name: 'Status' }).click()
  await page.getByRole('cell', { name: `Blocked ${by_status.blocked}`, exact: true }).waitFor()
  await assertRows(issueRows(page).filter({ hasText: 'Blocked' }), by_status.blocked)
  assert.equal(new URL(page.url()).search, '?group=status')
  assertNoErrors(session)
})

test('groups issues by age in calendar months', async () => {
  const session = await signIn(env, reader, { path: '/issues?severity=3', isContextNew: true })
  const { page } = session
  const { cells } = await api.issues.summary()
  const now = new Date()
  const monthsAgo = (month: string) =>
    (now.getUTCFullYear() - Number(month.slice(0, 4))) * 12 +
    now.getUTCMonth() +
    1 -
    Number(month.slice(5))
  const bands = { 1: 'Last month', 3: '2–3 months ago', 6: '4–6 months ago', 99: 'Earlier' }
  let after = 0
  for (const [to, band] of Object.entries(bands)) {
    const isInBand = (age: number) => age > after && age <= Number(to)
    const count = cells
      .filter(({ severity, month }) => severity === 3 && isInBand(monthsAgo(month)))
      .reduce((sum, cell) => sum + cell.count, 0)
    assert.ok(count > 0, `the demo data has issues opened ${band}`)
    await bar(page, 'Opened', `${band} ${count}`).click()
    await assertRows(issueRows(page), count)
    after = Number(to)
    await bar(page, 'Opened', `${band} ${count}`).click()
  }
  await page.clock.setFixedTime(Date.now() + 70 * 86_400_000)
  await page.goto(`${env.base}/issues`)
  await bar(page, 'Opened', /^4–6 months ago/).waitFor()
  assert.equal(await bar(page, 'Opened', /^This month/).count(), 0)
  assertNoErrors(session)
})

test('filters the list by text, tag, assignee, project and date', async () => {
  const session = await signIn(env, manager, { path: '/issues' })
  const { page } = session
  const rows = issueRows(page)
  const clear = (name: string) => button(page, `Clear ${name}`).click()
  await (await openFilters(page)).getByLabel('Search').fill('legend')
  await assertRows(rows, 1)
  await rows.getByRole('link', { name: /Legend of the flood map/ }).waitFor()
  await clear('Search')
  const tagged = await api.issues.list({ query: { tag: ['crane', 'grouting'] } })
  await (await openFilters(page)).getByLabel('Tag').fill('crane grouting')
  await assertRows(rows, tagged.count)
  assert.match(page.url(), /tag=crane,grouting/)
  await clear('Tag')
  await (await openFilters(page)).getByRole('combobox', { name: 'Assignee' }).click()
  await page.getByRole('option', { name: 'No one' }).click()
  const { by_assignee } = await api.issues.summary()
  const unassigned = by_assignee.find(({ assignee_user_id }) => assignee_user_id === null)?.count
  assert.ok(unassigned)
  await assertRows(rows, unassigned)
  await (await openFilters(page)).getByRole('combobox', { name: 'Project' }).fill('flood')
  await page.getByRole('option', { name: /^FLOOD/ }).click()
  await assertRows(rows, 1)
  await page.keyboard.press('Escape')
  await button(page, 'Clear all filters').click()
  await (await openFilters(page)).getByLabel('Opened before').fill('2020-01-01')
  await page.getByText('No issues match').waitFor()
  await page.getByText('Remove a filter').waitFor()
  assertNoErrors(session)
})

test('changes selected issues together and lists closed ones', async () => {
  const session = await signIn(env, manager, { path: '/issues?view=unassigned' })
  const { page } = session
  const rows = issueRows(page)
  await rows.nth(1).waitFor()
  const ids = await rows.evaluateAll((all) => all.slice(0, 2).map((row) => row.dataset['row']))
  await rows.first().focus()
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  const toolbar = page.getByRole('toolbar', { name: 'Actions for the selected rows' })
  await toolbar.getByText('2 selected').waitFor()
  await button(toolbar, 'Assign …').click()
  const dialog = page.getByRole('dialog', { name: 'Assign 2 issues' })
  await dialog.getByRole('combobox', { name: 'Assignee' }).fill('mara')
  await page.getByRole('option', { name: /^Mara Lindqvist/ }).click()
  await button(dialog, 'Assign').click()
  await toast(page, '2 issues were reassigned.').waitFor()
  const { data } = await api.issues.list({ query: { id: ids as string[], include: ['people'] } })
  assert.deepEqual(
    data.map(({ assignee }) => assignee?.name),
    ['Mara Lindqvist', 'Mara Lindqvist'],
  )
  const closed = await api.issues.list_closed()
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: 'Closed' })
    .click()
  const closedRows = page.getByRole('table', { name: 'Closed issues' }).locator('[data-row]')
  await assertRows(closedRows, closed.data.length)
  await closedRows
    .first()
    .getByText(closed.data[0]?.title ?? '')
    .waitFor()
  assertNoErrors(session)
})

test('creates an issue after validation errors', async () => {
  const session = await signIn(env, manager, { path: '/issues' })
  const { page } = session
  await button(page, 'New issue').click()
  const dialog = page.getByRole('dialog', { name: 'New issue' })
  await button(dialog, 'Create issue').click()
  await dialog.getByText('Choose a project.').waitFor()
  await dialog.getByRole('combobox', { name: 'Project' }).fill('TUN')
  await page.getByRole('option', { name: /^TUN/ }).click()
  await button(dialog, 'Create issue').click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Title').fill('The drill rig leaks oil')
  await dialog.getByLabel('Severity').selectOption('4 · Major')
  await dialog.getByLabel('Type').selectOption('Dependency')
  await dialog.getByLabel('Status').selectOption('Blocked')
  await dialog.getByLabel('Blocking reason').fill('No seal in stock.')
  await dialog.getByLabel('Due').fill('2030-05-01')
  await dialog.getByRole('combobox', { name: 'Assignee' }).fill('mihai')
  await page.getByRole('option', { name: /^Mihai/ }).waitFor()
  // Not by a click: these options move when results arrive. The first option is “No one”.
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  await dialog.getByLabel('Tags').fill('oil')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Tags').fill('rig')
  await button(dialog, 'Create issue').click()
  await page.getByRole('heading', { level: 1, name: /The drill rig leaks oil/ }).waitFor()
  const { now } = await findIssue(api, 'The drill rig leaks oil')
  const { severity, type, status, blocked_reason, due_on, tags, project_id } = await now()
  assert.deepEqual(
    { severity, type, status, blocked_reason, due_on, tags },
    {
      severity: 4,
      type: 'dependency',
      status: 'blocked',
      blocked_reason: 'No seal in stock.',
      due_on: '2030-05-01',
      tags: ['oil', 'rig'],
    },
  )
  assert.equal(project_id, (await findProject(api, 'TUN')).id)
  await property(page, 'Assignee')
    .getByText(/^Mihai/)
    .waitFor()
  await page.getByText('No tasks yet').waitFor()
  assertNoErrors(session)
})

test('shows an empty state and a missing issue', async () => {
  const keys = await env.emptyWorkspace('No issues here')
  const session = await signIn(env, keys.manager, { path: '/issues' })
  const { page } = session
  await page.getByText('No open issues').waitFor()
  const { path } = await findIssue(api, 'Seepage at the downstream toe')
  await page.getByRole('link', { name: 'Go to projects' }).click()
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
  await page.goto(env.base + path)
  await page
    .getByRole('alert')
    .getByText(/This issue does not exist or was moved/)
    .waitFor()
  assertNoErrors(session)
})

test('finds, opens and closes an issue with the keyboard only', async () => {
  const { issue, path, now } = await findIssue(api, 'Legend of the flood map')
  const session = await signIn(env, manager, { path: '/issues?severity=1' })
  const { page } = session
  const rows = issueRows(page)
  await rows.first().waitFor()
  await tabTo(rows.first())
  for (let row = 0; row < (await rows.count()); row++) {
    await waitForFocus(rows.nth(row))
    if ((await rows.nth(row).textContent())?.includes(issue.ref)) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await page
    .getByRole('complementary', { name: 'Issue' })
    .getByRole('heading', { name: /Legend of the flood map/ })
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /Legend of the flood map/ }).waitFor()
  assert.equal(new URL(page.url()).pathname, path)
  const opener = button(page, 'Close issue')
  await tabTo(opener)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Close/ })
  await waitForFocus(dialog)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await waitForFocus(opener)
  await page.keyboard.press('Enter')
  await waitForFocus(dialog)
  await tabTo(dialog.getByLabel('Resolution'))
  await page.keyboard.type('Not')
  await tabTo(dialog.getByLabel('Closing note'))
  await page.keyboard.type('Finnish was there all along.')
  await tabTo(dialog.getByRole('button', { name: 'Close' }).last())
  await page.keyboard.press('Enter')
  await toast(page, /is closed\./).waitFor()
  const { close_reason, close_note } = await now()
  assert.deepEqual([close_reason, close_note], ['not_an_issue', 'Finnish was there all along.'])
  assertNoErrors(session)
})
