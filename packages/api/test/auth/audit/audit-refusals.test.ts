import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { RoleName } from '@muster/contract'

import { issueToken } from '#domain/auth/token'
import { exportWorkspace } from '#domain/workspace/export'
import { fromConsole } from '#test/auth/browser'
import { addPerson, signInPerson } from '#test/auth/people'
import { Client, type Json } from '#test/support/client'
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

/** A person with a role, and a browser in which they are signed in. */
async function addPersonWithRole(
  { home, manager }: Awaited<ReturnType<typeof open>>,
  role: RoleName,
) {
  const userId = await addPerson(manager, { role })
  return { userId, browser: await signInPerson(host, home, userId) }
}

/** The entries of a type, once there are as many. Refusals are recorded after the response. */
async function untilListed(list: (query: string) => Promise<Json[]>, type: string, count = 1) {
  for (let tries = 0; tries < 100; tries++) {
    const entries = await list(`?type=${type}`)
    if (entries.length >= count) return entries
    await sleep(100)
  }
  return assert.fail(`${type} is not listed ${count} times`)
}

test('records refusals of a genuine credential, and those of an unknown one', async () => {
  const { home, manager, list } = await open()
  const { id, token } = await home.issue()
  await manager.post(`/v1/keys/${id}/revoke`, undefined)
  const invented = issueToken(home.id, 'key').token
  const agent = { 'user-agent': 'cron' }
  assert.equal((await new Client(host.base, invented).get('/v1/scale', agent)).status, 401)
  assert.equal((await new Client(host.base, token).get('/v1/scale', agent)).status, 401)
  const entries = await untilListed(list, 'request.refused', 2)
  const shown = entries.map(({ actor, reason, subject_id, network, user_agent, count }) =>
    [actor.type, actor.id, reason, subject_id, network, user_agent, count].join(' '),
  )
  assert.deepEqual(shown.toSorted(), [
    `key ${id} key_revoked ${id} 127.0.0.0/24 cron 1`,
    'system  unknown_key  127.0.0.0/24 cron 1',
  ])
})

test('records a refused sign-in with a key as a failed sign-in', async () => {
  const { home, list } = await open()
  const { id, token } = await home.issue({ expiresInHours: -1 })
  const headers = { ...fromConsole, authorization: `Bearer ${token}` }
  const reply = await fetch(`${host.base}/session`, { method: 'POST', headers })
  assert.equal(reply.status, 401)
  const [entry] = await untilListed(list, 'sign_in.failed')
  assert.deepEqual([entry?.['reason'], entry?.['subject_id']], ['key_expired', id])
})

test('records a missing scope, a right that the caller lacks, and an old sign-in', async () => {
  const opened = await open()
  const { home, manager, list } = opened
  const reader = await home.issue({ scopes: ['workspace.read'] })
  assert.equal((await new Client(host.base, reader.token).get('/v1/keys')).status, 403)
  const granter = await home.issue({ scopes: ['workspace.manage'] })
  const { body: ada } = await manager.post('/v1/personnel', { name: 'Ada' })
  const body = { entries: [{ role: 'admin', user_id: ada.id }] }
  const granting = new Client(host.base, granter.token).send('PUT', '/v1/access', { body })
  assert.equal((await granting).body.code, 'beyond_your_rights')
  const { userId, browser } = await addPersonWithRole(opened, 'admin')
  const hourAgo = `update sessions set authenticated_at = now() - interval '1 hour'
    where workspace_id = $1 returning id`
  await host.sql.query(hourAgo, [home.uuid])
  const stale = await browser.post('/v1/keys', { name: 'New', scopes: ['keys.read'] })
  assert.equal(stale.body.code, 'reauthentication_required')
  const entries = await untilListed(list, 'request.refused', 3)
  const shown = entries.map(({ reason, actor, user_id }) => [reason, actor.id, user_id].join(' '))
  assert.deepEqual(shown.toSorted(), [
    `beyond_your_rights ${granter.id} `,
    `insufficient_scope ${reader.id} `,
    `reauthentication_required ${userId} ${userId}`,
  ])
})

for (const { title, reason, arrange } of [
  {
    title: 'an expired key',
    reason: 'key_expired',
    arrange: async ({ home }: Awaited<ReturnType<typeof open>>) =>
      (await home.issue({ expiresInHours: -1 })).token,
  },
  {
    title: 'a key from another network',
    reason: 'address_not_allowed',
    arrange: async ({ home }: Awaited<ReturnType<typeof open>>) =>
      (await home.issue({ allowedCidrs: ['203.0.113.0/24'] })).token,
  },
  {
    title: 'a personal key of a suspended person',
    reason: 'person_not_active',
    arrange: async (opened: Awaited<ReturnType<typeof open>>) => {
      const { userId, browser } = await addPersonWithRole(opened, 'reader')
      const input = { name: 'Mine', scopes: ['personnel.read'] }
      const { body } = await browser.post('/v1/personnel/me/keys', input)
      await opened.manager.post(`/v1/personnel/${userId}/suspend`, {})
      return body.secret as string
    },
  },
]) {
  test(`records the refusal of ${title}`, async () => {
    const opened = await open()
    const token = await arrange(opened)
    assert.ok((await new Client(host.base, token).get('/v1/scale')).status >= 401)
    const [entry] = await untilListed(opened.list, 'request.refused')
    assert.equal(entry.reason, reason)
    assert.equal(entry.user_id === null, reason !== 'person_not_active')
  })
}

test('records an export of the roster once a minute, and no other read', async () => {
  const { home, manager, keyId, list } = await open()
  await manager.post('/v1/personnel', { name: 'Ada' })
  await manager.get('/v1/personnel')
  await manager.get('/v1/personnel?limit=10')
  await manager.get('/v1/groups', { accept: 'text/csv' })
  await manager.get('/v1/audit', { accept: 'text/csv' })
  await manager.send('HEAD', '/v1/personnel?limit=10&format=csv')
  assert.deepEqual(await list('?type=personnel.exported&limit=1'), [])
  const csv = await manager.get('/v1/personnel', { accept: 'text/csv' })
  assert.equal(csv.status, 200)
  await manager.get('/v1/personnel?status=departed', { accept: 'application/x-ndjson' })
  const other = await home.issue({ scopes: ['personnel.read'] })
  const lines = { accept: 'application/x-ndjson' }
  assert.equal((await new Client(host.base, other.token).get('/v1/personnel', lines)).status, 200)
  const third = await home.issue({ scopes: ['personnel.read'] })
  const page = new Client(host.base, third.token).get('/v1/personnel?limit=1&format=csv')
  assert.equal((await page).status, 200)
  await exportWorkspace(home.admin, async () => {})
  const entries = await list('?type=personnel.exported')
  assert.deepEqual(
    entries.map(({ actor, subject_id, reason }) => [actor.type, subject_id, reason]),
    [
      ['admin', null, 'workspace'],
      ['key', third.id, 'csv'],
      ['key', other.id, 'ndjson'],
      ['key', keyId, 'csv'],
    ],
  )
})
