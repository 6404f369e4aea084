import assert from 'node:assert/strict'
import { test } from 'node:test'

import { boundScopes, limits, scopes } from '@muster/contract'

import { uuidOf } from '#storage/values/id'
import { outcome, signIn } from '#test/auth/browser'
import { addPerson, signInPerson } from '#test/auth/people'
import { Client } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

import { bindKey } from './bound-keys.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

let codes = 0
async function newProject(): Promise<string> {
  codes += 1
  const { body } = await manager.post('/v1/projects', { code: `K${codes}`, name: 'Any' })
  return body.id
}

const codesSeen = async (client: Client) =>
  (await client.get('/v1/projects')).body.data.map(({ id }: { id: string }) => id)
const [one, two] = [await newProject(), await newProject()]
const unknown = 'prj_01ktrr9d3hen4v9q9t9m2g8x5c'

test('a key with projects sees these alone, and says so', async () => {
  const { id, client } = await bindKey(manager, [one])
  assert.deepEqual(await codesSeen(client), [one])
  const { body } = await client.get('/v1/whoami')
  assert.deepEqual(body.key.project_ids, [one])
  assert.equal(body.usage.projects, null)
  assert.equal(body.usage.people, 0)
  assert.deepEqual((await manager.get(`/v1/keys/${id}`)).body.project_ids, [one])
})

test('only scopes that keep to projects can be bound', async () => {
  for (const scope of scopes) {
    const input = { name: 'Any', scopes: [scope], project_ids: [one] }
    const isBindable = boundScopes.some((each) => each === scope)
    const expected = isBindable ? '201' : '422 validation_failed'
    assert.equal(outcome(await manager.post('/v1/keys', input)), expected, scope)
  }
  const wide = await home.issue({ scopes: ['keys.read'] })
  const bound = await manager.send('PATCH', `/v1/keys/${wide.id}`, { body: { project_ids: [one] } })
  assert.equal(outcome(bound), '422 validation_failed')
  assert.equal(bound.body.errors[0].pointer, '/project_ids')
})

test('the projects of a key exist, and are 1 to 50', async () => {
  const create = (project_ids: readonly string[]) =>
    manager.post('/v1/keys', { name: 'Any', scopes: ['projects.read'], project_ids })
  const refused = await create([one, unknown])
  assert.equal(outcome(refused), '422 unknown_reference')
  assert.equal(refused.body.pointer, '/project_ids/1')
  assert.equal(outcome(await create([])), '422 validation_failed')
  assert.equal(outcome(await create([one, one])), '422 validation_failed')
  const many = await Promise.all(Array.from({ length: limits.keyProjectsMax }, newProject))
  assert.equal(outcome(await create(many)), '201')
  assert.equal(outcome(await create([...many, one])), '422 validation_failed')
})

test('an update narrows and widens from the next request on, and is in the audit log', async () => {
  const { id, client } = await bindKey(manager, [one, two])
  const change = (project_ids: readonly string[] | null) =>
    manager.send('PATCH', `/v1/keys/${id}`, { body: { project_ids } })
  assert.equal(outcome(await change([two])), '200')
  assert.deepEqual(await codesSeen(client), [two])
  assert.equal(outcome(await change([one, two])), '200')
  assert.deepEqual((await codesSeen(client)).length, 2)
  assert.equal(outcome(await change(null)), '200')
  assert.ok((await codesSeen(client)).length > 2)
  assert.equal(outcome(await change([unknown])), '422 unknown_reference')
  const { body } = await manager.get('/v1/audit')
  const reasons = body.data.map(({ reason }: { reason: string }) => reason)
  assert.ok(reasons.includes(`project_ids ${one} ${two} to ${two}`), reasons.join())
})

test('in a session, showing a key more projects needs a recent sign-in', async () => {
  const userId = await addPerson(manager, { role: 'admin' })
  const person = await signInPerson(host, home, userId)
  const { id } = await bindKey(manager, [one, two])
  const change = (project_ids: readonly string[] | null) =>
    person.send('PATCH', `/v1/keys/${id}`, { body: { project_ids } })
  await host.sql.query(
    `update sessions set authenticated_at = now() - interval '1 hour' where user_id = $1`,
    [uuidOf(userId)],
  )
  assert.equal(outcome(await change([two])), '200')
  assert.equal(outcome(await change([one])), '403 reauthentication_required')
  assert.equal(outcome(await change(null)), '403 reauthentication_required')
})

test('a rotation keeps the projects', async () => {
  const { id } = await bindKey(manager, [one])
  const { body } = await manager.post(`/v1/keys/${id}/rotate`, {})
  assert.deepEqual(body.project_ids, [one])
  assert.deepEqual(await codesSeen(new Client(host.base, body.secret)), [one])
})

test('a session of a bound key has its view', async () => {
  const { client } = await bindKey(manager, [one])
  const browser = await signIn(host.base, client.token)
  assert.deepEqual(await codesSeen(browser), [one])
})

test('a personal key can be bound, and names no other projects of its person', async () => {
  const person = await signInPerson(host, home, await addPerson(manager, { role: 'manager' }))
  const create = async (project_ids: readonly string[] | null) => {
    const body = { name: 'Mine', scopes: ['projects.manage'], project_ids }
    const reply = await person.post('/v1/personnel/me/keys', body)
    assert.equal(reply.status, 201, reply.text)
    return { id: reply.body.id, client: new Client(host.base, reply.body.secret) }
  }
  const [mine, other] = [await create([one]), await create([one, two])]
  assert.deepEqual(await codesSeen(mine.client), [one])
  const { body } = await mine.client.get('/v1/personnel/me/keys')
  const listed = body.data.map(({ project_ids }: { project_ids: string[] }) => project_ids)
  assert.deepEqual(listed, [[one], [one]])
  const revoked = await mine.client.post(`/v1/personnel/me/keys/${other.id}/revoke`, {})
  assert.deepEqual(revoked.body.project_ids, [one])
  assert.equal(outcome(await mine.client.post('/v1/projects', { code: 'ZZ', name: 'Z' })), no)
})

const no = '403 beyond_your_rights'

test('a bound key creates no project and exceeds no appetite', async () => {
  const person = await addPerson(manager)
  const { client } = await bindKey(manager, [one])
  assert.equal(outcome(await client.post('/v1/projects', { code: 'ZY', name: 'Y' })), no)
  const appetite = (who: Client, risk_appetite: number) =>
    who.send('PATCH', `/v1/projects/${one}`, { body: { risk_appetite } })
  assert.equal(outcome(await appetite(client, 5)), no)
  assert.equal(outcome(await appetite(manager, 5)), '200')
  const risk = await client.post(`/v1/projects/${one}/risks`, {
    title: 'Flood',
    likelihood: 5,
    impact: 5,
  })
  assert.equal(risk.status, 201)
  const acceptance = { accepted_by_user_id: person, expires_on: '2999-12-31', rationale: 'Cheap' }
  const accept = `/v1/projects/${one}/risks/${risk.body.id}/accept`
  assert.equal(outcome(await client.post(accept, acceptance)), no)
  assert.equal(outcome(await manager.post(accept, acceptance)), '200')
})

test('for the previous release, which knows no projects, a bound key does not exist', async () => {
  const [bound, free] = [await bindKey(manager, [one]), await home.issue({ scopes })]
  const found = async (id: string, more: string) => {
    const { rows } = await host.sql.query(
      `select principal from api_keys k, lateral
         authenticate_keys(array[k.workspace_id], array[k.hash], array[false]${more})
       where k.id = $1`,
      [uuidOf(id)],
    )
    return rows.length
  }
  assert.deepEqual([await found(free.id, ''), await found(bound.id, '')], [1, 0])
  assert.deepEqual([await found(free.id, ', true'), await found(bound.id, ', true')], [1, 1])
})
