import assert from 'node:assert/strict'
import { test } from 'node:test'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { waitForFocus } from './support/keyboard.ts'
import { region } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, reader)

/** The number in a text such as “53 live risks”. */
const numberIn = (text: string | null) => Number(/[\d,]+/.exec(text ?? '')?.[0].replaceAll(',', ''))

const parametersOf = (url: string) => Object.fromEntries(new URL(url).searchParams)

test('tiles, heat map, list and panel match the API', async () => {
  const session = await signIn(env, reader)
  const { page, calls } = session
  const summary = await api.risks.summary()
  const levels = page.getByRole('group', { name: 'Live risks by level' })
  for (const [level, count] of Object.entries(summary.by_level)) {
    const tile = levels.getByRole('button', { name: new RegExp(level, 'i') })
    await tile.getByText(String(count), { exact: true }).waitFor()
  }
  const map = region(page, 'Heat map')
  assert.equal(await map.getByRole('table').getByRole('button').count(), 25)
  for (const { likelihood, impact, count } of summary.cells) {
    const name = `Likelihood ${likelihood}, impact ${impact}, score ${likelihood * impact}, `
    const label = await map.getByRole('button', { name }).getAttribute('aria-label')
    assert.equal(numberIn(label?.split(': ')[1] ?? ''), count)
  }
  const [first] = (await api.risks.list({ query: { limit: 1 } })).data
  const rows = page.getByRole('table', { name: 'Register' }).getByRole('row')
  await rows
    .nth(1)
    .getByRole('link', { name: `${first?.ref} ${first?.title}` })
    .waitFor()
  await page.getByText(`${summary.count} live risks`).waitFor()
  for (const [flag, name] of [
    ['above_appetite', 'Above appetite'],
    ['review_overdue', 'Review overdue'],
  ] as const) {
    await page.getByRole('button', { name: `${name}: ${summary.by_flag[flag]}` }).waitFor()
  }
  assert.ok(calls.length <= 4, `the first screen took ${calls.join(', ')}`)
  assertNoErrors(session)
})

test('the whole page follows the filters in the URL', async () => {
  const session = await signIn(env, reader)
  const { page } = session
  const list = region(page, 'Register')
  const expectCount = async (query: object) => {
    const { count } = await api.risks.summary({ query })
    await list
      .getByText(count === 1 ? '1 live risk' : `${count} live risks`, { exact: true })
      .waitFor()
    await page.getByRole('table', { name: 'Register' }).waitFor()
    assert.equal(
      await page.getByRole('table', { name: 'Register' }).getAttribute('aria-rowcount'),
      String(count + 1),
    )
  }
  await page.getByRole('button', { name: /^Critical/ }).click()
  await expectCount({ level: ['critical'] })
  assert.deepEqual(parametersOf(page.url()), { level: 'critical' })
  assert.equal(
    await page.getByRole('button', { name: /^Critical/ }).getAttribute('aria-pressed'),
    'true',
  )
  await page.getByRole('button', { name: /^High/ }).click()
  await expectCount({ level: ['high'] })
  await page.goBack()
  await expectCount({ level: ['critical'] })
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await expectCount({})
  await page.getByRole('button', { name: 'Review overdue: ' }).click()
  await expectCount({ flag: ['review_overdue'] })
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await page.getByRole('button', { name: /Likelihood 3, impact 3, / }).click()
  await expectCount({ likelihood: [3], impact: [3] })
  await page.reload()
  await expectCount({ likelihood: [3], impact: [3] })
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await page.getByRole('searchbox', { name: 'Search' }).fill('pier')
  await expectCount({ q: 'pier' })
  assert.deepEqual(parametersOf(page.url()), { q: 'pier' })
  assertNoErrors(session)
})

test('combines filters by status, project and owner', async () => {
  const session = await signIn(env, reader)
  const { page } = session
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('combobox', { name: 'Project' }).click()
  await page.keyboard.type('BRG')
  await page.getByRole('option', { name: /^BRG / }).click()
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Treating' }).click()
  await page.keyboard.press('Escape')
  const projects = await api.projects.list({ query: { q: 'BRG' } })
  const project_id = [projects.data[0]?.id ?? '']
  const { count } = await api.risks.summary({ query: { project_id, status: ['treating'] } })
  await page.getByText(new RegExp(`^${count} live risk`)).waitFor()
  await page.getByRole('combobox', { name: 'Owner' }).click()
  await page.getByRole('option', { name: 'No one' }).click()
  await page.getByRole('button', { name: '3 filters' }).waitFor()
  assert.equal(parametersOf(page.url())['owner_user_id'], 'none')
  assertNoErrors(session)
})

test('shows an empty result', async () => {
  const session = await signIn(env, reader, { path: '/risks?q=nothing+at+all+like+it' })
  await session.page.getByText('No live risks match').waitFor()
  assertNoErrors(session)
})

test('the heat map shows target ratings', async () => {
  const session = await signIn(env, reader)
  const { page } = session
  const map = region(page, 'Heat map')
  await map.getByText('Target', { exact: true }).click()
  const { count, rated, cells } = await api.risks.summary({ query: { basis: 'target' } })
  await map.getByText(new RegExp(`^${count - rated} risks? ha(s|ve) no rating`)).waitFor()
  const [cell] = cells
  await map
    .getByRole('button', { name: `Likelihood ${cell?.likelihood}, impact ${cell?.impact}, ` })
    .getByText(String(cell?.count), { exact: true })
    .first()
    .waitFor()
  assert.equal(parametersOf(page.url())['basis'], 'target')
  assertNoErrors(session)
})

test('reviews an overdue risk from the attention panel', async () => {
  const session = await signIn(env, manager, { path: '/risks?flag=review_overdue' })
  const { page } = session
  const panel = region(page, 'Needs attention')
  const button = panel.getByRole('button', { name: /^Review [A-Z]+-R\d+$/ }).first()
  const ref = ((await button.getAttribute('aria-label')) ?? '').replace('Review ', '')
  await button.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Findings').fill('Looked at together; nothing new.')
  await dialog.getByRole('button', { name: 'Review' }).click()
  await page.getByText(`${ref} was reviewed.`).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await panel
    .getByRole('button', { name: `Review ${ref}`, exact: true })
    .waitFor({ state: 'detached' })
  const { data } = await api.risks.list({ query: { q: ref } })
  assert.deepEqual(data.find((risk) => risk.ref === ref)?.flags.includes('review_overdue'), false)
  assertNoErrors(session)
})

test('moves through the register with the keyboard only', async () => {
  const session = await signIn(env, reader)
  const { page } = session
  const rows = page.getByRole('table', { name: 'Register' }).getByRole('row')
  await rows.nth(1).getByRole('link').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const third = rows.nth(3).getByRole('link').first()
  await waitForFocus(third)
  const name = (await third.textContent()) ?? ''
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: name.replace(/^\S+ /, '') }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Risks' }).waitFor()
  assertNoErrors(session)
})

test('prints the list without controls', async () => {
  const session = await signIn(env, reader)
  const { page } = session
  await page.getByRole('table', { name: 'Register' }).waitFor()
  await page.emulateMedia({ media: 'print' })
  assert.ok(!(await page.getByRole('navigation', { name: 'Main' }).isVisible()))
  assert.ok(!(await page.getByRole('button', { name: 'New risk' }).isVisible()))
  assert.ok(await page.getByRole('table', { name: 'Register' }).isVisible())
  assertNoErrors(session)
})
