import assert from 'node:assert/strict'
import { test } from 'node:test'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { findProject, issueRows, findIssue } from './support/issue-steps.ts'
import { waitForFocus, tabTo } from './support/keyboard.ts'
import { assertRows, button, toast } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, manager)

const counted = (count: number) => (count === 1 ? '1 open issue' : `${count} open issues`)

test('the board, counts and list follow the filters in the URL', async () => {
  const session = await signIn(env, manager, { path: '/issues' })
  const { page } = session
  const summary = await api.issues.summary()
  const month = new Date().toISOString().slice(0, 7)
  const query = { severity: [2], opened_from: `${month}-01` }
  const { count: recent } = await api.issues.summary({ query })
  await page.getByText(`${summary.count} open issues`, { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Severity 2 Minor, opened This month: / }).click()
  await page.getByText(counted(recent), { exact: true }).waitFor()
  await assertRows(issueRows(page), recent)
  assert.equal(new URL(page.url()).search, `?severity=2&opened_from=${month}-01`)
  await page.getByRole('button', { name: /^Severity 2/, pressed: true }).waitFor()
  const { count: open } = await api.issues.summary({ query: { ...query, status: ['open'] } })
  await button(page, `Open ${open}`).click()
  await page.getByText(counted(open), { exact: true }).waitFor()
  await page.goBack()
  await page.getByText(counted(recent), { exact: true }).waitFor()
  await button(page, 'Clear all filters').click()
  await button(page, `Overdue ${summary.by_flag.overdue}`).click()
  await page.getByText(`${summary.by_flag.overdue} open issues`, { exact: true }).waitFor()
  await assertRows(issueRows(page).filter({ hasText: 'Overdue' }), summary.by_flag.overdue)
  assertNoErrors(session)
})

test('groups issues by age in calendar months', async () => {
  const session = await signIn(env, reader, { path: '/issues' })
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
    await page
      .getByRole('button', { name: `Severity 3 Moderate, opened ${band}: ${count}` })
      .click()
    await page.getByText(counted(count), { exact: true }).waitFor()
    await assertRows(issueRows(page), count)
    after = Number(to)
    await button(page, 'Clear all filters').click()
  }
  await page.clock.setFixedTime(Date.now() + 70 * 86_400_000)
  await page.goto(`${env.base}/issues`)
  await button(page, 'Severity 2 Minor, opened This month: 0 issues').click()
  await page.getByText('No open issues match').waitFor()
  assertNoErrors(session)
})

test('filters the list by text, tag, assignee, project and date', async () => {
  const session = await signIn(env, manager, { path: '/issues' })
  const { page } = session
  const bar = page.getByRole('search', { name: 'Filter open issues' })
  await button(bar, 'Filters').click()
  await bar.getByLabel('Search').fill('legend')
  await page.getByText('1 open issue', { exact: true }).waitFor()
  await issueRows(page)
    .getByRole('link', { name: /Legend of the flood map/ })
    .waitFor()
  await bar.getByLabel('Search').fill('')
  await bar.getByLabel('Tag').fill('crane grouting')
  await page.getByText('2 open issues', { exact: true }).waitFor()
  assert.match(page.url(), /tag=crane,grouting/)
  await button(bar, 'Clear all filters').click()
  await bar.getByRole('combobox', { name: 'Assignee' }).click()
  await page.getByRole('option', { name: 'No one' }).click()
  const { by_assignee } = await api.issues.summary()
  const unassigned = by_assignee.find(({ assignee_user_id }) => assignee_user_id === null)?.count
  await page.getByText(`${unassigned} open issues`, { exact: true }).waitFor()
  await bar.getByRole('combobox', { name: 'Project' }).fill('flood')
  await page.getByRole('option', { name: /^FLOOD/ }).click()
  await page.getByText('1 open issue', { exact: true }).waitFor()
  await button(bar, 'Clear all filters').click()
  await bar.getByLabel('Opened before').fill('2020-01-01')
  await page.getByText('No open issues match').waitFor()
  await page.getByText('Remove a filter').waitFor()
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
  await page.getByRole('option', { name: /^Mihai/ }).click()
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
  await page.getByRole('link', { name: /^Mihai/ }).waitFor()
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
    .getByText(/There is no issue/)
    .waitFor()
  assertNoErrors(session)
})

test('finds, opens and closes an issue with the keyboard only', async () => {
  const { issue, path, now } = await findIssue(api, 'Legend of the flood map')
  const session = await signIn(env, manager, { path: '/issues?severity=1' })
  const { page } = session
  const links = issueRows(page).getByRole('link', { name: /-I\d/ })
  await tabTo(links.first())
  for (let row = 0; row < (await links.count()); row++) {
    await waitForFocus(links.nth(row))
    if ((await links.nth(row).textContent())?.startsWith(issue.ref)) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /Legend of the flood map/ }).waitFor()
  assert.equal(new URL(page.url()).pathname, path)
  const opener = button(page, 'Close')
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
