import assert from 'node:assert/strict'
import { after, test } from 'node:test'

import { nouns } from '@muster/contract/openapi'

import { assertQuiet, launch, overflowOf, shots, startService, visit } from './world.ts'

/** A page needs no database, so the service is started without one it could reach. */
const { base, child } = await startService('postgres://nobody@127.0.0.1:1/nothing')
const browser = await launch()
after(async () => {
  await browser.close()
  child.kill('SIGTERM')
})

async function open(path: string, width = 1280) {
  const seen = await visit({ base, browser }, { width })
  await seen.page.goto(base + path)
  return seen
}

for (const width of [375, 768, 1440]) {
  test(`the page about the service reads well at ${width} pixels`, async () => {
    const seen = await open('/about', width)
    const { page } = seen
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('link', { name: 'reference' }).waitFor()
    await page.getByText('GET /v1/risks').first().waitFor()
    assert.equal(await overflowOf(page), 0, 'nothing sticks out')
    await page.screenshot({ path: `${shots}about-${width}.png`, fullPage: true })
    assertQuiet(seen)
  })
}

test('the reference shows every noun, and asks nobody else for anything', async () => {
  const seen = await open('/docs')
  const { page } = seen
  await page.getByRole('heading', { name: 'Muster' }).waitFor()
  for (const noun of Object.keys(nouns)) {
    await page.getByText(noun, { exact: true }).first().waitFor()
  }
  await page.getByText('/v1/personnel').first().waitFor()
  await page.screenshot({ path: `${shots}docs.png` })
  await page.getByRole('link', { name: 'List everyone on the roster.' }).first().click()
  await page.getByText('Only people with one of these statuses').first().waitFor()
  await page.screenshot({ path: `${shots}docs-operation.png` })
  assertQuiet(seen)
})

test('a problem has a page that says what to do, a click from the list of them', async () => {
  const seen = await open('/problems')
  const { page } = seen
  await page.getByRole('link', { name: 'email_taken' }).click()
  await page.getByRole('heading', { name: 'How to fix it' }).waitFor()
  await page.getByText('conflicting_id').waitFor()
  await page.screenshot({ path: `${shots}problem.png` })
  assertQuiet(seen)
})
