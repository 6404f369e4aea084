import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits, scopes, signInMethods } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { Sweeper } from '#domain/workspace/sweep'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { Browser, outcome } from '#test/auth/browser'
import { Client, type Json } from '#test/support/client'
import { longTimeouts } from '#test/support/long-timeouts'
import { sweepDue } from '#test/support/sweep'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const path = '/v1/workspace'

async function setup() {
  const workspace = await newWorkspace(host)
  const manager = await workspace.manager()
  const change = (body: Json, headers: Record<string, string> = {}) =>
    manager.send('PATCH', path, { body, headers })
  return { ...workspace, client: manager, change }
}

async function updates(uuid: string) {
  const { rows } = await host.sql.query(
    `select seq::int, changed, actor_type from events
     where workspace_id = $1 and type = 'workspace.updated' order by seq`,
    [uuid],
  )
  return rows
}

test('views a workspace, and updates the fields that a PATCH names', async () => {
  const home = await setup()
  const { body: before, headers } = await home.client.get(path)
  assert.equal(before.id, home.id)
  assert.equal(before.time_zone, 'UTC')
  const policies = {
    key_days_max: null,
    session_days: limits.sessionDays,
    session_idle_hours: limits.sessionIdleHours.default,
    sign_in_methods: signInMethods,
  }
  assert.deepEqual(before.policies, policies)
  const etag = headers.get('etag') ?? ''
  assert.equal((await home.client.get(path, { 'if-none-match': etag })).status, 304)

  const { status, body } = await home.change({ name: 'Renamed', policies: { session_days: 2 } })
  assert.equal(status, 200)
  assert.equal(body.name, 'Renamed')
  assert.deepEqual(
    body.policies,
    { ...policies, session_days: 2 },
    'the other policies are unchanged',
  )
  assert.ok(body.version > before.version)
  assert.deepEqual((await home.client.get(path)).body, body)
  assert.equal((await home.client.get(path, { 'if-none-match': etag })).status, 200)
  assert.equal((await home.client.get('/v1/whoami')).body.workspace.name, 'Renamed')
  assert.deepEqual(await updates(home.uuid), [
    { seq: body.version, changed: ['name', 'policies'], actor_type: 'key' },
  ])
})

test('writes no sequence number and no event for an unchanged PATCH', async () => {
  const home = await setup()
  const { body: before } = await home.client.get(path)
  for (const body of [before, {}, { policies: {} }, { name: before.name, time_zone: 'UTC' }]) {
    const reply = await home.change(body)
    assert.equal(reply.status, 200)
    assert.deepEqual(reply.body, before)
  }
  assert.deepEqual(await updates(home.uuid), [])
})

test('refuses a change to a stale version', async () => {
  const home = await setup()
  const { body: first, headers } = await home.client.get(path)
  const etag = headers.get('etag') ?? ''
  const { body: second } = await home.change({ name: 'Two' }, { 'if-match': etag })
  assert.equal(second.name, 'Two')
  const stale = { 'if-match': etag }
  assert.equal(outcome(await home.change({ name: 'Three' }, stale)), '412 version_mismatch')
  const old = { name: 'Three', version: first.version }
  assert.equal(outcome(await home.change(old)), '412 version_mismatch')
  assert.equal(outcome(await home.change({ name: 'Three', version: second.version })), '200')
})

test('refuses invalid values, and changes nothing', async () => {
  const home = await setup()
  const { body: before } = await home.client.get(path)
  const cases: [Json, string, string][] = [
    [{ time_zone: 'Europe/Atlantis' }, 'validation_failed', '/time_zone'],
    [{ time_zone: null }, 'validation_failed', '/time_zone'],
    [{ name: '' }, 'validation_failed', '/name'],
    [{ policies: { session_days: 8 } }, 'validation_failed', '/policies/session_days'],
    [{ policies: { session_idle_hours: 0 } }, 'validation_failed', '/policies/session_idle_hours'],
    [
      { policies: { session_idle_hours: 169 } },
      'validation_failed',
      '/policies/session_idle_hours',
    ],
    [{ policies: { sign_in_methods: [] } }, 'validation_failed', '/policies/sign_in_methods'],
    [
      { policies: { sign_in_methods: ['sms'] } },
      'validation_failed',
      '/policies/sign_in_methods/0',
    ],
    [{ policies: { key_days_max: 0 } }, 'validation_failed', '/policies/key_days_max'],
    [{ policies: { key_days_max: 367 } }, 'validation_failed', '/policies/key_days_max'],
    [{ policies: { password: 1 } }, 'validation_failed', '/policies/password'],
    [{ created_at: '2020-01-01T00:00:00.000Z' }, 'read_only_field', '/created_at'],
  ]
  for (const [body, code, pointer] of cases) {
    const reply = await home.change({ name: 'Never', ...body })
    assert.equal(outcome(reply), `422 ${code}`, JSON.stringify(body))
    assert.equal(reply.body.pointer ?? reply.body.errors[0].pointer, pointer)
  }
  assert.deepEqual((await home.client.get(path)).body, before)
})

test('requires workspace.read to view and workspace.manage to update', async () => {
  const home = await setup()
  const [reader, other] = [await home.key('workspace.read'), await home.key('personnel.manage')]
  const rename = (who: Client) => who.send('PATCH', path, { body: { name: 'Other' } })
  assert.equal(outcome(await reader.get(path)), '200')
  for (const refused of [await rename(reader), await rename(other), await other.get(path)]) {
    assert.equal(outcome(refused), '403 insufficient_scope')
  }
  assert.deepEqual(await updates(home.uuid), [])
})

test('computes overdue flags by the time zone of the workspace', async () => {
  const clock = () => new Date('2027-01-01T20:00:00Z')
  const home = await setup()
  const client = new Client(await listen(host.url, { clock }), home.client.token)
  const pool = createPool({ url: host.url, role: 'muster_app', max: 2, timeouts: longTimeouts })
  const database = new Database(pool, { clock })
  atEnd(() => database[Symbol.asyncDispose]())
  const project = await client.post('/v1/projects', { code: 'TZ', name: 'Zones' })
  const issues = `/v1/projects/${project.body.id}/issues`
  const issue = await client.post(issues, { title: 'Late', severity: 3, due_on: '2027-01-01' })
  const flagsIn = async (time_zone: string) => {
    await client.send('PATCH', path, { body: { time_zone } })
    assert.deepEqual((await sweepDue(new Sweeper(database))).failures, [])
    return (await client.get(`${issues}/${issue.body.id}`)).body.flags
  }
  assert.deepEqual(await flagsIn('Europe/Stockholm'), [], 'it is still 1 January')
  assert.deepEqual(await flagsIn('Asia/Tokyo'), ['overdue'], 'it is already 2 January')
  assert.deepEqual(await flagsIn('America/New_York'), [])
})

test('limits the lifetime of keys created or rotated after key_days_max is set', async () => {
  const home = await setup()
  const make = (days?: number | null) =>
    home.client.post('/v1/keys', {
      name: 'Bounded',
      scopes: ['personnel.read'],
      ...(days !== undefined && { expires_in_days: days }),
    })
  const daysOf = ({ created_at, expires_at }: Json) =>
    (Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000
  const { body: old } = await make(200)
  await home.change({ policies: { key_days_max: 30 } })

  assert.equal(daysOf((await make()).body), 30, 'the default of 90 days exceeds the policy')
  assert.equal(daysOf((await make(30)).body), 30)
  for (const days of [31, null]) {
    const { status, body } = await make(days)
    assert.equal(status, 422)
    assert.deepEqual([body.errors[0].pointer, body.errors[0].code], ['/expires_in_days', 'policy'])
  }
  const rotate = (body: object) => home.client.post(`/v1/keys/${old.id}/rotate`, body)
  assert.equal(outcome(await rotate({})), '422 validation_failed', 'it was created for 200 days')
  assert.equal((await home.client.get(`/v1/keys/${old.id}`)).body.status, 'active')
  assert.equal(daysOf((await rotate({ expires_in_days: 30 })).body), 30)

  await home.change({ policies: { key_days_max: null } })
  assert.equal((await make(null)).body.expires_at, null)
})

test('limits the lifetime of sessions started after session_days is set', async () => {
  const home = await setup()
  const { token } = await home.issue({ scopes })
  const started = async () => {
    const { status, headers, body } = await new Browser(host.base, '').startSession(token)
    assert.equal(status, 201)
    const [, seconds] = /Max-Age=(\d+);/.exec(headers.get('set-cookie') ?? '') ?? []
    const left = (Date.parse(body.expires_at) - Date.now()) / 86_400_000
    return { cookieDays: Number(seconds) / 86_400, days: Math.round(left) }
  }
  assert.deepEqual(await started(), { cookieDays: 7, days: 7 })
  await home.change({ policies: { session_days: 2 } })
  assert.deepEqual(await started(), { cookieDays: 2, days: 2 })
  const { rows } = await host.sql.query(
    `select extract(epoch from expires_at - created_at)::int / 86400 as days from sessions
     where workspace_id = $1 order by created_at`,
    [home.uuid],
  )
  assert.deepEqual(
    rows.map(({ days }) => days),
    [7, 2],
    'an existing session keeps its lifetime',
  )
})

test('sets, changes and removes the slug, which leads to the sign-in page', async () => {
  const home = await setup()
  const stranger = new Client(host.base, null)
  const pageOf = (slug: string) => stranger.get(`/sign-in/${slug}/methods`)
  assert.equal((await home.client.get(path)).body.slug, null)
  const { status, body } = await home.change({ slug: 'north-water-2' })
  assert.deepEqual([status, body.slug], [200, 'north-water-2'])
  const page = await pageOf('north-water-2')
  assert.deepEqual(page.body.workspace, { id: home.id, name: body.name })
  assert.deepEqual(page.body, (await pageOf(home.id)).body)
  assert.equal((await home.change({ slug: 'south-water' })).body.slug, 'south-water')
  assert.equal(outcome(await pageOf('south-water')), '200')
  assert.equal((await home.change({ slug: null })).body.slug, null)
  assert.deepEqual(
    (await updates(home.uuid)).map(({ changed }) => changed),
    [['slug'], ['slug'], ['slug']],
  )
  const { body: audit } = await home.client.get('/v1/audit?type=workspace.updated')
  assert.deepEqual(
    audit.data.map(({ reason }: Json) => reason),
    ['slug', 'slug', 'slug'],
  )
})

test('refuses a slug that is taken, also in a race', async () => {
  const homes = [await setup(), await setup()] as const
  const [first, second] = homes
  assert.equal((await first.change({ slug: 'taken-one' })).status, 200)
  const refused = await second.change({ slug: 'taken-one' })
  assert.equal(outcome(refused), '409 slug_taken')
  assert.equal(refused.body.pointer, '/slug')
  assert.equal((await first.change({ slug: 'taken-one', name: 'Same' })).status, 200)
  const race = await Promise.all(homes.map((home) => home.change({ slug: 'raced-for' })))
  assert.deepEqual(race.map(outcome).toSorted(), ['200', '409 slug_taken'])
})

test('refuses other forms of a slug, and reserved words', async () => {
  const home = await setup()
  const forms = ['ab', 'Acme', 'a--b', '-acme', 'acme-', 'ac me', 'acmé', 'wsp_1', 'x'.repeat(41)]
  for (const slug of [...forms, 'workspaces', 'admin']) {
    const reply = await home.change({ slug })
    assert.equal(outcome(reply), '422 validation_failed', slug)
    assert.equal(reply.body.errors[0].pointer, '/slug')
  }
  assert.equal((await home.client.get(path)).body.slug, null)
})

test('limits the slugs that a workspace asks for', async () => {
  const [home, other] = [await setup(), await setup()]
  await other.change({ slug: 'asked-for' })
  const asked = await Promise.all(
    Array.from({ length: limits.slugsPerMinute }, () => home.change({ slug: 'asked-for' })),
  )
  assert.deepEqual(new Set(asked.map(outcome)), new Set(['409 slug_taken']))
  const refused = await home.change({ slug: 'not-asked-yet' })
  assert.equal(outcome(refused), '429 too_many_slugs')
  assert.equal(refused.headers.get('retry-after'), '60')
  assert.equal((await home.change({ name: 'Other', slug: null })).status, 200)
  assert.equal((await other.change({ slug: 'not-asked-yet' })).status, 200)
})
