import assert from 'node:assert/strict'
import { test } from 'node:test'

import { atEnd } from '@muster/testing/at-end'
import type { Locator, Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { newWorkspace } from './support/import-steps.ts'
import { waitForFocus } from './support/keyboard.ts'
import { personCreator } from './support/people-steps.ts'
import { signInSteps } from './support/sign-in-steps.ts'
import { button, dialogClosed, heading, region, toast } from './support/steps.ts'

const env = await startEnvironment()
const { manager } = env.keys
const api = apiOf(env, manager)
const steps = signInSteps(env)

/** Counts what a user does: clicks, keys (Ctrl Enter is two) and letters of text. */
function handOn(page: Page) {
  const done = { clicks: 0, keys: 0, letters: 0 }
  return {
    done,
    click: (target: Locator) => {
      done.clicks += 1
      return target.click()
    },
    press: (key: string) => {
      done.keys += key.split('+').length
      return page.keyboard.press(key)
    },
    type: (text: string) => {
      done.letters += text.length
      return page.keyboard.type(text)
    },
  }
}

type Done = ReturnType<typeof handOn>['done']

const lines: string[] = []
atEnd(async () => process.stdout.write(`${lines.join('\n')}\n`))

interface Job {
  readonly name: string
  /** What the job took before, as measured in a review of the console. */
  readonly before: string
  readonly max: Omit<Done, 'letters'>
}

/** Notes what a job took. Fails above the bound. */
function finish({ name, before, max }: Job, { clicks, keys, letters }: Done): void {
  const line = `${name}: ${clicks} clicks, ${keys} keys, ${letters} letters (before: ${before})`
  lines.push(line)
  assert.ok(clicks <= max.clicks && keys <= max.keys, line)
}

const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

test('a: what needs me today', async () => {
  const { data } = await api.personnel.list({ query: { q: 'Mara' } })
  const [mara] = data
  assert.ok(mara)
  const { entries } = await api.access.view()
  await api.access.replace({
    body: { entries: [...entries, { role: 'manager', user_id: mara.id }] },
  })
  const session = await steps.asPerson(mara.id, '/my-work')
  const { page } = session
  const { done } = handOn(page)
  await page.getByRole('table', { name: 'My work' }).getByRole('row').nth(2).waitFor()
  finish({ name: 'a what needs me', before: '0 clicks', max: { clicks: 0, keys: 0 } }, done)
})

test('b: 15 reviews in a row, in the order that the list had at the start', async () => {
  const { data } = await api.risks.list({ query: { limit: 100 } })
  const risks = data.slice(0, 15)
  const session = await signIn(env, manager, { path: '/risks', width: 1440 })
  const { page } = session
  const hand = handOn(page)
  await page.getByRole('row').nth(1).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('r')
  for (const [at, { ref }] of risks.entries()) {
    const dialog = page.getByRole('dialog', { name: `Review ${ref}` })
    await waitForFocus(dialog.getByLabel('What did you find?'))
    // The first risk goes to the end of the ranking and must not take the order with it.
    if (at === 0) await dialog.getByRole('button', { name: /: score 1,/ }).click()
    if (at === 0) await dialog.getByLabel('What did you find?').focus()
    await hand.type(`Reviewed as number ${at + 1}.`)
    await hand.press('Alt+Enter')
  }
  await page.getByRole('dialog', { name: `Review ${data[15]?.ref}` }).waitFor()
  const before = '60 clicks'
  finish({ name: 'b 15 reviews', before, max: { clicks: 0, keys: 30 } }, hand.done)
  for (const [at, { id, project_id }] of risks.entries()) {
    const params = { project_id, risk_id: id }
    const { data: history } = await api.risks.history({ params, query: { limit: 1000 } })
    const notes = history.map(({ note }) => note)
    assert.ok(notes.includes(`Reviewed as number ${at + 1}.`), `note ${at + 1}`)
  }
  assertNoErrors(session)
})

test('c: raise a risk with an owner, a treatment and a date', async () => {
  const session = await signIn(env, manager, { path: '/risks', width: 1440 })
  const { page } = session
  const hand = handOn(page)
  await page.getByRole('row').nth(1).waitFor()
  await hand.press('c')
  await hand.type('Crane stands still')
  const dialog = page.getByRole('dialog', { name: 'New risk' })
  await waitForFocus(dialog.getByLabel('Title'))
  await hand.press('Tab')
  await hand.type('norrf')
  await hand.click(option(page, /Norrfors/))
  await hand.press('Tab')
  await hand.type('mara')
  await hand.click(option(page, /Mara/))
  await hand.click(dialog.getByRole('button', { name: 'Likelihood 3, impact 4: ' }))
  await hand.press('Control+Enter')
  await heading(page, 'Crane stands still').waitFor()
  await hand.press('t')
  await hand.type('Book a second crane')
  const task = page.getByRole('dialog')
  await waitForFocus(task.getByLabel('Task'))
  hand.done.letters += 8
  await task.getByLabel('Due').fill('2099-02-01')
  await hand.press('Control+Enter')
  await region(page, 'Treatments').getByText('Book a second crane').waitFor()
  await region(page, 'Treatments').getByText('Mara Lindqvist').waitFor()
  const before = '13 clicks, 76 letters'
  finish({ name: 'c raise and treat', before, max: { clicks: 4, keys: 10 } }, hand.done)
  assertNoErrors(session)
})

test('d: a risk becomes an issue, which is closed', async () => {
  const { data } = await api.risks.list({ query: { limit: 1 } })
  const [risk] = data
  assert.ok(risk)
  const path = `/projects/${risk.project_id}/risks/${risk.id}`
  const session = await signIn(env, manager, { path, width: 1440 })
  const { page } = session
  const hand = handOn(page)
  await heading(page, risk.title).waitFor()
  await hand.press('.')
  await hand.click(page.getByRole('menuitem', { name: 'Mark as occurred' }))
  await hand.type('Water came in.')
  await page.getByRole('dialog').getByRole('textbox').and(page.locator(':focus')).waitFor()
  await hand.press('Control+Enter')
  await dialogClosed(page)
  await hand.click(region(page, 'Issues').getByRole('link').first())
  await hand.click(button(page, 'Close issue'))
  await page.getByRole('dialog').waitFor()
  await hand.press('Control+Enter')
  await button(page, 'Reopen issue').waitFor()
  const before = '5 clicks and the note'
  finish({ name: 'd risk to closed issue', before, max: { clicks: 3, keys: 5 } }, hand.done)
  assertNoErrors(session)
})

test('e: import 200 risks from a file without errors', async () => {
  const { key, api: own } = await newWorkspace(env, 'Two hundred')
  const session = await signIn(env, key, { path: '/import', width: 1440 })
  const { page } = session
  const hand = handOn(page)
  const kinds = page.getByRole('radiogroup', { name: 'File contents' })
  await hand.click(kinds.getByText('Risks'))
  const project = page.getByRole('combobox', { name: 'Project' })
  if ((await project.inputValue()) === '') {
    await hand.click(project)
    await hand.click(option(page, /Lock renewal/))
  }
  const rows = Array.from({ length: 200 }, (_, at) => `Risk ${at + 1},3,4`)
  const chooser = page.waitForEvent('filechooser')
  await hand.click(button(page, 'Choose a file'))
  const buffer = Buffer.from(['title,likelihood,impact', ...rows].join('\n'))
  await (await chooser).setFiles({ name: 'risks.csv', mimeType: 'text/csv', buffer })
  await hand.click(button(page, 'Import 200 rows'))
  await page.getByText('Done: all 200 rows were imported.').waitFor()
  assert.equal((await own.risks.summary()).count, 200)
  finish({ name: 'e import 200', before: '5 clicks', max: { clicks: 5, keys: 0 } }, hand.done)
  assertNoErrors(session)
})

test('f: a leaver hands over all work', async () => {
  const createPerson = personCreator(api)
  const { person } = await createPerson('Quentin Leaver', 2)
  await createPerson('Xaver Heir')
  const session = await signIn(env, manager, { path: '/risks', width: 1440 })
  const { page } = session
  const hand = handOn(page)
  await page.getByRole('row').nth(1).waitFor()
  await hand.press('Control+k')
  await hand.type('quentin')
  await hand.press('Enter')
  await heading(page, person.name).waitFor()
  await hand.press('.')
  await hand.click(page.getByRole('menuitem', { name: 'Offboard' }))
  const dialog = page.getByRole('dialog', { name: `Offboard ${person.name}` })
  await hand.click(dialog.getByRole('combobox', { name: 'All to one person …' }))
  await hand.type('xav')
  await hand.click(option(page, /Xaver Heir/))
  await hand.click(button(dialog, 'Offboard'))
  await page.getByRole('dialog', { name: `Receipt: ${person.name}` }).waitFor()
  const before = '5 clicks, 3 letters'
  finish({ name: 'f leaver', before, max: { clicks: 4, keys: 4 } }, hand.done)
  assertNoErrors(session)
})

test('g: who accepted a risk, until when and why', async () => {
  const { data } = await api.risks.list({ query: { accepted: true, limit: 1 } })
  const [risk] = data
  assert.ok(risk?.acceptance)
  const session = await signIn(env, manager, { path: '/risks', width: 1440 })
  const { page } = session
  const hand = handOn(page)
  await page.getByRole('row').nth(1).waitFor()
  await hand.press('Control+k')
  await hand.type(risk.ref)
  await hand.press('Enter')
  const acceptance = region(page, 'Acceptance')
  await acceptance.getByText(risk.acceptance.rationale).waitFor()
  finish({ name: 'g acceptance', before: '2 clicks', max: { clicks: 0, keys: 3 } }, hand.done)
  assertNoErrors(session)
})

test('h: a person with a role and a sign-in link', async () => {
  const session = await signIn(env, manager, { path: '/people', width: 1440 })
  const { page } = session
  const hand = handOn(page)
  await page.getByRole('row').nth(1).waitFor()
  await hand.press('c')
  await hand.type('Ida Newcomer')
  await waitForFocus(page.getByRole('dialog').getByLabel('Name'))
  await hand.press('Control+Enter')
  await heading(page, 'Ida Newcomer').waitFor()
  await hand.click(page.getByRole('link', { name: 'Manage access' }))
  await hand.click(button(page, 'Add access'))
  const dialog = page.getByRole('dialog', { name: 'Add access' })
  await hand.click(dialog.getByRole('combobox', { name: 'Person' }))
  await hand.type('ida')
  await hand.click(option(page, /Ida Newcomer/))
  await hand.press('Control+Enter')
  await toast(page, / is now Reader\.$/).waitFor()
  await dialogClosed(page)
  await hand.click(button(page, 'More actions: Ida Newcomer'))
  await hand.click(page.getByRole('menuitem', { name: 'Sign-in link' }))
  await page.getByRole('dialog', { name: 'Sign-in link for Ida Newcomer' }).waitFor()
  await hand.press('Control+Enter')
  await page.getByText('The link is shown only once').waitFor()
  finish({ name: 'h new user', before: '13 clicks', max: { clicks: 6, keys: 7 } }, hand.done)
  assertNoErrors(session)
})
