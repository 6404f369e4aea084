import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits } from '@muster/contract'

import { resumeWorkspace, suspendWorkspace } from '#domain/workspace/workspace-lifecycle'
import { uuidOf } from '#storage/values/id'
import { signIn } from '#test/auth/browser'
import { addPerson, giveRole, signInPerson } from '#test/auth/people'
import type { Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()

/** The entries that the work adds, oldest first: what happened, to whom, and the reason. */
async function added(work: () => Promise<unknown>): Promise<string[]> {
  const read = async () => (await manager.get('/v1/audit?limit=200')).body.data as Json[]
  const seen = new Set((await read()).map(({ id }) => id))
  await work()
  return (await read())
    .filter(({ id }) => !seen.has(id))
    .map(({ type, user_id, subject_id, reason }) =>
      [type, user_id, subject_id, reason].filter((part) => part !== null).join(' '),
    )
    .toReversed()
}

const post = async (path: string, body: object = {}) => {
  const reply = await manager.post(path, body)
  assert.ok(reply.status < 300, reply.text)
  return reply.body
}
const patch = async (path: string, body: object) => {
  const reply = await manager.send('PATCH', path, { body })
  assert.equal(reply.status, 200, reply.text)
}

test('records members who join and leave a group with a role, and its archive and restore', async () => {
  const [ada, bo] = [await addPerson(manager), await addPerson(manager)]
  const crew = (await post('/v1/groups', { name: 'Crew' })).id
  const members = `/v1/groups/${crew}/members`
  assert.deepEqual(await added(() => patch(members, { add: [ada] })), [], 'no role')
  await giveRole(manager, { role: 'manager', group_id: crew })
  const moved = await added(() => patch(members, { add: [bo], remove: [ada] }))
  const update = 'membership.updated'
  assert.deepEqual(moved, [
    `${update} ${bo} ${crew} none to manager`,
    `${update} ${ada} ${crew} manager to none`,
  ])
  const archive = () => post(`/v1/groups/${crew}/archive`)
  assert.deepEqual(await added(archive), [`group.archived ${crew} manager to none`])
  const restore = () => post(`/v1/groups/${crew}/restore`)
  assert.deepEqual(await added(restore), [`group.restored ${crew} none to manager`])
  assert.deepEqual(await added(restore), [], 'no difference')
  const none = await added(() => post('/v1/groups', { name: 'Choir', member_user_ids: [ada] }))
  assert.deepEqual(none, [])
})

test('records the status of a person, the sessions and keys that end, and the erasure', async () => {
  const userId = await addPerson(manager, { role: 'reader' })
  const crew = (await post('/v1/groups', { name: 'Leavers', member_user_ids: [userId] })).id
  await giveRole(manager, { role: 'contributor', group_id: crew })
  const browser = await signInPerson(host, home, userId)
  const input = { name: 'Mine', scopes: ['personnel.read'] }
  const { id: keyId } = (await browser.post('/v1/personnel/me/keys', input)).body
  const step = (verb: string, body?: object) =>
    added(() => post(`/v1/personnel/${userId}/${verb}`, body))

  assert.deepEqual(await step('suspend'), [
    `session.ended ${userId} person_suspended`,
    `person.suspended ${userId}`,
  ])
  assert.deepEqual(await step('resume'), [`person.resumed ${userId}`])
  assert.deepEqual((await step('depart')).toSorted(), [
    `access.updated ${userId} reader to none`,
    `key.revoked ${userId} ${keyId}`,
    `membership.updated ${userId} ${crew} contributor to none`,
    `person.departed ${userId}`,
  ])
  assert.deepEqual(await step('rejoin'), [`person.rejoined ${userId}`])
  await step('depart')
  assert.deepEqual(await step('erase', { confirm: userId }), [`person.erased ${userId}`])
})

test('records each change of a key, with its networks before and after', async () => {
  const { id } = await post('/v1/keys', { name: 'Sync', scopes: ['personnel.read'] })
  const change = (body: object) => added(() => patch(`/v1/keys/${id}`, body))
  const bound = { name: 'Nightly', allowed_cidrs: ['10.0.0.0/8', '::1'] }
  const first = `key.updated ${id} name, allowed_cidrs any to 10.0.0.0/8 ::1`
  assert.deepEqual(await change(bound), [first])
  assert.deepEqual(await change(bound), [], 'no difference')
  const free = `key.updated ${id} allowed_cidrs 10.0.0.0/8 ::1 to any`
  assert.deepEqual(await change({ allowed_cidrs: [] }), [free])
  const many = Array.from(
    { length: 20 },
    (_, each) => `2001:db8:ffff:ffff:ffff:ffff:ffff:${each}/128`,
  )
  const [entry = ''] = await change({ allowed_cidrs: many })
  assert.ok(entry.endsWith('…'), entry)
})

test('records changes of the workspace: its name, policies and status', async () => {
  const change = (body: object) => added(() => patch('/v1/workspace', body))
  assert.deepEqual(await change({ name: 'Acme', policies: { session_days: 1 } }), [
    'workspace.updated name, session_days 7 to 1',
  ])
  assert.deepEqual(await change({ policies: { session_days: 2, key_days_max: 30 } }), [
    'workspace.updated key_days_max null to 30, session_days 1 to 2',
  ])
  const status = async () => {
    await suspendWorkspace(home.admin)
    await resumeWorkspace(home.admin)
  }
  assert.deepEqual(await added(status), [
    'workspace.updated active to suspended',
    'workspace.updated suspended to active',
  ])
})

test('records the oldest session that ends because there are too many', async () => {
  const { token } = await home.issue({ scopes: ['personnel.read'] })
  const first = await signIn(host.base, token)
  const { session } = (await first.get('/v1/whoami')).body
  await host.sql.query(
    `insert into sessions (workspace_id, hash, id, key_id, method, authenticated_at, created_at,
       expires_at)
     select workspace_id, sha256(hash || n::text::bytea), gen_random_uuid(), key_id, method,
       authenticated_at, created_at + interval '1 millisecond', expires_at
     from sessions, generate_series(2, $2) n where id = $1`,
    [uuidOf(session.id), limits.sessionsPerKeyMax],
  )
  const entries = await added(() => signIn(host.base, token))
  assert.ok(entries.includes(`session.ended ${session.id} too_many_sessions`), entries.join('\n'))
})
