import assert from 'node:assert/strict'
import { test } from 'node:test'

import { randomFrom } from './bulk.ts'
import { Client, type Json, type Reply } from './client.ts'
import { findDrift } from './drift.ts'
import { listen, newWorkspace, startHost } from './workspace.ts'

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const rounds = Number(process.env['RUNS'] ?? 150)
const random = randomFrom(seed)

const host = await startHost()
const elsewhere = await listen(host.url)

/** Two services on one database, as two processes would be. */
async function settle() {
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

function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const reply of replies) counts[codeOf(reply)] = (counts[codeOf(reply)] ?? 0) + 1
  return counts
}

test('100 PATCHes at once with If-Match: exactly one wins for each version', async () => {
  const { manager, either, add } = await settle()
  const ada = await add({ name: 'Ada' })
  const path = `/v1/personnel/${ada.id}`
  let version: number = ada.version
  for (let round = 0; round < 5; round++) {
    const headers = { 'if-match': `"${version}"` }
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        either().send('PATCH', path, { body: { title: `${round}.${index}` }, headers }),
      ),
    )
    assert.deepEqual(tally(replies), { '200': 1, '412 version_mismatch': 99 })
    const winner = replies.find(({ status }) => status === 200)?.body
    assert.deepEqual((await manager.get(path)).body, winner)
    assert.equal(winner.version, version + 1, 'and nothing else took a number')
    version = winner.version
  }
})

test('two halves of a circle are closed at once by people who have no one in common: one is refused', async () => {
  const { either, add } = await settle()
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
    assert.deepEqual(tally(replies), { '200': 1, '409 manager_cycle': 1 })
  }
})

test('someone departs while work is given to them: it is refused, or counted in the receipt', async () => {
  const { manager, either, add } = await settle()
  const { body: project } = await manager.post('/v1/projects', { code: 'DAM', name: 'Dam' })
  const seen = new Set<string>()
  for (let round = 0; round < rounds / 3; round++) {
    const { id } = await add({ name: `Person ${round}` })
    const give = () =>
      either().post(`/v1/projects/${project.id}/tasks`, { title: 'T', assignee_user_id: id })
    const [left, ...given] = await Promise.all([
      either().post(`/v1/personnel/${id}/depart`, {}),
      ...Array.from({ length: 4 }, give),
    ])
    assert.equal(left?.status, 200)
    const counts = tally(given)
    assert.equal((counts['201'] ?? 0) + (counts['422 not_assignable'] ?? 0), 4)
    assert.equal(left.body.open_assignments.tasks, counts['201'] ?? 0)
    for (const answer of Object.keys(counts)) seen.add(answer)
  }
  assert.ok(seen.size > 0)
})

test('whoever comes back at once into a full workspace finds the place that they left', async () => {
  const { manager, either, add, uuid } = await settle()
  const { id } = await add({ name: 'Ada' })
  const { body: group } = await manager.post('/v1/groups', { name: 'Crew' })
  await host.sql.query(
    'update workspace_counters set people_max = 1, groups_max = 1 where workspace_id = $1',
    [uuid],
  )
  for (const [thing, out, back] of [
    [`/v1/personnel/${id}`, 'depart', 'rejoin'],
    [`/v1/groups/${group.id}`, 'archive', 'restore'],
  ]) {
    for (let round = 0; round < rounds / 3; round++) {
      const replies = await Promise.all(
        [out, back].map((verb) => either().post(`${thing}/${verb}`, {})),
      )
      assert.deepEqual(tally(replies), { '200': 2 })
      await manager.post(`${thing}/${back}`, {})
    }
  }
})

/** Something that someone may wish, of these people, groups and emails. */
function wish(people: readonly string[], groups: readonly string[], project: string) {
  const person = `/v1/personnel/${random.pick(people)}`
  const group = `/v1/groups/${random.pick(groups)}`
  const some = () => Array.from({ length: random.below(4) }, () => random.pick(people))
  const email = `e${random.below(6)}@example.com`
  const wishes: (() => [string, string, object?])[] = [
    () => ['POST', '/v1/personnel', { name: 'New', email }],
    () => ['PATCH', person, { email }],
    () => ['PATCH', person, { manager_user_id: random.pick(people) }],
    () => ['POST', `${person}/${random.pick(['suspend', 'resume', 'depart', 'rejoin'])}`, {}],
    () => ['POST', `${person}/depart`, { if_assigned: 'fail' }],
    // As many come back as leave, or soon nobody would be left to race for.
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
  return random.pick(wishes)()
}

test(`a mixed load of eight at once leaves no drift, no deadlock and no 5xx (seed ${seed})`, async () => {
  const { manager, either, add, uuid } = await settle()
  const people: string[] = []
  for (let index = 0; index < 12; index++) people.push((await add({ name: `P ${index}` })).id)
  const groups: string[] = []
  for (const name of ['Crew', 'Board', 'Desk']) {
    groups.push((await manager.post('/v1/groups', { name })).body.id)
  }
  const { body: project } = await manager.post('/v1/projects', { code: 'DAM', name: 'Dam' })
  // Chance decides what meets whom, so the load goes on until each of these has happened.
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
        const [method, path, body] = wish(people, groups, project.id)
        return either().send(method, path, { ...(body && { body }) })
      }),
    )
    for (const reply of replies) {
      assert.ok(reply.status < 500, reply.text)
      missing.delete(codeOf(reply))
    }
  }
  assert.deepEqual([...missing], [], 'never happened')
  assert.deepEqual(await findDrift(host.sql, { workspace: uuid }), [])
  const { rows } = await host.sql.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  assert.equal(rows[0].deadlocks, 0)
})
