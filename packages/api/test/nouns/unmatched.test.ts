import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isList, type ValueFilter, valueFiltersOf } from '@muster/contract'

import { outcome } from '#test/auth/browser'
import { bindKey } from '#test/auth/views/bound-keys'
import type { Client, Json } from '#test/support/client'
import { keyOperations } from '#test/support/operations'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

async function post(path: string, body: object): Promise<Json> {
  const reply = await manager.post(path, body)
  assert.ok(reply.status < 300, reply.text)
  return reply.body
}

/** One record of each kind, with every value that a filter takes. */
const ada = await post('/v1/personnel', {
  name: 'Ada',
  email: 'Ada@Example.com',
  external_id: 'HR-1',
})
await post('/v1/groups', { name: 'Dams and Gates', external_id: 'OU-1' })
const dam = await post('/v1/projects', { code: 'DAM', name: 'Dam', external_id: 'P-1' })
const here = `/v1/projects/${dam.id}`
const rated = { likelihood: 2, impact: 2, owner_user_id: ada.id }
await post(`${here}/risks`, { title: 'Seepage', external_id: 'R-1', ...rated })
const closedRisk = await post(`${here}/risks`, { title: 'Flood', external_id: 'R-2', ...rated })
await post(`${here}/risks/${closedRisk.id}/close`, { close_reason: 'treated' })
const assigned = { severity: 2, assignee_user_id: ada.id }
await post(`${here}/issues`, { title: 'Leak', external_id: 'I-1', ...assigned })
const closedIssue = await post(`${here}/issues`, {
  title: 'Crack',
  external_id: 'I-2',
  ...assigned,
})
await post(`${here}/issues/${closedIssue.id}/close`, { close_reason: 'resolved' })
await post(`${here}/tasks`, { title: 'Measure', external_id: 'T-1', assignee_user_id: ada.id })

async function unmatched(path: string, client: Client = manager): Promise<Json> {
  const join = path.includes('?') ? '&' : '?'
  const complete = await client.get(`${path}${join}include=unmatched`)
  assert.equal(complete.status, 200, complete.text)
  const page = await client.get(`${path}${join}include=unmatched&limit=1`)
  assert.deepEqual(page.body.unmatched, complete.body.unmatched, 'a page has the same')
  return complete.body.unmatched
}

const lists = keyOperations().flatMap(({ name, operation }) => {
  if (!isList(operation)) return []
  const filters = valueFiltersOf(operation.query.properties)
  return [{ name, path: operation.path.replace('{project_id}', dam.id), operation, filters }]
})

/** A value that nothing has, and where an item of a list has its value. */
const filterValues: Record<ValueFilter, { unknown: string; known: (item: Json) => string }> = {
  external_id: { unknown: 'HR-9[]', known: (item) => item.external_id },
  email: { unknown: 'unknown@example.com', known: ({ email }) => email.toUpperCase() },
  ref: { unknown: 'DAM-R99', known: ({ ref }) => ref },
  code: { unknown: 'NONE', known: ({ code }) => code },
  name: { unknown: 'Unknown', known: ({ name }) => name.toLowerCase() },
  project_code: { unknown: 'NONE', known: () => 'DAM' },
  owner_email: { unknown: 'unknown@example.com', known: () => 'ada@example.com' },
  assignee_email: { unknown: 'unknown@example.com', known: () => 'ADA@example.com' },
}

for (const { name, path, operation, filters } of lists.filter((each) => each.filters.length > 0)) {
  test(`${name}: include=unmatched lists the values that nothing has`, async () => {
    assert.ok('unmatched' in operation.includes)
    assert.deepEqual(await unmatched(path), {})
    const [item] = (await manager.get(path)).body.data
    const all: [string, string][] = []
    for (const filter of filters) {
      const { unknown, known } = filterValues[filter]
      const query = new URLSearchParams({ [filter]: `${known(item)},${unknown}` }).toString()
      assert.deepEqual(await unmatched(`${path}?${query}`), { [filter]: [unknown] })
      const without = await manager.get(`${path}?${query}`)
      const withThem = await manager.get(`${path}?${query}&include=unmatched,total_count`)
      assert.deepEqual(withThem.body.data, without.body.data)
      assert.equal(withThem.body.total_count, 1)
      assert.ok(!('unmatched' in without.body))
      all.push([filter, known(item)])
    }
    const none = Object.fromEntries(filters.map((filter) => [filter, []]))
    assert.deepEqual(await unmatched(`${path}?${new URLSearchParams(all).toString()}`), none)
  })

  test(`${name}: include=unmatched is for JSON alone`, async () => {
    for (const query of ['format=csv', 'format=ndjson', 'format=csv&limit=1']) {
      const reply = await manager.get(`${path}?include=unmatched&${query}`)
      assert.equal(outcome(reply), '400 invalid_parameter')
    }
  })
}

test('a list without such filters has no include=unmatched', async () => {
  const others = lists.filter(({ filters }) => filters.length === 0)
  assert.ok(others.length > 5)
  for (const { operation } of others) assert.ok(!('unmatched' in operation.includes))
  assert.equal(outcome(await manager.get('/v1/audit?include=unmatched')), '400 invalid_parameter')
})

test('only status narrows what counts: other filters do not', async () => {
  const values = 'external_id=HR-1,HR-9'
  assert.deepEqual(await unmatched(`/v1/personnel?${values}&q=unknown`), { external_id: ['HR-9'] })
  const suspended = await unmatched(`/v1/personnel?${values}&status=suspended`)
  assert.deepEqual(suspended, { external_id: ['HR-1', 'HR-9'] })
  const risks = await unmatched('/v1/risks?external_id=R-1,R-2&level=critical')
  assert.deepEqual(risks, { external_id: ['R-2'] }, 'a closed risk is not in the register')
})

test('people who have left count where the status includes them', async () => {
  const { id } = await post('/v1/personnel', { name: 'Bo', external_id: 'HR-2', email: 'b@x.se' })
  await post(`/v1/personnel/${id}/depart`, {})
  const asked = '/v1/personnel?external_id=HR-2&email=b@x.se'
  assert.deepEqual(await unmatched(asked), { external_id: ['HR-2'], email: ['b@x.se'] })
  const everyone = await unmatched(`${asked}&status=active,suspended,departed`)
  assert.deepEqual(everyone, { external_id: [], email: [] })
  assert.deepEqual(await unmatched('/v1/risks?owner_email=b@x.se'), { owner_email: [] })
})

test('a project without items and an archived one have codes', async () => {
  const { id } = await post('/v1/projects', { code: 'GONE', name: 'Gone' })
  await post('/v1/projects', { code: 'BARE', name: 'Bare' })
  await post(`/v1/projects/${id}/archive`, {})
  const asked = '/v1/tasks?project_code=GONE,BARE,DAM,NONE'
  assert.deepEqual(await unmatched(asked), { project_code: ['NONE'] })
})

test('a bound key does not learn what other projects have', async () => {
  const other = await post('/v1/projects', { code: 'SEA', name: 'Sea', external_id: 'P-2' })
  const risk = await post(`/v1/projects/${other.id}/risks`, {
    title: 'Surge',
    external_id: 'R-9',
    likelihood: 1,
    impact: 1,
  })
  const { client: bound } = await bindKey(manager, [dam.id], ['projects.read'])
  for (const client of [bound, manager]) {
    const isBound = client === bound
    const hidden = (value: string) => (isBound ? [value] : [])
    assert.deepEqual(
      await unmatched(`/v1/risks?external_id=R-1,R-9&ref=${risk.ref}&project_code=SEA`, client),
      { external_id: hidden('R-9'), ref: hidden(risk.ref), project_code: hidden('SEA') },
    )
    assert.deepEqual(await unmatched('/v1/projects?code=SEA,DAM&external_id=P-2', client), {
      external_id: hidden('P-2'),
      code: hidden('SEA'),
    })
  }
  const reply = await bound.get('/v1/risks?owner_email=ada@example.com&include=unmatched')
  assert.equal(outcome(reply), '403 insufficient_scope')
})

for (const { what, path, create } of [
  {
    what: 'a project',
    path: '/v1/risks?project_code=NEW&include=unmatched&limit=5',
    create: () => post('/v1/projects', { code: 'NEW', name: 'New' }),
  },
  {
    what: 'a person',
    path: '/v1/issues?assignee_email=new@example.com&include=unmatched&limit=5',
    create: () => post('/v1/personnel', { name: 'New', email: 'new@example.com' }),
  },
  {
    what: 'an external id',
    path: '/v1/personnel?external_id=HR-5&include=unmatched',
    create: () => post('/v1/personnel', { name: 'Five', external_id: 'HR-5' }),
  },
]) {
  test(`no answer is stale after ${what} got the value`, async () => {
    const before = await manager.get(path)
    const known = { 'if-none-match': before.headers.get('etag') ?? '' }
    assert.equal((await manager.get(path, known)).status, 304)
    assert.deepEqual(Object.values(before.body.unmatched).flat().length, 1)
    await create()
    const after = await manager.get(path, known)
    assert.equal(after.status, 200)
    assert.deepEqual(Object.values(after.body.unmatched).flat(), [])
  })
}

test('every page has them, and shares no bytes with a page without them', async () => {
  const asked = '/v1/personnel?email=unknown@example.com,ada@example.com&status=active'
  const path = `${asked}&limit=1`
  const plain = await manager.get(path)
  const extended = await manager.get(`${path}&include=unmatched`)
  assert.deepEqual(extended.body, {
    ...plain.body,
    unmatched: { email: ['unknown@example.com'] },
  })
  assert.equal((await manager.get(path)).text, plain.text)
  assert.equal((await manager.get(`${path}&include=unmatched`)).text, extended.text)
  const first = await manager.get('/v1/personnel?limit=1&include=unmatched')
  const next = /^<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  assert.deepEqual((await manager.get(next)).body.unmatched, {})
})
