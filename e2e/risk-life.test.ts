import assert from 'node:assert/strict'
import { test } from 'node:test'

import { focusAt, tabTo } from './keyboard.ts'
import { deed, opened, startRisks } from './risk-steps.ts'
import { assertRefused, region, says, theConflict, undo } from './steps.ts'
import { assertQuiet, type Visit } from './world.ts'

const { api, dam, personOf, entered, now, see } = await startRisks()

test('a risk is reviewed by the keyboard alone', async () => {
  const risk = await entered()
  const seen = await see(risk)
  const { page } = seen
  await tabTo(deed(page, 'Review'))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Review ${risk.ref}` })
  await focusAt(dialog.getByLabel('What was found'))
  await page.keyboard.type('The spare ferry is sold.')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ArrowDown')
  await dialog.getByText('15 High').waitFor()
  await tabTo(dialog.getByRole('button', { name: 'Review' }))
  await page.keyboard.press('Enter')
  await says(page, `${risk.ref} was reviewed.`).waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await focusAt(deed(page, 'Review'))
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
  await region(page, 'History').getByText('The spare ferry').waitFor()
  assertQuiet(seen)
})

test('a review without a note is not sent, and says what is missing', async () => {
  const seen = await see(await entered())
  const { page } = seen
  const dialog = await opened(page, 'Review')
  await dialog.getByRole('button', { name: 'Review' }).click()
  await dialog.getByText('Fill this in.').waitFor()
  assert.ok(seen.calls.every((call) => call.startsWith('GET ')))
  assert.equal(await dialog.getByLabel('What was found').getAttribute('aria-invalid'), 'true')
  await dialog.getByLabel('What was found').fill('Looked at.')
  await dialog.getByRole('button', { name: 'Review' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assertQuiet(seen)
})

test('of two who change a risk at once, the second chooses', async () => {
  const risk = await entered()
  const first = await see(risk)
  const second = await see(risk)
  const change = async ({ page }: Visit, title: string) => {
    const dialog = await opened(page, 'Edit')
    await dialog.getByLabel('Title').fill(title)
    return dialog
  }
  const slow = await change(second, 'As the second has it')
  const quick = await change(first, 'As the first has it')
  await quick.getByRole('button', { name: 'Save' }).click()
  await says(first.page, `${risk.ref} was changed.`).waitFor()
  await slow.getByRole('button', { name: 'Save' }).click()
  const conflict = theConflict(second.page)
  await conflict.getByRole('row', { name: /Title/ }).getByText('As the first has it').waitFor()
  await conflict.getByRole('button', { name: 'Leave theirs' }).click()
  await second.page.getByRole('heading', { level: 1, name: 'As the first has it' }).waitFor()
  assert.equal((await now(risk)).title, 'As the first has it')

  const again = await change(first, 'As the first has it now')
  const third = await change(second, 'As the second wants it')
  await third.getByRole('button', { name: 'Save' }).click()
  await says(second.page, `${risk.ref} was changed.`).waitFor()
  await again.getByRole('button', { name: 'Save' }).click()
  const other = theConflict(first.page)
  await other.getByRole('button', { name: 'Do mine on top' }).click()
  await first.page.getByRole('dialog', { name: /^Edit/ }).waitFor({ state: 'hidden' })
  await first.page.getByRole('heading', { level: 1, name: 'As the first has it now' }).waitFor()
  assert.equal((await now(risk)).title, 'As the first has it now')
  await undo(first.page, `${risk.ref} was changed.`)
  await first.page.getByRole('heading', { level: 1, name: 'As the second wants it' }).waitFor()
  assertQuiet(first)
  assertQuiet(second)
})

test('someone accepts a risk until a day, and can take that back', async () => {
  const owner = await personOf('Mara')
  const risk = await entered({ response: 'reduce', owner_user_id: owner.id })
  const seen = await see(risk)
  const { page } = seen
  const dialog = await opened(page, 'Accept')
  await dialog.getByLabel('Why').fill('The train goes too.')
  await dialog.getByLabel('Until').fill('2001-01-01')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await dialog.getByRole('alert').getByRole('link', { name: 'What this means' }).waitFor()
  assert.equal(await dialog.getByLabel('Until').getAttribute('aria-invalid'), 'true')
  await dialog.getByLabel('Until').fill('2098-12-31')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await says(page, `${risk.ref} is accepted.`).waitFor()
  const about = region(page, 'About')
  await about.getByText('The train goes too.').waitFor()
  await about.getByText('31 Dec 2098').waitFor()
  const { acceptance } = await now(risk)
  assert.equal(acceptance?.accepted_by_user_id, owner.id)
  await undo(page, `${risk.ref} is accepted.`)
  await about.getByText('The train goes too.').waitFor({ state: 'hidden' })
  const back = await now(risk)
  assert.deepEqual([back.response, back.acceptance], ['reduce', null])
  assertQuiet(seen)
})

test('a risk that comes true becomes an issue, a click away, and can be reopened', async () => {
  const risk = await entered({ impact: 5 })
  const seen = await see(risk)
  const { page } = seen
  await page.getByText('It has not come true').waitFor()
  const dialog = await opened(page, 'It occurred')
  await dialog.getByText('its impact (5) as the severity').waitFor()
  await dialog.getByLabel('What happened').fill('No ferry on Monday.')
  await dialog.getByRole('button', { name: 'Make it an issue' }).click()
  await says(page, `${risk.ref} came true`).waitFor()
  const { status, issue_ids } = await now(risk)
  assert.equal(status, 'occurred')
  const issue = await api.issues.view({
    params: { project_id: dam.id, issue_id: issue_ids[0] ?? '' },
  })
  await region(page, 'Issues it led to')
    .getByRole('link', { name: `${issue.ref} ${issue.title}` })
    .waitFor()
  for (const name of ['Review', 'Accept', 'It occurred']) {
    await assertRefused(page, name, /It came true and is off the register\. Reopen/)
  }
  await page.getByRole('link', { name: `Open ${issue.ref}` }).click()
  await page.waitForURL(`**/projects/${dam.id}/issues/${issue.id}`)
  await page.goBack()
  const reopening = await opened(page, 'Reopen')
  await reopening.getByLabel('Why').fill('It may happen again.')
  await reopening.getByRole('button', { name: 'Reopen the risk' }).click()
  await says(page, `${risk.ref} is on the register again.`).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
  await assertRefused(page, 'Reopen', /on the register already/)
  assert.equal((await now(risk)).status, 'identified')
  assertQuiet(seen)
})

test('closing a risk and reopening it can both be taken back', async () => {
  const risk = await entered({ status: 'treating' })
  const seen = await see(risk)
  const { page } = seen
  const close = async () => {
    const dialog = await opened(page, 'Close')
    await dialog.getByLabel('Why').selectOption('No longer possible')
    await dialog.getByLabel('Anything to add').fill('There is a bridge now.')
    await dialog.getByRole('button', { name: 'Close the risk' }).click()
    await page.getByRole('alert').getByText('There is a bridge now.').waitFor()
  }
  await close()
  await says(page, `${risk.ref} is closed.`).waitFor()
  await assertRefused(page, 'Close', /closed already/)
  await assertRefused(page, 'Review', /Reopen it first/)
  await undo(page, `${risk.ref} is closed.`)
  await page.getByText('There is a bridge now.').first().waitFor()
  await page.getByRole('alert').waitFor({ state: 'hidden' })
  assert.equal((await now(risk)).status, 'treating', 'as it was, not as a risk begins')
  await close()
  const dialog = await opened(page, 'Reopen')
  await dialog.getByRole('button', { name: 'Reopen the risk' }).click()
  await says(page, `${risk.ref} is on the register again.`).waitFor()
  await page.getByRole('alert').waitFor({ state: 'hidden' })
  await undo(page, `${risk.ref} is on the register again.`)
  await page.getByRole('alert').getByText('There is a bridge now.').waitFor()
  const { status, close_reason } = await now(risk)
  assert.deepEqual([status, close_reason], ['closed', 'no_longer_possible'])
  assertQuiet(seen)
})

test('nothing in an archived project can be changed, and it is said before and after', async () => {
  const project = await api.projects.create({ body: { code: 'OLD', name: 'The old pier' } })
  const risk = await entered({}, project.id)
  await api.tasks.create({
    params: { project_id: project.id },
    body: { title: 'Mend it', risk_id: risk.id },
  })
  const late = await see(risk)
  await late.page.getByRole('button', { name: /status of OLD-T1/ }).waitFor()
  await api.projects.archive({
    params: { project_id: project.id },
    body: { if_live_items: 'close' },
  })
  await late.page.getByRole('button', { name: /status of OLD-T1/ }).click()
  await late.page.getByRole('menuitem', { name: 'Done' }).click()
  const conflict = theConflict(late.page)
  await conflict.getByRole('button', { name: 'Do mine on top' }).click()
  await late.page.getByRole('alert').getByText('The project is archived.').waitFor()
  const seen = await see(risk)
  const { page } = seen
  await page.getByRole('alert').getByText('The project OLD is archived').waitFor()
  for (const name of ['Review', 'Edit', 'Accept', 'It occurred', 'Close', 'Reopen', 'Add a task']) {
    await assertRefused(page, name, /OLD is archived\. Restore the project first/)
  }
  assertQuiet(late)
  assertQuiet(seen)
})
