import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Client } from 'pg'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { chooseOption, pathOf, personCreator, startAction } from './support/people-steps.ts'
import { screenshot } from './support/screenshots.ts'
import { signInSteps } from './support/sign-in-steps.ts'
import { button } from './support/steps.ts'

const env = await startEnvironment()
const { manager, reader } = env.keys
const api = apiOf(env, manager)
const { addPerson, asPerson } = signInSteps(env)
const createPerson = personCreator(api)

const planner = await addPerson('Grace Hopper', 'admin')
const day = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)
const planOf = async (user_id: string) =>
  (await api.departures.list()).data.find((plan) => plan.user_id === user_id)

/** As the sweeper does for a plan of a key that was revoked. */
async function refuseDepartureOf(name: string): Promise<void> {
  const client = new Client({ connectionString: env.url })
  await client.connect()
  await client.query(
    `update muster.departures d
     set refused_at = now(), refusal_code = 'key_revoked', refusal_detail = 'It is revoked.'
     from muster.people p
     where p.workspace_id = d.workspace_id and p.id = d.user_id and p.name = $1`,
    [name],
  )
  await client.end()
}

test('plans a departure with a handover, changes it, and cancels it with Undo', async () => {
  const { person } = await createPerson('Hedda Moe', 2)
  await createPerson('Iver Moe')
  const session = await asPerson(planner.id, pathOf(person))
  const { page } = session
  const dialog = await startAction(page, 'Offboard', 'Hedda Moe')
  await dialog.getByText('Assigned to Hedda Moe: 2 tasks.').waitFor()
  await dialog.getByRole('radio', { name: 'On a date' }).check()
  await dialog.getByLabel('Last day').fill(day)
  await chooseOption(page, dialog, ['All to one person …', 'Iver Moe'])
  await dialog.getByLabel('Reason').fill('Moves inland.')
  const dayOfMonth = String(Number(day.slice(8)))
  await dialog
    .getByRole('button', { name: new RegExp(`^Offboard on .*\\b${dayOfMonth}\\b`) })
    .click()
  const receipt = page.getByRole('dialog', { name: 'Receipt: Hedda Moe' })
  await receipt.getByText('Hedda Moe leaves the roster at the end of').waitFor()
  await receipt.getByText('Handed over then: 2 tasks.').waitFor()
  await screenshot(page, 'departure-receipt')
  await button(receipt, 'Done').click()
  const plan = await planOf(person.id)
  assert.deepEqual([plan?.departs_on, plan?.planned_by.user_id], [day, planner.id])
  const { status } = await api.personnel.view({ params: { user_id: person.id } })
  assert.equal(status, 'active')

  const notice = page.getByRole('note').filter({ hasText: 'Leaves on' })
  await notice.getByRole('link', { name: 'Grace Hopper' }).waitFor()
  await screenshot(page, 'departure-notice')
  await button(notice, 'Change').click()
  const change = page.getByRole('dialog', { name: 'Offboard Hedda Moe' })
  await change.waitFor()
  assert.equal(await change.getByLabel('Last day').inputValue(), day)
  assert.equal(await change.getByLabel('Reason').inputValue(), 'Moves inland.')
  const lines = change.getByRole('listitem')
  await lines.first().getByText('Iver Moe').waitFor()
  await change.getByLabel('Reason').fill('Moves to Delft.')
  await screenshot(page, 'departure-dialog')
  await change.getByRole('button', { name: /^Offboard on / }).click()
  await change.waitFor({ state: 'hidden' })
  await button(receipt, 'Done').click()
  assert.equal((await planOf(person.id))?.status_reason, 'Moves to Delft.')

  await button(notice, 'Cancel departure').click()
  await page.getByText('The departure of Hedda Moe was cancelled.').waitFor()
  await notice.waitFor({ state: 'hidden' })
  assert.equal(await planOf(person.id), undefined)
  await button(page, 'Undo').click()
  await notice.waitFor()
  assert.equal((await planOf(person.id))?.departs_on, day)
  assertNoErrors(session)
})

test('My work lists what you planned and what was refused; others see nothing', async () => {
  const { person } = await createPerson('Kari Berg')
  const { person: other } = await createPerson('Liv Dahl')
  const session = await asPerson(planner.id, pathOf(person))
  const { page } = session
  const dialog = await startAction(page, 'Offboard', 'Kari Berg')
  await dialog.getByRole('radio', { name: 'On a date' }).check()
  await dialog.getByLabel('Last day').fill(day)
  await dialog.getByRole('button', { name: /^Offboard on / }).click()
  await button(page.getByRole('dialog', { name: 'Receipt: Kari Berg' }), 'Done').click()
  const body = { departs_on: day }
  await api.personnel.depart({ params: { user_id: other.id }, body })
  await page.goto(new URL('/my-work', page.url()).href)
  const section = page.getByRole('region', { name: 'Planned departures' })
  await section.getByRole('link', { name: 'Kari Berg' }).waitFor()
  assert.equal(await section.getByRole('link', { name: 'Liv Dahl' }).count(), 0)
  await refuseDepartureOf('Liv Dahl')
  await page.reload()
  await section
    .getByRole('listitem')
    .filter({ hasText: 'Liv Dahl' })
    .getByText('Not carried out: the API key has ended.')
    .waitFor()
  await screenshot(page, 'departure-my-work')
  assertNoErrors(session)

  const reading = await signIn(env, reader, { path: pathOf(person) })
  await reading.page.getByRole('heading', { name: 'Kari Berg' }).waitFor()
  await reading.page.getByText('Activity').first().waitFor()
  assert.equal(await reading.page.getByText('Leaves on').count(), 0)
  assertNoErrors(reading)
})
