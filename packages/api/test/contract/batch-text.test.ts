import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation, limits, operations } from '@muster/contract'
import * as fc from 'fast-check'

import { Failure } from '#domain/engine/failure'
import { parseCsv } from '#http/request/csv'
import { parseBatch, parseJson } from '#http/request/json'
import { stringLengthMax, tokensMax } from '#http/request/json-outline'
import { seed, size } from '#test/support/size'

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: unknown
  readonly maxProperties?: number
  readonly items?: Shape
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
}

/** The most brackets, commas and colons that a valid value has, with one comma after it. */
function tokensOf({ properties, items, ...shape }: Shape): number {
  const { maxItems = Infinity, maxProperties = Infinity } = shape
  if (items) return 2 + maxItems * tokensOf(items)
  if (properties) {
    const members = Object.values(properties).map((member) => 1 + tokensOf(member))
    return members.reduce((sum, tokens) => sum + tokens, 2)
  }
  if (typeof shape.additionalProperties !== 'object') return 1
  // A member of metadata is a text.
  return 2 + maxProperties * 2
}

/** A list with more ids than rows in a batch: the size of the batch limits all lists together. */
const isLongList = ({ items, maxItems = 0 }: Shape) =>
  maxItems > limits.itemsMax && (items?.minLength ?? 0) >= 30

function tokensOfBatch({ properties = {} }: Shape): number {
  const fields = Object.entries(properties)
  const short = fields.filter(([, field]) => !isLongList(field))
  const inRows = limits.itemsMax * tokensOf({ properties: Object.fromEntries(short) })
  const idBytes = '"usr_01ktrr9d3hen4v9q9t9m2g8x5c",'.length
  return short.length === fields.length ? inRows : inRows + limits.batchBytesMax / idBytes
}

for (const { name, operation } of everyOperation()) {
  const { body, rows } = operation
  if (body === undefined) continue
  test(`${name}: the largest valid body has fewer values than are parsed`, (t) => {
    const tokens = rows ? tokensOfBatch(rows) : tokensOf(body)
    t.diagnostic(`${tokens} tokens`)
    assert.ok(tokens <= (rows ? tokensMax.batch : tokensMax.body))
    if (rows) assert.ok(tokensOf(rows) <= tokensMax.row, `${tokensOf(rows)} in a row`)
  })

  test(`${name}: the longest valid text is shorter than a string may be`, () => {
    // A character outside of the basic plane, escaped as two surrogates.
    const longest = lengthOf(body) * '\\ud83e\\udda5'.length
    assert.ok(longest < stringLengthMax, `${longest} characters`)
  })
}

/** The length of the longest text in a valid value. */
function lengthOf({ properties = {}, items = {}, additionalProperties = {}, ...shape }: Shape) {
  if (shape.type === 'string' || shape.type?.includes('string')) {
    const values = (shape.enum ?? []).map((each) => String(each).length)
    return values.length > 0 ? Math.max(...values) : (shape.maxLength ?? Infinity)
  }
  // The cast holds because `additionalProperties` is false or a JSON Schema.
  const inner = [...Object.values(properties), items, additionalProperties as Shape]
  return inner.reduce((most, each): number => Math.max(most, isEmpty(each) ? 0 : lengthOf(each)), 0)
}

const isEmpty = (shape: object) => Object.keys(shape).length === 0

/** The value, or the problem of the refusal. */
async function outcome(text: string, parse: (bytes: Buffer) => unknown = parseBatch) {
  try {
    return await parse(Buffer.from(text))
  } catch (error) {
    assert.ok(error instanceof Failure)
    return error.problem
  }
}

const value = fc.jsonValue({ maxDepth: 4 })
const withData = fc.record({ data: fc.oneof(fc.array(value), value), other: value })
const spaced = fc.constantFrom(0, 1, '\t', ' \n')

test(`parses any batch like any other body (seed ${seed})`, async () => {
  const text = fc
    .tuple(fc.oneof(withData, fc.array(value), value), spaced)
    .map(([each, space]) => JSON.stringify(each, null, space))
  const part = fc.constantFrom(
    ...'{}[],:1"'.split(''),
    '"data":',
    '"d\\u0061ta":[',
    '{}',
    ' ',
    ']}',
  )
  const broken = fc.array(part, { maxLength: 12 }).map((parts) => `{"data":[${parts.join('')}`)
  await fc.assert(
    fc.asyncProperty(fc.oneof(text, broken), async (each) => {
      assert.deepEqual(await outcome(each), await outcome(each, parseJson))
    }),
    { seed, numRuns: size(2000, 50_000) },
  )
})

test('finds the rows of a batch whose member name is escaped', async () => {
  const rows = Array.from({ length: limits.itemsMax }, (_, index) => ({ tags: ['a', `b${index}`] }))
  const body = `{ "d\\u0061ta" :${JSON.stringify(rows, null, 1)}}`
  assert.deepEqual(await outcome(body), { data: rows })
})

test('states the position of an error in the body', async () => {
  for (const [body, position] of [
    ['{"data":[{"a":1},{"b":2 3}]}', 24],
    ['{"data":[{"a":1},{"b":2}] 3}', 26],
    ['{"data" 3:[{"a":1},{"b":2}]}', 8],
  ] as const) {
    await assert.rejects(parseBatch(Buffer.from(body)), new RegExp(`at character ${position}\\.`))
  }
})

test('refuses 1001 rows and one row with too many values before it parses them', async () => {
  const refused = async (data: string) => outcome(`{"data":[${data}x]}`)
  assert.equal(await refused('{},'.repeat(limits.itemsMax)), 'validation_failed')
  assert.equal(await refused('{},'.repeat(limits.itemsMax - 1)), 'bad_json')
  await assert.rejects(
    parseBatch(Buffer.from(`{"data":[{},{"tags":[${'1,'.repeat(tokensMax.row)}1]}]}`)),
    /^Failure: \/data\/1 has more values than any valid row\.$/,
  )
})

/** Every character in its longest form. */
const escaped = (text: string) =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

test('reads a row of CSV with the longest links and metadata', async () => {
  const emoji = '\u{1F9A5}'
  const link = `{"title":"${escaped(emoji.repeat(200))}","url":"${escaped('h'.repeat(2000))}"}`
  const members = Array.from(
    { length: 50 },
    (_, index) => `"${escaped(`k${index}`.padEnd(40, '-'))}":"${escaped(emoji.repeat(500))}"`,
  )
  const cells = [
    emoji.repeat(200),
    emoji.repeat(10_000),
    Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(50, emoji)).join(' '),
    `[${Array(20).fill(link).join()}]`,
    `{${members.join()}}`,
  ]
  const row = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join()
  const file = `title,description,tags,links,metadata\n${row}\n`
  const { data } = await parseCsv(Buffer.from(file), operations.risks.batch, { lookups: [] })
  // The cast holds because these are columns of the table.
  const { links, metadata, tags } = data[0] as { links: object[]; metadata: object; tags: string[] }
  assert.deepEqual([links.length, Object.keys(metadata).length, tags.length], [20, 50, 50])
})

test('reads a header with line breaks in a cell, and rows in any slices', async () => {
  const rows = Array.from({ length: 900 }, (_, index) => `"${index},\r\n${'é'.repeat(999)}"`)
  const file = Buffer.from(`\uFEFF\r\n"title"\r\n\r\n${rows.join('\r\n')}`)
  const { data } = await parseCsv(file, operations.risks.batch, { lookups: [] })
  const titles = data.map((row) => ('title' in row ? row.title : null))
  assert.deepEqual(
    titles,
    Array.from({ length: 900 }, (_, index) => `${index},\r\n${'é'.repeat(999)}`),
  )
  const unknown = Buffer.from('"ti\ntle"\na\n')
  await assert.rejects(parseCsv(unknown, operations.risks.batch, { lookups: [] }), /ti\?tle/)
})
