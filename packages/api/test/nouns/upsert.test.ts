import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as fc from 'fast-check'

import { outcome } from '#test/auth/browser'
import type { Client, Json, Reply } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

const people = '/v1/personnel/batch'
let codes = 0
async function newProject(client = manager): Promise<string> {
  codes += 1
  const made = await client.post('/v1/projects', { code: `U${codes}`, name: 'Any' })
  assert.equal(made.status, 201, made.text)
  return made.body.id
}
const project = await newProject()
const risksOf = (projectId: string) => `/v1/projects/${projectId}/risks/batch`
const issues = `/v1/projects/${project}/issues/batch`
const risk = { title: 'Any', likelihood: 1, impact: 1 }

const upsert = (path: string, match: string, data: readonly object[]) =>
  manager.post(`${path}?match=${match}`, { data })

/** The error of the only row that is refused. */
function errorOf({ status, body, text }: Reply): string {
  assert.equal(status, 422, text)
  assert.equal(body.errors.length, 1, text)
  const [{ pointer, code }] = body.errors
  return `${pointer} ${code}`
}

async function done(reply: Promise<Reply>): Promise<Json> {
  const { status, body, text } = await reply
  assert.equal(status, 200, text)
  return body
}

const tagOf = async (client: Client, path: string) => (await client.get(path)).headers.get('etag')

for (const match of ['external_id', 'email']) {
  test(`people are matched by ${match}; the second time nothing is written`, async () => {
    const rows = Array.from({ length: 4 }, (_, index) => ({
      name: `Person ${index}`,
      email: `${match}${index}@example.com`,
      external_id: `${match}-${index}`,
    }))
    const added = await done(upsert(people, match, rows.slice(0, 2)))
    assert.deepEqual(added.outcomes, ['created', 'created'])
    const edited = rows.map((row, index) => (index === 1 ? { ...row, title: 'Surveyor' } : row))
    const second = await done(upsert(people, match, edited))
    assert.deepEqual(second.outcomes, ['unchanged', 'changed', 'created', 'created'])
    assert.deepEqual([second.created, second.changed, second.unchanged], [2, 1, 1])
    assert.equal(second.data[0].id, added.data[0].id)
    const tag = await tagOf(manager, '/v1/personnel')
    const third = await done(upsert(people, match, edited))
    assert.equal(third.unchanged, 4)
    assert.equal(await tagOf(manager, '/v1/personnel'), tag)
  })
}

test('letter case does not matter in an email, and two rows cannot have the same', async () => {
  const first = await done(upsert(people, 'email', [{ name: 'Case', email: 'Case@example.com' }]))
  const again = await done(upsert(people, 'email', [{ name: 'Case', email: 'CASE@example.com' }]))
  assert.equal(again.data[0].id, first.data[0].id)
  const twice = [
    { name: 'A', email: 'twice@example.com' },
    { name: 'B', email: 'TWICE@example.com' },
  ]
  assert.equal(errorOf(await upsert(people, 'email', twice)), '/data/1/email repeated')
})

test('a row without the field, or with an id that is matched twice, is refused', async () => {
  const lacking = await upsert(people, 'external_id', [{ name: 'A', external_id: null }])
  assert.equal(errorOf(lacking), '/data/0/external_id required')
  const { data } = await done(upsert(people, 'external_id', [{ name: 'T', external_id: 't-1' }]))
  const both = [
    { id: data[0].id, name: 'T' },
    { name: 'T', external_id: 't-1' },
  ]
  assert.equal(errorOf(await upsert(people, 'external_id', both)), '/data/1/id repeated')
})

test('the external id of a person who left is refused; an email is free again', async () => {
  const row = { name: 'Gone', external_id: 'gone-1', email: 'gone@example.com' }
  const { data } = await done(upsert(people, 'external_id', [row]))
  await manager.post(`/v1/personnel/${data[0].id}/depart`, {})
  const refused = await upsert(people, 'external_id', [row])
  assert.equal(errorOf(refused), '/data/0/external_id departed')
  assert.ok(refused.text.includes(data[0].id))
  const other = await done(upsert(people, 'email', [{ name: 'New', email: 'gone@example.com' }]))
  assert.equal(other.created, 1)
})

test('risks are matched by external id within their project', async () => {
  const rows = [
    { ...risk, external_id: 'r-1' },
    { ...risk, external_id: 'r-2' },
  ]
  assert.equal((await done(upsert(risksOf(project), 'external_id', rows))).created, 2)
  const again = await done(upsert(risksOf(project), 'external_id', rows))
  assert.deepEqual(again.outcomes, ['unchanged', 'unchanged'])
  const elsewhere = await upsert(risksOf(await newProject()), 'external_id', rows.slice(0, 1))
  assert.equal(errorOf(elsewhere), '/data/0/external_id external_id_taken')
})

test('risks and issues are matched by reference, and none is created', async () => {
  const made = await manager.post(issues, { data: [{ title: 'Any', severity: 2 }] })
  const { ref } = made.body.data[0]
  const { data } = await done(upsert(issues, 'ref', [{ ref, title: 'Other' }]))
  assert.deepEqual([data[0].id, data[0].title], [made.body.data[0].id, 'Other'])
  const unknown = await upsert(issues, 'ref', [{ ref: 'U1-I99', title: 'Other', severity: 1 }])
  assert.equal(errorOf(unknown), '/data/0/ref unknown_reference')
})

test('managers are named by email, by external id, and as another row of the batch', async () => {
  const rows = [
    { name: 'Report', external_id: 'm-2', manager_external_id: 'm-1' },
    { name: 'Boss', external_id: 'm-1', email: 'boss@example.com' },
    { name: 'Assistant', external_id: 'm-3', manager_external_id: 'm-2' },
  ]
  const { data } = await done(upsert(people, 'external_id', rows))
  const [report, boss, assistant] = data
  assert.equal(report.manager_user_id, boss.id)
  assert.equal(assistant.manager_user_id, report.id)
  const other = [{ ...rows[2], manager_external_id: undefined, manager_email: 'Boss@example.com' }]
  const changed = await done(upsert(people, 'external_id', other))
  assert.equal(changed.data[0].manager_user_id, boss.id)
  const cycle = [
    { name: 'A', external_id: 'c-1', manager_external_id: 'c-2' },
    { name: 'B', external_id: 'c-2', manager_external_id: 'c-1' },
  ]
  const refused = await upsert(people, 'external_id', cycle)
  assert.equal(outcome(refused), '422 validation_failed')
  assert.match(refused.text, /manager_cycle/)
})

async function newOwners() {
  codes += 1
  const rows = ['a', 'b'].map((each) => ({
    name: each,
    email: `${each}${codes}@example.com`,
    external_id: `${each}${codes}`,
  }))
  return (await done(manager.post(people, { data: rows }))).data as Json[]
}

test('a name wins over the stored owner, and other contradictions are refused', async () => {
  const [ann, bob] = await newOwners()
  assert.ok(ann && bob)
  const path = risksOf(project)
  const own = { ...risk, external_id: `w-${codes}` }
  const send = (owner: object) => upsert(path, 'external_id', [{ ...own, ...owner }])
  const ownerAfter = async (owner: object) => (await done(send(owner))).data[0].owner_user_id
  assert.equal(await ownerAfter({ owner_email: ann.email, owner_user_id: null }), ann.id)
  assert.equal(await ownerAfter({ owner_email: null }), null)
  assert.equal(await ownerAfter({ owner_email: ann.email, owner_external_id: null }), ann.id)
  assert.equal(await ownerAfter({}), ann.id)
  const edited = { owner_email: bob.email, owner_user_id: ann.id }
  assert.equal(await ownerAfter(edited), bob.id)
  assert.equal(errorOf(await send(edited)), '/data/0/owner_email conflicting_fields')
  const agreed = { owner_external_id: ann.external_id, owner_email: ann.email }
  assert.equal(await ownerAfter({ ...agreed, owner_user_id: bob.id }), ann.id)
  const two = { owner_email: ann.email, owner_external_id: bob.external_id }
  assert.equal(errorOf(await send(two)), '/data/0/owner_external_id conflicting_fields')
  assert.equal(await ownerAfter({ owner_email: null, owner_user_id: null }), null)
})

test('an empty name agrees with an owner who has no such name', async () => {
  const { data } = await done(manager.post(people, { data: [{ name: 'Nameless' }] }))
  const own = { ...risk, external_id: 'nameless' }
  await done(upsert(risksOf(project), 'external_id', [{ ...own, owner_user_id: data[0].id }]))
  const names = { owner_email: null, owner_external_id: null }
  const again = await done(upsert(risksOf(project), 'external_id', [{ ...own, ...names }]))
  assert.equal(again.data[0].owner_user_id, data[0].id)
})

test('an owner who left stays; as a new owner, the name is unknown', async () => {
  const [ann, bob] = await newOwners()
  assert.ok(ann && bob)
  const names = { owner_email: ann.email, owner_external_id: ann.external_id }
  const own = { ...risk, external_id: `l-${codes}`, ...names }
  await done(upsert(risksOf(project), 'external_id', [own]))
  await manager.post(`/v1/personnel/${ann.id}/depart`, {})
  assert.equal((await done(upsert(risksOf(project), 'external_id', [own]))).unchanged, 1)
  const other = { ...risk, owner_email: ann.email }
  const refused = await manager.post(risksOf(project), { data: [other] })
  assert.equal(errorOf(refused), '/data/0/owner_email unknown_reference')
})

test('names of people need personnel.read', async () => {
  const [ann] = await newOwners()
  assert.ok(ann)
  const narrow = await home.key('projects.manage')
  for (const owner_email of [ann.email, 'unknown@example.com']) {
    const data = [{ ...risk, owner_email }]
    const refused = await narrow.post(risksOf(project), { data })
    assert.equal(outcome(refused), '403 insufficient_scope')
    assert.equal(refused.body.required_scope, 'personnel.read')
  }
})

test('a CSV file names owners by email', async () => {
  const [ann] = await newOwners()
  assert.ok(ann)
  const body = `external_id;title;likelihood;impact;owner_email\nf-${codes};Any;2;3;${ann.email}\n`
  const send = () =>
    manager.send('POST', `${risksOf(project)}?match=external_id`, {
      body,
      headers: { 'content-type': 'text/csv' },
    })
  const { body: added, text } = await send()
  assert.equal(added.data?.[0].owner_user_id, ann.id, text)
  assert.deepEqual((await send()).body.outcomes, ['unchanged'])
})

const optionalFields = fc.record(
  {
    category: fc.constantFrom('technical', 'security'),
    tags: fc.subarray(['flood', 'gates']),
    review_on: fc.constantFrom('2027-01-15', null),
    target: fc.constantFrom({ likelihood: 1, impact: 1 }, null),
    metadata: fc.constantFrom({ source: 'A' }, {}),
  },
  { requiredKeys: [] },
)
const namesOfOwner = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom({}, { owner_email: null }, { owner_email: 'O1@x.io' }) },
  { weight: 10, arbitrary: fc.constantFrom({ owner_external_id: 'o-2', owner_email: 'o2@x.io' }) },
  { weight: 1, arbitrary: fc.constantFrom({ owner_external_id: 'o-2', owner_email: 'o1@x.io' }) },
)

/** Files of the same few records, with some fields in each row; a few contradict themselves. */
const file = fc
  .uniqueArray(fc.constantFrom('x-0', 'x-1', 'x-2', 'x-3', 'x-4'), { minLength: 1 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((external_id) =>
        fc
          .record({
            title: fc.constantFrom('Uplift', 'Scour'),
            likelihood: fc.integer({ min: 1, max: 5 }),
            impact: fc.integer({ min: 1, max: 5 }),
            others: optionalFields,
            owner: namesOfOwner,
          })
          .map(({ others, owner, ...row }) => ({ external_id, ...row, ...others, ...owner })),
      ),
    ),
  )

test('random files have the same effect once and twice', async (t) => {
  const other = await newWorkspace(host)
  const client = await other.manager()
  const owners = ['1', '2'].map((each) => ({
    name: `Owner ${each}`,
    email: `o${each}@x.io`,
    external_id: `o-${each}`,
  }))
  await done(client.post(people, { data: owners }))
  const path = `${risksOf(await newProject(client))}?match=external_id`
  let refused = 0
  const property = fc.asyncProperty(file, async (rows) => {
    const first = await client.post(path, { data: rows })
    const tag = await tagOf(client, '/v1/risks?limit=1')
    const second = await client.post(path, { data: rows })
    assert.equal(await tagOf(client, '/v1/risks?limit=1'), tag)
    assert.equal(second.status, first.status, second.text)
    if (first.status !== 200) {
      refused += 1
      return
    }
    assert.equal(second.body.unchanged, rows.length)
    for (const [index, row] of rows.entries()) assertKept(row, first.body.data[index])
  })
  await fc.assert(property, { numRuns: 200 })
  t.diagnostic(`200 files, ${refused} refused`)
  assert.ok(refused < 100)
})

/** Every value of the row is in the record. */
function assertKept(row: object, record: Json): void {
  const { owner_email, owner_external_id, ...fields } = row as Json
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'target' && value !== null) assert.equal(record.target.impact, 1)
    else assert.deepEqual(record[name], value, name)
  }
  if (owner_email || owner_external_id) assert.ok(record.owner_user_id)
  else if (owner_email === null) assert.equal(record.owner_user_id, null)
}
