import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { measure } from '@muster/testing/measure'
import type { Page, Request } from 'playwright-core'

import { axeViolations } from './support/axe.ts'
import { assertNoErrors, type PageSession, signIn } from './support/environment.ts'
import { startRiskTests } from './support/risk-steps.ts'
import { screenshot } from './support/screenshots.ts'
import { signInSteps } from './support/sign-in-steps.ts'
import { button, chooseProperty, conflictDialog, property, toast } from './support/steps.ts'

const { env, api, dam, createRisk, now } = await startRiskTests()
const { manager, reader } = env.keys

const isStream = (request: Request) => request.headers()['accept'] === 'text/event-stream'

/** The streams that the pages have open, and the number of all that they have asked for. */
function streamsOf(...pages: readonly Page[]) {
  const open = new Set<Request>()
  let asked = 0
  for (const page of pages) {
    page.on('request', (request) => {
      if (!isStream(request)) return
      open.add(request)
      asked++
    })
    page.on('requestfinished', (request) => open.delete(request))
    page.on('requestfailed', (request) => open.delete(request))
  }
  return {
    get asked() {
      return asked
    },
    /** Waits up to 10 seconds until `count` are open. */
    async settle(count: number): Promise<void> {
      for (let tries = 0; tries < 200 && open.size !== count; tries++) await sleep(50)
      assert.equal(open.size, count)
    },
  }
}

/** Signs in and leaves the console. */
async function signedIn(key: string): Promise<PageSession> {
  const session = await signIn(env, key, { path: '/account' })
  await session.page.goto('about:blank')
  return session
}

/** Opens a page and waits until it reads the stream. */
async function openLive(path: string, key: string = reader): Promise<PageSession> {
  const session = await signedIn(key)
  const { page } = session
  const streamed = page.waitForResponse((response) => isStream(response.request()))
  await page.goto(env.base + path)
  assert.equal((await streamed).status(), 200)
  // The first message follows the head of the response.
  await sleep(200)
  return session
}

const rowWith = (page: Page, text: string) =>
  page.locator('[data-row]').filter({ hasText: text }).first()
const marked = (page: Page) => page.locator('[data-row][data-changed=true]')
const waitingButton = (page: Page, count: number) =>
  button(page, count === 1 ? '1 change, show' : `${count} changes, show`)
const order = (page: Page) =>
  page.locator('[data-row]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')))

test('an open register shows and marks a change of someone else within a second', async (t) => {
  const risk = await createRisk({ title: 'The gauge drifts' })
  const session = await openLive('/risks')
  const { page } = session
  await rowWith(page, risk.ref).waitFor()
  const before = await order(page)
  const startedAt = performance.now()
  await api.risks.update(
    { params: { project_id: dam.id, risk_id: risk.id }, body: { title: 'The gauge is wrong' } },
    { ifMatch: risk.version },
  )
  await marked(page).filter({ hasText: 'The gauge is wrong' }).waitFor()
  measure(t, 'from the request to the mark', { value: performance.now() - startedAt, atMost: 1000 })
  assert.equal(await marked(page).count(), 1)
  await marked(page).getByText('Changed just now').waitFor()
  assert.deepEqual(await order(page), before)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await screenshot(page, `live-row-${colorScheme}`)
  }
  await marked(page).waitFor({ state: 'detached' })
  assertNoErrors(session)
})

test('an open risk shows and marks a change of someone else within a second', async (t) => {
  const risk = await createRisk({ title: 'The valve is stiff' })
  const session = await openLive(`/projects/${dam.id}/risks/${risk.id}`, manager)
  const { page } = session
  await property(page, 'Category').waitFor()
  const startedAt = performance.now()
  await api.risks.update(
    { params: { project_id: dam.id, risk_id: risk.id }, body: { title: 'The valve is stuck' } },
    { ifMatch: risk.version },
  )
  await page.getByText('Changed just now: Title', { exact: true }).waitFor()
  measure(t, 'from the request to the mark', { value: performance.now() - startedAt, atMost: 1000 })
  await page.getByRole('heading', { level: 1, name: 'The valve is stuck' }).waitFor()
  await page.locator('h1[data-changed=true]').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await screenshot(page, `live-risk-${colorScheme}`)
  }
  assert.deepEqual(await axeViolations(page, { part: '#content' }), [])
  await page.setViewportSize({ width: 375, height: 900 })
  await screenshot(page, 'live-risk-375')
  assertNoErrors(session)
})

test('a new risk waits behind a button, and the list does not move before', async () => {
  const low = await createRisk({ title: 'A hinge squeaks', likelihood: 3, impact: 4 })
  const session = await openLive('/risks')
  const { page } = session
  await rowWith(page, low.ref).waitFor()
  const before = await order(page)
  const [first, second] = [
    await createRisk({ title: 'The sluice is open', likelihood: 5, impact: 5 }),
    await createRisk({ title: 'The other sluice is open', likelihood: 5, impact: 5 }),
  ]
  await waitingButton(page, 2).waitFor()
  await api.risks.review(
    {
      params: { project_id: dam.id, risk_id: low.id },
      body: { likelihood: 5, impact: 5, note: 'It came off.' },
    },
    { ifMatch: low.version },
  )
  await waitingButton(page, 3).waitFor()
  await marked(page).filter({ hasText: low.ref }).getByText('25').waitFor()
  assert.deepEqual(await order(page), before, 'no row moved')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await axeViolations(page, { part: '#content' }), [], colorScheme)
    await screenshot(page, `live-list-${colorScheme}`)
  }
  await page.setViewportSize({ width: 375, height: 900 })
  await screenshot(page, 'live-list-375')
  await page.setViewportSize({ width: 1280, height: 900 })
  await waitingButton(page, 3).focus()
  await page.keyboard.press('Enter')
  await waitingButton(page, 3).waitFor({ state: 'detached' })
  for (const { ref } of [first, second, low]) {
    await marked(page).filter({ hasText: ref }).waitFor()
  }
  const focused = page.locator('[data-row]:focus')
  await focused.waitFor()
  const after = await order(page)
  assert.notDeepEqual(after, before)
  assert.ok(after.includes(first.id) && after.includes(second.id))
  assertNoErrors(session)
})

test('groups of a list keep their rows too', async () => {
  const session = await openLive('/risks?group=project')
  const { page } = session
  await rowWith(page, 'DAM-R12').waitFor()
  const before = await order(page)
  const added = await createRisk({ title: 'The fence is down' })
  await waitingButton(page, 1).waitFor()
  assert.deepEqual(await order(page), before)
  await waitingButton(page, 1).click()
  await rowWith(page, added.ref).waitFor()
  assertNoErrors(session)
})

test('an own change is not marked where it was made', async () => {
  const risk = await createRisk({ likelihood: 5, impact: 5 })
  const path = `/projects/${dam.id}/risks/${risk.id}`
  const session = await openLive(path, manager)
  const { page } = session
  const other = await page.context().newPage()
  await other.goto(env.base + path)
  await property(other, 'Category').waitFor()
  await sleep(1000)
  await chooseProperty(page, 'Category', 'Legal')
  await other.getByText('Changed just now: Category', { exact: true }).waitFor()
  await property(other, 'Category').getByText('Legal').waitFor()
  assert.equal(await page.getByText('Changed just now').count(), 0)
  await button(toast(page, /was updated/), 'Undo').click()
  await property(other, 'Category').getByText('Other').waitFor()
  await sleep(500)
  assert.equal(await page.getByText('Changed just now').count(), 0)
  assertNoErrors(session)
})

test('an editor that is open saves on the record as it was opened', async () => {
  const risk = await createRisk()
  const session = await openLive(`/projects/${dam.id}/risks/${risk.id}`, manager)
  const { page } = session
  await property(page, 'Category').click()
  await api.risks.update(
    { params: { project_id: dam.id, risk_id: risk.id }, body: { category: 'legal' } },
    { ifMatch: risk.version },
  )
  await property(page, 'Category').getByText('Legal').waitFor()
  await page.getByRole('option', { name: 'Financial', exact: true }).click()
  await button(conflictDialog(page), 'Keep theirs').click()
  await property(page, 'Category').getByText('Legal').waitFor()
  assertNoErrors(session)
})

/** Says to a page that it is hidden or visible, as a browser does. */
const setVisible = (page: Page, isVisible: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${!isVisible} })
    Object.defineProperty(document, 'visibilityState', {
      configurable: true, value: '${isVisible ? 'visible' : 'hidden'}',
    })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  `)

test('the pages of a browser share one stream, which the next page takes over', async () => {
  const { page: one } = await openLive('/risks')
  const two = await one.context().newPage()
  const streams = streamsOf(two)
  await two.goto(`${env.base}/risks`)
  await two.locator('[data-row]').first().waitFor()
  await sleep(1000)
  await streams.settle(0)
  const risk = await createRisk({ title: 'The buoy is adrift', likelihood: 5, impact: 5 })
  await waitingButton(one, 1).waitFor()
  await waitingButton(two, 1).waitFor()
  await one.close()
  await streams.settle(1)
  const { version } = await now(risk)
  await waitingButton(two, 1).click()
  await api.risks.update(
    { params: { project_id: dam.id, risk_id: risk.id }, body: { title: 'The buoy is gone' } },
    { ifMatch: version },
  )
  await marked(two).filter({ hasText: 'The buoy is gone' }).waitFor()
})

test('no stream is open while every page is hidden, and none of its changes is lost', async () => {
  const risk = await createRisk({ title: 'The lamp is out', likelihood: 5, impact: 5 })
  const { page } = await signedIn(reader)
  const streams = streamsOf(page)
  await page.goto(`${env.base}/risks`)
  await rowWith(page, risk.ref).waitFor()
  await streams.settle(1)
  await setVisible(page, false)
  await streams.settle(0)
  await api.risks.update(
    { params: { project_id: dam.id, risk_id: risk.id }, body: { title: 'The lamp is lit' } },
    { ifMatch: risk.version },
  )
  await sleep(500)
  await rowWith(page, 'The lamp is out').waitFor()
  await setVisible(page, true)
  await streams.settle(1)
  await rowWith(page, 'The lamp is lit').waitFor()
})

/** Opens the register with a service that answers this status instead of a stream. */
async function openRefused(status: number): Promise<PageSession> {
  const session = await signedIn(reader)
  const { page } = session
  await page.route(/\/v1\/events\?/, (route) =>
    isStream(route.request()) ? route.fulfill({ status, body: '{}' }) : route.continue(),
  )
  const refused = page.waitForResponse((response) => isStream(response.request()))
  await page.goto(`${env.base}/risks`)
  assert.equal((await refused).status(), status)
  return session
}

test('without the stream a list is read again when it gets the focus', async () => {
  const risk = await createRisk({ title: 'The mast leans', likelihood: 5, impact: 5 })
  const sessions = [await openRefused(404), await openRefused(429)]
  for (const { page } of sessions) await rowWith(page, 'The mast leans').waitFor()
  await api.risks.update(
    { params: { project_id: dam.id, risk_id: risk.id }, body: { title: 'The mast fell' } },
    { ifMatch: risk.version },
  )
  // After 10 s data is stale.
  await sleep(10_000)
  for (const session of sessions) {
    await rowWith(session.page, 'The mast leans').waitFor()
    await setVisible(session.page, true)
    await rowWith(session.page, 'The mast fell').waitFor()
    assertNoErrors(session)
  }
})

test('without locks the console asks for no stream', async () => {
  const session = await signIn(env, reader, { path: '/account', isLive: false })
  const { page } = session
  const streams = streamsOf(page)
  await page.goto(`${env.base}/risks`)
  await page.locator('[data-row]').first().waitFor()
  await sleep(1500)
  assert.equal(streams.asked, 0)
  assertNoErrors(session)
})

test('new work of the user waits behind a button too', async () => {
  const steps = signInSteps(env)
  const { id } = await steps.addPerson('Ebba Strand', 'reader')
  const params = { project_id: dam.id }
  const task = (title: string) =>
    api.tasks.create({ params, body: { title, assignee_user_id: id, due_on: '2030-01-01' } })
  const first = await task('Grease the hinge')
  const { page } = await steps.asPerson(id, '/account')
  await page.goto('about:blank')
  const streams = streamsOf(page)
  await page.goto(env.publicUrl)
  await rowWith(page, first.ref).waitFor()
  await streams.settle(1)
  await sleep(200)
  const second = await task('Paint the rail')
  await waitingButton(page, 1).waitFor()
  assert.equal(await rowWith(page, second.ref).count(), 0)
  await waitingButton(page, 1).click()
  await rowWith(page, second.ref).waitFor()
})
