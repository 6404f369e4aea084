import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { auditView } from './support/audit.ts'
import {
  apiOf,
  assertNoErrors,
  signIn,
  startEnvironment,
  waitUntilLoaded,
} from './support/environment.ts'
import { tabTo } from './support/keyboard.ts'
import { signInSteps } from './support/sign-in-steps.ts'
import { button, heading, region } from './support/steps.ts'

const env = await startEnvironment()
const { manager } = env.keys
const api = apiOf(env, manager)
const steps = signInSteps(env)

/** The date this many days from now. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const figure = (page: Page, name: string) =>
  region(page, 'Figures').getByRole('link').filter({ hasText: name })
const valueOf = async (page: Page, name: string) =>
  Number(await figure(page, name).locator('b').textContent())
const chart = (page: Page) => region(page, 'Exposure').getByRole('img', { name: /^Exposure from/ })

test('a service key opens on the overview, whose figures are those of the lists', async () => {
  const session = await signIn(env, manager, { path: '/' })
  const { page } = session
  await heading(page, 'Overview').waitFor()
  await waitUntilLoaded(page)
  const [risks, issues, tasks] = await Promise.all([
    api.risks.summary(),
    api.issues.summary(),
    api.tasks.summary(),
  ])
  const exposure = risks.cells.reduce(
    (sum, each) => sum + each.likelihood * each.impact * each.count,
    0,
  )
  assert.equal(await valueOf(page, 'Exposure'), exposure)
  assert.equal(await valueOf(page, 'Above appetite'), risks.above_appetite_not_accepted)
  assert.equal(await valueOf(page, 'Reviews overdue'), risks.by_flag.review_overdue)
  assert.equal(await valueOf(page, 'Open issues'), issues.count)
  assert.equal(await valueOf(page, 'Open tasks'), tasks.count)
  await figure(page, 'Reviews overdue').click()
  await page.waitForURL(/\/risks\?flag=review_overdue/)
  const rows = page.getByRole('table').locator('[data-row]')
  await rows.nth(risks.by_flag.review_overdue - 1).waitFor()
  assert.equal(await rows.count(), risks.by_flag.review_overdue)
  assertNoErrors(session)
})

test('the chart states its figures in a sentence and as a table', async () => {
  const session = await signIn(env, manager, { path: '/overview' })
  const { page } = session
  const { points } = await api.trend.view({ query: { from: inDays(-274) } })
  const last = points.at(-1)
  assert.ok(last)
  const name = await chart(page).getAttribute('aria-label')
  assert.match(
    name ?? '',
    new RegExp(`Now ${last.exposure}: critical ${last.exposure_by_level.critical}`),
  )
  await button(page, 'Table').click()
  const table = region(page, 'Exposure').getByRole('table', { name: 'Exposure' })
  const cells = await table.getByRole('row').nth(1).getByRole('cell').allTextContents()
  const { critical, high, medium, low } = last.exposure_by_level
  assert.deepEqual(cells.slice(0, 5), [last.exposure, critical, high, medium, low].map(String))
  assert.equal(await table.getByRole('row').count(), points.length + 1)
  await button(page, '3 months').click()
  await table.getByRole('row').nth(93).waitFor({ state: 'detached' })
  assert.equal(await table.getByRole('row').count(), 93)
  assertNoErrors(session)
})

test('what moved is what the service says, by kind', async () => {
  const since = inDays(-60)
  const session = await signIn(env, manager, { path: `/overview?since=${since}` })
  const { page } = session
  const { risks, figures } = await api.changes.view({ query: { since } })
  const moved = region(page, 'What moved')
  const count = risks.rose.length + risks.fell.length + risks.entered.length + risks.left.length
  await moved.getByRole('button', { name: `All ${count}` }).waitFor()
  await moved.getByRole('button', { name: `Rose ${risks.rose.length}` }).click()
  const refs = await moved.getByText(/^[A-Z]+-R\d+$/).allTextContents()
  assert.ok(refs.length > 0)
  assert.ok(
    refs.every((ref) => risks.rose.some((risk) => risk.ref === ref)),
    refs.join(' '),
  )
  await moved.getByRole('img', { name: `Score of ${refs[0]} since` }).waitFor()
  const by = figures.after.exposure - figures.before.exposure
  const delta = figure(page, 'Exposure').getByRole('img')
  if (by === 0) assert.equal(await delta.count(), 0)
  else assert.match((await delta.getAttribute('aria-label')) ?? '', new RegExp(`^${Math.abs(by)} `))
  await moved.getByRole('link', { name: 'All changes' }).click()
  await page.waitForURL(`**/changes?since=${since}`)
  await heading(page, 'Changes').waitFor()
  assertNoErrors(session)
})

test('projects have their worst risk and their exposure, those in trouble first', async () => {
  const session = await signIn(env, manager, { path: '/overview' })
  const { page } = session
  await waitUntilLoaded(page)
  const { projects = [] } = await api.trend.view({ query: { include: ['projects'] } })
  const tunnel = projects.find(({ project }) => project.code === 'TUN')
  const rows = region(page, 'Projects').getByRole('row')
  const row = rows.filter({ hasText: 'TUN' }).first()
  await row.getByText(String(tunnel?.last.exposure), { exact: true }).waitFor()
  await row.getByRole('img', { name: /^Exposure of .* since/ }).waitFor()
  await rows.nth(1).getByRole('img', { name: 'Off track' }).waitFor()
  await row.getByRole('link', { name: tunnel?.worst_risk?.ref ?? '' }).click()
  await heading(page, tunnel?.worst_risk?.title ?? '').waitFor()
  assertNoErrors(session)
})

test('by keyboard: the page, its table, the compared day, and a risk that moved', async () => {
  const session = await signIn(env, manager, { path: '/risks' })
  const { page } = session
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await heading(page, 'Overview').waitFor()
  await chart(page).waitFor()
  await page.keyboard.press('t')
  await region(page, 'Exposure').getByRole('table', { name: 'Exposure' }).waitFor()
  await page.keyboard.press('t')
  await chart(page).waitFor()
  await page.keyboard.press('v')
  const compared = page.getByLabel('Compared with')
  await compared.and(page.locator(':focus')).waitFor()
  await compared.selectOption({ index: 2 })
  await page.waitForURL(`**/overview?since=${inDays(-91)}`)
  const links = region(page, 'What moved').getByRole('listitem').getByRole('link')
  await links.first().waitFor()
  await tabTo(page.getByRole('link', { name: 'All changes' }))
  await page.keyboard.press('j')
  await links.first().and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/projects\/\w+\/risks\/\w+/)
  assertNoErrors(session)
})

test('a part that fails says so, and the others are there', async () => {
  const session = await signIn(env, manager, { path: '/risks' })
  const { page } = session
  await page.route('**/v1/trend?*', (route) => route.fulfill({ status: 500, body: 'no' }))
  await page.goto(`${env.base}/overview`)
  await region(page, 'Exposure').getByRole('alert').waitFor()
  await region(page, 'What moved').getByRole('listitem').first().waitFor()
  assert.ok((await valueOf(page, 'Open issues')) > 0)
})

test('an empty workspace says what makes the page useful', async () => {
  const keys = await env.emptyWorkspace('Kustvatten')
  const session = await signIn(env, keys.manager, { path: '/overview' })
  const { page } = session
  await page.getByRole('heading', { name: 'Nothing to show yet' }).waitFor()
  await page.getByRole('link', { name: 'New project' }).waitFor()
  await auditView({ page, part: 'body', name: 'overview-empty', widths: [1440, 375] })
  assertNoErrors(session)
})

test('a few risks are shown without a comparison', async () => {
  const keys = await env.emptyWorkspace('Hamn')
  const own = apiOf(env, keys.manager)
  const { id } = await own.projects.create({ body: { code: 'HAMN', name: 'Quay' } })
  const body = { title: 'Ice', likelihood: 3, impact: 4 } as const
  await own.risks.create({ params: { project_id: id }, body })
  const session = await signIn(env, keys.manager, { path: '/overview' })
  const { page } = session
  await page.getByText('After four weeks with six risks').waitFor()
  assert.equal(await page.getByLabel('Compared with').isDisabled(), true)
  assert.equal(await valueOf(page, 'Exposure'), 12)
  await auditView({ page, part: 'body', name: 'overview-few', widths: [1440, 375] })
  assertNoErrors(session)
})

test('a key that may not read people sees no name', async () => {
  const { secret } = await api.keys.create({ body: { name: 'Wall', scopes: ['projects.read'] } })
  const session = await signIn(env, secret, { path: '/overview' })
  const { page, calls } = session
  await waitUntilLoaded(page)
  await region(page, 'What moved').getByRole('listitem').first().waitFor()
  assert.deepEqual(
    calls.filter((call) => call.includes('/v1/personnel')),
    [],
  )
  assertNoErrors(session)
})

test('who leads opens on the overview, the others on My work, unless they choose', async () => {
  const reader = await steps.addPerson('Rune Reader', 'reader')
  const admin = await steps.addPerson('Ada Admin', 'admin')
  const owner = await steps.addPerson('Olle Owner', 'reader')
  await api.projects.create({ body: { code: 'OLLE', name: 'Olle’s', owner_user_id: owner.id } })
  const first = async (id: string, name: string) => {
    const session = await steps.asPerson(id, '/')
    await heading(session.page, name).waitFor()
    return session
  }
  await first(admin.id, 'Overview')
  await first(owner.id, 'Overview')
  const session = await first(reader.id, 'My work')
  const { page } = session
  await page.goto(new URL('/account', page.url()).href)
  await page.getByLabel('First page').selectOption('Overview')
  await page.goto(new URL('/', page.url()).href)
  await heading(page, 'Overview').waitFor()
  assertNoErrors(session)
})
