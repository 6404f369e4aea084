import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { atEnd } from '@muster/testing/at-end'

import { Sweeper } from '#domain/workspace/sweep'
import { createPool } from '#storage/connection/pool'
import { Database } from '#storage/transaction/database'
import { Client, type Json } from '#test/support/client'
import { longTimeouts } from '#test/support/long-timeouts'
import { sweepDue } from '#test/support/sweep'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()

/** The clock of every service in this file. */
let time = new Date('2027-01-01T10:00:00Z')
const clock = () => time
const base = await listen(host.url, { clock })
const pool = createPool({ url: host.url, role: 'muster_app', max: 3, timeouts: longTimeouts })
const database = new Database(pool, { clock })
atEnd(() => database[Symbol.asyncDispose]())

async function newHome(timeZone = 'UTC') {
  const workspace = await newWorkspace(host)
  await host.sql.query('update workspaces set time_zone = $2 where id = $1', [
    workspace.uuid,
    timeZone,
  ])
  const { token } = await workspace.manager()
  const manager = new Client(base, token)
  const make = async (path: string, body: object): Promise<Json> => {
    const reply = await manager.post(path, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }
  return { ...workspace, client: manager, make }
}

async function sweep(): Promise<void> {
  assert.deepEqual((await sweepDue(new Sweeper(database))).failures, [])
}

const risk = { title: 'R', likelihood: 4, impact: 4 }

async function flagEvents(uuid: string) {
  const { rows } = await host.sql.query(
    `select subject_id as id, type, changed from events
     where workspace_id = $1 and type like '%.flagged' order by seq, position`,
    [uuid],
  )
  return rows
}

test('sets time-dependent flags in one ordinary write', async () => {
  const home = await newHome()
  const person = await home.make('/v1/personnel', { name: 'Ada' })
  const { id } = await home.make('/v1/projects', { code: 'ONE', name: 'One' })
  const here = `/v1/projects/${id}`
  const reviewed = await home.make(`${here}/risks`, { ...risk, review_on: '2027-01-02' })
  const accepted = await home.make(`${here}/risks`, risk)
  await home.make(`${here}/risks/${accepted.id}/accept`, {
    accepted_by_user_id: person.id,
    expires_on: '2027-01-02',
    rationale: 'x',
  })
  const issue = await home.make(`${here}/issues`, { title: 'I', severity: 1, due_on: '2027-01-02' })
  const acceptances = async (status: string) =>
    (await home.client.get(`/v1/acceptances?status=${status}`)).body.data.map(
      ({ risk_id }: Json) => risk_id,
    )
  await sweep()
  assert.deepEqual(await flagEvents(home.uuid), [], 'the day has not passed')
  assert.deepEqual(await acceptances('active'), [accepted.id])
  const { headers } = await home.client.get('/v1/risks')

  time = new Date('2027-01-03T00:00:11Z')
  await sweep()
  const flagsOf = async (path: string) => (await home.client.get(path)).body.flags
  assert.deepEqual(await flagsOf(`${here}/risks/${reviewed.id}`), ['review_overdue'])
  assert.deepEqual(await flagsOf(`${here}/risks/${accepted.id}`), ['acceptance_expired'])
  assert.deepEqual(await acceptances('expired'), [accepted.id])
  assert.deepEqual(await acceptances('active'), [])
  assert.deepEqual(await flagsOf(`${here}/issues/${issue.id}`), ['overdue'])
  const events = await flagEvents(home.uuid)
  assert.deepEqual(
    events.map(({ type, changed }) => `${type} ${changed}`),
    ['risk.flagged flags', 'risk.flagged flags', 'issue.flagged flags'],
  )
  const etag = { 'if-none-match': headers.get('etag') ?? '' }
  assert.equal((await home.client.get('/v1/risks', etag)).status, 200, 'the ETag has changed')
  const listed = await home.client.get('/v1/risks?flag=review_overdue')
  assert.deepEqual(
    listed.body.data.map((each: Json) => each.id),
    [reviewed.id],
  )
  const { data } = (await home.client.get(`${here}/risks/${reviewed.id}/history`)).body
  assert.deepEqual(data.at(-1).actor, { type: 'system', id: null, user_id: null, name: null })

  await sweep()
  time = new Date('2027-01-04T09:00:00Z')
  await sweep()
  assert.equal((await flagEvents(home.uuid)).length, 3, 'never again')
})

test('ends a day in the time zone of the workspace', async () => {
  time = new Date('2027-02-10T12:00:00Z')
  const [auckland, utc] = [await newHome('Pacific/Auckland'), await newHome()]
  const paths: string[] = []
  for (const home of [auckland, utc]) {
    const { id } = await home.make('/v1/projects', { code: 'DAY', name: 'Day' })
    const input = { ...risk, review_on: '2027-02-11' }
    const made = await home.make(`/v1/projects/${id}/risks`, input)
    assert.deepEqual(made.flags, [])
    paths.push(`/v1/projects/${id}/risks/${made.id}`)
  }
  time = new Date('2027-02-11T12:00:00Z')
  await sweep()
  const [east = '', west = ''] = paths
  assert.deepEqual((await auckland.client.get(east)).body.flags, ['review_overdue'])
  assert.deepEqual((await utc.client.get(west)).body.flags, [])
})

test('updates the flags of all risks when the risk appetite changes', async () => {
  const home = await newHome()
  const { id } = await home.make('/v1/projects', { code: 'APP', name: 'Appetite' })
  const here = `/v1/projects/${id}`
  await home.make(`${here}/risks`, risk)
  await home.make(`${here}/risks`, { ...risk, likelihood: 1 })
  await sweep()
  const appetite = async (risk_appetite: number | null) => {
    await home.client.send('PATCH', here, { body: { risk_appetite } })
    await sweep()
    return (await home.client.get('/v1/risks')).body.data.map(({ flags }: Json) => flags.join())
  }
  assert.deepEqual(await appetite(10), ['above_appetite', ''])
  assert.deepEqual(await appetite(3), ['above_appetite', 'above_appetite'])
  assert.deepEqual(await appetite(null), ['', ''])
  assert.equal((await flagEvents(home.uuid)).length, 4)
})

test('flags an overdue review without any request', async () => {
  const home = await newHome()
  const { id } = await home.make('/v1/projects', { code: 'LOOK', name: 'Look' })
  const input = { ...risk, review_on: '2027-03-01' }
  const made = await home.make(`/v1/projects/${id}/risks`, input)
  time = new Date('2027-03-02T06:00:00Z')
  await listen(host.url, { clock, sweepSeconds: 1 })
  const seen = async () => {
    const { rows } = await host.sql.query('select flags from risks where title = $1 and ref = $2', [
      'R',
      made.ref,
    ])
    return rows[0].flags
  }
  for (let tries = 0; tries < 100 && (await seen()).length === 0; tries++) await sleep(100)
  assert.deepEqual(await seen(), ['review_overdue'])
})
