import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { assertNoErrors, openPage, signIn, startEnvironment } from './support/environment.ts'
import { screenshot } from './support/screenshots.ts'

const env = await startEnvironment()

/** The first load of the register, as a browser without a cache pays for it. */
const requestsMax = 25
const kilobytesMax = 350

/** Notes the moment at which the list, the heat map and the buckets are on the screen. */
const noteDrawn = `new MutationObserver((_, observer) => {
  const isDrawn = ['[data-row]', '[data-rail] table button', '[data-rail] [role=group]']
    .every((selector) => document.querySelector(selector) !== null)
  if (!isDrawn) return
  observer.disconnect()
  performance.mark('drawn')
}).observe(document, { childList: true, subtree: true })`

interface Load {
  readonly path: string
  readonly startTime: number
  readonly transferSize: number
}

const readDrawn = `performance.getEntriesByName('drawn')[0].startTime`

const readLoads = `[
  ...performance.getEntriesByType('navigation'),
  ...performance.getEntriesByType('resource'),
].map(({ name, startTime, transferSize }) => ({
  path: new URL(name).pathname, startTime, transferSize,
}))`

/** Code and fonts that the console prefetches once the page is drawn are not part of it. */
async function loadsOf(page: Page) {
  const loads = (await page.evaluate(readLoads)) as readonly Load[]
  const drawn = (await page.evaluate(readDrawn)) as number
  const isLater = ({ path, startTime }: Load) => path.startsWith('/console/') && startTime > drawn
  return { first: loads.filter((load) => !isLater(load)), later: loads.filter(isLater) }
}

const kilobytes = (loads: readonly Load[]) =>
  Math.round(loads.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000)

test('the first load of the register takes few requests and bytes', async (t) => {
  const { page: signedIn } = await signIn(env, env.keys.reader)
  const cookies = await signedIn.context().cookies()
  // Its own context has an empty cache.
  const session = await openPage(env, {
    viewport: { width: 1440, height: 900 },
    isContextNew: true,
  })
  const { page } = session
  await page.context().addCookies(cookies)
  await page.addInitScript(noteDrawn)
  const prefetched = page.waitForResponse(/\/console\/account-page-.*js$/)
  await page.goto(`${env.base}/risks`)
  await prefetched
  const { first, later } = await loadsOf(page)
  t.diagnostic(`${first.length} requests, ${kilobytes(first)} kB until the page is drawn`)
  t.diagnostic(`${later.length} requests, ${kilobytes(later)} kB prefetched after it`)
  assert.ok(
    first.every(({ transferSize }) => transferSize > 0),
    'nothing comes from a cache',
  )
  assert.ok(first.length <= requestsMax, `${first.length} requests`)
  assert.ok(kilobytes(first) <= kilobytesMax, `${kilobytes(first)} kB`)
  assert.ok(later.length > 0, 'the rest is prefetched')
  assertNoErrors(session)
})

for (const [part, pattern, shown] of [
  ['the session', '**/v1/whoami', '#root'],
  ['the list', '**/v1/risks?*', 'h1'],
] as const) {
  test(`rows of the height of real ones stand in while ${part} loads`, async () => {
    const session = await signIn(env, env.keys.reader)
    const { page } = session
    const held = Promise.withResolvers<void>()
    await page.route(pattern, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.reload({ waitUntil: 'commit' })
    const bones = page.getByRole('status', { name: 'Loading' }).locator('[data-bone]')
    await page.locator(shown).waitFor()
    await bones.nth(11).waitFor()
    const heights = await bones.evaluateAll((all) => all.map((bone) => bone.clientHeight + 1))
    assert.deepEqual([...new Set(heights)], [36])
    await screenshot(page, `loading-${part.slice(4)}`)
    held.resolve()
    await page.locator('[data-row]').first().waitFor()
    assert.equal(await bones.count(), 0)
    assertNoErrors(session)
  })
}
