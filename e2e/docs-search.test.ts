import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { axeViolations } from './support/axe.ts'
import { sharedBrowser } from './support/browser.ts'
import { assertNoErrors, horizontalOverflow, openPage } from './support/environment.ts'
import { screenshot } from './support/screenshots.ts'
import { startServiceProcess } from './support/services.ts'

/** These pages need no database, so the service starts with an unreachable one. */
const { base } = await startServiceProcess('postgres://unused@127.0.0.1:1/unused')
const browser = await sharedBrowser()

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search the documentation' })
const results = (page: Page) => page.getByRole('search').getByRole('link')

test('finds a section by keyboard alone, and shows its page, heading and text', async () => {
  const session = await openPage({ base, browser })
  const { page } = session
  await page.goto(`${base}/docs`)
  await page.keyboard.press('/')
  await page.keyboard.type('revoke key')
  await page.getByRole('status').filter({ hasText: 'result' }).waitFor()
  const found = results(page).filter({ hasText: 'Revoke a key' }).first()
  const [name, ...rest] = await found.locator('> *').allTextContents()
  assert.equal(name, 'Keys: create, rotate and revoke')
  assert.equal(rest[0], 'Revoke a key')
  assert.match(rest[1] ?? '', /key/i)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  const focused = await page.evaluate('document.activeElement.getAttribute("href")')
  assert.equal(focused, await results(page).first().getAttribute('href'))
  await page.keyboard.press('Escape')
  assert.equal(await results(page).count(), 0, 'Escape closes the results')
  await page.keyboard.type('s')
  await page.keyboard.press('Backspace')
  await results(page).filter({ hasText: 'Revoke a key' }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/guides\/keys/)
  assertNoErrors(session)
})

test('finds parts of words, words with a wrong letter, and operations', async () => {
  const session = await openPage({ base, browser })
  const { page } = session
  await page.goto(`${base}/docs/guides/keys`)
  const finds = async (query: string, expected: string) => {
    await field(page).fill(query)
    await results(page).filter({ hasText: expected }).first().waitFor()
  }
  await finds('idempot', 'Idempotency')
  await finds('idempotancy', 'Idempotency')
  await finds('email_taken', 'email_taken')
  await finds('everyone on the roster', 'List everyone on the roster.')
  await results(page).filter({ hasText: 'List everyone on the roster.' }).first().click()
  await page.waitForURL(/\/docs\/api#tag\/personnel\/GET\/v1\/personnel$/)
  const frame = page.frameLocator('iframe')
  await frame.getByText('Only people with one of these statuses').first().waitFor()
  await page.goto(`${base}/docs`)
  await field(page).fill('xyzzyx')
  await page.getByText('Nothing found for “xyzzyx”.').waitFor()
  assertNoErrors(session)
})

for (const [colorScheme, width] of [
  ['light', 375],
  ['dark', 768],
] as const) {
  test(`the search fits ${width} pixels and is accessible (${colorScheme})`, async () => {
    const session = await openPage({ base, browser }, { colorScheme, width })
    const { page } = session
    await page.goto(`${base}/docs/guides/keys`)
    await field(page).fill('rate limit')
    await results(page).first().waitFor()
    assert.equal(await horizontalOverflow(page), 0)
    assert.deepEqual(await axeViolations(page), [])
    await screenshot(page, `docs-search-${colorScheme}-${width}`)
    assertNoErrors(session)
  })
}

test('the pages work without scripts, and show no field that would do nothing', async () => {
  const session = await openPage({ base, browser }, { javaScriptEnabled: false })
  const { page } = session
  await page.goto(`${base}/docs/api`)
  await page.getByRole('heading', { name: 'First request' }).waitFor()
  assert.equal(await field(page).isVisible(), false)
  const contents = page.getByRole('navigation', { name: 'Documentation' })
  await contents.getByRole('link', { name: 'Limits' }).click()
  await page.getByRole('heading', { name: 'Limits', level: 1 }).waitFor()
})

test('the introduction to the API stands above the reference', async () => {
  const session = await openPage({ base, browser })
  const { page } = session
  await page.goto(`${base}/docs/api`)
  await page.getByText(`BASE=${base}`).waitFor()
  for (const width of [1440, 768, 375]) {
    await page.setViewportSize({ width, height: 900 })
    assert.equal(await horizontalOverflow(page), 0, `${width} pixels`)
    await screenshot(page, `docs-api-${width}`)
  }
  await page.getByRole('link', { name: 'every operation', exact: true }).click()
  await page.frameLocator('iframe').getByText('/v1/personnel').first().waitFor()
  await screenshot(page, 'docs-api-operations')
  assertNoErrors(session)
})
