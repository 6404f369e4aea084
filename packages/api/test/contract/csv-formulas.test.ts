import assert from 'node:assert/strict'
import { test } from 'node:test'

import { operations } from '@muster/contract'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import * as fc from 'fast-check'

import { escapeFormulas, parseCsv } from '#http/request/csv'
import type { Json } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { seed } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const manager = await (await newWorkspace(host)).manager()
const asCsv = { 'content-type': 'text/csv' }

const lineLetters = [..."=+-@＝＋－＠';,x \u00A0\u3000".split(''), '"']
const manyLetters = [...lineLetters, '\t', '\n']
const textOf = (letters: readonly string[]) =>
  fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((all) => `${all.join('')}.`)

const separators = [/;/, /\t/, /[;\t]/]

/**
 * Cells that a spreadsheet could evaluate: split at commas with our quoting, and split at other
 * separators without quoting.
 */
function formulasIn(file: string): string[] {
  const lines = file.split(/\r\n|\r|\n/)
  const split = separators.flatMap((separator) => lines.flatMap((line) => line.split(separator)))
  const cells: string[][] = parse(file, { relaxColumnCount: true, relaxQuotes: true })
  return [...split, ...cells.flat()].filter((part) => /^["\s]*?[=+\-@＝＋－＠\t\r]/.test(part))
}

test('formulasIn finds a formula in an unescaped file', () => {
  assert.deepEqual(formulasIn('a,"x;=1"\r\n'), ['=1"', '=1"'])
  assert.deepEqual(formulasIn('a,=1\r\n'), ['=1'])
  assert.equal(formulasIn('a,"x;\'=1"\r\n').length, 0)
})

test(`exports no formula, and imports every text unchanged (seed ${seed})`, async () => {
  const { fill } = await createFixture(manager)
  const path = fill('/v1/projects/{project_id}/risks')
  const row = fc.record({
    title: textOf(lineLetters),
    description: textOf(manyLetters),
    tags: fc.uniqueArray(fc.constantFrom('=a', '+b', '-c', '＠d', 'x;=e', ';'), { maxLength: 3 }),
    links: fc.array(
      fc.record({
        title: textOf(lineLetters),
        url: fc.constantFrom('https://a.example/;=1', 'https://a.example/?-1;+2'),
      }),
      { maxLength: 2 },
    ),
    metadata: fc.record({ a: textOf(manyLetters), '-b': textOf(manyLetters) }),
  })
  const known = [
    { title: '=1' },
    { title: 'x;=HYPERLINK("http://evil.example")' },
    { title: 'x,@sum, -1 and +2' },
    { title: '＝1+1' },
    { title: "x;'=1" },
    { title: 'x; "=1' },
    { title: 'x', description: 'x\n=1\n\t-2\n;\t+3' },
  ]
  const data = [...known, ...fc.sample(row, { seed, numRuns: 100 })].map((each) => ({
    likelihood: 1,
    impact: 1,
    ...each,
  }))
  const made = await manager.post(`${path}/batch`, { data })
  assert.equal(made.body.created, data.length, made.text.slice(0, 500))

  const exported = await manager.get(path, { accept: 'text/csv' })
  assert.deepEqual(formulasIn(exported.text), [])
  assert.ok(exported.text.includes('"x,@sum, -1 and +2"'), 'a comma within quotes starts no cell')
  const again = await manager.send('POST', `${path}/batch`, { body: exported.text, headers: asCsv })
  assert.deepEqual([again.status, again.body.created, again.body.changed], [200, 0, 0])

  const cells: Record<string, string>[] = parse(exported.text, { columns: true })
  const columns = ['title', 'likelihood', 'impact', 'description', 'tags', 'links', 'metadata']
  const saved = stringify(cells, { header: true, columns, delimiter: ';' })
  const other = (await createFixture(manager)).fill('/v1/projects/{project_id}/risks')
  const copied = await manager.send('POST', `${other}/batch`, { body: saved, headers: asCsv })
  assert.equal(copied.status, 200, copied.text.slice(0, 500))
  const own = (risk: Json) => columns.map((column) => risk[column])
  const { data: listed } = (await manager.get(path)).body
  assert.deepEqual(copied.body.data.map(own), listed.map(own))
})

test(`reads any cell back as it was written (seed ${seed})`, async () => {
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), textOf([...manyLetters, '\r', "'"]))
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      fc.pre(!/\0|^\s*$/.test(text))
      const file = `title\r\n"${escapeFormulas(text).replaceAll('"', '""')}"\r\n`
      assert.deepEqual(formulasIn(file), [])
      const { data } = await parseCsv(Buffer.from(file), operations.risks.batch, { lookups: [] })
      assert.deepEqual(data, [{ title: text }])
    }),
    { seed, numRuns: 500 },
  )
})
