import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits, operations, type Operation } from '@muster/contract'
import { stringify } from 'csv-stringify/sync'
import type { TObject } from 'typebox'

import { type FieldSchema, isNullable, valueOf as fieldValueOf } from '#test/contract/field-values'
import type { Json, Reply } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const manager = await (await newWorkspace(host)).manager()
const { fill, ids } = await createFixture(manager)
const asCsv = { 'content-type': 'text/csv' }

interface Batch {
  readonly name: string
  readonly path: string
  /** The smallest valid new row. */
  readonly row: Json
  /** The fields of a row that a new record cannot be given. */
  readonly readOnly: readonly (readonly [string, FieldSchema])[]
}

/** A valid value that no new record of these tests has: of each enum one of the last words. */
const valueOf = (name: string, schema: FieldSchema): Json =>
  fieldValueOf(name, schema, { number: 23, ids: {} })

const creates: Readonly<Record<string, Operation>> = {
  'personnel.batch': operations.personnel.create,
  'risks.batch': operations.risks.create,
  'issues.batch': operations.issues.create,
  'tasks.batch': operations.tasks.create,
  'projects.batch': operations.projects.create,
}

const batches: Batch[] = keyOperations().flatMap(({ name, operation: { rows, path } }) => {
  if (rows === undefined) return []
  const create = creates[name.replace('_across', '')]
  assert.ok(create?.body, `${name} has no create operation in this test`)
  const { body } = create
  const isAcross = 'project_code' in rows.properties
  const required = Object.fromEntries(
    body.required.map((field: string) => [field, valueOf(field, body.properties[field] ?? {})]),
  )
  const row = { ...(isAcross && { project_id: ids['project_id'] }), ...required }
  // The cast holds because the fields of a row are JSON Schemas.
  const fields = Object.entries(rows.properties) as [string, FieldSchema][]
  // The other fields of rows name a person.
  // The cast holds because an operation responds with an object.
  const { properties: kept } = create.response as TObject
  const readOnly = fields.filter(
    ([field]) =>
      !['id', ...Object.keys(row)].includes(field) && field in kept && !(field in body.properties),
  )
  return [{ name, path: fill(path), row, readOnly }]
})

const isStatus = (name: string) => name === 'status'
const codeFor = (name: string) => (isStatus(name) ? 'not_allowed' : 'read_only_field')

const reported = ({ status, body }: Reply) => [
  status,
  ...(body.errors ?? []).map(({ pointer, code }: Json) => `${pointer} ${code}`).toSorted(),
]

/** The list of the project whose items a batch changes. */
const listOf = (path: string) =>
  path.replace('/batch', '').replace(/projects\/(?=[a-z]+$)/, `projects/${ids['project_id']}/`)

const count = async (path: string) => (await manager.get(listOf(path))).body.count as number

const cellOf = (value: Json) => (Array.isArray(value) ? value.join(' ') : String(value))

const cellsOf = (name: string, value: Json): Json =>
  typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).map(([inner, each]) => [`${name}.${inner}`, cellOf(each)]),
      )
    : { [name]: cellOf(value) }

let codes = 0

for (const { name, path, row, readOnly } of batches) {
  // A code is unique.
  const newRow = (): Json => (row['code'] ? { ...row, code: `C${(codes += 1)}` } : row)

  test(`${name}: refuses every read-only value that a new record will not have`, async () => {
    assert.ok(readOnly.length >= 3, `${readOnly.length} read-only fields`)
    const before = await count(path)
    for (const [field, shape] of readOnly) {
      const value = valueOf(field, shape)
      const wanted = [422, `/data/1/${field} ${codeFor(field)}`]
      const json = await manager.post(path, { data: [newRow(), { ...newRow(), [field]: value }] })
      assert.deepEqual(reported(json), wanted, `JSON ${field} ${json.text}`)
      const csv = stringify([newRow(), { ...newRow(), ...cellsOf(field, value) }], {
        header: true,
        columns: [...Object.keys(row), ...Object.keys(cellsOf(field, value))],
      })
      const table = await manager.send('POST', path, { body: csv, headers: asCsv })
      assert.deepEqual(reported(table), wanted, `CSV ${field} ${table.text}`)
    }
    assert.equal(await count(path), before, 'no row is written')
  })

  test(`${name}: reports all read-only values of a row at once`, async () => {
    const values = Object.fromEntries(
      readOnly.map(([field, shape]) => [field, valueOf(field, shape)]),
    )
    assert.deepEqual(reported(await manager.post(path, { data: [{ ...newRow(), ...values }] })), [
      422,
      ...readOnly.map(([field]) => `/data/0/${field} ${codeFor(field)}`).toSorted(),
    ])
    const full = Array.from({ length: 60 }, () => ({
      ...newRow(),
      created_at: values['created_at'],
    }))
    const { body } = await manager.post(path, { data: full })
    assert.equal(body.errors.length, limits.errorsMax)
    assert.match(body.detail, /And 59 more; the first 50 are listed\./)
  })

  test(`${name}: accepts the values that the new record will have, null and empty lists`, async () => {
    const isList = ({ type }: FieldSchema) => [type].flat().includes('array')
    const empty = readOnly
      .filter(([, shape]) => isNullable(shape) || isList(shape))
      .map(([field, shape]) => [field, isNullable(shape) ? null : []])
    const first = await manager.post(path, {
      data: [{ ...newRow(), ...Object.fromEntries(empty) }],
    })
    assert.equal(first.status, 200, first.text)
    const [made] = first.body.data
    const bySelf = new Set(['user_id', 'version', 'ref', 'opened_at', 'status_changed_at'])
    const foreseeable = readOnly
      .map(([field]) => field)
      .filter((field) => !bySelf.has(field) && !/^(?:created|updated)_at$/.test(field))
    const same = Object.fromEntries(foreseeable.map((field) => [field, made[field]]))
    const second = await manager.post(path, { data: [{ ...newRow(), ...same }] })
    assert.equal(second.status, 200, second.text)
    for (const field of foreseeable) assert.deepEqual(second.body.data[0][field], same[field])
  })

  test(`${name}: accepts empty cells of every read-only column in a new row`, async () => {
    const { text } = await manager.get(listOf(path), { accept: 'text/csv' })
    const columns = (text.split('\r\n')[0] ?? '').split(',')
    const body = stringify([newRow()], { header: true, columns })
    const reply = await manager.send('POST', path, { body, headers: asCsv })
    assert.deepEqual([reply.status, reply.body.created], [200, 1], reply.text)
  })
}

test('names the value that a computed field will have, or the operation that sets the field', async () => {
  const path = fill('/v1/projects/{project_id}/risks/batch')
  const row = { title: 'Ice', likelihood: 1, impact: 1, score: 25, level: 'critical' }
  const occurred = { status: 'occurred', occurred_at: '2024-02-01T00:00:00.000Z', version: 7 }
  const { body } = await manager.post(path, { data: [{ ...row, ...occurred }] })
  assert.deepEqual(
    body.errors.map(({ pointer, detail }: Json) => `${pointer} ${detail}`),
    [
      '/data/0/status must be identified, treating, monitoring or closed',
      '/data/0/score must be 1 or omitted in a new row',
      '/data/0/level must be "low" or omitted in a new row',
      '/data/0/occurred_at must be omitted in a new row. Use POST …/occur',
      '/data/0/version must be omitted in a new row. The service sets it',
    ],
  )
})

test('accepts an empty list of flags for a risk that gets a flag', async () => {
  const workspace = await newWorkspace(host)
  const own = await workspace.manager()
  const fixture = await createFixture(own)
  const project = fixture.fill('/v1/projects/{project_id}')
  await own.send('PATCH', project, { body: { risk_appetite: 4 } })
  const row = { title: 'Ice', likelihood: 5, impact: 5, flags: [] }
  const { status, body } = await own.post(`${project}/risks/batch`, { data: [row] })
  assert.deepEqual([status, body.data[0].flags], [200, ['above_appetite']])
})
