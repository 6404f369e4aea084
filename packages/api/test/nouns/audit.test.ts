import assert from 'node:assert/strict'
import { test } from 'node:test'

import { auditTypes, type RoleName } from '@muster/contract'

import { failedSignIn, RefusalLog } from '#domain/auth/refusal-log'
import type { AuditedRefusal } from '#domain/auth/refusal-window'
import { insertAuditEntry } from '#storage/nouns/audit'
import { fromConsole, signIn } from '#test/auth/browser'
import { addPerson, signInPerson } from '#test/auth/people'
import type { Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()

/** A workspace, a client that holds every scope, and a function that reads the audit log. */
async function open() {
  const home = await newWorkspace(host)
  const manager = await home.manager()
  const { body } = await manager.get('/v1/whoami')
  const list = async (query = '') => (await manager.get(`/v1/audit${query}`)).body.data as Json[]
  return { home, manager, keyId: body.key.id as string, list }
}

const typesOf = (entries: Json[]) => entries.map(({ type }): string => type)

const origin = { network: '203.0.113.0/24', userAgent: 'Tester/1.0' }

/** Records a refusal, and waits until it is written. */
async function refuse(refusal: AuditedRefusal) {
  const log = new RefusalLog(host.owner)
  log.record(refusal)
  await log.endMinute()
}

/** A person with a role, and a browser in which they are signed in. */
async function addPersonWithRole(
  { home, manager }: Awaited<ReturnType<typeof open>>,
  role: RoleName,
) {
  const userId = await addPerson(manager, { role })
  return { userId, browser: await signInPerson(host, home, userId) }
}

test('lists every type, newest first, by type, and in pages', async () => {
  const { home, manager, list } = await open()
  for (const type of auditTypes) {
    await host.owner.writeUnnumbered({ workspaceId: home.id }, (read) =>
      insertAuditEntry(read, {
        type,
        actor: home.admin.actor,
        reason: 'test',
        ...origin,
      }).execute(),
    )
  }
  const own = (await list()).filter(({ reason }) => reason === 'test')
  assert.deepEqual(typesOf(own).toSorted(), auditTypes.toSorted())
  const times = own.map(({ occurred_at }): string => occurred_at)
  assert.deepEqual(times, times.toSorted().toReversed())
  for (const type of auditTypes) {
    const entries = await list(`?type=${type}`)
    assert.ok(entries.length > 0)
    assert.ok(entries.every((entry) => entry.type === type))
  }
  const two = await list('?type=link.created,passkey.removed')
  assert.deepEqual(typesOf(two).toSorted(), ['link.created', 'passkey.removed'])
  const paged: Json[] = []
  for (let path = '/v1/audit?limit=3&include=total_count'; ;) {
    const { body } = await manager.get(path)
    assert.equal(body.total_count, (await list()).length)
    paged.push(...body.data)
    if (body.next_cursor === null) break
    path = `/v1/audit?limit=3&include=total_count&cursor=${body.next_cursor}`
  }
  assert.deepEqual(paged, await list())
})

test('records who created, rotated and revoked a key, and from where', async () => {
  const { manager, keyId, list } = await open()
  const agent = { 'user-agent': 'curl/8.0' }
  const input = { name: 'Export', scopes: ['keys.read'] }
  const { body: key } = await manager.post('/v1/keys', input, agent)
  const { body: next } = await manager.post(`/v1/keys/${key.id}/rotate`, {}, agent)
  await manager.post(`/v1/keys/${key.id}/revoke`, undefined, agent)
  await manager.post(`/v1/keys/${key.id}/revoke`, undefined, agent)
  const entries = (await list()).filter(({ subject_id }) => subject_id !== keyId)
  assert.deepEqual(
    entries.map(({ type, subject_id, reason }) => [type, subject_id, reason]),
    [
      ['key.revoked', key.id, null],
      ['key.rotated', key.id, next.id],
      ['key.created', key.id, null],
    ],
  )
  for (const { actor, user_id, network, user_agent, count } of entries) {
    assert.deepEqual(actor, { type: 'key', id: keyId, user_id: null })
    assert.deepEqual([user_id, network, user_agent, count], [null, '127.0.0.0/24', 'curl/8.0', 1])
  }
})

test('adds no entry for a refused or repeated change, or one without a difference', async () => {
  const { manager, list } = await open()
  const headers = { 'idempotency-key': 'once' }
  const input = { name: 'Once', scopes: ['keys.read'] }
  assert.equal((await manager.post('/v1/keys', input, headers)).status, 201)
  const before = await list()
  assert.equal((await manager.post('/v1/keys', input, headers)).status, 409)
  assert.equal((await manager.post('/v1/keys', { ...input, scopes: [] })).status, 422)
  const same = { body: { entries: [] } }
  assert.equal((await manager.send('PUT', '/v1/access', same)).status, 200)
  assert.deepEqual(await list(), before)
})

test('records the keys of a person under their user id', async () => {
  const opened = await open()
  const { userId, browser } = await addPersonWithRole(opened, 'admin')
  const input = { name: 'Mine', scopes: ['personnel.read'] }
  const { body: key, status } = await browser.post('/v1/personnel/me/keys', input)
  assert.equal(status, 201)
  await browser.post(`/v1/personnel/me/keys/${key.id}/revoke`, undefined)
  const entries = await opened.list(`?user_id=${userId}`)
  const subjects = entries.map(({ subject_id }) => subject_id)
  assert.match(subjects.at(-2), /^ses_/)
  assert.deepEqual(
    entries.map(({ type, subject_id, actor }) => [type, subject_id, actor.type]),
    [
      ['key.revoked', key.id, 'person'],
      ['key.created', key.id, 'person'],
      ['sign_in.succeeded', subjects.at(-2), 'person'],
      ['access.updated', null, 'key'],
    ],
  )
  const [{ actor }] = entries
  assert.deepEqual(actor, { type: 'person', id: userId, user_id: userId })
})

test('records each change of a role with the roles before and after', async () => {
  const { manager, list } = await open()
  const { body: ada } = await manager.post('/v1/personnel', { name: 'Ada' })
  const { body: bo } = await manager.post('/v1/personnel', { name: 'Bo' })
  const { body: group } = await manager.post('/v1/groups', { name: 'Crew' })
  const replace = async (...entries: object[]) => {
    const reply = await manager.send('PUT', '/v1/access', { body: { entries } })
    assert.equal(reply.status, 200, reply.text)
  }
  await replace({ role: 'reader', user_id: ada.id }, { role: 'manager', group_id: group.id })
  await replace({ role: 'admin', user_id: ada.id }, { role: 'reader', user_id: bo.id })
  await manager.post(`/v1/personnel/${bo.id}/depart`, {})
  const entries = await list('?type=access.updated')
  const changes = entries.map((entry) => `${entry.user_id ?? entry.subject_id} ${entry.reason}`)
  assert.equal(changes[0], `${bo.id} reader to none`)
  assert.deepEqual(changes.slice(1).toSorted(), [
    `${group.id} manager to none`,
    `${group.id} none to manager`,
    `${ada.id} none to reader`,
    `${ada.id} reader to admin`,
    `${bo.id} none to reader`,
  ])
  const ofBoth = await list(`?user_id=${ada.id},${bo.id}&type=access.updated`)
  assert.equal(ofBoth.length, 4)
  assert.deepEqual(await list(`?user_id=${ada.id}&type=key.created`), [])
})

test('records a sign-in with an API key', async () => {
  const { home, list } = await open()
  const { id, token } = await home.issue()
  const headers = { ...fromConsole, authorization: `Bearer ${token}`, 'user-agent': 'Firefox/150' }
  const reply = await fetch(`${host.base}/session`, { method: 'POST', headers })
  assert.equal(reply.status, 201, await reply.text())
  const [entry] = await list('?type=sign_in.succeeded')
  assert.equal(entry.reason, 'key')
  assert.equal(entry.subject_id, id)
  assert.deepEqual(entry.actor, { type: 'key', id, user_id: null })
  assert.equal(entry.user_agent, 'Firefox/150')
})

test('returns CSV with the same entries', async () => {
  const { manager, list } = await open()
  await manager.post('/v1/keys', { name: 'K', scopes: [] }, { 'user-agent': '=HYPERLINK("x")' })
  const input = { name: 'Export', scopes: ['keys.read'] }
  await manager.post('/v1/keys', input, { 'user-agent': '=HYPERLINK("x")' })
  const csv = await manager.get('/v1/audit', { accept: 'text/csv' })
  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  const lines = csv.text.trimEnd().split('\r\n')
  const entries = await list()
  assert.equal(lines.length, entries.length + 1)
  for (const [index, { id }] of entries.entries()) {
    assert.ok(lines[index + 1]?.includes(id), 'the same order')
  }
  assert.match(csv.text, /"'=HYPERLINK\(""x""\)"/)
})

test('requires workspace.read', async () => {
  const { home } = await open()
  const reader = await home.key('workspace.read')
  assert.equal((await reader.get('/v1/audit')).status, 200)
  const other = await home.key('keys.manage', 'personnel.manage', 'projects.manage')
  const refused = await other.get('/v1/audit')
  assert.equal(`${refused.status} ${refused.body.code}`, '403 insufficient_scope')
})

test('shows no entry of another workspace', async () => {
  const [here, there] = [await open(), await open()]
  const { body: person } = await there.manager.post('/v1/personnel', { name: 'Ada' })
  const { id: workspaceId } = there.home
  await refuse(failedSignIn({ workspaceId, reason: 'test', origin, userId: person.id }))
  assert.equal((await there.list(`?user_id=${person.id}`)).length, 1)
  assert.deepEqual(await here.list(`?user_id=${person.id}`), [])
  assert.deepEqual(await here.list('?type=sign_in.failed'), [])
})

test('erasing a person removes network and client of entries about and by them', async () => {
  const opened = await open()
  const { home, manager, list } = opened
  const { userId, browser } = await addPersonWithRole(opened, 'admin')
  const agent = { 'user-agent': 'Adas-Browser/7' }
  const input = { name: 'Mine', scopes: ['personnel.read'] }
  const { body: key } = await browser.post('/v1/personnel/me/keys', input, agent)
  // By the person, and not about them.
  const service = { name: 'Service', scopes: ['keys.read'] }
  assert.equal((await browser.post('/v1/keys', service, agent)).status, 201)
  const own = await signIn(host.base, key.secret)
  assert.equal((await own.send('DELETE', '/session', { headers: agent })).status, 204)
  const failing = { network: '198.51.100.0/24', userAgent: 'Adas-Browser/7' }
  const failure = { workspaceId: home.id, reason: 'link_used', origin: failing, userId }
  await refuse(failedSignIn(failure))
  assert.equal((await manager.post('/v1/keys', service)).status, 201)
  const before = await list()
  await manager.post(`/v1/personnel/${userId}/depart`, {})
  const erase = { confirm: userId }
  const erased = await manager.post(`/v1/personnel/${userId}/erase`, erase)
  assert.equal(erased.status, 200, erased.text)

  const after = await list()
  assert.ok(after.length > before.length)
  const isTheirs = ({ user_id, actor }: Json) => [user_id, actor.user_id].includes(userId)
  assert.ok(after.filter(isTheirs).length >= 5)
  for (const { type, network, user_agent } of after.filter(isTheirs)) {
    const isKept = type === 'person.erased'
    assert.deepEqual([network, user_agent], isKept ? ['127.0.0.0/24', 'node'] : [null, null])
  }
  assert.ok(after.some((entry) => !isTheirs(entry) && entry.network !== null))
  const { rows } = await host.sql.query(
    `select from audit_entries t where workspace_id = $1 and t::text ~ 'Adas-Browser|198.51.100'`,
    [home.uuid],
  )
  assert.equal(rows.length, 0)
  await refuse({ ...failedSignIn(failure), subjectId: key.id })
  const [late] = await list('?type=sign_in.failed')
  assert.deepEqual([late.user_id, late.subject_id], [null, null], 'an erased person is not named')
})
