import assert from 'node:assert/strict'
import { test } from 'node:test'

import { type RoleName, roleNames, scopes } from '@muster/contract'

import { revokeKey } from '#domain/auth/keys'
import { outcome } from '#test/auth/browser'
import { addPerson, giveRole, signInPerson } from '#test/auth/people'
import { Client } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

const put = (who: Client, body: object) => who.send('PUT', '/v1/access', { body })
const scopesOf = async (who: Client) => (await who.get('/v1/whoami')).body.scopes

async function newGroup(...members: string[]): Promise<string> {
  const body = { name: `Group ${Math.random()}`, member_user_ids: members }
  return (await manager.post('/v1/groups', body)).body.id
}

test('lists four fixed roles, each with the rights of the one before', async () => {
  const { body } = await manager.get('/v1/roles')
  const found = body.data.map((role: { name: string }) => role.name)
  assert.deepEqual(found, ['reader', 'contributor', 'manager', 'admin'])
  assert.deepEqual(body.data.at(-1).scopes, scopes)
  assert.deepEqual(
    body.data.map((role: { may_exceed_appetite: boolean }) => role.may_exceed_appetite),
    [false, false, true, true],
  )
})

test('a person has the rights of their own entry and of their groups', async () => {
  const userId = await addPerson(manager)
  const person = await signInPerson(host, home, userId)
  assert.deepEqual(await scopesOf(person), [])
  assert.equal(outcome(await person.get('/v1/personnel')), '403 insufficient_scope')
  await giveRole(manager, { role: 'reader', user_id: userId })
  assert.equal(outcome(await person.get('/v1/personnel')), '200')
  const group = await newGroup(userId)
  await giveRole(manager, { role: 'contributor', group_id: group })
  const { body } = await person.get('/v1/whoami')
  assert.deepEqual(body.roles, ['reader', 'contributor'])
  assert.deepEqual(body.scopes, ['personnel.read', 'projects.read', 'projects.manage'])
  await manager.send('DELETE', `/v1/groups/${group}/members/${userId}`)
  assert.deepEqual(await scopesOf(person), ['personnel.read', 'projects.read'])
})

test('an archived group gives no role, and a restored one gives it again', async () => {
  const userId = await addPerson(manager)
  const person = await signInPerson(host, home, userId)
  const group = await newGroup(userId)
  await giveRole(manager, { role: 'reader', group_id: group })
  assert.equal((await scopesOf(person)).length, 2)
  await manager.post(`/v1/groups/${group}/archive`, {})
  assert.deepEqual(await scopesOf(person), [])
  const { entries } = (await manager.get('/v1/access')).body
  const entry = entries.find((each: { group_id: string }) => each.group_id === group)
  assert.equal(entry.is_granting, false)
  await manager.post(`/v1/groups/${group}/restore`, {})
  assert.equal((await scopesOf(person)).length, 2)
})

test('replaces the whole list, and refuses a list that has changed since it was read', async () => {
  const own = await newWorkspace(host)
  const admin = await own.manager()
  const [one, two] = [await addPerson(admin), await addPerson(admin)]
  const first = await put(admin, { entries: [{ role: 'reader', user_id: one }] })
  assert.equal(first.status, 200, first.text)
  const second = await put(admin, {
    as_of: first.body.as_of,
    entries: [{ role: 'manager', user_id: two }],
  })
  assert.deepEqual(second.body.entries, [
    { role: 'manager', user_id: two, group_id: null, is_granting: true, identity_change: null },
  ])
  assert.ok(second.body.as_of > first.body.as_of)
  const stale = await put(admin, { as_of: first.body.as_of, entries: [] })
  assert.equal(outcome(stale), '412 version_mismatch')
  const read = await admin.get('/v1/access')
  assert.deepEqual(read.body, second.body)
  const etag = read.headers.get('etag') ?? ''
  assert.equal((await admin.get('/v1/access', { 'if-none-match': etag })).status, 304)
  const same = await put(admin, read.body)
  assert.deepEqual(same.body, read.body, 'what was read can be sent back')
  await put(admin, { entries: [] })
  assert.equal((await admin.get('/v1/access', { 'if-none-match': etag })).status, 200)
})

test('refuses entries without one subject, twice the same, and unknown ones', async () => {
  const [userId, group] = [await addPerson(manager), await newGroup()]
  const departed = await addPerson(manager)
  await manager.post(`/v1/personnel/${departed}/depart`, {})
  const role = 'reader'
  const refused: object[][] = [
    [{ role }],
    [{ role, user_id: userId, group_id: group }],
    [
      { role, user_id: userId },
      { role: 'manager', user_id: userId },
    ],
    [{ role, user_id: departed }],
    [{ role, user_id: 'usr_01ktrr9d3hen4v9q9t9m2g8x5c' }],
    [{ role, group_id: 'grp_01ktrr9d3hen4v9q9t9m2g8x5c' }],
    [{ role: 'owner', user_id: userId }],
  ]
  for (const entries of refused) {
    assert.equal(outcome(await put(manager, { entries })), '422 validation_failed')
  }
})

test('giving a role needs all its rights; taking it away does not', async () => {
  const userId = await addPerson(manager)
  const weak = await home.key('workspace.manage')
  const { entries } = (await manager.get('/v1/access')).body
  const refused = await put(weak, { entries: [...entries, { role: 'reader', user_id: userId }] })
  assert.equal(outcome(refused), '403 beyond_your_rights')
  assert.deepEqual(refused.body.missing_rights, ['personnel.read', 'projects.read'])
  await giveRole(manager, { role: 'manager', user_id: userId })
  const now = (await manager.get('/v1/access')).body.entries
  assert.equal(outcome(await put(weak, { entries: now })), '200', 'an unchanged list')
  assert.equal(outcome(await put(weak, { entries })), '200', 'a removal')
})

test('giving access through a group or a status needs its rights', async () => {
  const weak = await home.key('personnel.manage')
  const [chief, other] = [await addPerson(manager, { role: 'manager' }), await addPerson(manager)]
  const group = await newGroup(chief)
  await giveRole(manager, { role: 'manager', group_id: group })
  const member = `/v1/groups/${group}/members`
  const steps: [string, string, object | undefined, string][] = [
    ['PUT', `${member}/${other}`, undefined, '403 beyond_your_rights'],
    ['PATCH', member, { add: [other] }, '403 beyond_your_rights'],
    ['PUT', `${member}/${chief}`, undefined, '200'],
    ['DELETE', `${member}/${chief}`, undefined, '200'],
    ['POST', `/v1/groups/${group}/archive`, {}, '200'],
    ['POST', `/v1/groups/${group}/restore`, {}, '403 beyond_your_rights'],
    ['POST', `/v1/personnel/${chief}/suspend`, {}, '200'],
    ['POST', `/v1/personnel/${chief}/resume`, {}, '403 beyond_your_rights'],
    ['POST', `/v1/personnel/${other}/suspend`, {}, '200'],
    ['POST', `/v1/personnel/${other}/resume`, {}, '200'],
    ['POST', `/v1/personnel/${chief}/depart`, {}, '200'],
    ['POST', `/v1/personnel/${chief}/rejoin`, {}, '200'],
  ]
  for (const [method, path, body, expected] of steps) {
    assert.equal(outcome(await weak.send(method, path, { body })), expected, `${method} ${path}`)
  }
  const { entries } = (await manager.get('/v1/access')).body
  assert.ok(!entries.some((each: { user_id: string }) => each.user_id === chief), 'departed')
})

test('taking access from a person with keys.manage or workspace.manage needs workspace.manage', async () => {
  const [weak, settings] = [
    await home.key('personnel.manage'),
    await home.key('personnel.manage', 'workspace.manage'),
  ]
  const [own, member] = [await addPerson(manager, { role: 'admin' }), await addPerson(manager)]
  const group = await newGroup(member)
  await giveRole(manager, { role: 'admin', group_id: group })
  for (const userId of [own, member]) {
    for (const verb of ['suspend', 'depart']) {
      const refused = await weak.post(`/v1/personnel/${userId}/${verb}`, {})
      assert.equal(outcome(refused), '403 beyond_your_rights', verb)
      assert.deepEqual(refused.body.missing_rights, ['workspace.manage'])
      assert.match(refused.body.detail, /has keys\.manage and workspace\.manage/)
    }
  }
  await manager.post(`/v1/groups/${group}/archive`, {})
  assert.equal(outcome(await weak.post(`/v1/personnel/${member}/suspend`, {})), '200', 'no right')
  for (const verb of ['suspend', 'depart']) {
    assert.equal(outcome(await settings.post(`/v1/personnel/${own}/${verb}`, {})), '200', verb)
  }
  const erase = { confirm: own }
  assert.equal(outcome(await weak.post(`/v1/personnel/${own}/erase`, erase)), '200', 'departed')
})

test('a key with keys.manage revokes any key', async () => {
  const { id } = await home.issue({ scopes })
  const weak = await home.key('keys.manage')
  assert.equal(outcome(await weak.post(`/v1/keys/${id}/revoke`, {})), '200')
})

test('a key that expires within 24 hours is not the key that could appoint an administrator', async () => {
  const own = await newWorkspace(host)
  const issue = async (hours: number) => {
    const { id, token } = await own.issue({ scopes, expiresInHours: hours })
    return { id, client: new Client(host.base, token) }
  }
  const brief = await issue(24)
  const admin = await addPerson(brief.client, { role: 'admin' })
  const remove = async (who: Client) => outcome(await put(who, { entries: [] }))
  const suspend = `/v1/personnel/${admin}/suspend`
  assert.equal(await remove(brief.client), '409 last_admin')
  assert.equal(outcome(await brief.client.post(suspend, {})), '409 last_admin')
  const lasting = await issue(25)
  assert.equal(outcome(await brief.client.post(suspend, {})), '200')
  assert.equal(outcome(await lasting.client.post(`/v1/personnel/${admin}/resume`, {})), '200')
  await lasting.client.post(`/v1/keys/${lasting.id}/revoke`, {})
  assert.equal(await remove(brief.client), '409 last_admin')
})

test('keeps the last administrator while no key could appoint another', async () => {
  const own = await newWorkspace(host)
  const { id: keyId, token } = await own.issue({ scopes })
  const setup = new Client(host.base, token)
  const [one, two] = [await addPerson(setup, { role: 'admin' }), await addPerson(setup)]
  const group = (await setup.post('/v1/groups', { name: 'Admins', member_user_ids: [two] })).body.id
  await giveRole(setup, { role: 'admin', group_id: group })
  const admin = await signInPerson(host, own, one)
  await revokeKey(own.admin, keyId)
  assert.equal(outcome(await admin.post(`/v1/personnel/${two}/suspend`, {})), '200')
  const removals: [string, string, object?][] = [
    ['POST', `/v1/personnel/${one}/suspend`, {}],
    ['POST', `/v1/personnel/${one}/depart`, {}],
    ['PUT', '/v1/access', { entries: [{ role: 'admin', group_id: group }] }],
    ['PUT', '/v1/access', { entries: [] }],
  ]
  for (const [method, path, body] of removals) {
    assert.equal(outcome(await admin.send(method, path, { body })), '409 last_admin', path)
  }
  assert.equal(outcome(await admin.post(`/v1/personnel/${two}/resume`, {})), '200')
  assert.equal(outcome(await admin.post(`/v1/personnel/${one}/suspend`, {})), '200')
  const second = await signInPerson(host, own, two)
  const groupRemovals: [string, string][] = [
    ['POST', `/v1/groups/${group}/archive`],
    ['DELETE', `/v1/groups/${group}/members/${two}`],
  ]
  for (const [method, path] of groupRemovals) {
    assert.equal(outcome(await second.send(method, path)), '409 last_admin', path)
  }
})

for (const role of roleNames) {
  const mayExceed = ['manager', 'admin'].includes(role)
  const isAllowed = role === 'reader' ? '403 insufficient_scope' : '200'
  test(`${role}: ${mayExceed ? 'may' : 'cannot'} exceed or change the appetite`, async () => {
    await assertAppetite(role, mayExceed ? '200' : beyond(role), isAllowed)
  })
}

const beyond = (role: RoleName) =>
  role === 'reader' ? '403 insufficient_scope' : '403 beyond_your_rights'

let codes = 0

async function assertAppetite(role: RoleName, expected: string, within: string): Promise<void> {
  const userId = await addPerson(manager, { role })
  const person = await signInPerson(host, home, userId)
  const create = async (risk_appetite: number | null) =>
    (await manager.post('/v1/projects', { code: `A${codes++}`, name: 'P', risk_appetite })).body.id
  const project = await create(6)
  const risk = async (impact: number) =>
    (await manager.post(`/v1/projects/${project}/risks`, { title: 'R', likelihood: 3, impact }))
      .body.id
  const accept = { accepted_by_user_id: userId, expires_on: '2099-01-01', rationale: 'Agreed.' }
  const at = `/v1/projects/${project}`
  assert.equal(outcome(await person.post(`${at}/risks/${await risk(2)}/accept`, accept)), within)
  assert.equal(outcome(await person.post(`${at}/risks/${await risk(4)}/accept`, accept)), expected)
  const raise = { risk_appetite: 20 }
  assert.equal(outcome(await person.send('PATCH', at, { body: raise })), expected)
  const other = await create(6)
  await manager.post(`/v1/projects/${other}/risks`, { title: 'R', likelihood: 5, impact: 5 })
  const archive = { if_live_items: 'transfer', to_project_id: await create(null) }
  assert.equal(outcome(await person.post(`/v1/projects/${other}/archive`, archive)), expected)
}

test('a service key with projects.manage may exceed and change the appetite, as before', async () => {
  const key = await home.key('projects.manage')
  const made = await manager.post('/v1/projects', { code: 'SK', name: 'P', risk_appetite: 4 })
  const reply = await key.send('PATCH', `/v1/projects/${made.body.id}`, {
    body: { risk_appetite: 20 },
  })
  assert.equal(outcome(reply), '200')
})
