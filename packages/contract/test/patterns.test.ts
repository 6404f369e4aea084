import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

import { everyOperation, keyPattern } from '@muster/contract'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { check } from 'recheck'

/** The keywords of a schema that constrain strings. */
interface Schema {
  readonly pattern?: string
  readonly maxLength?: number
  readonly format?: string
  readonly [keyword: string]: unknown
}

/** A parameter can be called `format`, too. */
const isText = ({ pattern, format }: Schema) =>
  [pattern, format].some((keyword) => typeof keyword === 'string')

/** The schema itself and every nested schema. */
function* within(schema: unknown): Generator<Schema> {
  if (typeof schema !== 'object' || schema === null) return
  if (!Array.isArray(schema)) yield schema as Schema
  for (const inner of Object.values(schema)) yield* within(inner)
}

const inputs = everyOperation().flatMap(({ name, operation }) =>
  [operation.params, operation.query, operation.body, operation.rows].flatMap((part) =>
    [...within(part)].map((schema) => ({ name, schema })),
  ),
)

/** The pattern of metadata keys limits their length itself. */
const isBounded = ({ pattern = '', maxLength }: Schema) =>
  maxLength !== undefined || /^\^\S*\{\d+,\d+\}\$$/.test(pattern)

test('every input with a pattern or format has a length limit', () => {
  const unlimited = inputs.filter(({ schema }) => isText(schema) && !isBounded(schema))
  assert.deepEqual(unlimited, [])
  assert.ok(inputs.filter(({ schema }) => schema.pattern !== undefined).length > 100)
})

const api = new URL('../../api/src/http/', import.meta.url)
const domain = new URL('../../api/src/domain/', import.meta.url)

/** The regular expression literals of the layers that read input. */
function literals(): Map<string, string> {
  const found = new Map<string, string>()
  for (const folder of [api, domain]) {
    for (const file of globSync('**/*.ts', { cwd: folder })) {
      const source = readFileSync(new URL(file, folder), 'utf8')
      // After one of these characters a slash starts a regular expression.
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
  ...inputs.flatMap(({ schema }) => (schema.pattern === undefined ? [] : [schema.pattern])),
])

test('every pattern of the contract is safe from ReDoS', { timeout: 120_000 }, async () => {
  for (const pattern of patterns) assert.equal(await statusOf(pattern, 'u'), 'safe', pattern)
})

test('every format of the contract is safe from ReDoS', async () => {
  const texts = inputs.filter(({ schema }) => isText(schema))
  const names = new Set(texts.flatMap(({ schema }) => schema.format ?? []))
  assert.ok(names.has('email'))
  for (const [name, format] of Object.entries(fullFormats)) {
    if (!names.has(name) || !(format instanceof RegExp)) continue
    assert.equal(await statusOf(format.source, format.flags), 'safe', name)
  }
})

test(
  'every regular expression that reads input is safe from ReDoS',
  { timeout: 120_000 },
  async () => {
    const all = literals()
    assert.ok(all.size > 20, `found ${all.size}`)
    for (const [text, file] of all) {
      const end = text.lastIndexOf('/')
      const status = await statusOf(text.slice(1, end), text.slice(end + 1))
      assert.equal(status, 'safe', `${text} in ${file}`)
    }
  },
)

test('the ReDoS check detects a vulnerable expression', async () => {
  assert.equal(await statusOf('^(a+)+$', ''), 'vulnerable')
  assert.equal(await statusOf('^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', ''), 'vulnerable')
})
