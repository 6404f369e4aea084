import type { Operation } from '@muster/contract'
import * as fc from 'fast-check'

import type { Json } from '#test/support/client'
import { exampleFor, type Fixture, newExampleFor } from '#test/support/fixture'

/** The part of a JSON Schema that matters for values. */
interface Shape {
  readonly type?: string | string[]
  readonly enum?: unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Shape
  readonly properties?: Shapes
}

type Shapes = Readonly<Record<string, Shape>>

/** Text of every kind, also invalid and very long. */
export const arbitraryText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 50 }),
  fc.constantFrom('', ' ', '\0', '\u0007', '\u{1F9A5}', '__proto__', 'null', '1e999'),
  fc.constantFrom('𝕏'.repeat(250), 'x'.repeat(70_000)),
)

export const arbitraryValue = fc.oneof(
  arbitraryText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(null, true, -0, 1e21, 2 ** 53 + 2, [], {}, [[[]]]),
)

const dates = { min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }

/** Valid dates, and some invalid ones. */
const day = fc.oneof(
  fc.date(dates).map((date) => date.toISOString().slice(0, 10)),
  fc.constantFrom('0000-01-01', '0001-01-01', '1582-10-10', '2024-02-29', '2023-02-29'),
  fc.constantFrom('9999-12-31', '2024-13-01', '-001-01-01', '+2024-01-01', 'infinity', 'today'),
)

/** Valid addresses of links, and some invalid ones. */
const url = fc.oneof(
  { arbitrary: fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }), weight: 4 },
  fc.constantFrom('http://a.example/', 'https://a:b@c.example/', 'https://a.example:99999/', '/a'),
)

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = { date: day, uri: url }

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })

/** A value that mostly fits the schema of a field. */
function fitting(shape: Shape, ids: readonly string[]): fc.Arbitrary<unknown> {
  const { enum: choices, pattern = '', minimum = 0, maximum = 9 } = shape
  const types = [shape.type].flat().filter((type) => type !== undefined)
  if (types.length > 1) {
    const some = fitting({ ...shape, type: types.filter((type) => type !== 'null') }, ids)
    return fc.oneof({ arbitrary: some, weight: 4 }, fc.constant(null))
  }
  if (choices) return fc.constantFrom(...choices)
  if (types.includes('integer')) return fc.integer({ min: minimum, max: Math.min(maximum, 30) })
  if (shape.items) return fc.uniqueArray(fitting(shape.items, ids), { maxLength: 5 })
  if (shape.properties) return partOf(fittingFields(shape.properties, ids))
  if (types.includes('object')) return fc.dictionary(fc.stringMatching(/^[a-z0-9]{1,3}$/), words)
  const formatted = formats[String(shape.format)]
  if (formatted) return formatted
  const own = ids.filter((id) => id.startsWith(pattern.slice(1, 5)))
  return own.length > 0 ? fc.constantFrom(...own) : words
}

/** All of the fields, or some. */
const partOf = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof(fc.record(fields), fc.record(fields, { requiredKeys: [] }))

const fittingFields = (shapes: Shapes, ids: readonly string[]) =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, fitting(shape, ids)]))

/** A valid object with some members changed, replaced by arbitrary values, or added. */
function edited(good: object, shapes: Shapes, { ids }: Fixture): fc.Arbitrary<Json> {
  const known = fc.constantFrom(...Object.keys(shapes))
  const change = known.chain((name) =>
    fc.tuple(fc.constant(name), fitting(shapes[name] ?? {}, Object.values(ids))),
  )
  const arbitraryMember = fc.tuple(fc.oneof(known, arbitraryText), arbitraryValue)
  const changes = fc.array(change, { minLength: 1, maxLength: 4 })
  const arbitraryMembers = fc.array(arbitraryMember, { minLength: 1, maxLength: 3 })
  return fc
    .oneof({ arbitrary: arbitraryMembers, weight: 2 }, changes)
    .map((members) => ({ ...good, ...Object.fromEntries(members) }))
}

const rowOf = (operation: Operation, fixture: Fixture): Json =>
  exampleFor(operation, fixture).data[0]

function editedRows(operation: Operation, fixture: Fixture): fc.Arbitrary<Json[]> {
  const row = edited(rowOf(operation, fixture), operation.rows?.properties ?? {}, fixture)
  return fc.array(row, { minLength: 1, maxLength: 3 })
}

/** A body for an operation, valid or not; or any JSON value. */
export function arbitraryBody(operation: Operation, fixture: Fixture): fc.Arbitrary<Json> {
  const { body, rows } = operation
  const like = rows
    ? editedRows(operation, fixture).map((data) => ({ data }))
    : edited(exampleFor(operation, fixture), body?.properties ?? {}, fixture)
  const member = fc
    .tuple(arbitraryText, arbitraryValue)
    .map(([name, data]) => ({ data, [name]: 1 }))
  return fc.oneof({ arbitrary: like, weight: 6 }, arbitraryValue, member)
}

/** Rows that a CSV table can represent, formulas included. */
export function validRows(operation: Operation, fixture: Fixture): fc.Arbitrary<Json[]> {
  const plain = words.map((text) => text.replaceAll(/\p{C}/gu, '-'))
  const start = fc.constantFrom('', '=', "'=", "''+", '-1', '@', '"', ';', ',', ' ', "'")
  const line = fc.tuple(start, plain).map(([first, rest]) => `${first}${rest}.`)
  const linkUrl = fc.constantFrom('https://a.example', 'https://b.example/;=1')
  const fields = {
    name: line,
    title: line,
    description: fc.option(fc.array(plain, { maxLength: 3 }).map((all) => `${all.join('\n')}\t.`)),
    tags: fc.uniqueArray(fc.stringMatching(/^[a-zåäö=+;-]{1,9}$/), { maxLength: 4 }),
    links: fc.array(fc.record({ title: line, url: linkUrl }, { noNullPrototype: true }), {
      maxLength: 3,
    }),
    metadata: fc.dictionary(fc.stringMatching(/^[a-z0-9]{1,9}$/), plain, {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  }
  const known = Object.entries(fields).filter(
    ([name]) => name in (operation.rows?.properties ?? {}),
  )
  const row = fc
    .record(Object.fromEntries(known))
    .map((given) => ({ ...newExampleFor(operation, fixture).data[0], ...given }))
  return fc.array(row, { minLength: 1, maxLength: 4 })
}

export const delimiter = fc.constantFrom(',', ';', '\t')

/** As a spreadsheet writes it, with every cell quoted. */
export function tableOf(rows: readonly Json[], between: string): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  // A column can be named `toString`, so inherited members do not count.
  const lines = rows.map((row) =>
    columns.map((column) => cellOf(Object.hasOwn(row, column) ? row[column] : null)),
  )
  return [columns, ...lines]
    .map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(between)}\r\n`)
    .join('')
}

export function cellOf(value: unknown): string {
  const isWords = Array.isArray(value) && !value.some((each) => typeof each === 'object')
  if (isWords) return value.map(textOf).join(' ')
  if (value === null || value === undefined) return ''
  const parts = textOf(value).split(/(?<=[;,\t\r\n])/)
  const isFormula = (part: string) => /^'*["\s]*?[=+\-@＝＋－＠\t\r]/.test(part)
  return parts.map((part) => (isFormula(part) ? `'${part}` : part)).join('')
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** A table with arbitrary columns and cells, a corrupted one, or arbitrary bytes. */
export function arbitraryTable(operation: Operation, fixture: Fixture): fc.Arbitrary<Buffer> {
  const tables = fc
    .tuple(editedRows(operation, fixture), delimiter)
    .map(([rows, between]) => tableOf(rows, between))
  const corrupted = fc
    .tuple(tables, fc.nat(), fc.oneof(arbitraryText, fc.constantFrom('"', ',', '\n', '\r', ';;')))
    .map(([table, at, inserted]) => {
      const place = at % table.length
      return table.slice(0, place) + inserted + table.slice(place + 1)
    })
  const texts = fc.oneof(tables, corrupted, arbitraryText).map((text) => Buffer.from(text))
  const bytes = fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each))
  return fc.oneof({ arbitrary: texts, weight: 9 }, bytes)
}
