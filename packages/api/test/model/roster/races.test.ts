import assert from 'node:assert/strict'
import { test } from 'node:test'

import { findDrift } from '#test/drift/drift'
import { randomFrom } from '#test/support/bulk'
import { Client, type Json, type Reply } from '#test/support/client'
import { seed, size } from '#test/support/size'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

const rounds = Number(process.env['RUNS'] ?? size(30, 500))
const random = randomFrom(seed)

const host = await startHost()
const elsewhere = await listen(host.url)

/** A workspace, with clients of two services on one database. */
async function setup() {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const both = [manager, new Client(elsewhere, manager.token)]
  const add = async (body: object): Promise<Json> => {
    const reply = await manager.post('/v1/personnel', body)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  return { ...home, manager, either: () => random.pick(both), add }
}

const codeOf = ({ status, body }: Reply) =>
  status < 300 ? String(status) : `${status} ${body.code}`

function countOutcomes(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const reply of replies) counts[codeOf(reply)] = (counts[codeOf(reply)] ?? 0) + 1
  return counts
}

test('accepts exactly one of 100 concurrent PATCHes with the same If-Match', async () => {
  const { manager, either, add } = await setup()
  const ada = await add({ name: 'Ada' })
  const path = `/v1/personnel/${ada.id}`
  let version: number = ada.version
  for (let round = 0; round < size(2, 5); round++) {
    const headers = { 'if-match': `"${version}"` }
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        either().send('PATCH', path, { body: { title: `${round}.${index}` }, headers }),
      ),
    )
    assert.deepEqual(countOutcomes(replies), { '200': 1, '412 version_mismatch': 99 })
    const winner = replies.find(({ status }) => status === 200)?.body
    assert.deepEqual((await manager.get(path)).body, winner)
    assert.equal(winner.version, version + 1, 'no other write took a sequence number')
    version = winner.version
  }
})

test('refuses one of two concurrent changes that together form a cycle of managers', async () => {
  const { either, add } = await setup()
  const people: string[] = []
  for (const name of ['Ada', 'Bo', 'Cy', 'Di']) people.push((await add({ name })).id)
  const report = (person: number, manager: number | null) => {
    const body = { manager_user_id: manager === null ? null : people[manager] }
    return either().send('PATCH', `/v1/personnel/${people[person]}`, { body })
  }
  for (let round = 0; round < rounds / 3; round++) {
    for (const person of people.keys()) await report(person, null)
    await report(0, 1)
    await report(2, 3)
    const replies = await Promise.all([report(1, 2), report(3, 0)])
    assert.deepEqual(countOutcomes(replies), { '200': 1, '409 manager_cycle': 1 })
  }
})

test('refuses work that is assigned during a departure, or counts it in the response', async () => {
  const { manager, either, add } = await setup()
  const { body: project } = await manager.post('/v1/projects', { code: 'DAM', name: 'Dam' })
  const seen = new Set<string>()
  for (let round = 0; round < rounds / 3; round++) {
    const { id } = await add({ name: `Person ${round}` })
    const give = () =>
      either().post(`/v1/projects/${project.id}/tasks`, { title: 'T', assignee_user_id: id })
    const [departed, ...given] = await Promise.all([
      either().post(`/v1/personnel/${id}/depart`, {}),
      ...Array.from({ length: 4 }, give),
    ])
    assert.equal(departed?.status, 200)
    const counts = countOutcomes(given)
    assert.equal((counts['201'] ?? 0) + (counts['422 not_assignable'] ?? 0), 4)
    assert.equal(departed.body.open_assignments.tasks, counts['201'] ?? 0)
    for (const outcome of Object.keys(counts)) seen.add(outcome)
  }
  assert.ok(seen.size > 0)
})

test('lets a person or group return to a full workspace concurrently with their removal', async () => {
  const { manager, either, add, uuid } = await setup()
  const { id } = await add({ name: 'Ada' })
  const { body: group } = await manager.post('/v1/groups', { name: 'Crew' })
  await host.sql.query(
    'update workspace_counters set people_max = 1, groups_max = 1 where workspace_id = $1',
    [uuid],
  )
  for (const [item, out, back] of [
    [`/v1/personnel/${id}`, 'depart', 'rejoin'],
    [`/v1/groups/${group.id}`, 'archive', 'restore'],
  ]) {
    for (let round = 0; round < rounds / 3; round++) {
      const replies = await Promise.all(
        [out, back].map((verb) => either().post(`${item}/${verb}`, {})),
      )
      assert.deepEqual(countOutcomes(replies), { '200': 2 })
      await manager.post(`${item}/${back}`, {})
    }
  }
})

/** A random request about these people, groups and emails. */
function randomRequest(people: readonly string[], groups: readonly string[], project: string) {
  const person = `/v1/personnel/${random.pick(people)}`
  const group = `/v1/groups/${random.pick(groups)}`
  const some = () => Array.from({ length: random.below(4) }, () => random.pick(people))
  const email = `e${random.below(6)}@example.com`
  const requests: (() => [string, string, object?])[] = [
    () => ['POST', '/v1/personnel', { name: 'New', email }],
    () => ['PATCH', person, { email }],
    () => ['PATCH', person, { manager_user_id: random.pick(people) }],
    () => ['POST', `${person}/${random.pick(['suspend', 'resume', 'depart', 'rejoin'])}`, {}],
    () => ['POST', `${person}/depart`, { if_assigned: 'fail' }],
    // As many people rejoin as depart, so that some stay on the roster.
    () => ['POST', `${person}/rejoin`, {}],
    () => ['POST', `${person}/reassign`, { to_user_id: random.pick(people) }],
    () => ['PUT', `${group}/members/${random.pick(people)}`],
    () => ['DELETE', `${group}/members/${random.pick(people)}`],
    () => ['PATCH', `${group}/members`, { add: [...new Set(some())] }],
    () => ['PATCH', `${group}/members`, { remove: [...new Set(some())] }],
    () => ['PATCH', group, { lead_user_ids: [...new Set(some())] }],
    () => ['POST', `${group}/${random.pick(['archive', 'restore'])}`, {}],
    () => ['POST', '/v1/personnel/batch', { data: [{ id: random.pick(people), email }] }],
    () => [
      'POST',
      `/v1/projects/${project}/tasks`,
      { title: 'T', assignee_user_id: random.pick(people) },
    ],
  ]
  return random.pick(requests)()
}

test(`leaves no drift, no deadlock and no 5xx under a mixed load of eight callers (seed ${seed})`, async () => {
  const { manager, either, add, uuid } = await setup()
  const people: string[] = []
  for (let index = 0; index < 12; index++) people.push((await add({ name: `P ${index}` })).id)
  const groups: string[] = []
  for (const name of ['Crew', 'Board', 'Desk']) {
    groups.push((await manager.post('/v1/groups', { name })).body.id)
  }
  const { body: project } = await manager.post('/v1/projects', { code: 'DAM', name: 'Dam' })
  // Random requests continue until each of these responses has occurred.
  const missing = new Set([
    '200',
    '201',
    '409 email_taken',
    '409 manager_cycle',
    '409 group_archived',
  ])
  for (let round = 0; round < rounds || (missing.size > 0 && round < rounds * 20); round++) {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => {
        const [method, path, body] = randomRequest(people, groups, project.id)
        return either().send(method, path, { ...(body && { body }) })
      }),
    )
    for (const reply of replies) {
      assert.ok(reply.status < 500, reply.text)
      missing.delete(codeOf(reply))
    }
  }
  assert.deepEqual([...missing], [], 'never occurred')
  assert.deepEqual(await findDrift(host.sql, { workspace: uuid }), [])
  const { rows } = await host.sql.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  assert.equal(rows[0].deadlocks, 0)
})
