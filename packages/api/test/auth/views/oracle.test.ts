import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isGranted, isList, type ListOperation, type Operation } from '@muster/contract'

import { addPerson } from '#test/auth/people'
import { listVariants } from '#test/contract/lists'
import type { Client, Json } from '#test/support/client'
import { requiredQuery } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { newWorkspace, startHost } from '#test/support/workspace'

import { bindKey, everyBoundScope, fillProject } from './bound-keys.ts'

/**
 * A differential oracle: a bound key reads everything that it can read, then a project outside its
 * view is filled with a word that is in every text of it, and the key reads everything again. The
 * answers have the same bytes, but for the numbers of the workspace.
 */
const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const email = 'owner@example.com'
const owner = await addPerson(manager, { name: 'Owner', email })
const group = (await manager.post('/v1/groups', { name: 'Dams', member_user_ids: [owner] })).body.id
const shown = [
  await fillProject(manager, { code: 'ONE', about: 'gates', userId: owner }),
  await fillProject(manager, { code: 'TWO', about: 'weir', userId: owner }),
]
const canary = 'canarybird'
const { client: reader } = await bindKey(
  manager,
  shown.map(({ id }) => id),
)

const ids = {
  usr: [owner],
  grp: [group],
  prj: shown.map(({ id }) => id),
  rsk: shown.flatMap(({ risks }) => risks),
  iss: shown.flatMap(({ issues }) => issues),
  code: ['ONE', 'TWO'],
  email: [email, 'unknown@example.com'],
}
const parameters: Readonly<Record<string, string>> = {
  user_id: owner,
  group_id: group,
  project_id: ids.prj[0] ?? '',
  risk_id: ids.rsk[0] ?? '',
  issue_id: ids.iss[0] ?? '',
  task_id: shown[0]?.tasks[0] ?? '',
}
const isReadable = ({ method, scope, path }: Operation) =>
  method === 'GET' && isGranted(everyBoundScope, scope) && !path.includes('{key_id}')
const readable = keyOperations().filter(({ operation }) => isReadable(operation))
const fill = ({ path }: Operation) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? assert.fail(name)) +
  requiredQuery(path)

interface Request {
  readonly path: string
  readonly accept?: string
}

const withQuery = (path: string, query: object) => {
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)])
  const text = new URLSearchParams(entries).toString()
  return text === '' ? path : `${path}?${text}`
}

/** Every filter and order of a list, in every format, by pages, and with everything included. */
function requestsFor(name: string, operation: ListOperation): Request[] {
  const path = fill(operation)
  const variants = listVariants(ids).filter((each) => each.name.split(' ')[0] === name)
  const granted = Object.entries(operation.includes).flatMap(([extra, need]) =>
    need === undefined || isGranted(everyBoundScope, need.scope) ? [extra] : [],
  )
  const include = ['total_count', ...granted].join(',')
  // Some extras need a page.
  const complete = include.split(',').filter((each) => !operation.includes[each]?.limitMax)
  const words = ['q', 'tag'].filter((word) => word in operation.query.properties)
  const queries = [
    ...variants.map(({ query }) => query),
    ...words.map((word) => ({ [word]: canary })),
  ]
  return queries.flatMap((query) => [
    { path: withQuery(path, query) },
    { path: withQuery(path, query), accept: 'text/csv' },
    { path: withQuery(path, query), accept: 'application/x-ndjson' },
    { path: withQuery(path, { ...query, include, limit: 3 }) },
    { path: withQuery(path, { ...query, include: complete.join(',') }) },
  ])
}

const requests = readable.flatMap(({ name, operation }) =>
  isList(operation) ? requestsFor(name, operation) : summariesFor(operation),
)

/** A summary takes the filters of its list. */
function summariesFor(operation: Operation): Request[] {
  const path = fill(operation)
  const list = readable.find(({ operation: each }) => `${each.path}/summary` === path)
  if (list === undefined) return [{ path }]
  const taken = Object.keys(operation.query?.properties ?? {})
  const variants = listVariants(ids)
    .filter(({ name }) => name.split(' ')[0] === list.name)
    .filter(({ query }) => Object.keys(query).every((name) => taken.includes(name)))
  return variants.map(({ query }) => ({ path: withQuery(path, query) }))
}

/** The numbers of the workspace, which every write moves, and what depends on the clock. */
const unstable =
  /"(?:as_of|last_used_at|through|until)":(?:\d+|null|"[^"]*")|seq=\d+|"position":"[^"]*",(?="has_more")/g

async function answerTo(client: Client, { path, accept = 'application/json' }: Request) {
  const pages: string[] = []
  for (let next: string | null = path; next !== null;) {
    const { status, text, headers } = await client.get(next, { accept })
    assert.ok(status < 300, `${next} ${text}`)
    pages.push(text.replaceAll(unstable, '').replaceAll(/"next_cursor":"[^"]*"/g, ''))
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null
  }
  return pages
}

async function readEverything(): Promise<Map<string, string[]>> {
  const answers = new Map<string, string[]>()
  for (const request of requests) {
    answers.set(`${request.path} ${request.accept}`, await answerTo(reader, request))
  }
  return answers
}

const before = await readEverything()
const hidden = await fillProject(manager, { code: 'CANARY', about: canary, userId: owner })

test('asks every operation that a bound key can read', () => {
  assert.ok(readable.length > 15, readable.map(({ name }) => name).join())
  assert.ok(requests.length > 500, `${requests.length} requests`)
  const texts = [...before.values()].flat()
  assert.ok(texts.filter((text) => text.includes('gates')).length > 200)
})

test('a project outside the view changes no answer', async () => {
  const after = await readEverything()
  for (const [request, pages] of before) {
    assert.deepEqual(after.get(request), pages, request)
    assert.ok(!pages.join('').includes(canary), request)
  }
})

test('the same requests by an unbound key do show it', async () => {
  const shows = async (request: Request) =>
    (await answerTo(manager, request)).join('').includes(canary)
  const isShown = await Promise.all(
    ['/v1/risks', '/v1/issues', '/v1/projects', '/v1/tasks', '/v1/acceptances'].map((path) =>
      shows({ path }),
    ),
  )
  assert.deepEqual(isShown, [true, true, true, true, true])
})

test('naming what is hidden gives the answer for an unknown id', async () => {
  const known: Readonly<Record<string, string | undefined>> = {
    prj: hidden.id,
    rsk: hidden.risks[0],
    iss: hidden.issues[0],
  }
  let asked = 0
  for (const { operation } of readable.filter((each) => isList(each.operation))) {
    for (const [filter, schema] of Object.entries(operation.query?.properties ?? {})) {
      const [, prefix = ''] = /\^(?:\(\?:none\|)?(prj|rsk|iss)_/.exec(JSON.stringify(schema)) ?? []
      const id = known[prefix]
      if (id === undefined) continue
      asked += 1
      const answersFor = async (value: string) => ({
        one: await answerTo(reader, { path: withQuery(fill(operation), { [filter]: value }) }),
        two: await answerTo(reader, {
          path: withQuery(fill(operation), { [filter]: `${value},${ids.prj[0]}` }),
        }).catch(() => null),
      })
      const unknown = `${prefix}_01ktrr9d3hen4v9q9t9m2g8x5c`
      assert.deepEqual(await answersFor(id), await answersFor(unknown), filter)
    }
  }
  assert.ok(asked > 6, `${asked} filters`)
})

test('naming what is hidden by a code, a reference or an external id finds nothing', async () => {
  const names: Readonly<Record<string, readonly string[]>> = {
    code: ['CANARY'],
    project_code: ['CANARY'],
    ref: ['CANARY-R1', 'CANARY-I1', 'CANARY-T1'],
    external_id: Array.from({ length: 9 }, (_, index) => `${canary}-${index}`),
  }
  let asked = 0
  for (const { operation } of readable.filter((each) => isList(each.operation))) {
    for (const [filter, values] of Object.entries(names)) {
      if (!(filter in (operation.query?.properties ?? {}))) continue
      const path = withQuery(fill(operation), { [filter]: values.join() })
      const { body } = await reader.get(path)
      assert.deepEqual(body.data, [], path)
      const ofAll = await manager.get(path)
      if (ofAll.body.count > 0) asked += 1
    }
  }
  assert.ok(asked > 10, `an unbound key finds records by ${asked} filters`)
})

test('an ETag has the view, and none of a key that sees all projects', async () => {
  const tag = async (client: Client) =>
    (await client.get('/v1/risks?limit=1')).headers.get('etag') ?? ''
  const [bound, free] = [await tag(reader), await tag(manager)]
  assert.match(bound, /\.v[0-9a-f]{16}\.r\d+"$/)
  assert.match(free, /^W\/"[0-9a-f]+(?:\.[a-u]\d+)+\.r\d+"$/)
  const other = (await bindKey(manager, [shown[0]?.id ?? ''])).client
  assert.notEqual(await tag(other), bound)
  const isFresh = async (client: Client, etag: string) =>
    (await client.get('/v1/risks?limit=1', { 'if-none-match': etag })).status === 304
  const fresh = [await isFresh(reader, bound), await isFresh(other, bound)]
  assert.deepEqual(
    [...fresh, await isFresh(manager, bound), await isFresh(reader, free)],
    [true, false, false, false],
  )
})

test('a moved item is seen where it is now, and the issue of an occurred risk is not', async () => {
  const to: Json = { if_live_items: 'transfer', to_project_id: hidden.id }
  const [, second] = shown
  assert.ok(second)
  const moved = await manager.post(`/v1/projects/${second.id}/archive`, to)
  assert.equal(moved.status, 200, moved.text)
  const here = `/v1/projects/${second.id}`
  assert.equal((await reader.get(`${here}/risks/${second.risks[0]}`)).status, 404)
  assert.equal((await reader.get(`/v1/projects/${hidden.id}/risks/${second.risks[0]}`)).status, 404)
  // An occurred risk stays, and names the issue that was moved.
  const occurred = await reader.get(`${here}/risks/${second.risks[3]}`)
  const [issueId] = occurred.body.issue_ids
  assert.equal((await manager.get(`/v1/projects/${hidden.id}/issues/${issueId}`)).status, 200)
  assert.equal((await reader.get(`${here}/issues/${issueId}`)).status, 404)
  const repeated = await reader.post(`${here}/risks/${second.risks[3]}/occur`, {})
  assert.equal(`${repeated.status} ${repeated.body.code}`, '409 invalid_transition')
  const csv = await reader.get(`/v1/risks/closed`, { accept: 'text/csv' })
  const ref = (await manager.get(`/v1/projects/${hidden.id}/issues/${issueId}`)).body.ref
  assert.ok(csv.text.includes(issueId) && !csv.text.includes(ref), csv.text)
})
