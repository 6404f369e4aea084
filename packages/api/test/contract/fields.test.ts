import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import type { ListOperation } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { createFolder, writeExport } from '#admin/export-folder'
import { openExport } from '#admin/import-folder'
import { importWorkspace } from '#domain/workspace/import'
import { outcome } from '#test/auth/browser'
import { readFiles } from '#test/ops/export-files'
import { Client, type Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

import { cellOf } from './arbitraries.ts'
import {
  batchFields,
  createdFields,
  dependent,
  excluded,
  needlessEntries,
  otherWrites,
  patchedFields,
  readOnlyFields,
  schemasOf,
  writes,
  type WrittenNoun,
  writtenNouns,
} from './field-nouns.ts'
import {
  assertSent,
  batchNouns,
  cellsOf,
  clearedValues,
  compatibleFields,
  fieldWriter,
  type WrittenRecord,
} from './field-records.ts'
import { isNullable } from './field-values.ts'
import { rowsIn } from './lookup-fixture.ts'

/**
 * The life of every field that a client writes, from the contract: creation, PATCH, batch, history,
 * CSV, export and import. A place that a field was not added to fails here.
 */
const [host, target] = await Promise.all([startHost(), startHost()])
const home = await newWorkspace(host)
const manager = await home.manager()
const writer = await fieldWriter(manager)
const { records, changes, bodyOf, other } = writer
const written = new Map<WrittenNoun, WrittenRecord>()
const recordOf = (noun: WrittenNoun) => {
  const found = written.get(noun)
  assert.ok(found, 'the record was created')
  return found
}

test('every operation that writes fields is of a noun below, or has a test of its own', () => {
  const covered = new Set(writtenNouns.flatMap(({ create, update }) => [create, update]))
  const missing = writes.filter(({ operation }) => !covered.has(operation))
  assert.deepEqual(missing.map(({ name }) => name).toSorted(), Object.keys(otherWrites).toSorted())
  for (const file of Object.values(otherWrites)) {
    assert.ok(existsSync(new URL(`../../${file}`, import.meta.url)), file)
  }
  assert.deepEqual(needlessEntries(), [])
})

/** What is closed in the past began before. */
const started = (noun: WrittenNoun): Json =>
  bodyOf(
    createdFields(noun).filter(([field]) => field === 'identified_at' || field === 'opened_at'),
    {},
  )

for (const noun of writtenNouns) {
  const { name, create, view } = noun

  test(`${name}: a new record has every field that was sent`, async () => {
    if (create === null) {
      const { body } = await manager.get(view.path)
      written.set(noun, writer.keep(noun, body))
      return
    }
    const required = createdFields(noun).filter(([field]) => create.body?.required?.includes(field))
    const defaults = await writer.create(noun, bodyOf(required, {}))
    const sent = bodyOf(compatibleFields(noun), defaults)
    const all = writer.keep(noun, await writer.create(noun, sent))
    written.set(noun, all)
    assertSent(all.record, sent)
    const returned = Object.keys(sent).filter((each) => each in all.record)
    await writer.accept({ ...all, record: {} }, all.record, returned)
    for (const each of createdFields(noun).filter(([field]) => `${name}.${field}` in excluded)) {
      const alone = { ...bodyOf(required, {}), [each[0]]: other(each) }
      assertSent(await writer.create(noun, alone), alone)
    }
    for (const each of createdFields(noun)) {
      const values = dependent[`${name}.${each[0]}`]
      if (values === undefined) continue
      const body = { ...bodyOf(required, {}), ...started(noun), ...values, [each[0]]: other(each) }
      const made = writer.keep(noun, await writer.create(noun, body))
      assertSent(made.record, body)
      await writer.accept({ ...made, record: {} }, made.record, Object.keys(body))
    }
  })

  for (const each of patchedFields(noun)) {
    const [field] = each
    test(`${name}.${field}: PATCH changes and clears it`, async () => {
      const one = recordOf(noun)
      const value = other(each, one.record[field])
      const first = one.record[field] === null ? [other(each, value)] : []
      for (const wanted of [...first, ...clearedValues(each, value), value]) {
        const rival = wanted === null ? undefined : excluded[`${name}.${field}`]
        const body = { [field]: wanted, ...(rival && { [rival]: null }) }
        const reply = await manager.send('PATCH', one.path, { body })
        assert.equal(reply.status, 200, reply.text)
        assertSent(reply.body, body)
        await writer.accept(one, reply.body, [field])
      }
    })
  }

  test(`${name}: PATCH refuses another value of every other field`, async () => {
    const { path, record } = recordOf(noun)
    for (const each of readOnlyFields(noun)) {
      const [field] = each
      const reply = await manager.send('PATCH', path, {
        body: { [field]: other(each, record[field]) },
      })
      const wanted = field === 'version' ? '412 version_mismatch' : '422 read_only_field'
      assert.equal(outcome(reply), wanted, `${field}: ${reply.text}`)
    }
    assert.deepEqual((await manager.get(path)).body, record)
  })
}

for (const noun of batchNouns) {
  for (const format of ['JSON', 'CSV'] as const) {
    test(`${noun.name}: a batch as ${format} sets, changes and clears every field`, async () => {
      const sent = bodyOf(compatibleFields(noun), recordOf(noun).record)
      const made = writer.keep(noun, await writer.batch(noun, sent, format))
      assertSent(made.record, sent)
      await writer.accept({ ...made, record: {} }, made.record, Object.keys(sent))
      const fields = batchFields(noun)
      const cleared = Object.fromEntries(
        fields.filter(([, schema]) => isNullable(schema)).map(([field]) => [field, null]),
      )
      for (const isCleared of [false, true, false]) {
        const row = isCleared ? cleared : bodyOf(fields, made.record)
        const saved = await writer.batch(noun, { id: made.record.id, ...row }, format)
        assertSent(saved, row)
        await writer.accept(made, saved, Object.keys(row))
      }
    })
  }
}

for (const noun of writtenNouns.filter(({ history }) => history !== null)) {
  test(`${noun.name}: the history has both values of every change`, async () => {
    for (const one of records.filter((each) => each.noun === noun)) {
      const entries = (await manager.get(`${one.path}/history`)).body.data
      const own = changes.filter(({ written: { path } }) => path === one.path)
      for (const { seq, field, from, to } of own) {
        const entry = entries.find((each: { seq: number }) => each.seq === seq)
        const change = entry?.changes.find((each: { field: string }) => each.field === field)
        assert.deepEqual(change, { field, from, to }, `${field} in ${seq}`)
      }
    }
  })
}

for (const noun of writtenNouns.filter(({ close }) => close !== null)) {
  test(`${noun.name}: a closed record keeps every field`, async () => {
    const sent = bodyOf(compatibleFields(noun), recordOf(noun).record)
    const { status: _, ...kept } = sent
    const open = writer.keep(noun, await writer.create(noun, sent))
    const closed = await writer.close(noun, open)
    assertSent(closed, kept)
    await writer.accept(open, closed, ['status'])
  })
}

/** Some lists leave out records by their status, unless it is given. */
const everyStatus = ({ query }: ListOperation) => {
  const statuses = schemasOf(query)['status']?.items?.enum
  return statuses ? `?status=${statuses.join()}` : ''
}

for (const noun of writtenNouns) {
  for (const list of noun.lists) {
    test(`${noun.name}: ${list.path} has every field, in CSV too`, async () => {
      const path = `${writer.fill(list.path)}${everyStatus(list)}`
      const items: Json[] = (await manager.get(path)).body.data
      const rows = rowsIn((await manager.get(path, { accept: 'text/csv' })).text)
      assert.ok(items.some(({ id }) => records.some(({ record }) => record.id === id)))
      const filled = new Set<string>()
      for (const [index, item] of items.entries()) {
        const record = records.find((each) => each.record.id === item.id)?.record ?? {}
        assert.deepEqual(item, { ...item, ...record }, 'the list has the fields of the record')
        for (const [column, value] of Object.entries(cellsOf(item, schemasOf(list.item)))) {
          assert.equal(rows[index]?.[column], cellOf(value), `${column} of ${item.id}`)
          if (cellOf(value) !== '') filled.add(column)
        }
      }
      const sent = bodyOf(patchedFields(noun), {})
      const empty = Object.keys(cellsOf(sent, schemasOf(list.item))).filter(
        (column) => !filled.has(column),
      )
      assert.deepEqual(empty, [], 'some record has a value in each column')
    })
  }
}

/** Nouns without states in the history of an export, and why. */
const stateless = {
  keys: 'the audit log has their changes',
  workspace: 'the audit log has its changes',
}

const folder = join(tmpdir(), `muster-fields-${process.pid}`)
atEnd(async () => rmSync(folder, { recursive: true, force: true }))

test('an export has every field and every change', async () => {
  await createFolder(folder)
  await writeExport(host.owner, home.id, folder)
  const { lines } = readFiles(folder)
  for (const { noun, record } of records) {
    const line = lines[noun.name].find(({ id }) => id === record.id)
    assert.deepEqual(line, record, `${noun.name} in the export`)
  }
  for (const { written: one, seq, field, from, to } of changes) {
    const { id } = one.record
    const about = `${one.noun.name}.${field} in ${seq}`
    const event = lines.events.find((each) => each.seq === seq && each.subject_id === id)
    assert.ok(event?.changed.includes(field), `${about}: ${event?.changed}`)
    const states = lines.history.filter((each) => each.id === id)
    assert.equal(states.length === 0, one.noun.name in stateless, about)
    if (states.length === 0) continue
    const before = states.find(({ to_seq }) => to_seq === seq)
    const after = states.find(({ from_seq }) => from_seq === seq)
    assert.deepEqual([before?.data[field] ?? null, after?.data[field]], [from, to], about)
  }
})

/** What an import changes: keys are revoked, because their secrets are not exported. */
const changedByImport: Readonly<Record<string, readonly string[]>> = {
  keys: ['status', 'revoked_at', 'version', 'updated_at'],
}

test('an import restores every field', async () => {
  const source = await openExport(folder)
  const options = { isDryRun: false, onPart: () => {} }
  const { token } = await importWorkspace(target.owner, source, options)
  const there = new Client(target.base, token)
  for (const { noun, path, record } of records) {
    const { body } = await there.get(path)
    const changed = changedByImport[noun.name] ?? []
    for (const field of changed) assert.notDeepEqual(body[field], record[field], field)
    const expected = Object.fromEntries(changed.map((field) => [field, body[field]]))
    assert.deepEqual(body, { ...record, ...expected }, `${path} is imported`)
  }
})
