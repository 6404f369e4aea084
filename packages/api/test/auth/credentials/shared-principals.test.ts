import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { scopes } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { Authenticator, type Principal, readCredential } from '#domain/auth/authenticate'
import { issueToken } from '#domain/auth/token'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { uuidOf } from '#storage/values/id'
import { outcome } from '#test/auth/browser'
import { addPerson, signInPerson } from '#test/auth/people'
import { Client } from '#test/support/client'
import { connect } from '#test/support/database'
import { longTimeouts } from '#test/support/long-timeouts'
import { sentDuring, untilQuiet } from '#test/support/statements'
import { untilLocked } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost({ skipsDriftCheck: true })
const home = await newWorkspace(host)
const manager = await home.manager()
const userId = await addPerson(manager, { role: 'manager' })
const person = await signInPerson(host, home, userId)
const made = await person.post('/v1/personnel/me/keys', { name: 'Own', scopes: ['projects.read'] })
const tokens = { key: made.body.secret, session: person.cookie.split('=')[1] ?? '' } as const

const rows = {
  api_keys: `user_id = '${uuidOf(userId)}'`,
  sessions: `user_id = '${uuidOf(userId)}'`,
  access_entries: `subject_id = '${uuidOf(userId)}'`,
  people: `id = '${uuidOf(userId)}'`,
  workspace_counters: `workspace_id = '${home.uuid}'`,
  workspaces: `id = '${home.uuid}'`,
  cluster: 'true',
} as const

// No use and no refusal is due, so the service records none during the tests.
await person.get('/v1/scale')
await untilQuiet()
const used = `last_used_at = now() + interval '1 hour'`
await host.sql.query(`update api_keys set ${used}, refused_at = now() where ${rows.api_keys}`)
await host.sql.query(`update sessions set ${used} where ${rows.sessions}`)

const pool = createPool({ url: host.url, role: 'muster_app', max: 2, timeouts: longTimeouts })
const database = new Database(pool)
atEnd(() => database[Symbol.asyncDispose]())
const authenticator = new Authenticator(database)

/** The principal, or the problem of the refusal, as this instance sees it. */
async function seen(by: Authenticator, kind: 'key' | 'session'): Promise<Principal | string> {
  try {
    return await by.authenticate(readCredential(tokens[kind], kind), '192.0.2.1')
  } catch (error) {
    return String(error)
  }
}

test('requests share a principal until something that authentication reads changes', async () => {
  const [one, two] = await Promise.all([seen(authenticator, 'key'), seen(authenticator, 'key')])
  assert.equal(typeof one, 'object')
  assert.equal(one, two)
  assert.equal(one, await seen(authenticator, 'key'))
})

test('requests of one turn of the event loop share a query, keys and sessions alike', async () => {
  const { token } = await home.issue({ scopes })
  const other = readCredential(token, 'key')
  const sent = await sentDuring(async () => {
    const asked = [seen(authenticator, 'key'), seen(authenticator, 'session')]
    await Promise.all([...asked, authenticator.authenticate(other, '192.0.2.1')])
  })
  const texts = sent.map(({ sql }) => /authenticate_\w+/.exec(sql)?.[0]).filter(Boolean)
  assert.deepEqual(texts, ['authenticate_keys', 'authenticate_sessions'])
})

test('a query that began before a request does not authenticate it', async () => {
  const { id, token } = await home.issue({ scopes })
  const client = new Client(host.base, token)
  await client.get('/v1/scale')
  await untilQuiet()
  // The query reads as of its beginning, and waits for the lock.
  const blocker = await connect(host.url)
  await blocker.query('begin; lock table cluster in access exclusive mode')
  const before = client.get('/v1/scale')
  await untilLocked(host.sql)
  await host.sql.query('update api_keys set revoked_at = now() where id = $1', [uuidOf(id)])
  const after = client.get('/v1/scale')
  await sleep(200)
  await blocker.query('commit')
  await blocker.end()
  assert.equal(outcome(await before), '200')
  assert.equal(outcome(await after), '401 key_revoked')
})

test('unknown credentials are at most 25 of 100 in a query, and known ones do not wait', async () => {
  const issued = await Promise.all(Array.from({ length: 2 }, () => home.issue({ scopes })))
  const known = issued.map(({ token }) => readCredential(token, 'key'))
  const ask = (credential: (typeof known)[number]) =>
    authenticator.authenticate(credential, '192.0.2.1').catch(() => null)
  await Promise.all(known.map(ask))
  await untilQuiet()
  const forged = Array.from({ length: 60 }, () => readCredential(issueToken(home.id).token, 'key'))
  const sent = await sentDuring(() => Promise.all([...forged, ...known].map(ask)))
  // The second parameter has the hashes of the credentials.
  const counts = sent.map(({ parameters }) => (parameters[1] as Buffer[]).length)
  assert.deepEqual(counts, [known.length + 25, 25, 10])
})

/** Changes to what authentication reads. Those that refuse the key or the session come last. */
const changes: readonly (readonly [keyof typeof rows, string])[] = [
  ['api_keys', `refused_at = null`],
  ['api_keys', `refused_at = now()`],
  ['api_keys', `scopes = '{personnel.read}'`],
  ['api_keys', `allowed_cidrs = '{192.0.2.0/24}'`],
  ['api_keys', `allowed_cidrs = '{10.0.0.0/8}'`],
  ['api_keys', `allowed_cidrs = '{}'`],
  ['api_keys', `expires_at = now() + interval '1 day'`],
  ['api_keys', `rotated_at = now()`],
  ['access_entries', `role = 'reader'`],
  ['workspace_counters', `risks_seq = risks_seq + 1`],
  ['workspace_counters', `cursor_secret = 'other'`],
  ['workspace_counters', `term_server = 'other'`],
  ['sessions', `authenticated_at = now() - interval '1 hour'`],
  ['cluster', `epoch = 'abcdef012345'`],
  ['people', `status = 'suspended'`],
  ['people', `status = 'active'`],
  ['workspaces', `status = 'suspended'`],
  ['workspaces', `status = 'active'`],
  ['sessions', `last_used_at = now() - interval '90 days'`],
  ['api_keys', `expires_at = now()`],
  ['api_keys', `revoked_at = now()`],
]

test('every change to what authentication reads is in the next principal', async () => {
  const look = async (by: Authenticator) => [await seen(by, 'key'), await seen(by, 'session')]
  for (const [table, change] of changes) {
    const before = await look(authenticator)
    await host.sql.query(`update ${table} set ${change} where ${rows[table]}`)
    const after = await look(authenticator)
    assert.deepEqual(after, await look(new Authenticator(database)), change)
    assert.notDeepEqual(after, before, change)
  }
})
