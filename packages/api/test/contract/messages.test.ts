import assert from 'node:assert/strict'
import { test } from 'node:test'

import { everyOperation } from '@muster/contract'

import { Failure } from '#domain/engine/failure'
import { checkBody, compile, parameterError } from '#http/request/validate'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const client = await (await newWorkspace(host)).manager()

const wrongTexts = ['', ' ', 'x', 'a\u0001b', 'x'.repeat(9000), '2026-02-30', 'ID_0']
const wrongLists = [[], ['x', 'x'], [' '], Array<string>(2000).fill('x')]
const wrongObjects = [{}, { x: 1 }, { '?': 'x' }, { k: 'a\u0001b' }]
const wrongOthers = [-1, 1.5, 10 ** 17, true, null]
const wrongValues: unknown[] = [...wrongTexts, ...wrongLists, ...wrongObjects, ...wrongOthers]

/** The messages of validation about wrong values of each field of each operation. */
function messages(): Set<string> {
  const operations = everyOperation().map(({ operation }) => operation)
  const parameters = operations.flatMap(({ query }) => Object.values(query?.properties ?? {}))
  const inQueries = parameters
    .map(compile)
    .flatMap((validate) => wrongValues.map((value) => parameterError(validate, value) ?? ''))
  const inBodies = operations.flatMap(({ body }) => {
    if (body === undefined) return []
    const validate = compile(body)
    const names = Object.keys(body.properties)
    return names.flatMap((name) => wrongValues.flatMap((value) => inBody(validate, name, value)))
  })
  return new Set([...inQueries, ...inBodies].filter((message) => message !== ''))
}

function inBody(validate: ReturnType<typeof compile>, name: string, value: unknown): string[] {
  try {
    checkBody(validate, { [name]: value })
    return []
  } catch (thrown) {
    assert.ok(thrown instanceof Failure)
    const { errors } = thrown.extras as { errors: { detail: string }[] }
    return errors.map(({ detail }) => detail)
  }
}

test('every message about a value says what is expected, in words', () => {
  const found = messages()
  assert.ok(found.size > 50, `${found.size} messages`)
  for (const message of found) {
    assert.match(message, /^(?:must|is|has) /, message)
    assert.doesNotMatch(message, /NOT|pattern|propert|format "|schema|undefined|\(s\)|\.$/, message)
  }
})

const idOf = async (path: string) => (await client.get(`${path}?limit=1`)).body.data[0].id as string

test('a refusal states what to send instead', async () => {
  const person = (await client.post('/v1/personnel', { name: 'Ada Lovelace' })).body.id as string
  const project = (await client.post('/v1/projects', { code: 'TUN', name: 'Tunnel' })).body
  const refused = async (answer: Promise<{ body: { detail: string } }>) =>
    (await answer).body.detail
  const got = async (path: string) => refused(client.get(path))
  assert.equal(
    await got('/v1/risks?project_id=TUN'),
    'The parameter project_id must be the id of a project, which starts with prj_.',
  )
  assert.equal(
    await got('/v1/risks?owner_user_id=mara'),
    'The parameter owner_user_id must be the id of a person, which starts with usr_, or none.',
  )
  assert.equal(
    await got('/v1/issues?opened_from=2026-11-11T00:00:00Z'),
    'The parameter opened_from must be a valid date, as YYYY-MM-DD.',
  )
  for (const name of ['page', 'per_page', 'offset']) {
    assert.match(await got(`/v1/risks?${name}=2`), /has no parameter \w+\. For pages, set `limit`/)
  }
  assert.match(await got('/v1/personnel?sort_by=name'), /Use `sort`/)
  assert.match(await got('/v1/personnel?search=ada'), /Use `q`/)
  assert.match(await got('/v1/risks?expand=people'), /Use `include`/)
  assert.match(await got('/v1/risks?fields=title'), /always has all fields/)

  assert.equal(
    await refused(client.post('/v1/personnel', { name: ' ' })),
    '/name must be one line of text with a visible character.',
  )
  const depart = client.post(`/v1/personnel/${person}/depart`, { reason: 'Left' })
  assert.match(
    await refused(depart),
    /^\/reason is not a known field; did you mean status_reason\? Known fields: .*status_reason/,
  )
  const weather = client.post('/v1/projects', { code: 'DAM', name: 'Dam', weather: 5 })
  assert.match(await refused(weather), /^\/weather is not a known field\. Known fields: .*name/)
  const large = client.post('/v1/personnel', { name: 'x'.repeat(70_000) })
  assert.equal(await refused(large), 'A body of this operation has at most 65536 bytes.')
  const rows = { data: [{ title: 'Flood', likelihood: 3, impact: 9 }] }
  const batch = client.post(`/v1/projects/${project.id}/risks/batch`, rows)
  assert.equal(await refused(batch), '/data/0/impact must be from 1 to 5.')
})

test('a read with a slash at its end is redirected', async () => {
  const read = (path: string, method = 'GET') =>
    fetch(`${host.base}${path}`, { method, redirect: 'manual' })
  const answer = await read('/v1/personnel/?limit=2')
  assert.deepEqual([answer.status, answer.headers.get('location')], [308, '/v1/personnel?limit=2'])
  const person = await idOf('/v1/personnel')
  const one = await read(`/v1/personnel/${person}/`)
  assert.equal(one.headers.get('location'), `/v1/personnel/${person}`)
  for (const path of ['/v1/people/', '/v1//', '//v1/personnel/', '/v1/personnel//']) {
    assert.equal((await read(path)).status, 404, path)
  }
  assert.equal((await read('/v1/personnel/', 'POST')).status, 404)
})
