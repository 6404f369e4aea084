import assert from 'node:assert/strict'
import { test } from 'node:test'

import { eventTypes, type Scope, scopes } from '@muster/contract'

import { uuidOf } from '#storage/values/id'
import { Client, type Json } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
/** For a log with events that nothing recorded. */
const loose = await startHost({ skipsDriftCheck: true })

const allScopes = [...scopes]

async function newHome(on = host) {
  const home = await newWorkspace(on)
  const { token } = await home.issue({ scopes: allScopes })
  return { ...home, client: new Client(on.base, token) }
}

async function page(client: Client, query: Record<string, string>): Promise<Json> {
  const reply = await client.get(`/v1/events?${new URLSearchParams(query).toString()}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}

/** All pages from the first event on. */
async function pagesOf(client: Client, query: Record<string, string>): Promise<Json[]> {
  const found: Json[] = []
  for (let after = {}; ;) {
    const body = await page(client, { ...query, ...after })
    found.push(body)
    after = { after: body.position }
    if (!body.has_more) return found
  }
}

/** All events by pages of this size. */
async function follow(client: Client, query: Record<string, string>): Promise<Json[]> {
  const pages = await pagesOf(client, query)
  return pages.flatMap(({ data }) => data)
}

async function logged(uuid: string): Promise<Json[]> {
  const { rows } = await host.sql.query(
    `select 'evt' as prefix, seq::int, position, type, subject_id, project_id, changed
     from events where workspace_id = $1 order by seq, position`,
    [uuid],
  )
  return rows
}

test('pages of every size return each event once, in order', async () => {
  const { client, uuid } = await newHome()
  await createFixture(client, 'paged')
  const rows = Array.from({ length: 30 }, (_, index) => ({ name: `Person ${index}` }))
  await client.post('/v1/personnel/batch', { data: rows })
  const stored = await logged(uuid)
  for (const limit of ['1', '7', '1000']) {
    const found = await follow(client, { limit })
    assert.deepEqual(
      found.map(({ seq, type }) => [seq, type]),
      stored.map(({ seq, type }) => [seq, type]),
      `limit ${limit}`,
    )
    assert.equal(new Set(found.map(({ position }) => position)).size, found.length)
    for (const [index, { seq, is_last_of_write }] of found.entries()) {
      assert.equal(is_last_of_write, found[index + 1]?.seq !== seq)
    }
  }
})

test('continues after each position, and `now` shows what comes next', async () => {
  const { client } = await newHome()
  await createFixture(client, 'continued')
  const all = await follow(client, { limit: '1000' })
  for (const [index, { position }] of all.entries()) {
    const { data } = await page(client, { after: position, limit: '1000' })
    assert.deepEqual(
      data.map(({ id }: Json) => id),
      all.slice(index + 1).map(({ id }) => id),
    )
  }
  const { data, position, has_more, through } = await page(client, { after: 'now' })
  assert.deepEqual([data, has_more, through], [[], false, all.at(-1)?.seq])
  const added = await client.post('/v1/personnel', { name: 'Next' })
  const next = await page(client, { after: position })
  assert.deepEqual(
    next.data.map(({ type, subject, changed, note, project_id }: Json) => {
      return { type, subject, changed, note, project_id }
    }),
    [
      {
        type: 'person.created',
        subject: { type: 'person', id: added.body.id },
        changed: next.data[0].changed,
        note: null,
        project_id: null,
      },
    ],
  )
  assert.equal(next.data[0].seq, added.body.version)
  assert.equal(next.data[0].actor.type, 'key')
})

test('the states are what GET returns after the change', async () => {
  const { client } = await newHome()
  const { ids, fill } = await createFixture(client, 'states')
  const paths: Readonly<Record<string, string>> = {
    person: '/v1/personnel/{user_id}',
    group: '/v1/groups/{group_id}',
    project: '/v1/projects/{project_id}',
    risk: '/v1/projects/{project_id}/risks/{risk_id}',
    issue: '/v1/projects/{project_id}/issues/{issue_id}',
    task: '/v1/projects/{project_id}/tasks/{task_id}',
  }
  const metadata = { metadata: { source: 'import' } }
  for (const noun of ['person', 'group', 'project', 'risk', 'issue']) {
    const changed = await client.send('PATCH', fill(paths[noun] ?? ''), { body: metadata })
    assert.equal(changed.status, 200, changed.text)
  }
  await client.post(fill(`${paths['risk']}/review`), { likelihood: 5, impact: 5, note: 'Storm' })
  await client.send('PATCH', fill(paths['task'] ?? ''), { body: { status: 'done' } })
  const all = await follow(client, { limit: '1000', include: 'states' })
  for (const [noun, path] of Object.entries(paths)) {
    const { body } = await client.get(fill(path))
    const last = all
      .flatMap(({ states }) => states as Json[])
      .findLast(({ id }) => id === (body.id ?? body.user_id))
    assert.deepEqual(last?.['state'], body, noun)
  }
  const reviewed = all.find(({ type }) => type === 'risk.reviewed')
  assert.deepEqual([reviewed?.['note'], reviewed?.['states'][0].state.score], ['Storm', 25])
  const colleague = (await client.get('/v1/personnel')).body.data.at(-1)
  await client.send('PUT', `/v1/groups/${ids['group_id']}/members/${colleague.id}`, { body: {} })
  const [joined] = (await page(client, { type: 'group.member_added', include: 'states' })).data
  assert.deepEqual(
    joined.states.map(({ type }: Json) => type),
    ['group', 'person'],
  )
})

test('filters by type, noun, subject and project', async () => {
  const { client } = await newHome()
  const { ids } = await createFixture(client, 'filtered')
  const all = await follow(client, { limit: '1000' })
  const cases: readonly (readonly [Record<string, string>, (event: Json) => boolean])[] = [
    [{ type: 'risk.created' }, ({ type }) => type === 'risk.created'],
    [{ type: 'risk.*,task.created' }, ({ type }) => /^risk\.|^task\.created$/.test(type)],
    [{ subject_id: ids['issue_id'] ?? '' }, ({ subject }) => subject.id === ids['issue_id']],
    [{ project_id: ids['project_id'] ?? '' }, (event) => event['project_id'] === ids['project_id']],
  ]
  for (const [query, matches] of cases) {
    for (const limit of ['1', '1000']) {
      const found = await follow(client, { ...query, limit })
      assert.ok(found.length > 0, JSON.stringify(query))
      assert.deepEqual(
        found.map(({ id }) => id),
        all.filter(matches).map(({ id }) => id),
        JSON.stringify(query),
      )
    }
  }
})

/** The scope that shows a type of event, written here a second time. */
function neededScope(type: string): Scope {
  if (type === 'person.identity_confirmed') return 'workspace.read'
  if (/^(?:person|group)\./.test(type)) return 'personnel.read'
  if (/^(?:project|risk|issue|task)\./.test(type)) return 'projects.read'
  return type.startsWith('key.') ? 'keys.read' : 'workspace.read'
}

test('every event is shown to its scope and to no other, and the number to all', async () => {
  const { client, uuid, issue } = await newHome(loose)
  await createFixture(client, 'scoped')
  await client.send('PATCH', '/v1/workspace', { body: { name: `Scoped ${uuid}` } })
  // One event of every type: what a reader sees depends on the type alone.
  await loose.sql.query(
    `insert into events (workspace_id, seq, position, id, type, subject_id, actor_type,
       occurred_at)
     select $1, (select seq from workspace_counters where workspace_id = $1), 100 + number,
       gen_random_uuid(), type, gen_random_uuid(), 'system', now()
     from unnest($2::text[]) with ordinality as given (type, number)`,
    [uuid, eventTypes],
  )
  const all = await follow(client, { limit: '1000' })
  const readScopes: Scope[] = ['personnel.read', 'projects.read', 'keys.read', 'workspace.read']
  const sets = Array.from({ length: 16 }, (_, bits) =>
    readScopes.filter((_scope, at) => (bits >> at) % 2 === 1),
  )
  for (const held of sets.filter(({ length }) => length > 0)) {
    const { token } = await issue({ scopes: held })
    const reader = new Client(loose.base, token)
    const reply = await page(reader, { limit: '1000', include: 'states' })
    const allowed = all.filter(({ type }) => held.includes(neededScope(type)))
    const isKept = ({ id }: Json) => allowed.some((event) => event['id'] === id)
    const found: Json[] = reply.data.filter(({ seq }: Json) => seq <= (all.at(-1)?.['seq'] ?? 0))
    assert.deepEqual(
      found.filter((event) => !isKept(event)),
      [],
      held.join(),
    )
    assert.equal(found.length, allowed.length, held.join())
    const counters = await loose.sql.query(
      'select seq::int from workspace_counters where workspace_id = $1',
      [uuid],
    )
    assert.equal(reply.through, counters.rows[0].seq)
    const nouns = new Set(found.flatMap(({ states = [] }) => states.map(({ type }: Json) => type)))
    for (const noun of nouns) assert.ok(held.includes(neededScope(`${String(noun)}.x`)))
  }
})

test('a key bound to projects sees the events of its projects and of the roster', async () => {
  const { client, issue } = await newHome()
  const [inside, outside] = [
    await createFixture(client, 'inside'),
    await createFixture(client, 'outside'),
  ]
  const { token } = await issue({
    scopes: ['projects.read', 'personnel.read'],
    projectIds: [inside.ids['project_id'] ?? ''],
  })
  const bound = new Client(host.base, token)
  const all = await follow(client, { limit: '1000' })
  const found = await follow(bound, { limit: '3', include: 'states' })
  assert.deepEqual(
    found.map(({ id }) => id),
    all
      .filter(({ type }) => ['personnel.read', 'projects.read'].includes(neededScope(type)))
      .filter((event) => [null, inside.ids['project_id']].includes(event['project_id']))
      .map(({ id }) => id),
  )
  assert.ok(!JSON.stringify(found).includes(outside.ids['project_id'] ?? '-'))
  const named = await page(bound, { project_id: outside.ids['project_id'] ?? '' })
  assert.deepEqual([named.data, named.count], [[], 0])
})

/** The bound on the states of a page. */
const statesBytesMax = 8 * 1024 ** 2

test('a page ends before its states exceed 8 MiB, and the next one continues', async () => {
  const { client, uuid } = await newHome()
  const project = await client.post('/v1/projects', { code: 'BIG', name: 'Large states' })
  const metadata = Object.fromEntries(
    Array.from({ length: 45 }, (_, index) => [`field_${index}`, `${index} `.repeat(160)]),
  )
  for (let batch = 0; batch < 3; batch++) {
    const rows = Array.from({ length: 150 }, (_, index) => {
      return { title: `Risk ${batch}.${index}`, likelihood: 2, impact: 3, metadata }
    })
    const made = await client.post(`/v1/projects/${project.body.id}/risks/batch`, { data: rows })
    assert.equal(made.status, 200, made.text.slice(0, 300))
  }
  const pages = await pagesOf(client, { limit: '1000', include: 'states' })
  const sizes = pages.map(({ data }) =>
    Buffer.byteLength(JSON.stringify(data.flatMap(({ states }: Json) => states))),
  )
  for (const [index, bytes] of sizes.entries()) {
    assert.ok(bytes <= statesBytesMax, `page ${index} has ${bytes} bytes of states`)
    const isFull = bytes > 0.95 * statesBytesMax
    assert.ok(isFull || index === sizes.length - 1, `page ${index} has only ${bytes} bytes`)
  }
  assert.ok(pages.length > 1, `${sizes.join()} bytes in one page`)
  const found: Json[] = pages.flatMap(({ data }) => data)
  const stored = await logged(uuid)
  assert.deepEqual(
    found.map(({ seq, subject }) => [seq, uuidOf(subject.id)]),
    stored.map(({ seq, subject_id }) => [seq, subject_id]),
  )
  for (const [index, { seq, is_last_of_write }] of found.entries()) {
    assert.equal(is_last_of_write, found[index + 1]?.seq !== seq, `event ${index}`)
  }
})

/** The most events that are read for a page of a filter. */
const scannedMax = 5000

test('a page of a filter reads a limited part of the log', async () => {
  const { client, uuid } = await newHome(loose)
  const silent = 2 * scannedMax
  await loose.sql.query(
    `insert into events (workspace_id, seq, position, id, type, subject_id, actor_type,
       occurred_at)
     select $1, seq + number, 0, gen_random_uuid(), 'person.updated', gen_random_uuid(), 'system',
       now()
     from workspace_counters, generate_series(1, $2) as number where workspace_id = $1`,
    [uuid, silent],
  )
  await loose.sql.query('update workspace_counters set seq = seq + $2 where workspace_id = $1', [
    uuid,
    silent,
  ])
  const { body } = await client.post('/v1/projects', { code: 'DAM', name: 'Dam' })
  const { length } = await follow(client, { limit: '1000' })
  for (const limit of [1000, 300]) {
    const pages = await pagesOf(client, { limit: String(limit), type: 'project.*' })
    assert.equal(pages.length, Math.ceil(length / Math.min(scannedMax, 20 * limit)), `${limit}`)
    const found: Json[] = pages.flatMap(({ data }) => data)
    assert.deepEqual(
      found.map(({ subject }) => subject.id),
      [body.id],
    )
    assert.ok(pages.slice(0, -1).every(({ count, has_more }) => count === 0 && has_more))
  }
})
