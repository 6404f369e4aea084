import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'

import * as fc from 'fast-check'

import { insertStates } from '#storage/derived/import-states'
import type { Client, Json } from '#test/support/client'
import { requireVersions } from '#test/support/row-versions'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { assertMatches, exportedStates, type Home, Model } from './history-model.ts'

const host = await startHost()
await requireVersions(host.sql)

/** Two people, a group, a project, a risk and an issue. */
interface Items {
  readonly people: readonly [string, string]
  readonly group: string
  readonly project: string
  readonly risk: string
  readonly issue: string
}

async function makeItems(client: Client): Promise<{ items: Items; model: Model }> {
  const make = async (path: string, body: object): Promise<string> => {
    const reply = await client.post(path, body)
    assert.equal(reply.status, 201, reply.text)
    return `${path}/${reply.body.id}`
  }
  const project = await make('/v1/projects', { code: 'DAM', name: 'Dam' })
  const model = new Model(client, project)
  const rating = { likelihood: 2, impact: 3 }
  const items = {
    people: [
      await make('/v1/personnel', { name: 'Ada', metadata: { a: '1' } }),
      await make('/v1/personnel', { name: 'Bo' }),
    ],
    group: await make('/v1/groups', { name: 'Crew', metadata: { b: '1' } }),
    project,
    risk: await make(`${project}/risks`, { title: 'Uplift', ...rating, metadata: { a: '1' } }),
    issue: await make(`${project}/issues`, { title: 'Crane', severity: 3 }),
  } as const
  await model.observe()
  return { items, model }
}

type Act = (client: Client, items: Items, value: number) => Promise<{ status: number }>

const idIn = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const patch = (client: Client, path: string, body: object) => client.send('PATCH', path, { body })

/** Values that return, keys in another order, and the removal of all. */
const metadata = [
  { a: '1' },
  { a: '2' },
  { b: '1', a: '1' },
  { a: null, b: null },
  { a: '1', b: '1', c: 'x'.repeat(400) },
  { c: null },
] as const
const metadataAt = (value: number) => metadata[value % metadata.length]

const patchAny: Act = (client, { people, group, project, risk, issue }, value) => {
  const paths = [...people, group, project, risk, risk, issue]
  const path = paths[value % paths.length] ?? risk
  const other = path === risk || path === issue ? { title: `T${value}` } : { name: `N${value}` }
  return patch(client, path, value % 3 === 0 ? other : { metadata: metadataAt(value) })
}

const onRisk =
  (verb: string, body: (value: number) => object = () => ({})): Act =>
  (client, { risk }, value) =>
    client.post(`${risk}/${verb}`, body(value))

const onPerson =
  (verb: string, body: (id: string) => object = () => ({})): Act =>
  (client, { people }, value) => {
    const path = people[value % 2] ?? ''
    return client.post(`${path}/${verb}`, body(idIn(path)))
  }

const acts: Readonly<Record<string, { readonly weight: number; readonly act: Act }>> = {
  patch: { weight: 12, act: patchAny },
  review: {
    weight: 4,
    act: onRisk('review', (value) => ({ likelihood: 1 + (value % 5), note: 'Seen' })),
  },
  close: { weight: 1, act: onRisk('close', () => ({ close_reason: 'treated' })) },
  reopen: { weight: 1, act: onRisk('reopen') },
  occur: { weight: 1, act: onRisk('occur') },
  depart: { weight: 3, act: onPerson('depart') },
  rejoin: { weight: 1, act: onPerson('rejoin') },
  erase: { weight: 2, act: onPerson('erase', (confirm) => ({ confirm })) },
  join: {
    weight: 2,
    act: (client, { group, people }, value) =>
      client.send('PUT', `${group}/members/${idIn(people[value % 2] ?? '')}`, { body: {} }),
  },
  leave: {
    weight: 2,
    act: (client, { group, people }, value) =>
      client.send('DELETE', `${group}/members/${idIn(people[value % 2] ?? '')}`),
  },
  archive: { weight: 1, act: (client, { group }) => client.post(`${group}/archive`, {}) },
  restore: { weight: 1, act: (client, { group }) => client.post(`${group}/restore`, {}) },
  batch: {
    weight: 4,
    act: (client, { people }, value) => {
      const row = (path: string, n: number) => ({
        id: idIn(path),
        title: `Title ${value % 4}`,
        ...((value + n) % 2 === 0 && { metadata: metadataAt(value) }),
      })
      return client.post('/v1/personnel/batch', { data: people.map(row) })
    },
  },
}

const steps = fc.array(
  fc.record({
    name: fc.oneof(
      ...Object.entries(acts).map(([name, { weight }]) => ({
        weight,
        arbitrary: fc.constant(name),
      })),
    ),
    value: fc.nat(999),
  }),
  { minLength: 20, maxLength: 40, size: 'max' },
)

const done = new Set<string>()

test(`reads back whole states, as a plain list of them (seed ${seed})`, async () => {
  const property = fc.asyncProperty(steps, fc.integer({ min: 1, max: 9 }), async (all, rows) => {
    const home = await newWorkspace(host)
    const client = await home.manager()
    const { items, model } = await makeItems(client)
    for (const { name, value } of all) {
      const { status } = (await acts[name]?.act(client, items, value)) ?? { status: 0 }
      if (status < 300) done.add(name)
      await model.observe()
    }
    await assertMatches(home, model)
    await assertImported(home, rows)
  })
  await fc.assert(property, { seed, numRuns: size(8, 100), unbiased: true, endOnFailure: true })
  assert.deepEqual(done, new Set(Object.keys(acts)), 'every kind of write succeeded')
})

const storedTwice = `
  select count(*)::int as count from (
    select metadata, lag(metadata) over (partition by id order by from_seq) as previous
    from history where workspace_id = $1 and metadata is not null
  ) as stored where metadata = previous`

/** Inserts the exported states into another workspace, some at a time, and exports them again. */
async function assertImported(home: Home, rows: number): Promise<void> {
  const other = await newWorkspace(host)
  const exported = await exportedStates(home)
  const states = [...exported.values()].flat()
  for (let from = 0; from < states.length; from += rows) {
    await host.owner.writeUnnumbered({ workspaceId: other.id }, (read) =>
      insertStates(read, states.slice(from, from + rows)),
    )
  }
  assert.equal(JSON.stringify([...(await exportedStates(other))]), JSON.stringify([...exported]))
  const { rows: found } = await host.sql.query(storedTwice, [other.uuid])
  assert.deepEqual(found, [{ count: 0 }])
  // These states have no items and no events, which the check for drift would find.
  await host.sql.query('delete from history where workspace_id = $1', [other.uuid])
}

const storedOf = async (id: string): Promise<Json> => {
  const { rows } = await host.sql.query(
    `select count(*)::int as states, count(metadata)::int as stored,
       sum(pg_column_size(metadata))::int as metadata, sum(pg_column_size(data))::int as data
     from history where noun = 'risk' and data ->> 'id' = $1`,
    [id],
  )
  return rows[0]
}

test('stores 20 KB of metadata once for 50 reviews, and again when they change', async () => {
  const client = await (await newWorkspace(host)).manager()
  const { items } = await makeItems(client)
  const large = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`field_${n}`, randomBytes(250).toString('hex')]),
  )
  const bytes = JSON.stringify(large).length
  assert.equal((await patch(client, items.risk, { metadata: large })).status, 200)
  const before = await storedOf(idIn(items.risk))
  for (let n = 0; n < 50; n++) {
    const reply = await client.post(`${items.risk}/review`, {
      likelihood: 1 + (n % 5),
      note: 'Seen',
    })
    assert.equal(reply.status, 200, reply.text)
  }
  const after = await storedOf(idIn(items.risk))
  assert.ok(before.metadata > bytes / 2 && before.metadata < bytes * 1.2, JSON.stringify(before))
  assert.deepEqual([after.states, after.stored], [52, 2])
  assert.equal(after.metadata, before.metadata)
  assert.ok(after.data < 52 * 2000, JSON.stringify(after))

  for (const field_0 of ['other', large['field_0']]) {
    await patch(client, items.risk, { metadata: { field_0 } })
  }
  assert.equal((await storedOf(idIn(items.risk))).stored, 4)
  const { body } = await client.get(`${items.risk}/history`)
  const changes = body.data.flatMap((entry: Json) =>
    entry.changes.filter(({ field }: Json) => field === 'metadata'),
  )
  const [, given, changed, back] = changes
  assert.equal(changes.length, 4)
  assert.deepEqual([given.to, changed.from, back.to], [{ a: '1', ...large }, given.to, given.to])
})
