import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

import { everyOperation, keyPattern } from '@muster/contract'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { check } from 'recheck'

/** A schema, as far as text is concerned. */
interface Schema {
  readonly pattern?: string
  readonly maxLength?: number
  readonly format?: string
  readonly [keyword: string]: unknown
}

/** Every schema within a schema, itself included. */
function* within(schema: unknown): Generator<Schema> {
  if (typeof schema !== 'object' || schema === null) return
  if (!Array.isArray(schema)) yield schema as Schema
  for (const inner of Object.values(schema)) yield* within(inner)
}

const taken = everyOperation().flatMap(({ name, operation }) =>
  [operation.params, operation.query, operation.body, operation.rows].flatMap((part) =>
    [...within(part)].map((schema) => ({ name, schema })),
  ),
)

/** The names of metadata are bounded by their pattern itself. */
const isBounded = ({ pattern = '', maxLength }: Schema) =>
  maxLength !== undefined || /^\^\S*\{\d+,\d+\}\$$/.test(pattern)

test('no pattern or format meets text of any length', () => {
  const loose = taken.filter(
    ({ schema }) => (schema.pattern ?? schema.format) !== undefined && !isBounded(schema),
  )
  assert.deepEqual(loose, [])
  assert.ok(taken.filter(({ schema }) => schema.pattern !== undefined).length > 100)
})

const api = new URL('../../api/src/http/', import.meta.url)
const domain = new URL('../../api/src/domain/', import.meta.url)

/** The literals of the layers that read what someone sent. */
function literals(): Map<string, string> {
  const found = new Map<string, string>()
  for (const folder of [api, domain]) {
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts'))) {
      const source = readFileSync(new URL(file, folder), 'utf8')
      // After one of these marks a slash begins an expression, and is no division or comment.
      for (const [, body = '', flags = ''] of source.matchAll(literal)) {
        found.set(`/${body}/${flags}`, file)
      }
    }
  }
  return found
}

const literal = /[(=:,!&|?]\s*\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([a-z]*)/g

async function statusOf(source: string, flags: string): Promise<string> {
  const { status } = await check(source, flags, { timeout: 30_000 })
  return status
}

const patterns = new Set([
  keyPattern,
  ...taken.flatMap(({ schema }) => (schema.pattern === undefined ? [] : [schema.pattern])),
])

test('every pattern of the contract is safe', { timeout: 120_000 }, async () => {
  for (const pattern of patterns) assert.equal(await statusOf(pattern, 'u'), 'safe', pattern)
})

test('every format of the contract that is an expression is safe', async () => {
  const names = new Set(taken.flatMap(({ schema }) => schema.format ?? []))
  assert.ok(names.has('email'))
  for (const [name, format] of Object.entries(fullFormats)) {
    if (!names.has(name) || !(format instanceof RegExp)) continue
    assert.equal(await statusOf(format.source, format.flags), 'safe', name)
  }
})

test('every expression that meets what someone sent is safe', { timeout: 120_000 }, async () => {
  const all = literals()
  assert.ok(all.size > 20, `${all.size} were found`)
  for (const [text, file] of all) {
    const end = text.lastIndexOf('/')
    const status = await statusOf(text.slice(1, end), text.slice(end + 1))
    assert.equal(status, 'safe', `${text} in ${file}`)
  }
})

test('an expression that is not safe would be noticed', async () => {
  assert.equal(await statusOf('^(a+)+$', ''), 'vulnerable')
  assert.equal(await statusOf('^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', ''), 'vulnerable')
})
