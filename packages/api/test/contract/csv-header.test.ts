import assert from 'node:assert/strict'
import { test } from 'node:test'

import { columnsOf } from '@muster/contract'

import { outcome } from '#test/auth/browser'
import type { Json } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const manager = await (await newWorkspace(host)).manager()
const { fill } = await createFixture(manager)
const risks = fill('/v1/projects/{project_id}/risks/batch')

const send = (query: string, body: string, path = risks) =>
  manager.send('POST', `${path}${query}`, { body, headers: { 'content-type': 'text/csv' } })

const errorsIn = ({ body }: { body: Json }) =>
  body.errors.map(({ pointer, code, detail }: Json) => `${pointer} ${code}: ${detail}`)

test('letter case, spaces, underscores and hyphens in the header do not matter', async () => {
  const header = 'Title,LIKELIHOOD, impact ,External ID,Review-On,target.likelihood,Target.Impact'
  const { body, text } = await send('', `${header}\nSlope,2,3,h-1,2027-01-15,1,2\n`)
  assert.ok(body.data, text)
  const [{ title, score, external_id, review_on, target }] = body.data
  assert.deepEqual(
    [title, score, external_id, review_on, target.score],
    ['Slope', 6, 'h-1', '2027-01-15', 2],
  )
})

test('columns= names the columns of a file, and ignores some', async () => {
  const columns = 'Titel:title,Eintritt:likelihood,Folge:impact,Notiz:-'
  const query = `?columns=${encodeURIComponent(columns)}`
  const { body, text } = await send(query, 'Titel;eintritt;Folge;Notiz\nHang;2;3;x\n')
  assert.ok(body.data, text)
  assert.deepEqual([body.data[0].title, body.data[0].score], ['Hang', 6])
})

test('all columns that are wrong are reported at once', async () => {
  const refused = await send('', 'Titel,likelyhood,title,title,Geprüft am\na,1,b,c,1\n')
  assert.equal(outcome(refused), '400 bad_csv')
  assert.deepEqual(errorsIn(refused), [
    '/header/0 unknown_column: There is no column Titel; did you mean title?',
    '/header/1 unknown_column: There is no column likelyhood; did you mean likelihood?',
    '/header/3 repeated: The column title appears twice',
    '/header/4 unknown_column: There is no column Geprüft am',
  ])
  assert.match(refused.body.detail, /^There is no column Titel; did you mean title\? .* 3 more\.$/)
})

const wrong: Readonly<Record<string, string>> = {
  'Titel:titel': '/header/0 unknown_column: There is no column titel; did you mean title?',
  'Titel:title,Name:owner_name':
    '/header unknown_column: The file has no column name, which the parameter columns names',
}

for (const [columns, error] of Object.entries(wrong)) {
  test(`columns=${columns} is refused`, async () => {
    const query = `?columns=${encodeURIComponent(columns)}`
    const refused = await send(query, 'Titel,likelihood,impact\na,1,1\n')
    assert.deepEqual(errorsIn(refused), [error])
  })
}

test('columns= must be pairs, and needs CSV', async () => {
  const file = 'title,likelihood,impact\na,1,1\n'
  for (const columns of ['title', ':title', 'title:', ',']) {
    const refused = await send(`?columns=${encodeURIComponent(columns)}`, file)
    assert.equal(outcome(refused), '400 invalid_parameter', columns)
  }
  const data = [{ title: 'A', likelihood: 1, impact: 1 }]
  const json = await manager.post(`${risks}?columns=Titel:title`, { data })
  assert.equal(outcome(json), '400 invalid_parameter')
})

for (const { name, operation } of keyOperations().filter((each) => each.operation.rows)) {
  test(`${name}: no two columns have the same folded name`, () => {
    const names = columnsOf(operation.rows ?? {}).map((column) => column.replaceAll(/[_-]/g, ' '))
    assert.equal(new Set(names.map((each) => each.toLowerCase())).size, names.length)
  })
}
