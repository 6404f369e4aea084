import assert from 'node:assert/strict'

import { everyOperation, type Operation, operations } from '@muster/contract'
import { exampleOf } from '@muster/contract/openapi'

import { register } from '#test/auth/passkeys/passkey-steps'
import { signInByLink } from '#test/auth/people'

import { Client, type Json } from './client.ts'
import { keyOperations } from './operations.ts'

/** One item of every kind, for tests that cover the whole contract. */
export interface Fixture {
  /** By the name of the path parameter. */
  readonly ids: Readonly<Record<string, string>>
  /** The id of a second person, who is not in the group. */
  readonly colleague: string
  /** Replaces the parameters of a contract path by these ids. */
  readonly fill: (path: string) => string
}

let fixtures = 0

/** Creates one item of every kind. Every text contains `about`. */
export async function createFixture(manager: Client, about = 'fixture'): Promise<Fixture> {
  fixtures += 1
  const make = async (path: string, body: object): Promise<Json> => {
    const reply = await manager.post(path, body)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const person = await make('/v1/personnel', { name: `Ada ${about}` })
  const colleague = await make('/v1/personnel', { name: `Bo ${about}` })
  const plan = { departs_on: '2999-12-31', handover: { to_user_id: colleague.id } }
  const planned = await manager.post(`/v1/personnel/${person.id}/depart`, plan)
  assert.equal(planned.status, 200, planned.text)
  const members = { member_user_ids: [person.id], lead_user_ids: [person.id] }
  const group = await make('/v1/groups', { name: `Group ${about} ${fixtures}`, ...members })
  const code = `S${fixtures}`
  const project = await make('/v1/projects', { code, name: `Project ${about}` })
  const here = `/v1/projects/${project.id}`
  const links = [{ title: `Report ${about}`, url: 'https://documents.example/report' }]
  const owner = { owner_user_id: person.id, tags: [`tag-${about}`], links }
  const rating = { likelihood: 3, impact: 4 }
  const risk = await make(`${here}/risks`, { title: `Risk ${about}`, ...rating, ...owner })
  const issue = await make(`${here}/issues`, {
    title: `Issue ${about}`,
    severity: 3,
    assignee_user_id: person.id,
  })
  const key = await make('/v1/keys', { name: `Key ${about}`, scopes: ['keys.read'] })
  const task = await make(`${here}/tasks`, { title: `Task ${about}`, risk_id: risk.id })
  const ids: Record<string, string> = {
    user_id: person.id,
    group_id: group.id,
    project_id: project.id,
    risk_id: risk.id,
    issue_id: issue.id,
    task_id: task.id,
    key_id: key.id,
    passkey_id: 'psk_01ktrr9d3hen4v9q9t9m2g8x5c',
  }
  const fixture = { ids, colleague: colleague.id, fill: fillWith(ids) }
  for (const { parameter, create } of creations) {
    if (parameter in ids) continue
    const named = { ...exampleFor(create, fixture), name: `${parameter} ${about}` }
    ids[parameter] = (await make(fixture.fill(create.path), named)).id
  }
  return fixture
}

/** The operations that create what a path parameter identifies. */
const creations = Object.values(operations).flatMap((verbs) => {
  // The cast holds because every member of a noun is an operation.
  const { create, view } = verbs as unknown as Readonly<Record<string, Operation | undefined>>
  const [, parameter] = /\{(\w+)\}$/.exec(view?.path ?? '') ?? []
  return create && parameter !== undefined ? [{ parameter, create }] : []
})

const fillWith = (ids: Fixture['ids']) => (path: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name]
    assert.ok(id, `the fixture has no ${name}`)
    return id
  }) + requiredQuery(path)

/** The parameters that a read of this path needs, with the values of their examples. */
export function requiredQuery(path: string): string {
  const found = everyOperation().find(
    ({ operation }) => operation.path === path && operation.method === 'GET',
  )
  const { properties = {}, required = [] } = found?.operation.query ?? {}
  const pairs = required.map((name) => `${name}=${String(exampleOf(properties[name] ?? {}))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** The transition that must come first for a verb to have an effect. */
const before: Readonly<Record<string, { verb: string; body: object }>> = {
  reopen: { verb: 'close', body: { close_reason: 'duplicate' } },
  resume: { verb: 'suspend', body: {} },
  rejoin: { verb: 'depart', body: {} },
  erase: { verb: 'depart', body: {} },
  restore: { verb: 'archive', body: { if_live_items: 'close' } },
}

/** Creates one item of every kind, in a state in which the operation has an effect. */
export async function createFixtureFor(
  manager: Client,
  { path, method }: Operation,
  about?: string,
): Promise<Fixture> {
  const fixture = await createFixture(manager, about)
  if (method === 'PUT') await manager.send('DELETE', fixture.fill(path))
  // An unchanged workspace has version 0, and no earlier version exists.
  if (path === operations.workspace.update.path) {
    await manager.send('PATCH', path, { body: { time_zone: 'UTC', name: `Home ${fixtures}` } })
  }
  if (path === operations.sign_in.confirm.path) await holdIdentity(manager, fixture)
  if (path.includes('{passkey_id}')) return withPasskey(manager, fixture)
  const first = before[path.split('/').at(-1) ?? '']
  if (first) {
    const done = await manager.post(fixture.fill(`${itemPath(path)}/${first.verb}`), first.body)
    assert.equal(done.status, 200, done.text)
  }
  return fixture
}

/** The person signs in by link and adds a passkey. */
async function withPasskey(manager: Client, fixture: Fixture): Promise<Fixture> {
  const browser = await signInByLink(manager, fixture.ids['user_id'] ?? '')
  const ids = { ...fixture.ids, passkey_id: (await register(browser)).passkey.id }
  return { ...fixture, ids, fill: fillWith(ids) }
}

/** A key with fewer rights than a person changes how the identity provider finds the person. */
async function holdIdentity(manager: Client, { ids: { user_id } }: Fixture): Promise<void> {
  const { entries } = (await manager.get('/v1/access')).body
  const added = { entries: [...entries, { role: 'reader', user_id }] }
  const given = await manager.send('PUT', '/v1/access', { body: added })
  assert.equal(given.status, 200, given.text)
  const key = await manager.post('/v1/keys', { name: 'HR', scopes: ['personnel.manage'] })
  const weak = new Client(manager.base, key.body.secret)
  const body = { external_id: `held-${fixtures}` }
  const held = await weak.send('PATCH', `/v1/personnel/${user_id}`, { body })
  assert.equal(held.status, 200, held.text)
}

/** True for the operation that revokes the key of its caller. */
export const revokesOwnKey = ({ path }: Operation) => path === operations.keys.revoke_self.path

/** The manager; or a client with a disposable key, for an operation that revokes its own key. */
export async function clientFor(manager: Client, operation: Operation): Promise<Client> {
  if (!revokesOwnKey(operation)) return manager
  const { body } = await manager.get('/v1/whoami')
  const { scopes } = body.key
  const made = await manager.post('/v1/keys', { name: 'Disposable', scopes })
  return new Client(manager.base, made.body.secret)
}

/** The path of the item that an operation changes. A change of a member changes the group. */
export function itemPath(path: string): string {
  const [own = ''] = path.split('/members')
  return own.includes('}') ? own.slice(0, own.lastIndexOf('}') + 1) : own
}

/** The example body of the API reference, with existing ids. */
export function exampleFor({ body }: Operation, { ids, colleague }: Fixture): Json {
  if (body === undefined) return undefined
  const example = JSON.stringify(exampleOf(body)).replaceAll(otherExampleId, colleague)
  return JSON.parse(withIds(example, ids))
}

/** An example text with existing ids. */
export function withIds(example: string, ids: Fixture['ids']): string {
  const byPrefix = new Map(Object.values(ids).map((id) => [id.slice(0, 3), id]))
  return example.replaceAll(exampleId, (id, prefix: string) => byPrefix.get(prefix) ?? id)
}

/** A new row of a batch: the example of the operation that creates one, with new values. */
export function newRowFor(name: string, operation: Operation, fixture: Fixture): Json {
  const [noun] = name.split('.')
  const create = keyOperations().find((each) => each.name === `${noun}.create`)
  assert.ok(create, name)
  const example = newExampleFor(create.operation, fixture)
  return { ...example, ...projectOfRow(operation, fixture) }
}

/** In a batch of several projects, a new row names its project. */
export function projectOfRow({ rows }: Operation, { ids }: Fixture): Json {
  return 'project_code' in (rows?.properties ?? {}) ? { project_id: ids['project_id'] } : {}
}

/** An id in the API reference that no item ever has. */
export const exampleId = /\b([a-z]{3})_01ktrr9d3hen4v9q9t9m2g8x5c\b/g

/** The second person in examples that need two. */
const otherExampleId = 'usr_01ktrr9d3hen4v9q9t9m2g8x5d'

/** Like `exampleFor`, with new values for unique fields on each call. */
export function newExampleFor(operation: Operation, fixture: Fixture): Json {
  fixtures += 1
  const example: Json = exampleFor(operation, fixture)
  if (operation.rows === undefined) return example && withNewValues(example)
  return { ...example, data: example.data.map(withNewValues) }
}

const withNewValues = (example: Json): Json => ({
  ...example,
  ...('email' in example && { email: `mara${fixtures}@example.com` }),
  ...('name' in example && { name: `${example.name} ${fixtures}` }),
  ...('code' in example && { code: `N${fixtures}` }),
})
