import assert from 'node:assert/strict'
import { test } from 'node:test'

import { assertNoErrors, signIn, startEnvironment } from './support/environment.ts'
import { addRoster, chooseFile, newWorkspace, previewCounts } from './support/import-steps.ts'
import { button } from './support/steps.ts'

const env = await startEnvironment()

test('shows each changed field of a risk before and after', async () => {
  const { key, api, project, params } = await newWorkspace(env, 'Changes')
  await addRoster(api)
  const [mara] = (await api.personnel.list({ query: { q: 'Mara' } })).data
  const common = { likelihood: 3, impact: 4, owner_user_id: mara?.id ?? null }
  for (const [external_id, title] of [
    ['1', 'Ice'],
    ['2', 'Fire'],
    ['3', 'Flood'],
  ] as const) {
    await api.risks.create({ params, body: { ...common, external_id, title } })
  }
  const [flood] = (await api.risks.list({ query: { external_id: ['3'] } })).data
  const risk_id = flood?.id ?? ''
  await api.risks.close({ params: { ...params, risk_id }, body: { close_reason: 'avoided' } })
  const session = await signIn(env, key, { path: `/import?kind=risks&project_id=${project.id}` })
  const { page } = session
  const rows = [
    '1,Ice,4,4,Tomáš Kolář,Technical,2027-03-04',
    '2,Fire,3,4,Mara Lindqvist,,',
    '3,Flood tide,3,4,Mara Lindqvist,,',
    '4,New,1,1,,,',
  ]
  await chooseFile(
    page,
    `Nr,Title,Likelihood,Impact,Owner,Category,Next review\n${rows.join('\n')}\n`,
  )
  assert.deepEqual(await previewCounts(page), ['1', '2', '1', '0'])
  await page.getByRole('tab', { name: 'Changed 2' }).click()
  const ice = page.getByRole('row', { name: 'LOCK-R1' })
  await ice.getByText('Tomáš Kolář').waitFor()
  assert.equal(
    (await ice.innerText()).replaceAll(/\s+/g, ' '),
    '12 → 16 LOCK-R1 Ice Owner Mara Lindqvist Tomáš Kolář Next review — 4 Mar 2027 ' +
      'Category Other Technical Likelihood 3 4',
  )
  await page.getByRole('row', { name: /12 LOCK-R3 Flood tide Title Flood Flood tide/ }).waitFor()
  await page.getByRole('tab', { name: 'The same 1' }).press('ArrowRight')
  await page.getByRole('tab', { name: 'Left out 0', selected: true }).waitFor()
  await page.getByText('No rows.').waitFor()
  assertNoErrors(session)
})

test('shows what changes for people, projects and tasks', async () => {
  const { key, api, params } = await newWorkspace(env, 'Kinds')
  await addRoster(api)
  const task = await api.tasks.create({ params, body: { title: 'Drain' } })
  const task_id = task.id
  await api.tasks.update({ params: { ...params, task_id }, body: { status: 'done' } })
  const session = await signIn(env, key, { path: '/import' })
  const { page } = session
  for (const [kind, csv, change] of [
    [
      'people',
      'name,email,title\nMara Berg,mara@example.com,Engineer\n',
      'Mara Berg Name Mara Lindqvist Mara Berg Title — Engineer',
    ],
    [
      'projects',
      'code,name\nWEIR,Weir of Berg\n',
      'WEIR Weir of Berg Name Wehr Oberau Weir of Berg',
    ],
    [
      'tasks',
      'ref,title,project_code\nLOCK-T1,Drain it,LOCK\n',
      'LOCK-T1 Drain it Title Drain Drain it',
    ],
  ] as const) {
    await page.goto(`${env.base}/import?kind=${kind}`)
    await chooseFile(page, csv)
    assert.deepEqual(await previewCounts(page), ['0', '1', '0', '0'])
    await page.getByRole('row', { name: change }).waitFor()
  }
  assertNoErrors(session)
})

test('remembers the columns of a file with the same header', async () => {
  const { key, project } = await newWorkspace(env, 'Remembered')
  const path = `/import?kind=tasks&project_id=${project.id}`
  const session = await signIn(env, key, { path })
  const { page } = session
  const csv = 'Arbeit,Bis,Notiz\nTauchen,1/2/2027,x\n'
  const fieldOf = (name: string) => page.getByLabel(`Field of the column “${name}”`)
  await chooseFile(page, csv)
  await fieldOf('Arbeit').selectOption('Title')
  await fieldOf('Bis').selectOption('Due')
  await page.getByRole('radio', { name: /^Month first/ }).check()
  await page.getByLabel('Find existing records by').selectOption('Nothing: every row is new')
  assert.equal(await page.getByText('As last time').count(), 0)
  await button(page, 'Next').click()
  await button(page, 'Import 1 row').waitFor()

  await page.reload()
  await chooseFile(page, csv.replace('Tauchen', 'Bohren').replace('Arbeit', 'ARBEIT'))
  await page.getByText('As last time').waitFor()
  assert.equal(await fieldOf('ARBEIT').inputValue(), 'title')
  assert.equal(await fieldOf('Notiz').inputValue(), '')
  assert.ok(await page.getByRole('radio', { name: /^Month first/ }).isChecked())
  assert.equal(await page.getByLabel('Find existing records by').inputValue(), 'none')
  await button(page, 'Next').click()
  await page.getByRole('row', { name: '2 Bohren 2027-01-02' }).waitFor()

  await button(page, 'Back').click()
  await button(page, 'Forget this').click()
  await page.getByRole('status').getByText('Choose the columns for: Title.').waitFor()
  await page.reload()
  await chooseFile(page, csv)
  await page.getByRole('status').getByText('Choose the columns for: Title.').waitFor()
  assert.equal(await page.getByText('As last time').count(), 0)
  assertNoErrors(session)
})
