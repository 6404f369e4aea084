import assert from 'node:assert/strict'
import { test } from 'node:test'

import { assertNoErrors, type PageSession, signIn } from './support/environment.ts'
import { waitForFocus, tabTo } from './support/keyboard.ts'
import { assertMenu, openDialog, startRiskTests } from './support/risk-steps.ts'
import { assertDisabled, button, conflictDialog, region, toast, undo } from './support/steps.ts'

const { env, api, dam, createRisk, now, openRisk, openStaleRisk } = await startRiskTests()

test('reviews a risk with the keyboard only', async () => {
  const risk = await createRisk()
  const session = await openRisk(risk)
  const { page } = session
  await tabTo(button(page, 'Review'))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Review ${risk.ref}` })
  await waitForFocus(dialog.getByLabel('What did you find?'))
  await page.keyboard.type('The spare ferry is sold.')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ArrowRight')
  await dialog.getByRole('status').getByText('15 High').waitFor()
  await page.keyboard.press('4')
  await page.keyboard.press('4')
  await dialog.getByRole('status').getByText('16 High').waitFor()
  await waitForFocus(dialog.getByRole('button', { name: 'Likelihood 4, impact 4: ' }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await tabTo(dialog.getByRole('button', { name: 'Save review' }))
  await page.keyboard.press('Enter')
  await toast(page, `${risk.ref} was reviewed.`).waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await waitForFocus(button(page, 'Review'))
  const { likelihood, impact, score, previous_score } = await now(risk)
  assert.deepEqual(
    { likelihood, impact, score, previous_score },
    {
      likelihood: 3,
      impact: 5,
      score: 15,
      previous_score: 12,
    },
  )
  await page.getByRole('img', { name: 'Score up by 3' }).waitFor()
  await region(page, 'Activity').getByText('The spare ferry').waitFor()
  assertNoErrors(session)
})

test('a review without findings is not sent', async () => {
  const session = await openRisk(await createRisk())
  const { page } = session
  const dialog = await openDialog(page, 'Review')
  await dialog.getByRole('button', { name: 'Save review' }).click()
  await dialog.getByText('This field is required.').waitFor()
  assert.ok(session.calls.every((call) => call.startsWith('GET ')))
  assert.equal(await dialog.getByLabel('What did you find?').getAttribute('aria-invalid'), 'true')
  await dialog.getByLabel('What did you find?').fill('Looked at.')
  await dialog.getByRole('button', { name: 'Save review' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assertNoErrors(session)
})

test('a concurrent risk edit opens the conflict dialog', async () => {
  const risk = await createRisk()
  const first = await openRisk(risk)
  const second = await openRisk(risk)
  const change = async ({ page }: PageSession, title: string) => {
    const dialog = await openDialog(page, 'Edit')
    await dialog.getByLabel('Title').fill(title)
    return dialog
  }
  const slow = await change(second, 'As the second has it')
  const quick = await change(first, 'As the first has it')
  await quick.getByRole('button', { name: 'Save' }).click()
  await toast(first.page, `${risk.ref} was updated.`).waitFor()
  await slow.getByRole('button', { name: 'Save' }).click()
  const conflict = conflictDialog(second.page)
  await conflict.getByRole('row', { name: /Title/ }).getByText('As the first has it').waitFor()
  await conflict.getByRole('button', { name: 'Keep theirs' }).click()
  await second.page.getByRole('heading', { level: 1, name: 'As the first has it' }).waitFor()
  assert.equal((await now(risk)).title, 'As the first has it')

  const again = await change(first, 'As the first has it now')
  const third = await change(second, 'As the second wants it')
  await third.getByRole('button', { name: 'Save' }).click()
  await toast(second.page, `${risk.ref} was updated.`).waitFor()
  await again.getByRole('button', { name: 'Save' }).click()
  const other = conflictDialog(first.page)
  await other.getByRole('button', { name: 'Save mine' }).click()
  await first.page.getByRole('dialog', { name: /^Edit/ }).waitFor({ state: 'hidden' })
  await first.page.getByRole('heading', { level: 1, name: 'As the first has it now' }).waitFor()
  assert.equal((await now(risk)).title, 'As the first has it now')
  await undo(first.page, `${risk.ref} was updated.`)
  await first.page.getByRole('heading', { level: 1, name: 'As the second wants it' }).waitFor()
  assertNoErrors(first)
  assertNoErrors(second)
})

test('a risk that occurs becomes a linked issue and can be reopened', async () => {
  const risk = await createRisk({ impact: 5 })
  const session = await openRisk(risk)
  const { page } = session
  await page.getByText('No issues linked').waitFor()
  const dialog = await openDialog(page, 'Mark as occurred')
  await dialog.getByText('the impact (5) as its severity').waitFor()
  await dialog.getByLabel('What happened').fill('No ferry on Monday.')
  await dialog.getByRole('button', { name: 'Create issue' }).click()
  await toast(page, `${risk.ref} occurred`).waitFor()
  const { status, issue_ids } = await now(risk)
  assert.equal(status, 'occurred')
  const issue = await api.issues.view({
    params: { project_id: dam.id, issue_id: issue_ids[0] ?? '' },
  })
  const row = region(page, 'Issues').getByRole('listitem').filter({ hasText: issue.ref })
  await row.getByRole('link', { name: issue.title }).waitFor()
  assert.equal(await button(page, 'Review').count(), 0, 'an impossible action is not shown')
  await assertMenu(page, ['Edit', 'Close'])
  await page.getByRole('link', { name: `Open ${issue.ref}` }).click()
  await page.waitForURL(`**/projects/${dam.id}/issues/${issue.id}`)
  await page.goBack()
  const reopening = await openDialog(page, 'Reopen')
  await reopening.getByLabel('Reason').fill('It may happen again.')
  await reopening.getByRole('button', { name: 'Reopen risk' }).click()
  await toast(page, `${risk.ref} is on the register again.`).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
  await button(page, 'Review').waitFor()
  assert.equal(await button(page, 'Reopen').count(), 0)
  assert.equal((await now(risk)).status, 'identified')
  assertNoErrors(session)
})

test('closing and reopening a risk can be undone', async () => {
  const risk = await createRisk({ status: 'treating' })
  const session = await openRisk(risk)
  const { page } = session
  const close = async () => {
    const dialog = await openDialog(page, 'Close')
    await dialog.getByLabel('Reason').selectOption('No longer possible')
    await dialog.getByLabel('Note').fill('There is a bridge now.')
    await dialog.getByRole('button', { name: 'Close risk' }).click()
    await page.getByRole('note').getByText('There is a bridge now.').waitFor()
  }
  await close()
  await toast(page, `${risk.ref} is closed.`).waitFor()
  await button(page, 'Reopen').waitFor()
  assert.equal(await button(page, 'Review').count(), 0)
  await assertMenu(page, ['Edit'])
  await undo(page, `${risk.ref} is closed.`)
  await page.getByText('There is a bridge now.').first().waitFor()
  await page.getByRole('note').waitFor({ state: 'hidden' })
  assert.equal((await now(risk)).status, 'treating', 'undo restores the earlier status')
  await close()
  const dialog = await openDialog(page, 'Reopen')
  await dialog.getByRole('button', { name: 'Reopen risk' }).click()
  await toast(page, `${risk.ref} is on the register again.`).waitFor()
  await page.getByRole('note').waitFor({ state: 'hidden' })
  await undo(page, `${risk.ref} is on the register again.`)
  await page.getByRole('note').getByText('There is a bridge now.').waitFor()
  const { status, close_reason } = await now(risk)
  assert.deepEqual([status, close_reason], ['closed', 'no_longer_possible'])
  assertNoErrors(session)
})

test('a risk in an archived project is read-only', async () => {
  const project = await api.projects.create({ body: { code: 'OLD', name: 'The old pier' } })
  const risk = await createRisk({}, project.id)
  await api.tasks.create({
    params: { project_id: project.id },
    body: { title: 'Mend it', risk_id: risk.id },
  })
  const late = await openStaleRisk(risk)
  await late.page.getByRole('button', { name: /status of OLD-T1/ }).waitFor()
  await api.projects.archive({
    params: { project_id: project.id },
    body: { if_live_items: 'close' },
  })
  await late.page.getByRole('button', { name: /status of OLD-T1/ }).click()
  await late.page.getByRole('menuitem', { name: 'Done' }).click()
  const conflict = conflictDialog(late.page)
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await late.page.getByRole('alert').getByText('The project is archived.').waitFor()
  const session = await openRisk(risk)
  const { page } = session
  await page.getByRole('note').getByText('The project OLD is archived').waitFor()
  const reason = /OLD is archived\. Restore the project first/
  for (const name of ['Reopen', 'Add task']) await assertDisabled(page, name, reason)
  await assertMenu(page, ['Edit'], reason)
  assertNoErrors(late)
  assertNoErrors(session)
})

test('assigns and closes several risks at once', async () => {
  for (const title of ['Several one', 'Several two']) {
    await createRisk({ title, likelihood: 1, impact: 1 })
  }
  const session = await signIn(env, env.keys.manager, { path: '/risks?q=several' })
  const { page } = session
  const several = async () => (await api.risks.list({ query: { q: 'several' } })).data
  const select = async () => {
    await page.locator('[data-row]').first().focus()
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
  }
  const bar = page.getByRole('toolbar', { name: 'Actions for the selected rows' })
  await select()
  await bar.getByText('2 selected').waitFor()
  await bar.getByRole('button', { name: 'Assign …' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Owner' }).fill('Mara')
  await page.getByRole('option', { name: /Mara/ }).click()
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await toast(page, '2 risks were assigned.').waitFor()
  await bar.waitFor({ state: 'detached' })
  assert.ok((await several()).every(({ owner_user_id }) => owner_user_id !== null))
  await select()
  const [changed] = await several()
  assert(changed)
  await api.risks.review({
    params: { project_id: dam.id, risk_id: changed.id },
    body: { note: 'Meanwhile.' },
  })
  await bar.getByRole('button', { name: 'Close …' }).click()
  await dialog.getByRole('button', { name: 'Close risk' }).click()
  const report = page.getByRole('alert').filter({ hasText: '1 risk was closed.' })
  await report.getByText(`${changed.ref}: `).waitFor()
  assert.deepEqual(
    (await several()).map(({ id }) => id),
    [changed.id],
  )
  assertNoErrors(session)
})
