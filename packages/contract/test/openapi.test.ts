import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openapi } from '@muster/contract/openapi'

type Json = Record<string, unknown>

interface Described {
  readonly parameters: Json[]
  readonly responses: Record<string, Body>
  readonly requestBody?: Body
}

interface Body extends Json {
  readonly content?: Record<string, { readonly schema: Json; readonly example: unknown }>
}

const document = JSON.parse(JSON.stringify(openapi())) as {
  paths: Record<string, Record<string, Described>>
  components: { parameters: Json; responses: Json; schemas: Record<string, Json> }
}
const operations = Object.values(document.paths).flatMap((path) => Object.values(path))

function* patternsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, each] of Object.entries(value)) {
    if (name === 'pattern' && typeof each === 'string') yield each
    else yield* patternsIn(each)
  }
}

test('the patterns of the document are regular in every language', () => {
  const patterns = new Set(patternsIn(document))
  assert.ok(patterns.size > 15, `found ${patterns.size}`)
  for (const pattern of patterns) {
    assert.doesNotMatch(pattern, /\\[pPkuxB]|\(\?[=!<]|\\\d/, pattern)
    // Without the flags `u` and `v`: an escape that these flags define would mean another text.
    assert.ok(new RegExp(pattern))
  }
})

/** Asserts that each text of the value matches the pattern of its field; counts the patterns. */
function matchPatterns(schema: Json, value: unknown): number {
  const { $ref, pattern, properties = {}, items } = schema
  if (typeof $ref === 'string') {
    return matchPatterns(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}, value)
  }
  if (typeof pattern === 'string' && typeof value === 'string') {
    assert.match(value, new RegExp(pattern))
    return 1
  }
  const fields = Object.entries(properties as Record<string, Json>)
  const inFields = fields.map(([name, each]) => matchPatterns(each, (value as Json | null)?.[name]))
  const inItems = Array.isArray(value)
    ? value.map((each) => matchPatterns(items as Json, each))
    : []
  return [...inFields, ...inItems].reduce((sum, count) => sum + count, 0)
}

test('the examples of bodies and responses match the patterns of the document', () => {
  const contents = operations.flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap(
      (each) => each?.content?.['application/json'] ?? [],
    ),
  )
  const counts = contents.map(({ schema, example }) => matchPatterns(schema, example))
  const total = counts.reduce((sum, count) => sum + count, 0)
  assert.ok(total > 200, `matched ${total}`)
})

test('what several operations share is written once', () => {
  const parameters = operations.flatMap((each) => each.parameters)
  const responses = operations.flatMap((each) => Object.values(each.responses))
  const repeated = (all: readonly Json[]) => {
    const texts = all.filter((each) => !('$ref' in each)).map((each) => JSON.stringify(each))
    return texts.filter((text, index) => texts.indexOf(text) !== index)
  }
  const problems = responses.filter((each) => /problem\+json/.test(JSON.stringify(each)))
  assert.deepEqual(repeated(problems), [])
  const sharedNames = new Set(Object.keys(document.components.parameters))
  const twice = repeated(parameters).filter((text) => {
    const { in: place, name } = JSON.parse(text) as { in: string; name: string }
    return !sharedNames.has(`${place}_${name}`)
  })
  assert.deepEqual(twice, [])
  assert.ok(sharedNames.has('query_limit') && sharedNames.has('header_If-Match'))
  const names = Object.keys(document.components.responses)
  assert.ok(names.includes('unchanged') && names.includes('problem_401'))
})
