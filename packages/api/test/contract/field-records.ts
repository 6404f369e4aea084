import assert from 'node:assert/strict'

import type { Client, Json, Reply } from '#test/support/client'
import { createFixture, exampleFor } from '#test/support/fixture'

import { tableOf } from './arbitraries.ts'
import {
  batchFields,
  createdFields,
  dependent,
  excluded,
  schemasOf,
  type WrittenNoun,
  writtenNouns,
} from './field-nouns.ts'
import { type FieldSchema, isNullable, isSent, newValue } from './field-values.ts'

/** A record that the test writes, as the service returned it last. */
export interface WrittenRecord {
  readonly noun: WrittenNoun
  readonly path: string
  record: Json
}

/** A field that one write changed. */
interface FieldChange {
  readonly written: WrittenRecord
  /** The sequence number of the write. */
  readonly seq: number
  readonly field: string
  readonly from: Json
  readonly to: Json
}

/** How a field comes back that no field of the record has. */
const returned: Readonly<Record<string, (record: Json) => Json>> = {
  member_user_ids: ({ member_count }) => member_count,
  expires_in_days: ({ created_at, expires_at }) =>
    (Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000,
}

const lengthOf = (value: Json) => (Array.isArray(value) ? value.length : value)

/** Fails unless the record has every field that was sent. */
export function assertSent(record: Json, sent: object): void {
  for (const [field, value] of Object.entries(sent)) {
    const back = returned[field]
    if (back) assert.deepEqual(back(record), lengthOf(value), field)
    else assert.ok(isSent(record[field], value), `${field}: ${JSON.stringify(record[field])}`)
  }
}

/** Writes records of every noun in one workspace, and remembers each change. */
export async function fieldWriter(manager: Client) {
  const fixture = await createFixture(manager)
  const { fill } = fixture
  const people: string[] = []
  const risks: string[] = []
  const issues: string[] = []
  for (const name of ['Cy', 'Di', 'Ed', 'Flo']) {
    const post = async (path: string, body: object) => (await manager.post(fill(path), body)).body
    people.push((await post('/v1/personnel', { name })).id)
    const rated = { title: name, likelihood: 1, impact: 1 }
    risks.push((await post('/v1/projects/{project_id}/risks', rated)).id)
    const severe = { title: name, severity: 1 }
    issues.push((await post('/v1/projects/{project_id}/issues', severe)).id)
  }
  const projects: string[] = []
  for (const code of ['CYAN', 'DUN', 'ECRU', 'FAWN']) {
    projects.push((await manager.post('/v1/projects', { code, name: code })).body.id)
  }
  const ids = { usr: people, prj: projects, rsk: risks, iss: issues }
  const changes: FieldChange[] = []
  const records: WrittenRecord[] = []

  const other = (field: readonly [string, FieldSchema], ...others: Json[]) =>
    newValue(field, { ids, others })

  const keep = (noun: WrittenNoun, record: Json): WrittenRecord => {
    const own = noun.view.path.replace(/\{\w+\}$/, record.id)
    const written = { noun, path: fill(own), record }
    records.push(written)
    return written
  }

  /** The record is what the reply has, also when it is read. Remembers these changed fields. */
  const accept = async (written: WrittenRecord, reply: Json, fields: readonly string[]) => {
    const { record: before, path } = written
    written.record = reply
    const { body } = await manager.get(path)
    assert.deepEqual(body, reply, 'a later GET has the same fields')
    for (const field of fields) {
      const [from, to] = [before[field] ?? null, reply[field]]
      assert.notDeepEqual(to, from, `${field} changes`)
      changes.push({ written, seq: reply.version, field, from, to })
    }
  }

  return {
    fill,
    changes,
    records,
    other,
    keep,
    accept,

    /** A body with these fields, of which none has the value in `base`. */
    bodyOf: (fields: readonly (readonly [string, FieldSchema])[], base: Json): Json =>
      Object.fromEntries(fields.map((each) => [each[0], other(each, base[each[0]] ?? null)])),

    async create({ name, create }: WrittenNoun, body: object): Promise<Json> {
      assert.ok(create, name)
      const reply = await manager.post(fill(create.path), body)
      assert.equal(reply.status, 201, reply.text)
      const { secret: _, ...record } = reply.body
      return record
    },

    async close({ close, name }: WrittenNoun, { path }: WrittenRecord): Promise<Json> {
      assert.ok(close, name)
      const reply = await manager.post(`${path}/close`, exampleFor(close, fixture))
      assert.equal(reply.status, 200, reply.text)
      return reply.body
    },

    /** Sends one row as JSON or CSV. Returns its record. */
    async batch(noun: WrittenNoun, row: Json, format: 'JSON' | 'CSV'): Promise<Json> {
      const { batch } = noun
      assert.ok(batch, noun.name)
      const path = fill(batch.path)
      const reply = await (format === 'JSON'
        ? manager.post(path, { data: [row] })
        : sendTable(manager, path, cellsOf(row, schemasOf(batch.rows))))
      assert.equal(reply.status, 200, reply.text)
      return reply.body.data[0]
    },
  }
}

const sendTable = (manager: Client, path: string, row: Json): Promise<Reply> =>
  manager.send('POST', path, {
    body: tableOf([row], ','),
    headers: { 'content-type': 'text/csv' },
  })

type Schemas = Readonly<Record<string, FieldSchema>>

/** The columns of a record: those of a nested object have dotted names. */
export function cellsOf(record: Json, schemas: Schemas): Json {
  const cells = Object.entries(schemas)
    .filter(([name]) => name in record)
    .flatMap(([name, { properties }]) =>
      Object.entries(properties ?? { '': {} }).map(([inner]) => [
        columnOf(name, inner, schemas),
        inner === '' ? record[name] : (record[name]?.[inner] ?? null),
      ]),
    )
  return Object.fromEntries(cells)
}

/** An object beside its own id has columns like those of a lookup, such as `project_code`. */
function columnOf(name: string, inner: string, schemas: Schemas): string {
  if (inner === '') return name
  return `${name}_id` in schemas ? `${name}_${inner}` : `${name}.${inner}`
}

/** Null, or an object with null where it can have it: what clears a field or a part of it. */
export function clearedValues([, schema]: readonly [string, FieldSchema], value: Json): Json[] {
  const inner = Object.entries(schema.properties ?? {}).filter(([, each]) => isNullable(each))
  const cleared = Object.fromEntries(inner.map(([name]) => [name, null]))
  return [
    ...(inner.length > 0 ? [{ ...value, ...cleared }] : []),
    ...(isNullable(schema) ? [null] : []),
  ]
}

/** The fields of one record; those of a record of its own are left out. */
export const compatibleFields = (noun: WrittenNoun) =>
  createdFields(noun).filter(([field]) => !(`${noun.name}.${field}` in separate))

const separate = { ...excluded, ...dependent }

export const batchNouns = writtenNouns.filter((noun) => batchFields(noun).length > 0)
