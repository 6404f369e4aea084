import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as fc from 'fast-check'

import type { Json } from '#test/support/client'
import { createFixture, type Fixture } from '#test/support/fixture'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { cellOf } from './arbitraries.ts'
import { type Batch, batches, freshFor } from './batch-rows.ts'
import { schemasOf } from './field-nouns.ts'
import { type FieldSchema, isSent, valueOf } from './field-values.ts'

/**
 * A batch saves what a row states, or refuses the row: no value is accepted and dropped. Each
 * member of the rows and of what the service answers is sent, alone and with others.
 */
const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const rounds = size(60, 600)

/** The records that a value can name, with what people call them. */
interface Named {
  readonly fixture: Fixture
  readonly owner: Json
  readonly project: Json
  readonly risk: Json
  readonly issue: Json
}

let count = 0

async function newRecords(): Promise<Named> {
  const fixture = await createFixture(manager)
  const view = async (path: string) => (await manager.get(fixture.fill(path))).body
  count += 1
  const body = { email: `named${count}@example.com`, external_id: `named-${count}` }
  const { body: owner } = await manager.post('/v1/personnel', { name: 'Owner', ...body })
  return {
    fixture,
    owner,
    project: await view('/v1/projects/{project_id}'),
    risk: await view('/v1/projects/{project_id}/risks/{risk_id}'),
    issue: await view('/v1/projects/{project_id}/issues/{issue_id}'),
  }
}

/** How a row names a record, and where the result has its id. */
function referenceOf(name: string, { owner, project, risk, issue }: Named) {
  const [, stem = '', field = ''] =
    /^(owner|assignee|manager)_(email|external_id)$/.exec(name) ?? []
  if (stem) return { value: owner[field], idField: `${stem}_user_id`, id: owner.id }
  if (name === 'project_code') return { value: project.code, idField: 'project_id', id: project.id }
  if (name === 'risk_ref') return { value: risk.ref, idField: 'risk_id', id: risk.id }
  if (name === 'issue_ref') return { value: issue.ref, idField: 'issue_id', id: issue.id }
  return null
}

/** Every member of the rows and of the results. Ids and versions say which record is meant. */
const membersOf = ({ operation }: Batch) => {
  const { data } = schemasOf(operation.response)
  const all = { ...schemasOf(data?.items), ...schemasOf(operation.rows) }
  return Object.entries(all).filter(([name]) => name !== 'id')
}

function candidateFor([name, schema]: [string, FieldSchema], named: Named, number: number): Json {
  const reference = referenceOf(name, named)
  if (reference) return number % 4 > 0 ? reference.value : unknownFor(name)
  if (number % 7 === 0 && [schema.type].flat().includes('null')) return null
  const ids = Map.groupBy(Object.values(named.fixture.ids), (id) => id.slice(0, 3))
  return valueOf(name, schema, { number, ids: Object.fromEntries(ids) })
}

/** What no record has. */
const unknownFor = (name: string) =>
  ({ email: 'unknown@example.org', code: 'UNKNOWN', ref: 'UNKNOWN-R1' })[
    name.split('_').at(-1) ?? ''
  ] ?? 'unknown'

/** A new row, or one of the record of the fixture. */
function rowWith(batch: Batch, named: Named, { members, isNew }: Sample): Json {
  count += 1
  const own = { code: `V${count}`, email: `v${count}@example.com`, external_id: `v-${count}` }
  const { item } = batch.kind
  const fresh = freshFor(batch, named.fixture)
  const unique = Object.fromEntries(Object.entries(own).filter(([name]) => name in fresh))
  const row = isNew ? { ...fresh, ...unique } : { id: named.fixture.ids[item] }
  const stated = members.map(([member, number]) => [member[0], candidateFor(member, named, number)])
  return { ...row, ...Object.fromEntries(stated) }
}

interface Sample {
  readonly members: readonly (readonly [[string, FieldSchema], number])[]
  readonly isNew: boolean
}

/** Times that only a new record states. Null takes that of the write, and says nothing later. */
const times = new Set(['last_reviewed_at', 'closed_at', 'completed_at'])

/** Fails if an accepted value is not in the result, and not what a reference says. */
function assertKept(row: Json, item: Json, named: Named): void {
  // A name wins over the id that the record had.
  const overruled = new Set(Object.keys(row).map((name) => referenceOf(name, named)?.idField))
  for (const [name, value] of Object.entries(row)) {
    if (overruled.has(name) || (value === null && times.has(name))) continue
    const reference = referenceOf(name, named)
    const where = `${name} of ${JSON.stringify(row)}`
    if (reference === null) assert.ok(isSent(item[name], value), `${where}: ${item[name]}`)
    else if (value === null)
      assert.equal(item[reference.idField] ?? null, row[reference.idField] ?? null, where)
    else assert.equal(item[reference.idField], reference.id, where)
  }
}

/** Whether the row was accepted. */
async function send(path: string, row: Json, named: Named): Promise<boolean> {
  const { status, body, text } = await manager.post(path, { data: [row] })
  assert.ok([200, 422].includes(status), `${status} ${text}`)
  if (status === 422) return false
  assertKept(row, body.data[0], named)
  return true
}

/** The row as a file, where a cell can state its values. */
function fileOf(row: Json): string | null {
  const values = Object.entries(row)
  const isPlain = values.every(([, value]) => typeof value !== 'object' || Array.isArray(value))
  if (!isPlain) return null
  const cells = values.map(([, value]) => `"${cellOf(value).replaceAll('"', '""')}"`)
  return `${values.map(([name]) => name).join()}\r\n${cells.join()}\r\n`
}

for (const batch of batches) {
  const { name, operation } = batch

  test(`${name}: no value of a row is accepted and dropped (seed ${seed})`, async () => {
    const named = await newRecords()
    const path = named.fixture.fill(operation.path)
    const members = membersOf(batch)
    const accepted = new Set<string>()
    const samples = members.flatMap((member) =>
      [1, 2, 4, 7, 8].flatMap((number) =>
        [true, false].map((isNew) => ({ members: [[member, number] as const], isNew })),
      ),
    )
    for (const sample of samples) {
      const row = rowWith(batch, named, sample)
      if (await send(path, row, named)) accepted.add(sample.members[0]?.[0][0] ?? '')
    }
    const writable = Object.keys(schemasOf(operation.rows)).filter((field) =>
      referenceOf(field, named),
    )
    assert.deepEqual(
      writable.filter((field) => !accepted.has(field)),
      [],
      'every reference is accepted once',
    )
    assert.ok(accepted.size > members.length / 3, [...accepted].join())
  })

  test(`${name}: neither are several of a row, or the cells of a file (seed ${seed})`, async () => {
    const named = await newRecords()
    const path = named.fixture.fill(operation.path)
    const sample = fc.record({
      isNew: fc.boolean(),
      members: fc
        .subarray(membersOf(batch), { minLength: 2, maxLength: 4 })
        .chain((some) => fc.tuple(...some.map((each) => fc.tuple(fc.constant(each), fc.nat(30))))),
    })
    let accepted = 0
    for (const each of fc.sample(sample, { seed, numRuns: rounds })) {
      const row = rowWith(batch, named, each)
      accepted += Number(await send(path, row, named))
      const cells = rowWith(batch, named, each)
      const file = fileOf(cells)
      if (file === null) continue
      const headers = { 'content-type': 'text/csv' }
      const reply = await manager.send('POST', path, { body: file, headers })
      assert.ok([200, 422].includes(reply.status), `${file} ${reply.text}`)
      // An empty cell is null, or says nothing where null is not a value.
      const stated = Object.entries(cells).filter(([, value]) => value !== null)
      if (reply.status === 200) assertKept(Object.fromEntries(stated), reply.body.data[0], named)
    }
    assert.ok(accepted > 0)
  })
}
