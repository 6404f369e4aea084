import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Client } from 'pg'

import { assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { screenshot } from './support/screenshots.ts'
import { signInSteps } from './support/sign-in-steps.ts'
import { exportCsv, heading, openFilters } from './support/steps.ts'

const env = await startEnvironment()
const { addPerson, asPerson } = signInSteps(env)
const ada = await addPerson('Ada Lovelace', 'reader')
await asPerson(ada.id)

test('lists entries, filters them by type and person, and downloads them', async () => {
  const session = await signIn(env, env.keys.manager, { path: '/audit' })
  const { page } = session
  const table = page.getByRole('table', { name: 'Entries' })
  const signedIn = table.getByRole('row', { name: 'Signed in' }).filter({ hasText: 'Ada Lovelace' })
  await signedIn.getByText('Sign-in link').waitFor()
  await signedIn.getByText('Chrome on Linux').waitFor()

  const fields = await openFilters(page)
  await fields.getByRole('combobox', { name: 'What happened' }).click()
  await page.getByRole('option', { name: 'Sign-in link created' }).click()
  await table.getByRole('row', { name: 'Signed in' }).first().waitFor({ state: 'detached' })
  await table.getByRole('row', { name: 'Sign-in link created' }).first().waitFor()
  assert.match(page.url(), /\?type=link\.created$/)

  await (await openFilters(page)).getByRole('combobox', { name: 'Person' }).fill('Ada')
  await page.getByRole('option', { name: 'Ada Lovelace' }).click()
  await page.waitForURL(/user_id=usr_/)
  await page.keyboard.press('Escape')
  await fields.waitFor({ state: 'detached' })
  const csv = await exportCsv(page)
  const lines = csv.trim().split(/\r?\n/)
  assert.equal(lines.length, 2)
  assert.match(lines[1] ?? '', /link\.created/)

  assert.doesNotMatch(await table.innerText(), /\b(?:key|usr|grp|ses|aud)_/, 'no raw id')
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: 'Access and keys' })
    .click()
  assert.match(page.url(), /\?view=access$/)
  await table.getByRole('row', { name: 'Signed in' }).first().waitFor({ state: 'detached' })
  await table.getByRole('link', { name: 'Ada Lovelace' }).first().click()
  await heading(page, 'Ada Lovelace').waitFor()
  assertNoErrors(session)
})

test('the view of refusals has readable reasons and counts', async () => {
  const headers = { authorization: `Bearer ${env.keys.unscoped}` }
  assert.equal((await fetch(`${env.base}/v1/keys`, { headers })).status, 403)
  const client = new Client({ connectionString: env.url })
  await client.connect()
  await client.query(
    `insert into muster.audit_entries (workspace_id, id, type, actor_type, reason, network, count,
       occurred_at)
     select id, gen_random_uuid(), 'request.refused', 'system', 'rate_limited', '203.0.113.0/24', 37,
       now() from muster.workspaces where name = 'Northwater'`,
  )
  await client.end()
  const session = await signIn(env, env.keys.manager, { path: '/audit' })
  const { page } = session
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: 'Failed sign-ins' })
    .click()
  const table = page.getByRole('table', { name: 'Entries' })
  const counted = table.getByRole('row', { name: 'Request refused, 37 times' })
  await counted.getByText('Too many requests').waitFor()
  await table.getByText('Scope missing').first().waitFor()
  await screenshot(page, 'audit-refused')
  assert.doesNotMatch(await table.innerText(), /[a-z]+_[a-z]+/, 'no raw reason')
  assertNoErrors(session)
})

test('a person without the scope sees the reason', async () => {
  const session = await asPerson(ada.id, '/audit')
  await session.page.getByText('it needs the scope workspace.read').waitFor()
  assertNoErrors(session)
})
