import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { waitForFocus } from './support/keyboard.ts'
import { screenshot } from './support/screenshots.ts'
import { dialogClosed, heading } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, manager)

async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await waitForFocus(page.getByRole('dialog').getByRole('textbox', { name: 'Search' }))
  await page.keyboard.type(text)
}

test('opens any reference, closed or not, by typing it and pressing Enter', async () => {
  const lists = await Promise.all([
    api.risks.list({ query: { limit: 3 } }),
    api.risks.list_closed({ query: { limit: 2 } }),
    api.issues.list({ query: { limit: 2 } }),
    api.issues.list_closed({ query: { limit: 2 } }),
    api.tasks.list({ query: { limit: 2 } }),
    api.tasks.list({ query: { status: ['done'], limit: 2 } }),
  ])
  for (const { data } of lists) assert.ok(data.length > 0)
  const session = await signIn(env, reader)
  const { page } = session
  for (const record of lists.flatMap(({ data }): { ref: string; title: string }[] => data)) {
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

const groups = (page: Page) => page.getByRole('dialog').locator('[style*="--spotlight-label"]')

/** The names of the first group, once its first action has this name. */
async function firstGroup(page: Page, first: string): Promise<string[]> {
  const group = groups(page).first()
  await group.getByRole('button', { name: first }).first().waitFor()
  return (await group.getByRole('button').allInnerTexts()).map(
    (text) => text.split('\n', 1)[0] ?? '',
  )
}

test('offers the actions of the open record first, with their keys', async () => {
  const [risk, other] = (await api.risks.list({ query: { limit: 2 } })).data
  assert.ok(risk && other)
  const path = `/projects/${risk.project_id}/risks/${risk.id}`
  const session = await signIn(env, manager, { path })
  const { page } = session
  await type(page, '')
  const names = await firstGroup(page, 'Review')
  assert.equal(names[0], 'Review')
  for (const name of [
    'Edit …',
    'Close …',
    'Add task',
    'Change: Status',
    'Change: Owner',
    'Change: Tags',
  ])
    assert.ok(names.includes(name), `${name}: ${names.join(', ')}`)
  assert.equal(
    await groups(page).first().getAttribute('style'),
    `--spotlight-label: '${risk.ref}';`,
  )
  await screenshot(page, 'palette-record')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: new RegExp(`Review.*${risk.ref}`) }).waitFor()
  await page.keyboard.press('Escape')
  await dialogClosed(page)
  await type(page, '>change: st')
  assert.deepEqual(await firstGroup(page, 'Change: Status'), ['Change: Status'])
  await page.keyboard.press('Enter')
  await page.getByRole('listbox', { name: 'Status' }).waitFor()
  await waitForFocus(page.getByRole('listbox', { name: 'Status' }))
  await page.keyboard.press('Escape')
  await page.getByRole('listbox', { name: 'Status' }).waitFor({ state: 'detached' })
  // A reference is meant, whatever the actions are.
  await type(page, other.ref)
  await page.keyboard.press('Enter')
  await heading(page, other.title).waitFor()
  await type(page, '')
  await firstGroup(page, 'Review')
  assertNoErrors(session)
})

test('offers what is possible on each kind of record, and nothing to a reader', async () => {
  const [project] = (await api.projects.list({ query: { limit: 1 } })).data
  const [issue] = (await api.issues.list({ query: { limit: 1 } })).data
  const [task] = (await api.tasks.list({ query: { limit: 1 } })).data
  const [person] = (await api.personnel.list({ query: { limit: 1 } })).data
  const [group] = (await api.groups.list({ query: { limit: 1 } })).data
  assert.ok(project && issue && task && person && group)
  const records = [
    [`/projects/${project.id}`, 'Report health'],
    [`/projects/${issue.project_id}/issues/${issue.id}`, 'Close issue'],
    [`/projects/${task.project_id}/tasks/${task.id}`, 'Mark as done'],
    [`/people/${person.id}`, 'Edit …'],
    [`/groups/${group.id}`, 'Add people'],
  ] as const
  const session = await signIn(env, manager)
  for (const [path, name] of records) {
    await session.page.goto(env.base + path)
    await session.page.getByRole('heading', { level: 1 }).first().waitFor()
    await type(session.page, '')
    await firstGroup(session.page, name)
  }
  const reading = await signIn(env, reader, { path: records[1][0] })
  await type(reading.page, '')
  await firstGroup(reading.page, 'My work')
  assertNoErrors(session)
  assertNoErrors(reading)
})

test('opens the selected result in a new tab with Ctrl and Enter, or Ctrl and a click', async () => {
  const [first, second] = (await api.risks.list({ query: { limit: 2 } })).data
  assert.ok(first && second)
  const session = await signIn(env, reader, { path: '/issues' })
  const { page } = session
  const opened = async (act: () => Promise<void>) => {
    const tab = page.context().waitForEvent('page')
    await act()
    return tab
  }
  // The result is not there yet when the keys are pressed.
  await type(page, first.ref)
  const tab = await opened(() => page.keyboard.press('Control+Enter'))
  await heading(tab, first.title).waitFor()
  await tab.close()
  await type(page, second.ref)
  const result = page.getByRole('dialog').getByRole('button', { name: second.ref }).first()
  const other = await opened(() => result.click({ modifiers: ['Control'] }))
  await heading(other, second.title).waitFor()
  await other.close()
  await type(page, '>tasks')
  const work = await opened(() => page.keyboard.press('Control+Enter'))
  await work.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(new URL(work.url()).pathname, '/tasks')
  await work.close()
  assert.equal(new URL(page.url()).pathname, '/issues')
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
