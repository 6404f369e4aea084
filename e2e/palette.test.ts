import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { waitForFocus } from './support/keyboard.ts'
import { screenshot } from './support/screenshots.ts'
import { heading } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, manager)

async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await waitForFocus(page.getByRole('dialog').getByRole('textbox', { name: 'Search' }))
  await page.keyboard.type(text)
}

test('opens any reference, closed or not, by typing it and pressing Enter', async () => {
  const [live] = (await api.risks.list({ query: { limit: 1 } })).data
  const [closed] = (await api.risks.list_closed({ query: { limit: 1 } })).data
  const [issue] = (await api.issues.list_closed({ query: { limit: 1 } })).data
  const [task] = (await api.tasks.list({ query: { status: ['done'], limit: 1 } })).data
  const session = await signIn(env, reader)
  const { page } = session
  for (const record of [live, closed, issue, task]) {
    assert.ok(record)
    await type(page, record.ref.toLowerCase())
    await page.keyboard.press('Enter')
    await heading(page, record.title).waitFor()
  }
  const { code, name } = (await api.projects.list({ query: { limit: 1 } })).data[0] ?? {}
  assert.ok(code && name)
  await type(page, code)
  await page.keyboard.press('Enter')
  await heading(page, name).waitFor()
  assertNoErrors(session)
})

test('shows scores, marks what is closed, and finds people, groups and words of descriptions', async () => {
  const session = await signIn(env, reader, { path: '/risks' })
  const { page } = session
  await type(page, 'pier')
  const palette = page.getByRole('dialog')
  await palette.locator('[data-level]').first().waitFor()
  const first = palette.locator('[data-action]').first()
  assert.equal(await first.getAttribute('data-selected'), 'true')
  await screenshot(page, 'palette')
  const [group] = (await api.groups.list({ query: { limit: 1 } })).data
  assert.ok(group)
  await page.keyboard.press('Escape')
  await type(page, group.name)
  await palette.getByRole('button', { name: group.name }).first().waitFor()
  const [closed] = (await api.risks.list_closed({ query: { limit: 1 } })).data
  assert.ok(closed)
  await page.keyboard.press('Escape')
  await type(page, closed.ref)
  await palette.locator('[data-closed]').first().waitFor()
  assertNoErrors(session)
})

test('lists commands alone after >', async () => {
  const session = await signIn(env, manager, { path: '/risks' })
  const { page } = session
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/v1/search')) requests.push(request.url())
  })
  await type(page, '>new ri')
  const palette = page.getByRole('dialog')
  await palette.getByRole('button', { name: 'New risk' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New risk' }).waitFor()
  assert.deepEqual(requests, [])
  assertNoErrors(session)
})
