import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  exportColumnsOf,
  grantedLookups,
  isGranted,
  isList,
  type ListOperation,
  type LookupColumn,
  lookupColumnsOf,
  type Scope,
  scopes,
} from '@muster/contract'

import { keyOperations } from '#test/support/operations'
import { startHost } from '#test/support/workspace'

import { asCsv, createLookupFixture, headerOf, readResources, rowsIn } from './lookup-fixture.ts'

const host = await startHost()
const { home, manager, mara, fill } = await createLookupFixture(host)
const resources = await readResources(manager)

const lists = keyOperations().flatMap(({ name, operation }) =>
  isList(operation) ? [{ name, operation, path: fill(operation.path) }] : [],
)

/** Mara is in the roster itself, which needs the scope anyway. */
const showsPeople = ({ scope }: ListOperation) => isGranted([scope as Scope], 'personnel.read')

const filled = new Set<string>()

for (const { name, operation, path } of lists) {
  const columns = lookupColumnsOf(operation.item)

  test(`${name}: every lookup column has the value of the id beside it`, async () => {
    const { text } = await manager.get(path, asCsv)
    const rows = rowsIn(text)
    assert.ok(rows.length > 0)
    for (const { name: column, idColumn, field, isList: isMany } of columns) {
      for (const row of rows) {
        const ids = row[idColumn]?.split(' ').filter((id) => id !== '') ?? []
        const values = ids.map((id) => resources.get(id)[field])
        const value = values.join(isMany && field === 'name' ? '; ' : ' ')
        assert.equal(row[column]?.replaceAll(/(?<=^|;)'/g, ''), value, column)
        if (value !== '') filled.add(column)
      }
    }
  })

  test(`${name}: readable columns come first, and ids last`, async () => {
    const header = headerOf((await manager.get(path, asCsv)).text)
    assert.equal(new Set(header).size, header.length, 'every column is unique')
    const isId = (column: string) => /(?:^|[._])ids?$/.test(column) && column !== 'external_id'
    const first = header.findIndex(isId)
    const last = header.findLastIndex((column) => !isId(column) && !isForPrograms(column))
    assert.ok(first > last, header.join())
    for (const { name: column } of columns) assert.ok(header.indexOf(column) < first, column)
  })

  test(`${name}: columns about people need personnel.read`, async () => {
    const held = [operation.scope as Scope]
    const { text } = await (await home.key(...held)).get(path, asCsv)
    const expected = grantedLookups(columns, held).map((column) => column.name)
    const header = headerOf(text)
    assert.deepEqual(
      columns.filter((column) => header.includes(column.name)).map((column) => column.name),
      expected,
    )
    if (showsPeople(operation)) return
    const isPerson = ({ prefix }: LookupColumn) => prefix === 'usr'
    assert.ok(columns.every((each) => !isPerson(each) || !expected.includes(each.name)))
    assert.ok(!text.includes(mara.email) && !text.includes('Lindqvist'))
    const both = await (await home.key(...held, 'personnel.read', 'projects.read')).get(path, asCsv)
    assert.deepEqual(
      headerOf(both.text),
      exportColumnsOf(withoutExtras(operation), scopes).map((column) => column.name),
    )
  })
}

const isForPrograms = (column: string) =>
  ['version', 'created_at', 'updated_at', 'metadata', 'links'].includes(column)

/** Without the columns that only `include` adds. */
function withoutExtras({ item }: ListOperation) {
  const shown = Object.entries(item.properties).filter(([name]) => item.required?.includes(name))
  return { ...item, properties: Object.fromEntries(shown) }
}

test('every lookup column of the contract has a value in some list', () => {
  const names = lists.flatMap(({ operation }) => lookupColumnsOf(operation.item))
  const empty = names.map((column) => column.name).filter((name) => !filled.has(name))
  assert.deepEqual(empty, [])
})

const cached = lists.filter(({ operation }) => operation.cache === 'collection')

/** A change of a resource that is only named in other lists. */
const renames = {
  usr: { path: `/v1/personnel/${mara.id}`, body: { name: 'Mara Berg', email: 'berg@example.com' } },
  prj: { path: fill('/v1/projects/{project_id}'), body: { name: 'Dam renewal' } },
}

for (const [prefix, { path: changed, body }] of Object.entries(renames)) {
  test(`a new name of a resource ${prefix}_… changes the ETag of each CSV that shows it`, async () => {
    const copies = await Promise.all(
      cached.map(async (list) => ({ ...list, copy: await manager.get(list.path, asCsv) })),
    )
    const done = await manager.send('PATCH', changed, { body })
    assert.equal(done.status, 200, done.text)
    for (const { name, operation, path, copy } of copies) {
      const ifNoneMatch = { ...asCsv, 'if-none-match': copy.headers.get('etag') ?? '' }
      const { status, headers } = await manager.get(path, ifNoneMatch)
      const { text } = await manager.get(path, asCsv)
      const isShown = text.includes(body.name)
      assert.equal(status, isShown ? 200 : status, `${name} ${headers.get('etag')}`)
      if (status === 304) assert.equal(text, copy.text, name)
      const names = lookupColumnsOf(operation.item).filter((each) => each.prefix === prefix)
      assert.ok(isShown || names.every((each) => !rowsIn(text).some((row) => row[each.name])), name)
    }
  })
}

test('a new name of a person keeps the ETag of JSON, and of CSV without their names', async () => {
  const reader = await home.key('projects.read')
  const requests = cached
    .filter(({ operation }) => operation.scope === 'projects.read')
    .flatMap(({ path }) => [
      { client: manager, path, headers: {} },
      { client: reader, path, headers: asCsv },
    ])
  const tags = await Promise.all(
    requests.map(async ({ client, path, headers }) =>
      (await client.get(path, headers)).headers.get('etag'),
    ),
  )
  const body = { name: 'Mara Holm' }
  await manager.send('PATCH', `/v1/personnel/${mara.id}`, { body })
  for (const [index, { client, path, headers }] of requests.entries()) {
    const asked = await client.get(path, { ...headers, 'if-none-match': tags[index] ?? '' })
    assert.equal(asked.status, 304, path)
  }
})

test('keys with different scopes never share the bytes of an export', async () => {
  const reader = await home.key('projects.read')
  const both = await home.key('projects.read', 'personnel.read')
  for (let round = 0; round < 5; round++) {
    const replies = await Promise.all(
      [both, reader, both, reader].map((client) => client.get('/v1/risks', asCsv)),
    )
    assert.deepEqual(
      replies.map(({ text }) => headerOf(text).includes('owner_email')),
      [true, false, true, false],
    )
    assert.equal(new Set(replies.map(({ headers }) => headers.get('etag'))).size, 2)
  }
})
