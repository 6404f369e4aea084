import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { batchCalls, chooseFile, listedErrors, newWorkspace } from './support/import-steps.ts'
import { button } from './support/steps.ts'

const env = await startEnvironment()
const longTimeout = { timeout: 60_000 }

/** Lowers the batch limit that whoami reports, so that a short file is sent in parts. */
async function allowRows(page: Page, { key, rows }: { key: string; rows: number }): Promise<void> {
  const whoami = await apiOf(env, key).keys.whoami()
  const json = { ...whoami, limits: { ...whoami.limits, batch_rows_max: rows } }
  await page.route('**/v1/whoami', (route) => route.fulfill({ json }))
  await page.reload()
  await page.getByText(`At most ${rows} rows`).waitFor()
}

/** Forwards the request to the service and drops the response. */
async function dropResponses(page: Page, { key, path }: { key: string; path: string }) {
  const done: number[] = []
  await page.route(`**${path}`, async (route) => {
    const request = route.request()
    const { 'content-type': type = '', 'idempotency-key': repeat = '' } = request.headers()
    const headers = { authorization: `Bearer ${key}`, 'content-type': type }
    const { status } = await fetch(request.url(), {
      method: request.method(),
      headers: { ...headers, 'idempotency-key': repeat },
      body: request.postData(),
    })
    done.push(status)
    await route.abort()
  })
  return done
}

test('checks a long file completely and then imports it in parts', async () => {
  const { key, api, project } = await newWorkspace(env, 'Long')
  const session = await signIn(env, key, { path: `/import?kind=issues&project_id=${project.id}` })
  const { page } = session
  const rows = Array.from({ length: 2100 }, (_, at) => `Issue ${at},${1 + (at % 5)},"a\n""${at}"""`)
  await chooseFile(page, `title,severity,description\n${rows.join('\n')}`)
  await page.getByText('All 2,100 rows are valid.').waitFor(longTimeout)
  await page.getByText('The file is sent in 3 parts.').waitFor()
  await page.getByText('Rows 1 to 50 of 2,100').waitFor()
  await button(page, 'Next rows').click()
  await page.getByText('Rows 51 to 100 of 2,100').waitFor()
  assert.equal((await api.issues.list({ query: { limit: 1 } })).count, 0)
  await page.getByRole('button', { name: 'Import 2,100 rows' }).click()
  await page.getByRole('progressbar', { name: 'Import progress' }).waitFor()
  await page.getByText('Done: all 2,100 rows were imported.').waitFor(longTimeout)
  assert.equal(await page.getByRole('progressbar').getAttribute('aria-valuenow'), '100')
  const { data, count } = await api.issues.list()
  assert.equal(count, 2100)
  assert.ok(data.every(({ title, description }) => description === `a\n"${title.slice(6)}"`))
  const path = `POST /v1/projects/${project.id}/issues/batch`
  const [dry, real] = [`${path}?dry_run=true&match=external_id`, `${path}?match=external_id`]
  assert.deepEqual(batchCalls(session), [dry, dry, dry, real, real, real])
  assertNoErrors(session)
})

test('a refused part shows what was imported and lets the user continue', async () => {
  const { key, api } = await newWorkspace(env, 'Refused')
  const session = await signIn(env, key, { path: '/import' })
  const { page } = session
  await allowRows(page, { key, rows: 2 })
  const rows = 'Cy,3,A@x.se\nDi,4,d@x.se\nEd,5,e@x.se\n'
  await chooseFile(page, `name,external_id,email\nAda,1,a@x.se\nBo,2,b@x.se\n${rows}`)
  await page.getByRole('button', { name: 'Import 5 rows' }).click()
  const alert = page.getByRole('alert')
  await alert.getByText('Stopped: 2 of 5 rows were imported.').waitFor()
  await alert.getByText('Imported: lines 2 to 3. 2 new, 0 changed, 0 unchanged.').waitFor()
  await alert.getByText('Not imported: lines 4 to 6.').waitFor()
  assert.match((await listedErrors(page)).join(), /^4 \| email \| /)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download remaining rows' }).click()
  const remaining = await saved
  assert.equal(remaining.suggestedFilename(), 'remaining list.csv')
  const text = await readFile(await remaining.path(), 'utf8')
  assert.equal(text, `\uFEFFname,external_id,email\n${rows}`)

  const ada = (await api.personnel.list({ query: { q: 'Ada' } })).data[0]?.id ?? ''
  await api.personnel.update({ params: { user_id: ada }, body: { email: 'ada@x.se' } })
  await page.getByRole('button', { name: 'Continue from line 4' }).click()
  await page.getByText('Done: all 5 rows were imported.').waitFor()
  await page.getByText('5 new, 0 changed, 0 unchanged.').waitFor()
  assert.equal((await api.personnel.list()).count, 5)
  assertNoErrors(session)
})

test('a lost response does not import rows twice', async () => {
  const { key, api, project } = await newWorkspace(env, 'Lost')
  const session = await signIn(env, key, { path: `/import?kind=risks&project_id=${project.id}` })
  const { page } = session
  await chooseFile(page, 'title,likelihood,impact\nIce,2,2\nFire,3,3\n')
  await page.getByRole('button', { name: 'Import 2 rows' }).waitFor()
  const done = await dropResponses(page, { key, path: '/risks/batch*' })
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await page.getByText('The result of the part that starts at line 2 is unknown.').waitFor()
  await page.getByText('The service did not respond.').waitFor()
  assert.deepEqual(done, [200, 200, 200])
  await page.unroute('**/risks/batch*')
  await page.getByRole('button', { name: 'Continue from line 2' }).click()
  await page.getByText('Done: all 2 rows were imported.').waitFor()
  assert.equal((await api.risks.list()).count, 2)
  assertNoErrors(session)
})

test('an import stops between parts and asks before the page is left', async () => {
  const { key, api } = await newWorkspace(env, 'Stopped')
  const session = await signIn(env, key, { path: '/import' })
  const { page } = session
  await allowRows(page, { key, rows: 1 })
  await chooseFile(page, 'name\nAda\nBo\nCy\n')
  await page.getByRole('button', { name: 'Import 3 rows' }).waitFor()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let gate = first
  await page.route('**/personnel/batch', async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await page.getByText('0 of 3 rows are imported.').waitFor()
  const choice = page.getByRole('button', { name: 'Choose another file' })
  assert.equal(await choice.getAttribute('aria-disabled'), 'true')
  await page.getByRole('link', { name: 'Groups' }).click()
  const dialog = page.getByRole('dialog', { name: 'The import is still running' })
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Stop after this part' }).click()
  first.resolve()
  await page.getByText('Stopped: 1 of 3 rows were imported.').waitFor()
  await page.getByText('Do not import the whole file again').waitFor()
  await page.getByText('Not imported: lines 3 to 4.').waitFor()
  assert.equal((await api.personnel.list()).count, 1)
  gate = second
  await page.getByRole('button', { name: 'Continue from line 3' }).click()
  await page.getByText('1 of 3 rows are imported.').waitFor()
  await page.getByRole('link', { name: 'Groups' }).click()
  const answered = page.waitForResponse('**/personnel/batch')
  await dialog.getByRole('button', { name: 'Stop and leave' }).click()
  await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor()
  second.resolve()
  await answered
  assert.equal((await api.personnel.list()).count, 2, 'only the current part was imported')
  assertNoErrors(session)
})
