import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import type { Page } from 'playwright-core'

import { apiOf, assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { chooseFile } from './support/import-steps.ts'
import { button } from './support/steps.ts'

/** The files of `examples/` that people try the import with, in the demo workspace. */
const env = await startEnvironment()
const { manager } = env.keys
const api = apiOf(env, manager)

const example = (name: string) => readFileSync(new URL(`../examples/${name}`, import.meta.url))

/** Chooses the file, and goes to the check without correcting a cell. */
async function checkExample(page: Page, name: string): Promise<void> {
  await chooseFile(page, example(name), name)
  await page.getByText(/^40 rows, read /).waitFor()
  await button(page, 'Next').click()
  await page.getByText('7 cells must be corrected.').waitFor()
  await button(page, 'Check 33 rows, leave out 7').click()
}

const idsOf = (data: readonly { readonly external_id: string | null }[]) =>
  data.flatMap(({ external_id: id }) => (/^R-\d+$/.test(id ?? '') ? [id] : []))

test('the example workbook fits the demo, and the CSV file has the same rows', async () => {
  const session = await signIn(env, manager, { path: '/import?kind=risks' })
  const { page } = session
  await checkExample(page, 'register.xlsx')
  await button(page, 'Import 33 rows').click()
  await page.getByText('Done: all 33 rows were imported.').waitFor()

  const { data } = await api.risks.list()
  assert.equal(idsOf(data).length, 33)
  const risk = data.find(({ external_id }) => external_id === 'R-12')
  const { title, owner_user_id, category, response, review_on, identified_at } = risk ?? {}
  const owner = (await api.personnel.list()).data.find(({ id }) => id === owner_user_id)
  assert.deepEqual(
    [title, owner?.name, category, response, review_on, identified_at?.slice(0, 10), risk?.tags],
    [
      '"Temporary" railing stays for a second winter',
      'Nadia Farouk',
      'legal',
      'transfer',
      '2027-04-12',
      '2025-01-20',
      ['safety'],
    ],
  )

  await button(page, 'Import another file').click()
  await checkExample(page, 'register.csv')
  await page.getByText('The file contains no changes.').first().waitFor()
  assertNoErrors(session)
})
