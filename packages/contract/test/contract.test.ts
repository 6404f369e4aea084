import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  events,
  everyOperation,
  grants,
  instead,
  isGranted,
  type Operation,
  problems,
  problemsOf,
  scale,
  scopes,
  takesIfMatch,
} from '@muster/contract'
import { exampleOf, openapi } from '@muster/contract/openapi'
import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'

interface Schema {
  [name: string]: unknown
  type?: string | string[]
  description?: string
  examples?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  $ref?: string
}

interface Parameter {
  name: string
  description?: string
  examples?: { example: { value: unknown } }
}

interface Described {
  summary?: string
  description?: string
  parameters: Parameter[]
  requestBody?: { description?: string; content: Record<string, Content> }
  responses: Record<string, { description?: string; content?: Record<string, Content> }>
}

interface Content {
  schema: Schema
  example?: unknown
  examples?: Record<string, unknown>
}

const document = openapi() as {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema>; [kind: string]: Record<string, unknown> }
}
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
)

/** The component that a reference names, or the value itself. */
function resolve<T extends object>(value: T): T {
  if (!('$ref' in value)) return value
  const [kind = '', name = ''] = String(value.$ref).split('/').slice(2)
  return document.components[kind]?.[name] as T
}

const ajv = new Ajv2020({
  strict: true,
  // An alternative of `anyOf` requires a field that the schema around it defines.
  strictRequired: false,
  allowUnionTypes: true,
  keywords: ['x-extensible-enum'],
})
formats.default(ajv)

for (const { name, operation } of everyOperation()) {
  test(`${name} has a summary and a description that are sentences, and valid examples`, () => {
    assert.match(operation.summary, /^[A-Z].*\.$/)
    assert.match(operation.description, /^[A-Z].*\.$/)
    for (const schema of [operation.body, operation.response]) {
      if (schema === undefined) continue
      const isValid = ajv.compile(schema)
      assert.ok(isValid(exampleOf(schema)), JSON.stringify(isValid.errors))
    }
  })

  test(`${name} limits every input`, () => {
    const taken = [operation.params, operation.query, operation.body].filter(Boolean)
    for (const schema of taken) assertBounded(schema as unknown as Schema, name)
  })

  test(`${name} lists existing problems without duplicates`, () => {
    const named = problemsOf(operation)
    assert.equal(new Set(named).size, named.length)
    for (const problem of named) assert.ok(problems[problem])
  })
}

/** The keywords that limit a schema of this type. */
function boundsOf(schema: Schema): string[] {
  const types = new Set([schema.type].flat())
  return [
    ...(types.has('string') && !('enum' in schema) ? ['maxLength'] : []),
    ...(types.has('integer') ? ['minimum', 'maximum'] : []),
    ...(types.has('array') ? ['maxItems'] : []),
    ...(types.has('object') && !schema.properties ? ['maxProperties', 'propertyNames'] : []),
  ]
}

function assertBounded(schema: Schema, where: string): void {
  for (const bound of boundsOf(schema)) assert.ok(bound in schema, `${where} has no ${bound}`)
  if (schema['uniqueItems'] === true) {
    assert.notEqual(schema.items?.type, 'object', `${where}: comparing objects is quadratic`)
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    assertBounded(field, `${where} ${name}`)
  }
  if (schema.items) assertBounded(schema.items, `${where} items`)
  if (typeof schema['additionalProperties'] === 'object') {
    assertBounded(schema['additionalProperties'] as Schema, `${where} values`)
  }
}

test('rejects unknown fields in bodies and queries', () => {
  for (const { name, operation } of everyOperation()) {
    for (const schema of [operation.body, operation.query]) {
      if (schema) assert.ok('additionalProperties' in schema && !schema.additionalProperties, name)
    }
  }
})

test('the alternative to an unsupported method is an existing operation', () => {
  const offered = new Set(
    everyOperation().map(({ operation }) => `${operation.method} ${operation.path}`),
  )
  for (const [refused, advice] of Object.entries(instead)) {
    const [, path = ''] = refused.split(' ')
    assert.ok(!offered.has(refused), `${refused} is an operation`)
    assert.ok(
      [...offered].some((each) => each.endsWith(` ${path}`)),
      `${path} does not exist`,
    )
    const [advised = ''] = /POST \/v1\/[^\s]*[a-z}]/.exec(advice) ?? []
    assert.ok(offered.has(advised), `${refused}: ${advised} does not exist`)
  }
})

test('declares exactly the path parameters of each path', () => {
  for (const { name, operation } of everyOperation()) {
    const named = Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, parameter]) => parameter)
    assert.deepEqual(Object.keys(operation.params?.properties ?? {}), named, name)
  }
})

test('no two operations have the same method and path', () => {
  const routes = everyOperation().map(({ operation: { method, path } }) => `${method} ${path}`)
  assert.equal(new Set(routes).size, routes.length)
})

/**
 * Sessions, links, accounts and passkeys take no sequence number: the audit log records them. A
 * planned departure is confidential until it is carried out, which is numbered.
 */
const unnumbered = new Set([
  'departures.cancel',
  'sessions.end',
  'sessions.end_of_person',
  'links.create',
  'passkeys.rename',
  'passkeys.remove',
  'person_sign_in.remove_identity',
  'person_sign_in.remove_passkey',
  'sign_in.test',
  'sign_in.check',
])

test('writes declare their events, and reads declare none', () => {
  for (const { name, operation } of everyOperation()) {
    const declared = operation.events ?? []
    const isNumbered = operation.method !== 'GET' && !unnumbered.has(name)
    assert.equal(declared.length > 0, isNumbered, name)
    for (const event of declared) assert.ok(Object.hasOwn(events, event), `${name} ${event}`)
  }
})

test('events of no operation come from an administrator, the service or the clock', () => {
  const declared = new Set(everyOperation().flatMap(({ operation }) => operation.events ?? []))
  const others = Object.keys(events).filter((event) => !declared.has(event as keyof typeof events))
  const byAdministrator = ['workspace.suspended', 'workspace.resumed', 'workspace.imported']
  const byService = ['key.refused']
  const byTime = ['risk.flagged', 'issue.flagged', 'key.expiring']
  assert.deepEqual(others.toSorted(), [...byAdministrator, ...byService, ...byTime].toSorted())
})

test('operations with If-Match have a view that returns the version', () => {
  const guarded = everyOperation().filter(({ operation }) => takesIfMatch(operation))
  assert.ok(guarded.length > 10)
  for (const { name, operation } of guarded) {
    const views = everyOperation().filter(
      ({ operation: { method, response } }) =>
        method === 'GET' && 'version' in ((response as unknown as Schema).properties ?? {}),
    )
    assert.ok(
      views.some((each) => operation.path.startsWith(each.operation.path)),
      name,
    )
    for (const problem of ['version_mismatch', 'weak_etag'] as const) {
      assert.ok(problemsOf(operation).includes(problem), name)
    }
  }
})

test('a batch accepts every column of the export', () => {
  const batches = everyOperation().filter(({ operation }) => operation.rows)
  assert.ok(batches.length > 0)
  for (const { name, operation } of batches) {
    const { rows, alsoColumns, body, response } = operation
    const { data } = (body as unknown as Schema).properties ?? {}
    assert.equal(data?.items, rows, name)
    const made = (response as unknown as Schema).properties?.['data']?.items?.properties ?? {}
    const known = { ...rows?.properties, ...alsoColumns?.properties }
    for (const field of Object.keys(made)) assert.ok(field in known, `${name} ${field}`)
  }
})

for (const { name, operation } of described) {
  test(`${name}: every parameter, body and response has a description and an example`, () => {
    assert.ok(operation.summary && operation.description)
    for (const parameter of operation.parameters.map(resolve)) {
      assert.ok(parameter.description, parameter.name)
      assert.notEqual(parameter.examples?.example.value, undefined, parameter.name)
    }
    const bodies = [operation.requestBody, ...Object.values(operation.responses).map(resolve)]
    for (const body of bodies) {
      if (body === undefined) continue
      assert.ok(body.description)
      for (const [type, content] of Object.entries(body.content ?? {})) {
        assert.ok(content.example ?? content.examples, `${type} has no example`)
      }
    }
  })
}

test('every field of every schema has a description and an example', () => {
  const visit = (schema: Schema, where: string) => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const here = `${where}.${name}`
      if (field.$ref ?? field.anyOf?.[0]?.$ref) continue
      assert.ok(field.description, `${here} has no description`)
      const isPlain = !field.properties && !field.items
      if (isPlain) assert.ok(field.examples?.length, `${here} has no example`)
      visit(field, here)
      if (field.items) visit(field.items, `${here}[]`)
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    assert.ok(schema.description, name)
    visit(schema, name)
  }
})

test('a .manage scope grants its .read scope and no other area', () => {
  for (const held of scopes) {
    const [area] = held.split('.')
    for (const needed of scopes) {
      const isOwn = needed.split('.')[0] === area
      const expected = isOwn && (held.endsWith('.manage') || needed.endsWith('.read'))
      assert.equal(isGranted([held], needed), expected, `${held} for ${needed}`)
    }
  }
  assert.deepEqual(Object.keys(grants), scopes)
})

test('the levels cover every score exactly once', () => {
  const scores = scale.levels.flatMap(({ score_min, score_max }) =>
    Array.from({ length: score_max - score_min + 1 }, (_, index) => score_min + index),
  )
  assert.deepEqual(
    scores,
    Array.from({ length: 25 }, (_, index) => index + 1),
  )
})

test('the five specified endpoints keep their method, path and scope', () => {
  const given = {
    'personnel.list': ['GET', '/v1/personnel', 'personnel.read'],
    'personnel.create': ['POST', '/v1/personnel', 'personnel.manage'],
    'groups.list': ['GET', '/v1/groups', 'personnel.read'],
    'risks.list': ['GET', '/v1/risks', 'projects.read'],
    'issues.list': ['GET', '/v1/issues', 'projects.read'],
  }
  const byName = new Map<string, Operation>(
    everyOperation().map(({ name, operation }) => [name, operation]),
  )
  for (const [name, expected] of Object.entries(given)) {
    const operation = byName.get(name)
    assert.deepEqual([operation?.method, operation?.path, operation?.scope], expected)
  }
})

test('a problem has a valid name, a status and texts that are sentences', () => {
  for (const [name, { status, title, happened, fix }] of Object.entries(problems)) {
    assert.match(name, /^[a-z_]+$/)
    assert.ok(status >= 400 && status < 600)
    for (const sentence of [title, happened, fix]) assert.match(sentence, /^[A-Z].*\.$/s, name)
  }
})
