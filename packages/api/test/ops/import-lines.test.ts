import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { atEnd } from '@muster/testing/at-end'

import { lineSchemas, stateSchemas } from '#admin/export-schemas'
import { readLines } from '#admin/import-lines'
import { Failure } from '#domain/engine/failure'
import { type ExportPart, exportParts } from '#domain/workspace/export'
import type { Json } from '#test/support/client'

import { sampleOf, wrongObjects } from './wrong-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'muster-lines-'))
atEnd(async () => rmSync(folder, { recursive: true }))
const path = join(folder, 'lines.ndjson')

const stated = { as_of: 4711, workspace_id: sampleOf(lineSchemas.workspace).id }

/** Valid lines of each schema: the examples of the contract, or these. */
const others: Partial<Record<ExportPart, object>> = {
  access: { group_id: null },
  binding_holds: { rights: ['personnel.read'], is_bound: false },
  reference_numbers: { risk_number: 1, issue_number: 0, task_number: 2 },
  events: {
    id: 'evt_01ktrr9d3hen4v9q9t9m2g8x5c',
    subject_id: 'rsk_01ktrr9d3hen4v9q9t9m2g8x5c',
    changed: ['score'],
    data: { note: 'Drains inspected.', code: 'expired', is_planned: true },
  },
}

/** The failure of a file with this content. */
async function failureIn(part: ExportPart, content: string | Buffer): Promise<string | null> {
  writeFileSync(path, content)
  try {
    for await (const line of readLines(part, path, stated)) assert.ok(line)
    return null
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    return error.message
  }
}

async function tryWrongLines(part: ExportPart, schema: Json): Promise<number> {
  const line = { ...sampleOf(schema), ...others[part] }
  const start = `${JSON.stringify(line)}\n`
  assert.equal(await failureIn(part, start + start), null)
  const wrong = wrongObjects(schema, line)
  for (const { pointer, value } of wrong) {
    const failure = await failureIn(part, `${start}${JSON.stringify(value)}\n`)
    const expected = `${part}.ndjson, line 2: ${pointer}`
    assert.ok(failure?.startsWith(expected), `${failure} instead of ${expected}`)
  }
  return wrong.length
}

for (const part of exportParts) {
  test(`refuses a wrong value of every field of ${part}, and names file, line and field`, async (t) => {
    const schemas = part === 'history' ? Object.values(stateSchemas) : [lineSchemas[part]]
    let tried = 0
    for (const schema of schemas) tried += await tryWrongLines(part, schema)
    assert.ok(tried > 10)
    t.diagnostic(`${tried} wrong lines of ${part}`)
  })
}

const group = JSON.stringify({ ...sampleOf(lineSchemas.groups), name: 'Zoë' })

test('refuses bytes that are not UTF-8', async () => {
  assert.equal(await failureIn('groups', Buffer.from(group)), null)
  const failure = await failureIn('groups', Buffer.from(group, 'latin1'))
  assert.equal(failure, 'groups.ndjson, line 1: The line is not valid UTF-8.')
})

test('refuses a line of 1 GiB after its first MiB', async () => {
  writeFileSync(path, `${group}\n`)
  truncateSync(path, 2 ** 30)
  const before = process.memoryUsage().rss
  const read = readLines('groups', path, stated)
  assert.ok((await read.next()).value)
  await assert.rejects(read.next(), /groups\.ndjson, line 2: The line is longer than 1048576 bytes/)
  assert.ok(process.memoryUsage().rss - before < 64 * 2 ** 20)
})
