import assert from 'node:assert/strict'
import { test } from 'node:test'

import { CsvError, parse } from 'csv-parse/sync'
import * as fc from 'fast-check'

import { decodeText, parseCsv } from '#data/parse-csv.ts'

/** The rows that the parser of the API reads, or null if it refuses the file. */
function rowsOfApi(csv: string, delimiter: string): string[][] | null {
  try {
    return parse(csv, { delimiter, skip_empty_lines: true })
  } catch (error) {
    if (error instanceof CsvError) return null
    throw error
  }
}

test('reads the rows that the API reads, and reports what the API refuses', () => {
  const character = fc.constantFrom('a', 'å', ' ', "'", '"', ',', ';', '\t', '\n', '\r\n')
  const body = fc.string({ unit: character, maxLength: 24 })
  fc.assert(
    fc.property(fc.constantFrom(',', ';', '\t'), body, (delimiter, text) => {
      const csv = `a${delimiter}b\n${text}`
      const { header, rows, malformed } = parseCsv(csv)
      const wanted = rowsOfApi(csv.replaceAll('\r\n', '\n'), delimiter)
      assert.equal(malformed.length > 0, wanted === null)
      if (wanted !== null)
        assert.deepEqual(
          [header, ...rows].map(({ cells }) => cells),
          wanted,
        )
    }),
    { numRuns: 5000 },
  )
})

test('resumes at the line after an error, with the lines of the file', () => {
  const { rows, malformed } = parseCsv('a,b\r\n"1\n2",3\r\n\r\n4,"5\r\n6,7,8\r9,"x"y\r10,11')
  assert.deepEqual(malformed, [
    { line: 5, reason: 'quote', count: 0 },
    { line: 6, reason: 'cells', count: 3 },
    { line: 7, reason: 'quote', count: 0 },
  ])
  assert.deepEqual(rows[0], { line: 2, text: '"1\n2",3', cells: ['1\n2', '3'] })
  assert.deepEqual(rows.at(-1), { line: 8, text: '10,11', cells: ['10', '11'] })
})

test('decodes UTF-8 with or without a byte order mark, and nothing else', () => {
  const decode = (...bytes: readonly number[]) => decodeText(new Uint8Array(bytes).buffer)
  assert.equal(decode(0xef, 0xbb, 0xbf, 0x61), 'a')
  assert.equal(decode(0xc3, 0xa5), 'å')
  assert.equal(decode(0xe5), null)
  assert.equal(decode(0x61, 0), null)
})
