import assert from 'node:assert/strict'
import { test } from 'node:test'

import { tagDescriptions } from '@muster/contract'

import { axeViolations } from './support/axe.ts'
import { sharedBrowser } from './support/browser.ts'
import { assertNoErrors, horizontalOverflow, openPage } from './support/environment.ts'
import { screenshot } from './support/screenshots.ts'
import { startServiceProcess } from './support/services.ts'

/** These pages need no database, so the service starts with an unreachable one. */
const { base } = await startServiceProcess('postgres://unused@127.0.0.1:1/unused')
const browser = await sharedBrowser()

async function open(path: string, width = 1280) {
  const session = await openPage({ base, browser }, { width })
  await session.page.goto(base + path)
  return session
}

for (const width of [375, 768, 1440]) {
  test(`the about page fits a viewport of ${width} pixels`, async () => {
    const session = await open('/about', width)
    const { page } = session
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'documentation' }).waitFor()
    await page.getByText('GET /v1/risks').first().waitFor()
    assert.equal(await horizontalOverflow(page), 0, 'no horizontal overflow')
    await screenshot(page, `about-${width}`, { fullPage: true })
    assertNoErrors(session)
  })
}

test('the API reference shows every noun and loads nothing from other origins', async () => {
  const session = await open('/docs/api')
  const { page } = session
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Muster' }).waitFor()
  for (const noun of Object.keys(tagDescriptions)) {
    await frame.getByText(noun, { exact: true }).first().waitFor()
  }
  await frame.getByText('/v1/personnel').first().waitFor()
  await screenshot(page, 'docs')
  await frame.getByRole('link', { name: 'List everyone on the roster.' }).first().click()
  await frame.getByText('Only people with one of these statuses').first().waitFor()
  await page.waitForURL(/\/docs\/api#tag\/personnel\//)
  await screenshot(page, 'docs-operation')
  assertNoErrors(session)
})

test('pages of the documentation have no accessibility violations', async () => {
  const themes = {
    '/docs': 'light',
    '/docs/reference': 'dark',
    '/docs/reference/events': 'light',
  } as const
  for (const [path, colorScheme] of Object.entries(themes)) {
    const session = await openPage({ base, browser }, { colorScheme })
    const { page } = session
    await page.goto(base + path)
    assert.deepEqual(await axeViolations(page), [], path)
    assertNoErrors(session)
  }
})

test('pages of the documentation fit every viewport', async () => {
  const { page } = await open('/docs')
  const paths = ['/docs', '/docs/guides/self-host', '/docs/reference/csv', '/docs/reference/scopes']
  for (const width of [375, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of paths) {
      await page.goto(base + path)
      assert.equal(await horizontalOverflow(page), 0, `${path} at ${width} pixels`)
      await screenshot(page, `${path.replaceAll('/', '-')}-${width}`)
    }
  }
})

for (const [colorScheme, file] of [
  ['light', 'my-work.png'],
  ['dark', 'my-work-dark.png'],
] as const) {
  test(`a guide shows its pictures in a ${colorScheme} theme`, async () => {
    const session = await openPage({ base, browser }, { colorScheme })
    const { page } = session
    await page.goto(`${base}/docs/guides/work-in-the-console`)
    await page.getByRole('img', { name: /^My work/ }).scrollIntoViewIfNeeded()
    const shown = await page.evaluate(`(async () => {
      const image = document.querySelector('img[alt^="My work"]')
      await image.decode()
      return image.currentSrc
    })()`)
    assert.equal(shown, `${base}/docs/images/${file}`)
    await screenshot(page, `docs-guide-${colorScheme}`)
    assert.equal(await horizontalOverflow(page), 0)
    assertNoErrors(session)
  })
}

test('the documentation leads from the index to a page and its section', async () => {
  const session = await open('/docs')
  const { page } = session
  const contents = page.getByRole('navigation', { name: 'Documentation' })
  await contents.getByRole('link', { name: 'Problems' }).click()
  await page.getByRole('link', { name: 'email_taken' }).first().click()
  await page.getByRole('heading', { name: 'email_taken' }).waitFor()
  await page.getByRole('link', { name: '/problems/email_taken' }).click()
  await page.getByRole('heading', { name: 'How to fix it' }).waitFor()
  assertNoErrors(session)
})

test('the problem list links to a page with the fix', async () => {
  const session = await open('/problems')
  const { page } = session
  await page.getByRole('link', { name: 'email_taken' }).click()
  await page.getByRole('heading', { name: 'How to fix it' }).waitFor()
  await page.getByText('conflicting_id').waitFor()
  await screenshot(page, 'problem')
  assertNoErrors(session)
})
