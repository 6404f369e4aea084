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
import { screenshot } from './support/screenshots.ts'
import { button, region } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, manager)

const cell = (page: Page, likelihood: number, impact: number) =>
  region(page, 'Heat map').getByRole('button', {
    name: `Likelihood ${likelihood}, impact ${impact}, `,
  })
const parametersOf = (url: string) => Object.fromEntries(new URL(url).searchParams)

test('a cell of the heat map filters, Shift adds cells, and the others stay buttons', async () => {
  const session = await signIn(env, reader)
  const { page } = session
  const { cells } = await api.risks.summary()
  const [first, second] = cells.filter(({ likelihood }) => likelihood === 4)
  assert.ok(first && second)
  const cellOf = ({ likelihood, impact }: typeof first) => cell(page, likelihood, impact)
  await cellOf(first).click()
  assert.equal(await cellOf(first).getAttribute('aria-pressed'), 'true')
  const map = region(page, 'Heat map').getByRole('table')
  assert.equal(await map.getByRole('button').count(), cells.length, 'every cell is a button')
  assert.equal(await cellOf(second).textContent(), String(second.count))
  await cellOf(second).click({ modifiers: ['Shift'] })
  await page.locator(`[role=table][aria-rowcount="${first.count + second.count + 1}"]`).waitFor()
  const impacts = [first.impact, second.impact].map(String).toSorted()
  assert.deepEqual(parametersOf(page.url()), { likelihood: '4', impact: impacts.join(',') })
  await page.getByRole('search').getByText('4 Likely', { exact: true }).waitFor()
  await screenshot(page, 'risks-heat-map')
  await cellOf(first).click()
  await page.locator(`[role=table][aria-rowcount="${second.count + 1}"]`).waitFor()
  await cellOf(second).click()
  assert.deepEqual(parametersOf(page.url()), {})
  for (const name of ['Almost certain 5', 'Rare 1', '5 Severe', '1 Negligible']) {
    await map.getByRole('rowheader', { name }).or(map.getByRole('columnheader', { name })).waitFor()
  }
  assertNoErrors(session)
})

test('counts that could not be loaded are no zeros', async () => {
  const { page } = await signIn(env, reader)
  await page.route('**/v1/*/summary*', (route) => route.abort())
  await page.goto(`${env.base}/issues`)
  const severity = region(page, 'Severity')
  await severity.getByText('—').first().waitFor()
  assert.equal(await page.locator('[data-rail]').getByText('0', { exact: true }).count(), 0)
  await page.goto(`${env.base}/risks?view=attention`)
  await page.getByText('Something went wrong').first().waitFor()
  assert.equal(await page.getByText('Nothing needs attention').count(), 0)
  await page.goto(`${env.base}/tasks?group=project`)
  await page.getByText('Something went wrong').first().waitFor()
  assert.equal(await page.getByText('No tasks').count(), 0)
})

test('Filters and Display of each list are on the screen of a phone', async () => {
  const session = await signIn(env, reader, { width: 375 })
  const { page } = session
  for (const path of ['/risks', '/issues', '/tasks', '/projects', '/people']) {
    await page.goto(env.base + path)
    await page.locator('[data-row]').first().waitFor()
    for (const name of ['Filters', 'Display']) {
      const box = await button(page, name).boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= 375, `${name} is at ${box?.x}`)
    }
    await screenshot(page, `phone${path.replace('/', '-')}`)
    await button(page, 'Filters').click()
    await page.getByRole('dialog', { name: 'Filters' }).getByLabel('Search').fill('dam')
    await page.waitForURL(/[?&]q=dam/)
    assert.equal(await horizontalOverflow(page), 0)
  }
  assertNoErrors(session)
})

for (const width of [375, 768]) {
  test(`the heat map is one press away at ${width} pixels`, async () => {
    const session = await signIn(env, reader, { width })
    const { page } = session
    await button(page, 'Heat map').click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Likelihood 4, / })
      .first()
      .click()
    await page.waitForURL(/likelihood=4/)
    await screenshot(page, `heat-map-${width}`)
    assertNoErrors(session)
  })
}

test('references are never cut', async () => {
  const project = await api.projects.create({ body: { code: 'PUMPWORKS1', name: 'Pump works' } })
  const params = { project_id: project.id }
  const { data: people } = await api.personnel.list({ query: { q: 'Mara' } })
  const owner_user_id = people[0]?.id ?? null
  await api.risks.create({
    params,
    body: { title: 'Pump stops', likelihood: 5, impact: 5, owner_user_id },
  })
  await api.issues.create({ params, body: { title: 'Pump stopped', severity: 5 } })
  const { page } = await signIn(env, reader, { width: 1440 })
  const paths = [
    '/risks',
    '/overview',
    '/issues',
    `/projects/${project.id}`,
    `/people/${owner_user_id}`,
  ]
  for (const path of paths) {
    await page.goto(env.base + path)
    const refs = page.getByText(/^PUMPWORKS1-[RI]1$/).filter({ visible: true })
    await refs.first().waitFor()
    const cut = await refs.evaluateAll(
      (all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
    )
    assert.equal(cut, 0, path)
  }
  await screenshot(page, 'references')
})

test('a record is printed as a sheet, and a list with the colours of its scores', async () => {
  const { data } = await api.risks.list({ query: { limit: 1 } })
  const [risk] = data
  assert.ok(risk)
  const path = `/projects/${risk.project_id}/risks/${risk.id}`
  const { page } = await signIn(env, manager, { path, width: 1440 })
  await page.getByRole('heading', { level: 1, name: risk.title }).waitFor()
  await button(page, 'Review').waitFor()
  await page.emulateMedia({ media: 'print' })
  await button(page, 'Review').waitFor({ state: 'hidden' })
  assert.equal(
    await page
      .getByRole('main')
      .getByRole('button', { name: /^(Add|More)/ })
      .count(),
    0,
  )
  const properties = await page.getByRole('complementary', { name: 'Properties' }).boundingBox()
  const title = await page.getByRole('heading', { level: 1 }).boundingBox()
  assert.ok(properties && title && properties.y > title.y + 100, 'the properties are below')
  await screenshot(page, 'print-risk', { fullPage: true })
  await page.goto(`${env.base}/print/risks?level=critical`)
  await page.getByText('Level: Critical').waitFor()
  const score = page.getByRole('cell').first().locator('[data-level=critical]')
  await score.waitFor()
  const colour = `getComputedStyle(document.querySelector('td [data-level=critical]')).backgroundColor`
  assert.equal(await page.evaluate(colour), 'rgb(168, 28, 44)')
})

test('names what people need to know', async () => {
  const [noor] = (await api.personnel.list({ query: { status: ['suspended'] } })).data
  assert.ok(noor)
  const session = await signIn(env, manager, { path: `/risks?owner_user_id=${noor.id}` })
  const { page } = session
  const row = page.locator('[data-row]').first()
  await row.getByText('Suspended').waitFor()
  assert.equal(await row.getByText(noor.name).getAttribute('dir'), 'auto')
  await page.goto(`${env.base}/workspace`)
  await page.getByText(/^wsp_[0-9a-z]{26}$/).waitFor()
  await page.goto(`${env.base}/people`)
  await page.locator('[data-row]').first().waitFor()
  assert.equal(await page.locator('[data-row]').getByText('Active', { exact: true }).count(), 0)
  const [risk] = (await api.risks.list({ query: { limit: 1 } })).data
  const other = (risk?.id ?? '').replace(/.{4}$/, '0000')
  await page.goto(`${env.base}/projects/${risk?.project_id}/risks/${other}`)
  await page.getByRole('alert').getByText('This risk does not exist or was moved.').waitFor()
  assert.doesNotMatch(await page.getByRole('main').innerText(), /(rsk|prj)_/)
  await page.goto(`${env.base}/keys`)
  await button(page, 'New key').click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Responsible' }).waitFor()
  assertNoErrors(session)
})
