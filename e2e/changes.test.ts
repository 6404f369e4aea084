import assert from 'node:assert/strict'
import { test } from 'node:test'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { heading, region } from './support/steps.ts'

const env = await startEnvironment()
const { manager } = env.keys
const api = apiOf(env, manager)

/** The date this many days from now. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const since = inDays(-60)

test('groups the risks that changed, and the bridge leads from one sum to the other', async () => {
  const session = await signIn(env, manager, { path: `/changes?since=${since}`, width: 1440 })
  const { page } = session
  const { risks, issues, figures } = await api.changes.view({ query: { since } })
  const rose = region(page, 'Rose')
  await rose.getByRole('listitem').first().waitFor()
  assert.equal(await rose.getByRole('listitem').count(), risks.rose.length)
  const left = region(page, 'Left the register')
  assert.equal(await left.getByRole('listitem').count(), risks.left.length)
  const { before, after } = figures
  await page
    .getByRole('img', {
      name: new RegExp(`^Exposure: ${before.exposure} before, .*, ${after.exposure} after$`),
    })
    .waitFor()
  const nouns = page.getByRole('navigation', { name: 'Kind of record' })
  await nouns.getByRole('link', { name: /^Issues \d+$/ }).click()
  const opened = region(page, 'Opened')
  await opened.getByRole('listitem').first().waitFor()
  assert.equal(await opened.getByRole('listitem').count(), issues.opened.length)
  assert.equal(new URL(page.url()).searchParams.get('since'), since)
  await nouns.getByRole('link', { name: /^Projects \d+$/ }).click()
  await region(page, 'Health').getByRole('listitem').first().waitFor()
  assertNoErrors(session)
})

test('by keyboard: the page, an entry, its steps, and the record', async () => {
  const session = await signIn(env, manager, { path: '/risks' })
  const { page } = session
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await heading(page, 'Changes').waitFor()
  const entry = page.getByRole('main').getByRole('listitem').first()
  await entry.waitFor()
  await page.keyboard.press('j')
  await entry.getByRole('link').first().and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Space')
  await entry.getByRole('list', { name: /^Steps of/ }).waitFor()
  await page.keyboard.press('v')
  await page.getByLabel('Since when').and(page.locator(':focus')).waitFor()
  await page.getByLabel('Since', { exact: true }).fill(since)
  await page.waitForURL(`**/changes?since=${since}`)
  await entry.getByRole('link').first().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/projects\/\w+\/risks\/\w+/)
  assertNoErrors(session)
})

test('an interval in the past says so, and only one project can be shown', async () => {
  const [project] = (await api.projects.list({ query: { q: 'TUN' } })).data
  assert.ok(project)
  const path = `/changes?since=${since}&until=${inDays(-10)}&project_id=${project.id}`
  const session = await signIn(env, manager, { path })
  const { page } = session
  await page.getByRole('note').getByText('Later ones are not shown').waitFor()
  const refs = await page.getByText(/^[A-Z]+-R\d+$/).allTextContents()
  assert.ok(
    refs.every((ref) => ref.startsWith('TUN-')),
    refs.join(' '),
  )
  await page.getByRole('link', { name: 'Show all until now' }).click()
  await page.waitForURL((url) => !url.searchParams.has('until'))
  assertNoErrors(session)
})

test('says when nothing changed, and why a point is refused', async () => {
  const keys = await env.emptyWorkspace('Still')
  const session = await signIn(env, keys.manager, { path: '/changes' })
  const { page } = session
  await page.getByText(/^Nothing changed since/).waitFor()
  await page.goto(`${env.base}/changes?since=999999999`)
  await page.getByRole('alert').waitFor()
})

test('is printed with its figures, what moved, the ten highest risks and what is late', async () => {
  const session = await signIn(env, manager, { path: '/risks' })
  const { page } = session
  await page.addInitScript('window.printCount = 0; window.print = () => { window.printCount += 1 }')
  await page.goto(`${env.base}/print/changes?since=${since}`)
  await page.getByText('Ready to print.').waitFor()
  const { data: top } = await api.risks.list({ query: { limit: 10 } })
  const section = page.getByRole('table').getByRole('row')
  assert.equal(await section.count(), top.length + 1)
  await section
    .nth(1)
    .getByText(top[0]?.ref ?? '')
    .waitFor()
  await page.getByRole('heading', { name: /^Overdue/ }).waitFor()
  await page.waitForFunction('window.printCount > 0')
  for (const format of ['A4', 'Letter'] as const) {
    const pdf = (await page.pdf({ format, tagged: true })).toString('latin1')
    assert.ok((pdf.match(/\/Type \/Page\b/g)?.length ?? 0) >= 1)
  }
  assertNoErrors(session)
})
