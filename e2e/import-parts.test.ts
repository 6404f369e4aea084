import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { batchesIn, choose, flawsIn, newPlace } from './import-steps.ts'
import { apiOf, assertQuiet, signedIn, startWorld } from './world.ts'

const world = await startWorld()
const slowly = { timeout: 60_000 }

/** The console asks how much is sent at once: here so little that a short file has parts. */
async function allowRows(page: Page, { key, rows }: { key: string; rows: number }): Promise<void> {
  const whoami = await apiOf(world, key).keys.whoami()
  const json = { ...whoami, limits: { ...whoami.limits, batch_rows_max: rows } }
  await page.route('**/v1/whoami', (route) => route.fulfill({ json }))
  await page.reload()
  await page.getByText(`At most ${rows} rows`).waitFor()
}

/** What is asked for is done, and the answer gets lost. */
async function loseAnswers(page: Page, { key, path }: { key: string; path: string }) {
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

test('a file of any length is checked whole, and then done part by part', async () => {
  const { key, api, project } = await newPlace(world, 'Long')
  const seen = await signedIn(world, key, { path: `/import?kind=issues&project_id=${project.id}` })
  const { page } = seen
  const rows = Array.from({ length: 2100 }, (_, at) => `Issue ${at},${1 + (at % 5)},"a\n""${at}"""`)
  await choose(page, `title,severity,description\n${rows.join('\n')}`)
  await page.getByText('All 2,100 rows are fine.').waitFor(slowly)
  await page.getByText('They are sent in 3 parts.').waitFor()
  await page.getByText('… and 2,090 more rows.').waitFor()
  assert.equal((await api.issues.list({ query: { limit: 1 } })).count, 0)
  await page.getByRole('button', { name: 'Import 2,100 rows' }).click()
  await page.getByRole('progressbar', { name: 'Import of the file' }).waitFor()
  await page.getByText('Done: all 2,100 rows were imported.').waitFor(slowly)
  assert.equal(await page.getByRole('progressbar').getAttribute('aria-valuenow'), '100')
  const { data, count } = await api.issues.list()
  assert.equal(count, 2100)
  assert.ok(data.every(({ title, description }) => description === `a\n"${title.slice(6)}"`))
  const path = `POST /v1/projects/${project.id}/issues/batch`
  const dry = `${path}?dry_run=true`
  assert.deepEqual(batchesIn(seen), [dry, dry, dry, path, path, path])
  assertQuiet(seen)
})

test('when a later part is refused, it is clear what was done, and the rest can be', async () => {
  const { key, api } = await newPlace(world, 'Refused')
  const seen = await signedIn(world, key, { path: '/import' })
  const { page } = seen
  await allowRows(page, { key, rows: 2 })
  await choose(page, 'name,email\nAda,a@x.se\nBo,b@x.se\nCy,A@x.se\nDi,d@x.se\nEd,e@x.se\n')
  await page.getByRole('button', { name: 'Import 5 rows' }).click()
  const alert = page.getByRole('alert')
  await alert.getByText('Stopped: 2 of 5 rows were imported.').waitFor()
  await alert.getByText('Lines 2 to 3 are done: 2 new, 0 changed, 0 unchanged.').waitFor()
  await alert.getByText('Lines 4 to 6 are not done.').waitFor()
  await alert.getByText('Do not import the whole file again').waitFor()
  assert.match((await flawsIn(page)).join(), /^4 \| email \| /)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the rest' }).click()
  const rest = await saved
  assert.equal(rest.suggestedFilename(), 'rest of list.csv')
  const text = await readFile(await rest.path(), 'utf8')
  assert.equal(text, '\uFEFFname,email\nCy,A@x.se\nDi,d@x.se\nEd,e@x.se\n')

  const ada = (await api.personnel.list({ query: { q: 'Ada' } })).data[0]?.id ?? ''
  await api.personnel.update({ params: { user_id: ada }, body: { email: 'ada@x.se' } })
  await page.getByRole('button', { name: 'Go on from line 4' }).click()
  await page.getByText('Done: all 5 rows were imported.').waitFor()
  await page.getByText('5 new, 0 changed, 0 unchanged.').waitFor()
  assert.equal((await api.personnel.list()).count, 5)
  assertQuiet(seen)
})

test('an answer that is lost does nothing twice', async () => {
  const { key, api, project } = await newPlace(world, 'Lost')
  const seen = await signedIn(world, key, { path: `/import?kind=risks&project_id=${project.id}` })
  const { page } = seen
  await choose(page, 'title,likelihood,impact\nIce,2,2\nFire,3,3\n')
  await page.getByRole('button', { name: 'Import 2 rows' }).waitFor()
  const done = await loseAnswers(page, { key, path: '/risks/batch' })
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await page.getByText('Whether the part from line 2 on was done is not known.').waitFor()
  await page.getByText('The service did not answer.').waitFor()
  assert.deepEqual(done, [200, 200, 200])
  await page.unroute('**/risks/batch')
  await page.getByRole('button', { name: 'Go on from line 2' }).click()
  await page.getByText('Done: all 2 rows were imported.').waitFor()
  assert.equal((await api.risks.list()).count, 2)
  assertQuiet(seen)
})

test('an import can be stopped between parts, and is not left by accident', async () => {
  const { key, api } = await newPlace(world, 'Stopped')
  const seen = await signedIn(world, key, { path: '/import' })
  const { page } = seen
  await allowRows(page, { key, rows: 1 })
  await choose(page, 'name\nAda\nBo\nCy\n')
  await page.getByRole('button', { name: 'Import 3 rows' }).waitFor()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let held = first
  await page.route('**/personnel/batch', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await page.getByText('0 of 3 rows are done.').waitFor()
  const choice = page.getByRole('button', { name: 'Choose another file' })
  assert.equal(await choice.getAttribute('aria-disabled'), 'true')
  await page.getByRole('link', { name: 'Groups' }).click()
  const dialog = page.getByRole('dialog', { name: 'The import is still going on' })
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Stop after this part' }).click()
  first.resolve()
  await page.getByText('Stopped: 1 of 3 rows were imported.').waitFor()
  await page.getByText('Lines 3 to 4 are not done.').waitFor()
  assert.equal((await api.personnel.list()).count, 1)
  held = second
  await page.getByRole('button', { name: 'Go on from line 3' }).click()
  await page.getByText('1 of 3 rows are done.').waitFor()
  await page.getByRole('link', { name: 'Groups' }).click()
  const answered = page.waitForResponse('**/personnel/batch')
  await dialog.getByRole('button', { name: 'Stop and leave' }).click()
  await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor()
  second.resolve()
  await answered
  assert.equal((await api.personnel.list()).count, 2, 'what was being done is, and no more')
  assertQuiet(seen)
})
