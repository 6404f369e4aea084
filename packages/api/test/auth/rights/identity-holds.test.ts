import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { RoleName } from '@muster/contract'

import { outcome } from '#test/auth/browser'
import { giveRole, signInByLink } from '#test/auth/people'
import { ProviderBrowser } from '#test/auth/provider/provider-browser'
import { changeEmail, newPerson, startProviderHost } from '#test/auth/provider/provider-host'
import { Client, type Json } from '#test/support/client'

/** Changes of the email or external id by someone who lacks rights, with a real provider. */

const { host, base, home, manager, newAccount, configure } = await startProviderHost()
await configure(manager, { first_sign_in: 'reader' })
const hr = await home.key('personnel.manage')
const chief = await home.key('personnel.manage', 'projects.manage', 'workspace.read')

const refused = '409 identity_unconfirmed'
const patch = (who: Client, userId: string, body: object) =>
  who.send('PATCH', `/v1/personnel/${userId}`, { body })
const confirm = (who: Client, userId: string) =>
  who.post(`/v1/personnel/${userId}/confirm-identity`, undefined)

async function give(entry: { role: RoleName; user_id?: string; group_id?: string }, who = manager) {
  const { entries } = (await manager.get('/v1/access')).body
  const subject = entry.user_id ?? entry.group_id
  const others = entries.filter((each: Json) => (each.user_id ?? each.group_id) !== subject)
  return who.send('PUT', '/v1/access', { body: { entries: [...others, entry] } })
}

let attackers = 0

/** `who` changes the email of a person to that of an account of the attacker. */
async function changeToAttacker(who: Client, userId: string): Promise<ProviderBrowser> {
  attackers += 1
  const email = `mallory${attackers}@example.com`
  await changeEmail(who, userId, email)
  return new ProviderBrowser(base, home.id, newAccount({ email }))
}

const rolesIn = async (browser: ProviderBrowser) => {
  await browser.signIn()
  return (await browser.console.get('/v1/whoami')).body.roles
}

async function newGroup(members: readonly string[], role?: RoleName): Promise<string> {
  const body = { name: `Group ${Math.random()}`, member_user_ids: members }
  const { id } = (await manager.post('/v1/groups', body)).body
  if (role) await giveRole(manager, { role, group_id: id })
  return id
}

async function holdsOf(userId: string): Promise<Json[]> {
  const { entries } = (await manager.get('/v1/access')).body
  return entries.find((entry: Json) => entry.user_id === userId)?.identity_change
}

test('refuses a role for a person whose email a key with fewer rights changed before', async () => {
  for (const [who, role] of [
    [chief, 'reader'],
    [hr, null],
  ] as const) {
    const { id } = await newPerson(manager, {}, role)
    const attacker = await changeToAttacker(who, id)
    const reply = await give({ role: 'admin', user_id: id })
    assert.equal(outcome(reply), refused)
    assert.deepEqual(reply.body.user_ids, [id])
    assert.ok(reply.body.missing_rights.includes('keys.manage'))
    assert.match(reply.body.detail, new RegExp(`^The email or external id of ${id} was changed`))
    assert.deepEqual(await rolesIn(attacker), role === null ? undefined : ['reader'])
  }
})

test('refuses a role for a person whose account was bound before', async () => {
  const { id } = await newPerson(manager)
  const attacker = await changeToAttacker(chief, id)
  assert.deepEqual(await rolesIn(attacker), ['reader'])
  assert.equal(outcome(await give({ role: 'admin', user_id: id })), refused)
  assert.equal(outcome(await give({ role: 'manager', user_id: id })), '200', 'the key has these')
  assert.deepEqual(await rolesIn(attacker), ['manager'])
})

test('a departure and a return keep the hold', async () => {
  const { id } = await newPerson(manager, {}, 'admin')
  const attacker = await changeToAttacker(hr, id)
  assert.equal(await rolesIn(attacker), undefined)
  assert.equal((await manager.post(`/v1/personnel/${id}/depart`, {})).status, 200)
  assert.equal((await hr.post(`/v1/personnel/${id}/rejoin`, {})).status, 200)
  assert.equal(await rolesIn(attacker), undefined)
  assert.equal(outcome(await give({ role: 'admin', user_id: id })), refused)
})

test('refuses rights by a group: new members, a role, and a restore', async () => {
  const { id } = await newPerson(manager)
  const other = await newPerson(manager)
  await changeToAttacker(chief, id)
  const admins = await newGroup([], 'admin')
  const members = `/v1/groups/${admins}/members`
  assert.equal(outcome(await manager.send('PUT', `${members}/${id}`)), refused)
  const both = await manager.send('PATCH', members, { body: { add: [other.id, id] } })
  assert.deepEqual([outcome(both), both.body.user_ids], [refused, [id]])

  const plain = await newGroup([id, other.id])
  const role = await give({ role: 'admin', group_id: plain })
  assert.deepEqual([outcome(role), role.body.user_ids], [refused, [id]])

  const third = await newPerson(manager)
  assert.equal(outcome(await manager.send('PUT', `${members}/${third.id}`)), '200')
  await manager.post(`/v1/groups/${admins}/archive`, {})
  await changeToAttacker(chief, third.id)
  const restore = () => manager.post(`/v1/groups/${admins}/restore`, {})
  assert.deepEqual((await restore()).body.user_ids, [third.id])
  assert.equal((await confirm(manager, third.id)).status, 200)
  assert.equal(outcome(await restore()), '200')
})

test('refuses the return of a suspended person with rights', async () => {
  const { id } = await newPerson(manager, {}, 'admin')
  await manager.post(`/v1/personnel/${id}/suspend`, {})
  await changeToAttacker(chief, id)
  assert.equal(outcome(await manager.post(`/v1/personnel/${id}/resume`, {})), refused)
  assert.equal((await confirm(manager, id)).status, 200)
  assert.equal(outcome(await manager.post(`/v1/personnel/${id}/resume`, {})), '200')
})

test('a role with fewer rights and the end of a role need no confirmation', async () => {
  const { id } = await newPerson(manager, {}, 'admin')
  await changeToAttacker(hr, id)
  assert.equal(outcome(await give({ role: 'reader', user_id: id })), '200')
  assert.equal(outcome(await give({ role: 'contributor', user_id: id })), refused)
})

test('the account that was confirmed can be bound and get the role', async () => {
  const { id } = await newPerson(manager)
  const account = await changeToAttacker(hr, id)
  assert.equal(await rolesIn(account), undefined)
  assert.equal((await confirm(manager, id)).status, 200)
  assert.equal(outcome(await give({ role: 'admin', user_id: id })), '200')
  assert.deepEqual(await rolesIn(account), ['admin'])
})

test('a confirmation allows the rights of who confirms, who has those of the person', async () => {
  const { id } = await newPerson(manager)
  await changeToAttacker(hr, id)
  const settings = await home.key('workspace.manage')
  assert.equal(outcome(await confirm(settings, id)), '403 beyond_your_rights')
  const most = await home.key('workspace.manage', 'personnel.manage', 'projects.manage')
  assert.equal(outcome(await give({ role: 'manager', user_id: id }, most)), refused)
  assert.equal(outcome(await confirm(most, id)), '200')
  assert.equal(outcome(await give({ role: 'manager', user_id: id }, most)), '200')
  const reply = await give({ role: 'admin', user_id: id })
  assert.deepEqual(reply.body.missing_rights, ['keys.read', 'keys.manage'])
})

test('a second change leaves only the rights of both', async () => {
  const { id } = await newPerson(manager)
  assert.equal(outcome(await patch(chief, id, { external_id: 'first' })), '200')
  await changeToAttacker(hr, id)
  assert.equal(outcome(await patch(chief, id, { external_id: 'second' })), '200')
  assert.equal(outcome(await give({ role: 'contributor', user_id: id })), refused)
  const { fields } = (await holdsOf(id)) as Json
  assert.deepEqual(fields, ['email', 'external_id'])
})

test('the list of roles shows who changed what, and when', async () => {
  const { id } = await newPerson(manager)
  const before = await manager.get('/v1/access')
  assert.equal(await holdsOf(id), null)
  const chiefKey = (await chief.get('/v1/whoami')).body.key.id
  const changed = await patch(chief, id, { external_id: 'changed' })
  const etag = before.headers.get('etag') ?? ''
  assert.equal((await manager.get('/v1/access', { 'if-none-match': etag })).status, 200)
  assert.deepEqual(await holdsOf(id), {
    fields: ['external_id'],
    changed_by: { type: 'key', id: chiefKey, user_id: null },
    changed_at: changed.body.updated_at,
  })
  const read = (await manager.get('/v1/access')).body
  const same = await manager.send('PUT', '/v1/access', { body: read })
  assert.deepEqual(same.body, read, 'what was read can be sent back')
  await confirm(manager, id)
  assert.equal(await holdsOf(id), null)
})

test('names at most 50 of many people', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({ name: `Many ${index}` }))
  const { data } = (await manager.post('/v1/personnel/batch', { data: rows })).body
  const ids = data.map(({ id }: Json) => id as string)
  const changes = ids.map((id: string) => ({ id, external_id: `many-${id}` }))
  assert.equal((await hr.post('/v1/personnel/batch', { data: changes })).status, 200)
  const group = await newGroup(ids)
  const reply = await give({ role: 'reader', group_id: group })
  assert.deepEqual([outcome(reply), reply.body.user_ids], [refused, ids.slice(0, 50)])
  assert.match(reply.body.detail, / and of at least 50 more was changed by someone without /)
})

test('a change by someone with every right, and a new person, need no confirmation', async () => {
  const created = await newPerson(hr, {}, null)
  assert.equal(outcome(await give({ role: 'admin', user_id: created.id })), '200')
  const changed = await newPerson(manager)
  await changeEmail(manager, changed.id, 'corrected@example.com')
  assert.equal(outcome(await give({ role: 'admin', user_id: changed.id })), '200')
})

test('audits every changed email and external id, without the values', async () => {
  const { id } = await newPerson(manager)
  await patch(manager, id, { email: 'one@example.com', external_id: 'one' })
  await hr.post('/v1/personnel/batch', { data: [{ id, email: 'two@example.com', title: 'X' }] })
  await patch(hr, id, { title: 'Y' })
  const { data } = (await manager.get(`/v1/audit?user_id=${id}&type=identity.changed`)).body
  const reasons = data.map(({ reason }: Json) => reason)
  assert.deepEqual(reasons, ['email', 'email, external_id'])
})

test('erasure removes the hold', async () => {
  const { id } = await newPerson(manager)
  await changeToAttacker(hr, id)
  const held = async () => {
    const { rows } = await host.sql.query<{ count: string }>(
      `select count(*) from binding_holds h join people p using (workspace_id)
       where p.id = h.user_id and p.erased_at is not null`,
    )
    return Number(rows[0]?.count)
  }
  await manager.post(`/v1/personnel/${id}/depart`, {})
  assert.equal((await manager.post(`/v1/personnel/${id}/erase`, { confirm: id })).status, 200)
  assert.equal(await held(), 0)
})

test('only a request for it ends the sign-in of a person, and it needs their rights', async () => {
  const { id, email } = await newPerson(manager, {}, 'admin')
  const account = new ProviderBrowser(base, home.id, newAccount({ email }))
  assert.deepEqual(await rolesIn(account), ['admin'])
  const browser = await signInByLink(manager, id)
  const made = await browser.post('/v1/personnel/me/keys', { name: 'Own', scopes: ['keys.read'] })
  assert.equal(made.status, 201, made.text)
  await changeEmail(manager, id, 'renamed@example.com')
  assert.deepEqual(await rolesIn(account), ['admin'], 'a change ends no binding')

  const ending = (who: Client, body: object) =>
    who.send('PATCH', `/v1/personnel/${id}?end_sign_in=true`, { body })
  assert.equal(outcome(await ending(chief, { email: 'x@example.com' })), '403 beyond_your_rights')
  assert.equal(outcome(await ending(manager, { email: 'again@example.com' })), '200')
  assert.equal(outcome(await account.console.get('/v1/whoami')), '401 session_ended')
  const key = new Client(base, made.body.secret)
  assert.equal(outcome(await key.get('/v1/whoami')), '401 key_revoked')
  assert.equal(await rolesIn(account), undefined, 'the account is not bound any more')
  const again = await ending(manager, {})
  assert.equal(outcome(again), '200', 'also without another change')
  const { data } = (await manager.get(`/v1/audit?user_id=${id}&type=identity.removed`)).body
  assert.deepEqual(
    data.map(({ reason }: Json) => reason),
    ['sign_in_ended', 'sign_in_ended'],
  )
})
