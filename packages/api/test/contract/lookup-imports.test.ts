import assert from 'node:assert/strict'
import { test } from 'node:test'

import { columnsOf, type LookupColumn, lookupColumnsOf, type Operation } from '@muster/contract'
import { stringify } from 'csv-stringify/sync'

import type { Client, Reply } from '#test/support/client'
import { keyOperations } from '#test/support/operations'
import { startHost } from '#test/support/workspace'

import { asCsv, createLookupFixture, headerOf, rowsIn } from './lookup-fixture.ts'

const host = await startHost()
const { home, manager, ids, fill } = await createLookupFixture(host)

const send = (client: Client, path: string, body: string) =>
  client.send('POST', path, { body, headers: { 'content-type': 'text/csv' } })

const counts = ({ body, text }: Reply) => {
  assert.ok(body.data, text)
  return [body.created, body.changed]
}

const fileOf = (rows: Record<string, string>[]) =>
  stringify(rows, { header: true, columns: Object.keys(rows[0] ?? {}) })

/** The list of the items of one project, or of a noun without projects. */
const listOf = (path: string) =>
  fill(path.replace('/batch', '').replace(/projects\/(?=[a-z])/, 'projects/{project_id}/'))

/** The lists whose files a batch accepts. All rows are of one project. */
const exportsOf = (path: string) => {
  const list = listOf(path)
  const rollup = /\/projects\/.*\/(risks|issues|tasks)$/.exec(list)?.[1]
  const inProject = `project_id=${ids['project_id']}`
  const rollups = [`/v1/${rollup}`, ...(rollup === 'tasks' ? [] : [`/v1/${rollup}/closed`])]
  return rollup ? [list, ...rollups.map((each) => `${each}?${inProject}`)] : [list]
}

const batches = keyOperations().filter(({ operation }) => operation.rows !== undefined)

/** The row of the export in which the column has a value. */
async function rowWith({ path }: Operation, column: string): Promise<Record<string, string>> {
  const rows = rowsIn((await manager.get(listOf(path), asCsv)).text)
  const row = rows.find((each) => each[column] !== '')
  assert.ok(row, `${column} has a value`)
  return row
}

for (const { name, operation } of batches) {
  const path = fill(operation.path)
  // Other columns of the rows select a record.
  const selecting = columnsOf(operation.rows ?? {})
  const columns = lookupColumnsOf(operation.rows ?? {}).filter(
    (column) => !selecting.includes(column.name),
  )

  test(`${name}: the export goes back unchanged, with and without columns about people`, async () => {
    const own = await home.key(operation.scope as 'projects.manage', 'projects.read')
    for (const list of exportsOf(operation.path)) {
      for (const client of [manager, own]) {
        const { text } = await client.get(list, asCsv)
        assert.deepEqual(counts(await send(client, path, text)), [0, 0], list)
      }
    }
  })

  for (const column of columns) {
    test(`${name}: ${column.name} must be empty or agree with ${column.idColumn}`, async () => {
      const row = await rowWith(operation, column.name)
      const wrong = await send(manager, path, fileOf([{ ...row, [column.name]: 'Other' }]))
      assertMismatch(wrong, column, row[column.name]?.replace(/^'/, '') ?? '')
      const empty = await send(manager, path, fileOf([{ ...row, [column.name]: '' }]))
      assert.deepEqual(counts(empty), [0, 0])
      // The fields of a nested object are required together.
      if (column.idColumn.includes('.')) return
      const { [column.idColumn]: _, ...withoutId } = row
      assert.deepEqual(counts(await send(manager, path, fileOf([withoutId]))), [0, 0])
    })
  }

  test(`${name}: columns about people are unknown without personnel.read`, async () => {
    if (operation.scope === 'personnel.manage') return
    const own = await home.key(operation.scope as 'projects.manage')
    for (const column of columns) {
      const { id = '', ...row } = await rowWith(operation, column.name)
      const body = fileOf([{ id, [column.name]: row[column.name] ?? '' }])
      const reply = await send(own, path, body)
      const isUnknown = column.prefix === 'usr'
      assert.equal(reply.status, isUnknown ? 400 : 200, `${column.name}: ${reply.text}`)
      if (isUnknown) assert.match(reply.body.detail, new RegExp(`no column ${column.name}`))
    }
  })
}

function assertMismatch({ status, body, text }: Reply, { name }: LookupColumn, expected: string) {
  assert.equal(status, 422, text)
  const [error, ...others] = body.errors
  assert.deepEqual(others, [])
  assert.equal(error.pointer, `/data/0/${name.replaceAll('.', '/')}`)
  assert.equal(error.code, 'lookup_mismatch')
  assert.ok(error.detail.includes(`must be ${JSON.stringify(expected)} or empty`), error.detail)
}

const risksBatch = fill('/v1/projects/{project_id}/risks/batch')

test('a name without an id is refused, and the error says to fill in the id', async () => {
  const rows = [
    { title: 'A', likelihood: '1', impact: '1', owner_name: '', owner_user_id: '' },
    { title: 'B', likelihood: '1', impact: '9', owner_name: 'Mara', owner_user_id: '' },
    { title: 'C', likelihood: '1', impact: '1', owner_name: 'Jonas', owner_user_id: '' },
  ]
  const invalid = await send(manager, risksBatch, fileOf(rows))
  assert.equal(invalid.body.errors[0].pointer, '/data/1/impact')
  const valid = rows.map((row) => ({ ...row, impact: '1' }))
  const { status, body } = await send(manager, risksBatch, fileOf(valid))
  assert.equal(status, 422)
  assert.deepEqual(
    body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/data/1/owner_name', '/data/2/owner_name'],
  )
  assert.match(body.errors[0].detail, /Fill in owner_user_id/)
})

test('a new row takes the code of its own project, and no other', async () => {
  const row = { title: 'Slope', likelihood: '1', impact: '1' }
  const own = await send(
    manager,
    `${risksBatch}?dry_run=true`,
    fileOf([{ ...row, project_code: 'DAM' }]),
  )
  assert.deepEqual(counts(own), [1, 0])
  const other = await send(manager, risksBatch, fileOf([{ ...row, project_code: 'BAY' }]))
  assert.equal(other.body.errors[0].pointer, '/data/0/project_code')
})

test('JSON rows have no lookup columns', async () => {
  const data = [{ title: 'A', likelihood: 1, impact: 1, owner_name: 'Mara' }]
  const { status } = await manager.post(risksBatch, { data })
  assert.equal(status, 422)
})

test('the header of the widest export is far below the limit', async () => {
  const { text } = await manager.get('/v1/risks', asCsv)
  assert.ok(headerOf(text).join().length < 2 * 1024)
})
