import assert from 'node:assert/strict'
import { test } from 'node:test'

import { assertNoErrors } from './support/environment.ts'
import { openDialog, properties, startRiskTests } from './support/risk-steps.ts'
import { exportCsv, openFilters, region, toast, undo } from './support/steps.ts'

const { env, api, dam, findPerson, createRisk, now, openRisk } = await startRiskTests()

test('accepts a risk until a date and undoes it', async () => {
  const owner = await findPerson('Mara')
  const risk = await createRisk({ response: 'reduce', owner_user_id: owner.id })
  const session = await openRisk(risk)
  const { page } = session
  const dialog = await openDialog(page, 'Accept')
  await dialog.getByText('12 High').waitFor()
  const { risk_appetite } = dam
  assert.ok(risk_appetite !== null && risk_appetite >= 12)
  await dialog.getByText(`Appetite of DAM: ${risk_appetite}`).waitFor()
  await dialog.getByText('The score is within the appetite. Everyone who may').waitFor()
  await dialog.getByLabel('Rationale').fill('The train goes too.')
  await dialog.getByLabel('Expires').fill('2001-01-01')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await dialog.getByRole('alert').getByRole('link', { name: 'What this means' }).waitFor()
  assert.equal(await dialog.getByLabel('Expires').getAttribute('aria-invalid'), 'true')
  await dialog.getByLabel('Expires').fill('2098-12-31')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await toast(page, `${risk.ref} is accepted.`).waitFor()
  const details = properties(page)
  await details.getByText('The train goes too.').waitFor()
  await details.getByText('31 Dec 2098').waitFor()
  const { acceptance } = await now(risk)
  assert.equal(acceptance?.accepted_by_user_id, owner.id)
  const section = details.getByRole('region', { name: 'Acceptance', exact: true })
  const kept = section.getByRole('definition')
  assert.equal(await kept.nth(3).textContent(), '12 ', 'the score at that time')
  assert.equal(await kept.nth(4).textContent(), String(risk_appetite), 'the appetite at that time')
  const time = section.locator(`time[datetime="${acceptance.accepted_at}"]`)
  assert.match((await time.textContent()) ?? '', /\d{4}/, 'the exact day, not an age')
  await region(page, 'Activity')
    .getByText(
      `recorded that ${owner.name} accepts this risk until 31 Dec 2098, ` +
        `at a score of 12 and an appetite of ${risk_appetite}`,
    )
    .waitFor()
  await undo(page, `${risk.ref} is accepted.`)
  await details.getByText('The train goes too.').waitFor({ state: 'hidden' })
  const back = await now(risk)
  assert.deepEqual([back.response, back.acceptance], ['reduce', null])
  assertNoErrors(session)
})

test('says who may accept a risk above the appetite, and lists every acceptance', async () => {
  const risk = await createRisk({ title: 'The quay gives way', likelihood: 4, impact: 5 })
  const { user_id } = await findPerson('Mara')
  const params = { project_id: dam.id, risk_id: risk.id }
  const body = { accepted_by_user_id: user_id, expires_on: '2098-12-31', rationale: 'For now.' }
  await api.risks.accept({ params, body })
  const session = await openRisk(risk)
  const { page } = session
  const dialog = await openDialog(page, 'Accept')
  await dialog.getByText('20 Critical').waitFor()
  await dialog.getByText('Only managers and administrators can accept this risk.').waitFor()
  await dialog.getByLabel('Rationale').fill('Until the new quay is built.')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await toast(page, `${risk.ref} is accepted.`).waitFor()
  await page.setViewportSize({ width: 1600, height: 900 })
  await properties(page).getByRole('link', { name: 'All of this project' }).click()
  const table = page.getByRole('table', { name: 'Acceptances' })
  const rows = table.getByRole('row').filter({ hasText: risk.ref })
  await rows.nth(1).waitFor()
  assert.deepEqual(
    await rows.evaluateAll((each) => each.map((row) => row.textContent.includes('Renewed'))),
    [false, true],
    'the latest first',
  )
  await rows.first().getByText('Until the new quay is built.').waitFor()
  await rows.first().getByText('Mara Lindqvist').waitFor()
  await rows.first().getByText('Active').waitFor()

  const filters = await openFilters(page)
  await filters.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Ended' }).click()
  await page.keyboard.press('Escape')
  await rows.nth(1).waitFor({ state: 'detached' })
  await rows.getByText('For now.').waitFor()
  const file = await exportCsv(page)
  assert.match(file, /^\uFEFFref,title,project_code,.*accepted_by_name/)
  assert.match(file, new RegExp(`${risk.ref},The quay gives way,.*For now\\.,12,4,5,20,critical`))
  assert.doesNotMatch(file, /Until the new quay/, 'the file has what the filter shows')

  await page.goto(`${env.base}/risks`)
  await page.getByRole('link', { name: 'Acceptances' }).click()
  await rows.first().getByRole('link', { name: 'The quay gives way' }).click()
  await region(page, 'Activity').getByText('renews the acceptance until').waitFor()
  assertNoErrors(session)
})
