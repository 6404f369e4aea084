import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { readToken } from '#domain/auth/token'
import { planning } from '#storage/connection/pool'
import { outcome } from '#test/auth/browser'
import { giveRole, signInPerson } from '#test/auth/people'
import { Client } from '#test/support/client'
import { sentDuring, untilQuiet } from '#test/support/statements'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost({ skipsDriftCheck: true })
const home = await newWorkspace(host)
const manager = await home.manager()

/** The authentication function before people could sign in. */
const earlier = readFileSync(new URL('earlier-authentication.sql', import.meta.url), 'utf8')

/** Adds many rows, so that the indexes have the depth that they have in use. */
async function fill(): Promise<void> {
  await host.sql.query(
    `insert into people (workspace_id, id, name, sort_name, title_key, department_key, status,
       status_changed_at, search_text, version, created_at, updated_at)
     select $1, gen_random_uuid(), 'P', 'p', '', '', 'active', now(), 'p', 1, now(), now()
     from generate_series(1, 20000)`,
    [home.uuid],
  )
  await host.sql.query(
    `insert into api_keys (workspace_id, id, lineage, hash, hint, name, scopes, created_by_type,
       version, created_at, updated_at)
     select $1, id, id, sha256(id::text::bytea), 'abcd', 'K', '{}', 'admin', 1, now(), now()
     from (select gen_random_uuid() as id from generate_series(1, 20000)) as ids`,
    [home.uuid],
  )
  await host.sql.query(
    `insert into sessions (workspace_id, hash, id, user_id, method, authenticated_at, created_at,
       expires_at)
     select $1, sha256(id::text::bytea), gen_random_uuid(), id, 'link', now(), now(),
       now() + interval '1 day'
     from people where workspace_id = $1 limit 20000`,
    [home.uuid],
  )
  await host.sql.query(
    `insert into access_entries (workspace_id, subject_id, user_id, role, is_granting, version,
       created_at)
     select $1, id, id, 'reader', true, 1, now()
     from people where workspace_id = $1 order by id limit 190`,
    [home.uuid],
  )
}

async function analyze(): Promise<void> {
  await host.sql.query('vacuum analyze people')
  await host.sql.query('vacuum analyze api_keys')
  await host.sql.query('vacuum analyze sessions')
  await host.sql.query('vacuum analyze access_entries')
}

type AuthenticationFunction =
  | 'authenticate_keys'
  | 'authenticate_sessions'
  | 'earlier_authentication'

/** The buffers that one call reads as the role of the service, when everything is cached. */
async function buffersOf(name: AuthenticationFunction, token: string): Promise<number> {
  const isEarlier = name === 'earlier_authentication'
  const { hash } = readToken(token, name === 'authenticate_sessions' ? 'session' : 'key') ?? {}
  const isDetailed = isEarlier ? '' : ', array[false]'
  const call = `select * from ${name}(array['${home.uuid}'::uuid], array[$1::bytea]${isDetailed})`
  await host.sql.query('begin')
  await host.sql.query(`set local role muster_app`)
  // The earlier function was planned without these settings.
  const settings = isEarlier ? [] : Object.entries(planning)
  for (const [setting, value] of settings) {
    await host.sql.query(`set local ${setting} = ${value}`)
  }
  let found = 0
  // The first calls also read the catalog.
  for (let round = 0; round < 8; round++) {
    const { rows } = await host.sql.query(`explain (analyze, buffers, format json) ${call}`, [hash])
    const plan = rows[0]['QUERY PLAN'][0].Plan
    assert.equal(plan['Actual Rows'], 1, `${name} finds the credential`)
    found = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }
  await host.sql.query('rollback')
  return found
}

test('a plan made while the tables are small reads no more when they grow', async (t) => {
  const { token } = await home.issue()
  const small = await buffersOf('authenticate_keys', token)
  await fill()
  const full = await buffersOf('authenticate_keys', token)
  t.diagnostic(`${small} buffers, then ${full}`)
  // Deeper indexes add a few buffers; a join over the workspace would add hundreds.
  assert.ok(full <= small + 10, `${small} buffers, then ${full}`)
})

test('authentication of people stays one statement, and reads at most 6 more buffers', async (t) => {
  await analyze()
  await host.sql.query(earlier)
  const { token } = await home.issue()
  const groups = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const made = await manager.post('/v1/groups', { name: `Group ${index}` })
      return made.body.id as string
    }),
  )
  const made = await manager.post('/v1/personnel', { name: 'Ada' })
  const userId: string = made.body.id
  for (const group of groups) {
    await manager.send('PUT', `/v1/groups/${group}/members/${userId}`)
    await giveRole(manager, { role: 'contributor', group_id: group })
  }
  const person = await signInPerson(host, home, userId)
  const session = person.cookie.split('=')[1] ?? ''
  const input = { name: 'Own', scopes: ['projects.read'] }
  const personal = (await person.post('/v1/personnel/me/keys', input)).body.secret

  const before = await buffersOf('earlier_authentication', token)
  const credentials = { 'a service key': token, 'a session': session, 'a personal key': personal }
  for (const [what, credential] of Object.entries(credentials)) {
    const isSession = credential === session
    const buffers = await buffersOf(
      isSession ? 'authenticate_sessions' : 'authenticate_keys',
      credential,
    )
    t.diagnostic(`${what}: ${buffers} buffers, ${before} before people could sign in`)
    assert.ok(buffers <= before + 6, `${what}: ${buffers} buffers, ${before} before`)
  }
  for (const who of [person, new Client(host.base, personal)]) {
    // The first request also records the use, in the background.
    await who.get('/v1/scale')
    await untilQuiet()
    const sent = await sentDuring(async () => {
      assert.equal(outcome(await who.get('/v1/scale')), '200')
    })
    const texts = sent.map(({ sql }) => sql)
    assert.equal(texts.length, 1, texts.join('\n'))
    assert.match(texts[0] ?? '', /from authenticate_(?:keys|sessions)/)
  }
})
