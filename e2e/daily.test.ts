import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Page } from 'playwright-core'

import { assertNoErrors, signIn } from './support/environment.ts'
import { waitForFocus } from './support/keyboard.ts'
import { openDialog, properties, startRiskTests } from './support/risk-steps.ts'
import { screenshot } from './support/screenshots.ts'
import { button, conflictDialog, dialogClosed, heading, property, toast } from './support/steps.ts'

const { env, api, findRisk, findPerson, createRisk, now, openRisk } = await startRiskTests()
const { manager } = env.keys

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Delays the code of a part, as a slow connection does, and loads the page anew. */
async function delayCode(page: Page, name: string): Promise<void> {
  await page.route(`**/console/${name}-*.js`, async (route) => {
    await sleep(1000)
    await route.continue()
  })
  await page.reload()
}

test('the next review follows the level until the user picks a date', async () => {
  const risk = await createRisk({ likelihood: 4, impact: 5 })
  const session = await openRisk(risk)
  const { page } = session
  const dialog = await openDialog(page, 'Review')
  const next = dialog.getByLabel('Next review')
  const cell = (name: string) => dialog.getByRole('button', { name })
  assert.equal(await next.inputValue(), inDays(14), 'critical')
  const fortnight = cell('In 14 days')
  assert.equal(await fortnight.getAttribute('aria-pressed'), 'true')
  const colour = (button_: typeof fortnight) =>
    button_.evaluate(
      (element) => element.ownerDocument.defaultView?.getComputedStyle(element).backgroundColor,
    )
  assert.notEqual(await colour(fortnight), await colour(cell('In 30 days')))
  await cell('Likelihood 3, impact 4: score 12, High').click()
  assert.equal(await next.inputValue(), inDays(30))
  await cell('Likelihood 2, impact 3: score 6, Medium').click()
  assert.equal(await next.inputValue(), inDays(90))
  await cell('Likelihood 1, impact 1: score 1, Low').click()
  assert.equal(await next.inputValue(), inDays(180))
  await next.fill('2099-01-31')
  await cell('Likelihood 3, impact 4: score 12, High').click()
  assert.equal(await next.inputValue(), '2099-01-31', 'the choice of the user stays')
  await dialog.getByLabel('What did you find?').fill('As expected.')
  await dialog.getByRole('button', { name: 'Save review' }).click()
  await dialogClosed(page)
  assert.equal((await now(risk)).review_on, '2099-01-31')

  await page.goto(`${env.base}/risks`)
  await button(page, 'New risk').click()
  const first = page.getByRole('dialog').getByLabel('First review')
  assert.equal(await first.inputValue(), '')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /score 25, Critical/ })
    .click()
  assert.equal(await first.inputValue(), inDays(14))
  assertNoErrors(session)
})

test('Enter in the palette opens the first result, also when it arrives later', async () => {
  const risk = await findRisk('DAM-R12')
  const session = await signIn(env, manager, { path: '/account' })
  const { page } = session
  const open = async (text: string, ...keys: readonly string[]) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
    for (const key of keys) await page.keyboard.press(key)
  }
  await page.route('**/v1/search?*', async (route) => {
    await sleep(500)
    await route.continue()
  })
  await open('DAM-R12', 'Enter')
  await heading(page, risk.title).waitFor()
  await dialogClosed(page)
  await open('jurgen', 'ArrowDown', 'ArrowUp', 'Enter')
  await heading(page, 'Jürgen Weiß').waitFor()
  await open('zzzzzz', 'Enter')
  await page.getByRole('dialog').getByText('No results', { exact: true }).waitFor()
  assert.match(page.url(), /\/people\/usr_/)
  assertNoErrors(session)
})

test('A opens the owner with the focus in the field, which the first letter fills', async () => {
  const risk = await createRisk({ owner_user_id: (await findPerson('Nadia')).id })
  const session = await openRisk(risk)
  const { page } = session
  await delayCode(page, 'editors')
  await properties(page).getByText('Nadia').waitFor()
  await page.keyboard.press('a')
  await page.keyboard.type('Mara')
  const field = page.getByRole('dialog', { name: 'Owner' }).getByRole('combobox', { name: 'Owner' })
  await waitForFocus(field)
  await page.getByRole('option', { name: /Mara Lindqvist/ }).waitFor()
  assert.equal(await field.inputValue(), 'Mara')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await properties(page).getByText('Mara Lindqvist').waitFor()
  assert.equal((await now(risk)).owner_user_id, (await findPerson('Mara')).id)

  await property(page, 'Owner').click()
  await waitForFocus(field)
  assert.equal(await field.getAttribute('placeholder'), 'Mara Lindqvist')
  await button(page, 'Clear').click()
  await properties(page).getByText('No owner').waitFor()
  assertNoErrors(session)
})

test('a form keeps the letters that are typed while its code loads', async () => {
  const session = await signIn(env, manager, { path: '/account' })
  const { page } = session
  await delayCode(page, 'new-risk-dialog')
  await heading(page, 'Account').waitFor()
  await page.keyboard.press('c')
  await page.keyboard.type('Crane stans')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('ds still')
  const title = page.getByRole('dialog', { name: 'New risk' }).getByLabel('Title')
  await waitForFocus(title)
  await page.keyboard.type(' again')
  assert.equal(await title.inputValue(), 'Crane stands still again')

  const risk = await createRisk()
  await page.goto(`${env.base}/projects/${risk.project_id}/risks/${risk.id}`)
  await delayCode(page, 'verb-dialogs')
  await page.getByRole('button', { name: /^More actions: / }).click()
  await page.getByRole('menuitem', { name: 'Mark as occurred' }).click()
  await page.keyboard.type('It sank.')
  const note = page.getByRole('dialog').getByRole('textbox').and(page.locator(':focus'))
  await note.waitFor()
  assert.equal(await note.inputValue(), 'It sank.')
  assertNoErrors(session)
})

test('choosing the chosen person again keeps the person', async () => {
  const mara = await findPerson('Mara')
  const risk = await createRisk({ owner_user_id: mara.id })
  const session = await openRisk(risk)
  const { page } = session
  const dialog = await openDialog(page, 'Add task')
  const assignee = dialog.getByRole('combobox', { name: 'Assignee' })
  await assignee.click()
  await page.getByRole('option', { name: /Mara Lindqvist/ }).click()
  assert.match(await assignee.inputValue(), /^Mara Lindqvist/)
  await dialog.getByLabel('Task').fill('Ask the crew')
  await dialog.getByRole('button', { name: 'Add task' }).click()
  await dialogClosed(page)
  const { data } = await api.tasks.list({ query: { risk_id: [risk.id] } })
  assert.equal(data[0]?.assignee_user_id, mara.id)
  assertNoErrors(session)
})

test('a conflict names the other user and shows only what differs, with the notes', async () => {
  const risk = await createRisk({ likelihood: 3, impact: 3 })
  const params = { project_id: risk.project_id, risk_id: risk.id }
  const session = await openRisk(risk)
  const { page } = session
  const dialog = await openDialog(page, 'Review')
  const theirs = { note: 'Seen from the boat.', review_on: inDays(90) }
  const reviewed = await api.risks.review({ params, body: theirs }, { ifMatch: risk.version })
  await dialog.getByLabel('What did you find?').fill('Seen from the shore.')
  await dialog.getByRole('button', { name: 'Save review' }).click()
  await toast(page, `${risk.ref} was reviewed.`).waitFor()
  assert.equal(await conflictDialog(page).count(), 0, 'both reviews say the same')
  assert.equal((await now(risk)).version, reviewed.version + 1)

  const again = await openDialog(page, 'Review')
  const { version } = await now(risk)
  await api.risks.review(
    { params, body: { note: 'The boat came late.', review_on: '2099-03-01' } },
    { ifMatch: version },
  )
  await again.getByLabel('What did you find?').fill('The shore is quiet.')
  await again.getByRole('button', { name: 'Save review' }).click()
  const conflict = conflictDialog(page)
  await conflict.getByText(/^Last changed by Demo manager, /).waitFor()
  await conflict
    .getByRole('row', { name: /Note The boat came late. The shore is quiet./ })
    .waitFor()
  const rows = conflict.getByRole('rowheader')
  assert.deepEqual(await rows.allTextContents(), ['Review on', 'Note'])
  await button(conflict, 'Save mine').click()
  await dialogClosed(page)
  assert.equal((await now(risk)).review_on, inDays(90))
  assertNoErrors(session)
})

test('toasts stand beside the peek, link to the record and do not pile up', async () => {
  const session = await signIn(env, manager, { path: '/risks?q=DAM-R1', width: 1440 })
  const { page } = session
  const row = page.getByRole('row', { name: 'DAM-R12' })
  await row.click({ position: { x: 5, y: 5 } })
  const peek = page.getByRole('complementary', { name: 'Risk' })
  const review = button(peek, 'Review')
  for (const note of ['One.', 'Two.', 'Three.', 'Four.']) {
    await review.click()
    await page.getByRole('dialog').getByLabel('What did you find?').fill(note)
    await button(page.getByRole('dialog'), 'Save review').click()
    await dialogClosed(page)
  }
  const toasts = page.getByRole('status').filter({ hasText: 'DAM-R12 was reviewed.' })
  await toasts.nth(3).waitFor({ state: 'detached' })
  assert.equal(await toasts.count(), 3)
  await screenshot(page, 'daily-toasts')
  const box = await peek.boundingBox()
  for (const each of await toasts.all()) {
    const { x = 0, width = 0 } = (await each.boundingBox()) ?? {}
    assert.ok(x > 0 && x + width <= (box?.x ?? 0), 'the peek is not covered')
  }
  await toasts.last().getByRole('link', { name: 'Open' }).click()
  await heading(page, 'Uplift under the stilling basin').waitFor()
  assertNoErrors(session)
})
