import assert from 'node:assert/strict'
import { test } from 'node:test'

import { projectNamed, rowsOf, storied } from './issue-steps.ts'
import { focusAt, tabTo } from './keyboard.ts'
import { assertRows, button, says } from './steps.ts'
import { apiOf, assertQuiet, signedIn, startWorld } from './world.ts'

const world = await startWorld()
const { manager, reader } = world.keys
const api = apiOf(world, manager)

test('the board, the counts and the list follow one filter, which is the address', async () => {
  const seen = await signedIn(world, manager, { path: '/issues' })
  const { page } = seen
  const summary = await api.issues.summary()
  const worst = summary.by_severity.find(({ severity }) => severity === 5)?.count ?? 0
  await page.getByText(`${summary.count} open issues`, { exact: true }).waitFor()
  await button(page, `Severity 5 Severe, opened This month: ${worst} issues`).click()
  await page.getByText(`${worst} open issues`, { exact: true }).waitFor()
  await assertRows(rowsOf(page), worst)
  const month = summary.by_month.at(-1)?.month
  assert.equal(new URL(page.url()).search, `?severity=5&opened_from=${month}-01`)
  await page.getByRole('button', { name: /^Severity 5/, pressed: true }).waitFor()
  const narrowed = await api.issues.summary({ query: { severity: [5] } })
  await button(page, `Blocked ${narrowed.by_status.blocked}`).click()
  await page.getByText(/^1 open issue$/).waitFor()
  await page.goBack()
  await page.getByText(`${worst} open issues`, { exact: true }).waitFor()
  await button(page, 'Clear all filters').click()
  await button(page, `Overdue ${summary.by_flag.overdue}`).click()
  await page.getByText(`${summary.by_flag.overdue} open issues`, { exact: true }).waitFor()
  await assertRows(rowsOf(page).filter({ hasText: 'Overdue' }), summary.by_flag.overdue)
  assertQuiet(seen)
})

test('an issue is as old as the months since it was opened', async () => {
  const seen = await signedIn(world, reader, { path: '/issues' })
  const { page } = seen
  const { count, by_month, by_severity } = await api.issues.summary()
  const opened = new Date(`${by_month[0]?.month}-15T12:00:00Z`)
  const minor = by_severity.find(({ severity }) => severity === 2)?.count ?? 0
  const bands = { 1: 'Last month', 3: '2–3 months ago', 6: '4–6 months ago', 7: 'Earlier' }
  for (const [months, band] of Object.entries(bands)) {
    const later = new Date(opened)
    later.setUTCMonth(later.getUTCMonth() + Number(months))
    await page.clock.setFixedTime(later)
    await page.goto(`${world.base}/issues`)
    await page.getByText(`${count} open issues`, { exact: true }).waitFor()
    await button(page, `Severity 2 Minor, opened ${band}: ${minor} issues`).click()
    await page.getByText(`${minor} open issues`, { exact: true }).waitFor()
    await assertRows(rowsOf(page), minor)
  }
  await button(page, 'Severity 2 Minor, opened This month: 0 issues').click()
  await page.getByText('No open issue matches').waitFor()
  assertQuiet(seen)
})

test('the list is narrowed by what is typed and chosen', async () => {
  const seen = await signedIn(world, manager, { path: '/issues' })
  const { page } = seen
  const bar = page.getByRole('search', { name: 'Filter the open issues' })
  await button(bar, 'Filters').click()
  await bar.getByLabel('Search').fill('legend')
  await page.getByText('1 open issue', { exact: true }).waitFor()
  await rowsOf(page)
    .getByRole('link', { name: /Legend of the flood map/ })
    .waitFor()
  await bar.getByLabel('Search').fill('')
  await bar.getByLabel('Tag').fill('crane grouting')
  await page.getByText('2 open issues', { exact: true }).waitFor()
  assert.match(page.url(), /tag=crane,grouting/)
  await button(bar, 'Clear all filters').click()
  await bar.getByRole('combobox', { name: 'Assignee' }).click()
  await page.getByRole('option', { name: 'Nobody' }).click()
  const { by_assignee } = await api.issues.summary()
  const nobodys = by_assignee.find(({ assignee_user_id }) => assignee_user_id === null)?.count
  await page.getByText(`${nobodys} open issues`, { exact: true }).waitFor()
  await bar.getByRole('combobox', { name: 'Project' }).fill('flood')
  await page.getByRole('option', { name: /^FLOOD/ }).click()
  await page.getByText('1 open issue', { exact: true }).waitFor()
  await button(bar, 'Clear all filters').click()
  await bar.getByLabel('Opened before').fill('2020-01-01')
  await page.getByText('No open issue matches').waitFor()
  await page.getByText('Take a filter away').waitFor()
  assertQuiet(seen)
})

test('an issue is opened in a project, after what is missing was said', async () => {
  const seen = await signedIn(world, manager, { path: '/issues' })
  const { page } = seen
  await button(page, 'New issue').click()
  const dialog = page.getByRole('dialog', { name: 'New issue' })
  await button(dialog, 'Open the issue').click()
  await dialog.getByText('Choose the project that it belongs to.').waitFor()
  await dialog.getByRole('combobox', { name: 'Project' }).fill('TUN')
  await page.getByRole('option', { name: /^TUN/ }).click()
  await button(dialog, 'Open the issue').click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Title').fill('The drill rig leaks oil')
  await dialog.getByLabel('Severity').selectOption('4 · Major')
  await dialog.getByLabel('Type').selectOption('Dependency')
  await dialog.getByLabel('Status').selectOption('Blocked')
  await dialog.getByLabel('What holds it up').fill('No seal in stock.')
  await dialog.getByLabel('Due').fill('2030-05-01')
  await dialog.getByRole('combobox', { name: 'Assignee' }).fill('mihai')
  await page.getByRole('option', { name: /^Mihai/ }).click()
  await dialog.getByLabel('Tags').fill('oil')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Tags').fill('rig')
  await button(dialog, 'Open the issue').click()
  await page.getByRole('heading', { level: 1, name: /The drill rig leaks oil/ }).waitFor()
  const { now } = await storied(api, 'The drill rig leaks oil')
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
  assert.equal(project_id, (await projectNamed(api, 'TUN')).id)
  await page.getByRole('link', { name: /^Mihai/ }).waitFor()
  await page.getByText('Nothing is being done about it yet').waitFor()
  assertQuiet(seen)
})

test('a workspace without issues says what to do first, and a lost one that it is lost', async () => {
  const keys = await world.emptyWorkspace('No issues here')
  const seen = await signedIn(world, keys.manager, { path: '/issues' })
  const { page } = seen
  await page.getByText('No issue is open').waitFor()
  const { path } = await storied(api, 'Seepage at the downstream toe')
  await page.getByRole('link', { name: 'Go to the projects' }).click()
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
  await page.goto(world.base + path)
  await page
    .getByRole('alert')
    .getByText(/There is no issue/)
    .waitFor()
  assertQuiet(seen)
})

test('an issue is found, opened and closed without a mouse', async () => {
  const { issue, path, now } = await storied(api, 'Legend of the flood map')
  const seen = await signedIn(world, manager, { path: '/issues?severity=1' })
  const { page } = seen
  const links = rowsOf(page).getByRole('link', { name: /-I\d/ })
  await tabTo(links.first())
  for (let row = 0; row < (await links.count()); row++) {
    await focusAt(links.nth(row))
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
  await focusAt(dialog)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await focusAt(opener)
  await page.keyboard.press('Enter')
  await focusAt(dialog)
  await tabTo(dialog.getByLabel('How it ended'))
  await page.keyboard.type('Not')
  await tabTo(dialog.getByLabel('Closing note'))
  await page.keyboard.type('Finnish was there all along.')
  await tabTo(dialog.getByRole('button', { name: 'Close' }).last())
  await page.keyboard.press('Enter')
  await says(page, /is closed\./).waitFor()
  const { close_reason, close_note } = await now()
  assert.deepEqual([close_reason, close_note], ['not_an_issue', 'Finnish was there all along.'])
  assertQuiet(seen)
})
