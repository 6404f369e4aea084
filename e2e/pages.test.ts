import assert from 'node:assert/strict'
import { after, test } from 'node:test'

import { AxeBuilder } from '@axe-core/playwright'
import { tagDescriptions } from '@muster/contract/openapi'

import {
  assertNoErrors,
  launch,
  horizontalOverflow,
  screenshots,
  startService,
  openPage,
} from './support/environment.ts'

/** These pages need no database, so the service starts with an unreachable one. */
const { base, child } = await startService('postgres://unused@127.0.0.1:1/unused')
const browser = await launch()
after(async () => {
  await browser.close()
  child.kill('SIGTERM')
})

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
    await page.screenshot({ path: `${screenshots}about-${width}.png`, fullPage: true })
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
  await page.screenshot({ path: `${screenshots}docs.png` })
  await frame.getByRole('link', { name: 'List everyone on the roster.' }).first().click()
  await frame.getByText('Only people with one of these statuses').first().waitFor()
  await page.waitForURL(/\/docs\/api#tag\/personnel\//)
  await page.screenshot({ path: `${screenshots}docs-operation.png` })
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
    const { violations } = await new AxeBuilder({ page }).analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
    assert.deepEqual(found, [], path)
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
      await page.screenshot({ path: `${screenshots}${path.replaceAll('/', '-')}-${width}.png` })
    }
  }
})

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
  await page.screenshot({ path: `${screenshots}problem.png` })
  assertNoErrors(session)
})
