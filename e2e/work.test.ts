import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { auditView } from './support/audit.ts'
import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { signInSteps } from './support/sign-in-steps.ts'
import { button, dialogButton, dialogClosed, region, toast, undo } from './support/steps.ts'

const env = await startEnvironment()
const { manager } = env.keys
const api = apiOf(env, manager)
const steps = signInSteps(env)

/** The date this many days from now. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** A person with a late review, an issue due this week and two tasks. */
async function personWithWork(code: string) {
  const { id: user } = await steps.addPerson(`Person of ${code}`, 'admin')
  const { id } = await api.projects.create({ body: { code, name: `Project ${code}` } })
  const params = { project_id: id }
  const rating = { likelihood: 4, impact: 4, owner_user_id: user }
  await api.risks.create({
    params,
    body: { title: 'Late review', ...rating, review_on: inDays(-3) },
  })
  await api.risks.create({ params, body: { title: 'No review', ...rating, impact: 5 } })
  await api.issues.create({
    params,
    body: { title: 'Due soon', severity: 3, assignee_user_id: user, due_on: inDays(3) },
  })
  const tasks = [
    { title: 'Due later', due_on: inDays(60) },
    { title: 'Due some day', due_on: null },
  ]
  for (const task of tasks)
    await api.tasks.create({ params, body: { ...task, assignee_user_id: user } })
  return { user, project: id }
}

const workTable = (page: Page) => page.getByRole('table', { name: 'My work' })
const workRow = (page: Page, title: string) =>
  workTable(page).getByRole('row').filter({ hasText: title }).first()

/** The groups in order: the head, then the references of the rows. */
async function groupsOf(page: Page): Promise<string[]> {
  const texts = await workTable(page).getByRole('row').allTextContents()
  const groups: string[] = []
  for (const text of texts.slice(1)) {
    const ref = /[A-Z]+-[RIT]\d+/.exec(text)?.[0]
    if (ref === undefined) groups.push(text.trim())
    else groups.push(`${groups.pop()} ${ref}`)
  }
  return groups
}

const overdueCount = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('img', { name })

test('My work groups reviews, issues and tasks by due date, then ranks the own risks', async () => {
  const { user } = await personWithWork('MINE')
  const session = await steps.asPerson(user, '/my-work')
  const { page } = session
  await workRow(page, 'Late review').getByText('3d overdue').waitFor()
  assert.deepEqual(await groupsOf(page), [
    'Overdue 1 MINE-R1',
    'This week 1 MINE-I1',
    'Later 1 MINE-T1',
    'No date 1 MINE-T2',
    'Risks you own 2 MINE-R2 MINE-R1',
  ])
  await overdueCount(page, '1 overdue item').waitFor()

  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('link', { name: 'Tasks 2' }).click()
  await page.waitForURL(/view=tasks/)
  await workRow(page, 'Late review').waitFor({ state: 'detached' })
  assert.deepEqual(await groupsOf(page), ['Later 1 MINE-T1', 'No date 1 MINE-T2'])
  await workTable(page).getByRole('link', { name: 'Due later' }).click()
  await page.getByRole('heading', { level: 1, name: 'Due later' }).waitFor()
  assertNoErrors(session)
})

test('each kind of work has its action in the row, and a finished task can be undone', async () => {
  const { user, project } = await personWithWork('ACTS')
  const session = await steps.asPerson(user, '/my-work')
  const { page } = session
  const act = async (title: string, name: string) => {
    await workRow(page, title).hover()
    await button(page, name).click()
  }
  await act('Due later', 'Done: ACTS-T1')
  await toast(page, 'ACTS-T1: Done.').waitFor()
  await workRow(page, 'Due later').waitFor({ state: 'detached' })
  await undo(page, 'ACTS-T1: Done.')
  await workRow(page, 'Due later').waitFor()

  await act('Due soon', 'Close: ACTS-I1')
  await dialogButton(page, 'Close').last().click()
  await dialogClosed(page)
  await workRow(page, 'Due soon').waitFor({ state: 'detached' })

  await act('Late review', 'Review: ACTS-R1')
  await page.getByRole('dialog').getByLabel('What did you find?').fill('Nothing new.')
  await dialogButton(page, 'Save review').click()
  await dialogClosed(page)
  await overdueCount(page, '1 overdue item').waitFor({ state: 'detached' })
  assert.deepEqual(await groupsOf(page), [
    // The risk is high, so its next review is in 30 days.
    'Later 2 ACTS-R1 ACTS-T1',
    'No date 1 ACTS-T2',
    'Risks you own 2 ACTS-R2 ACTS-R1',
  ])
  const { data } = await api.issues.list_in_project({ params: { project_id: project } })
  assert.deepEqual(
    data.map(({ status }) => status),
    ['closed'],
  )
  assertNoErrors(session)
})

test('the person of the demo has a day of work and projects', async () => {
  const [asa] = (await api.personnel.list({ query: { q: 'asa.ohman' } })).data
  assert.ok(asa)
  const session = await steps.asPerson(asa.id, '/my-work')
  const { page, calls } = session
  await workRow(page, 'Answer the eleven questions').getByText('1d overdue').waitFor()
  const views = page.getByRole('navigation', { name: 'Views' })
  const counts = await views.getByRole('link').allTextContents()
  assert.deepEqual(counts, ['All12', 'Reviews3', 'Issues2', 'Tasks7', 'Risks you own3'])

  const projects = region(page, 'Your projects')
  const cards = projects.getByRole('listitem')
  await cards.nth(1).waitFor()
  assert.equal(await cards.count(), 2)
  const [tunnel, pump] = [cards.nth(0), cards.nth(1)]
  await tunnel.getByText('Off track').waitFor()
  await tunnel.getByRole('link', { name: /^Water under pressure floods the heading/ }).waitFor()
  await pump.getByText('On track').waitFor()
  const own = calls.filter((call) => call.includes('project_id=') || call.includes('id=prj'))
  assert.equal(own.length, 6, own.join('\n'))
  await auditView({ page, part: 'body', name: 'my-work', widths: [1440, 768, 375] })
  await page.setViewportSize({ width: 1440, height: 900 })

  const [project] = (await api.projects.list({ query: { q: 'PUMP' } })).data
  const query = { project_id: [project?.id ?? ''], flag: ['review_overdue' as const] }
  const { count } = await api.risks.list({ query })
  await pump.getByRole('link', { name: `${count} review late` }).click()
  await page.waitForURL(/\/risks\?.*flag=review_overdue/)
  const rows = page.getByRole('table').locator('[data-row]')
  await page.getByRole('heading', { level: 1, name: 'Risks' }).waitFor()
  await rows.nth(count - 1).waitFor()
  assert.equal(await rows.count(), count)
  assertNoErrors(session)
})

test('projects have all that is late, in a number of requests that does not grow', async () => {
  const { id: user } = await steps.addPerson('Owner of projects', 'admin')
  const make = async (code: string, health: 'on_track' | 'at_risk') => {
    const body = { code, name: `Owned ${code}`, owner_user_id: user, health }
    const params = { project_id: (await api.projects.create({ body })).id }
    const late = { due_on: inDays(-2) }
    await api.issues.create({ params, body: { title: 'Late issue', severity: 2, ...late } })
    await api.tasks.create({ params, body: { title: 'Late task', ...late } })
    await api.tasks.create({ params, body: { title: 'Task', due_on: inDays(2) } })
    const rating = { likelihood: 2 as const, impact: 2 as const, review_on: inDays(-2) }
    await api.risks.create({ params, body: { title: `Risk of ${code}`, ...rating } })
  }
  for (const code of ['OWNA', 'OWNB', 'OWNC'])
    await make(code, code === 'OWNC' ? 'at_risk' : 'on_track')
  const session = await steps.asPerson(user, '/my-work')
  const { page, calls } = session
  const cards = region(page, 'Your projects').getByRole('listitem')
  await cards.nth(2).waitFor()
  const texts = await cards.allInnerTexts()
  assert.match(texts[0] ?? '', /Owned OWNC/, 'the worst comes first')
  for (const [index, text] of texts.entries()) {
    assert.match(text, /Risk of OWN.\s+1 review late\s+1 issue late\s+1 task late/, `${index}`)
  }
  const own = calls.filter((call) => call.includes('project_id=') || call.includes('id=prj'))
  assert.equal(own.length, 6, own.join('\n'))
  await cards.nth(0).getByRole('link', { name: '1 task late' }).click()
  await page.getByRole('link', { name: 'Late task' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Late task' }).count(), 1)
  assertNoErrors(session)
})

test('a person opens the overview from the navigation, from My work and by key', async () => {
  const { id } = await steps.addPerson('Olga Reader', 'reader')
  const session = await steps.asPerson(id, '/my-work')
  const { page } = session
  const overview = page.getByRole('heading', { level: 1, name: 'Overview' })
  await region(page, 'Northwater today').getByRole('link', { name: 'Overview' }).click()
  await overview.waitFor()
  await region(page, 'What moved').getByText('TUN-R1').waitFor()
  const main = page.getByRole('navigation', { name: 'Main' })
  await main.getByRole('link', { name: 'My work' }).click()
  await overview.waitFor({ state: 'detached' })
  await main.getByRole('link', { name: 'Overview' }).click()
  await overview.waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await overview.waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await overview.waitFor()
  assertNoErrors(session)
})

for (const [locale, day, time] of [
  ['en-GB', '2 Mar 2026', /^\d\d:\d\d:\d\d$/],
  ['en-US', 'Mar 2, 2026', /^\d{1,2}:\d\d:\d\d\s[AP]M$/],
  ['de-DE', '2 Mar 2026', /^\d\d:\d\d:\d\d$/],
] as const) {
  test(`dates and times follow a browser in ${locale}, in English words`, async () => {
    const body = { code: `D${locale.slice(-2)}`, name: `Due ${locale}`, due_on: '2026-03-02' }
    const { id } = await api.projects.create({ body })
    const session = await signIn(env, manager, { path: `/projects/${id}`, locale })
    const { page } = session
    const due = page.locator('time[datetime="2026-03-02"]').first()
    assert.equal(await due.getAttribute('title'), day)
    await page.goto(`${env.base}/audit`)
    const shown = await page.getByRole('table').locator('time').first().textContent()
    assert.match(shown ?? '', time)
    assertNoErrors(session)
  })
}

test('prints every one of 1,000 filtered risks', async () => {
  const { id } = await api.projects.create({ body: { code: 'INK', name: 'Ink and paper' } })
  const data = Array.from({ length: 1000 }, (_, index) => ({
    title: `Printed risk ${index + 1}`,
    likelihood: 2,
    impact: 3,
  }))
  await api.risks.batch({ params: { project_id: id }, body: { data } })
  const session = await signIn(env, manager, { path: `/risks?project_id=${id}` })
  const { page } = session
  await page.addInitScript('window.printCount = 0; window.print = () => { window.printCount += 1 }')
  await button(page, 'Display').click()
  const path = await page.getByRole('menuitem', { name: 'Print …' }).getAttribute('href')
  await page.goto(env.base + path)
  await page.getByText('1,000 rows are ready to print.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Risks' }).waitFor()
  await page.getByText('Project: Ink and paper').waitFor()
  await page.getByText(/^Northwater · .+ · 1,000 rows$/).waitFor()
  const titles = await page.getByRole('cell', { name: /^Printed risk \d+$/ }).allTextContents()
  assert.equal(new Set(titles).size, 1000)
  await page.waitForFunction('window.printCount > 0')
  await page.waitForTimeout(500)
  assert.equal(await page.evaluate('window.printCount'), 1, 'the dialog opens once')

  const pdf = (await page.pdf({ tagged: true })).toString('latin1')
  const tableRows = pdf.match(/\/S \/TR\b/g)?.length ?? 0
  assert.equal(tableRows, 1001, 'all rows and the head are in the PDF')
  assert.ok((pdf.match(/\/Type \/Page\b/g)?.length ?? 0) >= 20)
  assertNoErrors(session)
})

test('prints the other lists, and names the filter', async () => {
  const session = await signIn(env, manager, { path: '/projects' })
  const { page } = session
  const expected = [
    ['/print/issues?view=overdue', 'Flag: Overdue', 'Severity'],
    ['/print/tasks?status=blocked', 'Status: Blocked', 'Assignee'],
    ['/print/people?q=lindq', 'Search: lindq', 'Mara Lindqvist'],
    ['/print/projects?view=archived', 'Status: Archived', 'PIPE'],
    ['/print/groups', 'Groups', 'Members'],
  ] as const
  for (const [path, words, text] of expected) {
    await page.goto(env.base + path)
    await page.getByText(/rows? (?:is|are) ready to print/).waitFor()
    await page.getByText(words, { exact: true }).first().waitFor()
    await page.getByRole('table').getByText(text, { exact: true }).first().waitFor()
  }
  await page.goto(`${env.base}/print/nothing`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await page.getByRole('table').count(), 0)
  assertNoErrors(session)
})
