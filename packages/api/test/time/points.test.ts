import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Client, type Json } from '#test/support/client'
import { size } from '#test/support/size'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

// Tests insert events with SQL, whose times are those of each case.
const host = await startHost({ skipsDriftCheck: true })
const now = new Date('2026-11-20T12:00:00.000Z')
const base = await listen(host.url, { clock: () => now })

/**
 * A workspace whose writes have these times. Each of them adds a risk, so that a list shows how
 * many there were.
 */
async function written(times: readonly string[], timeZone = 'UTC') {
  const home = await newWorkspace(host)
  const client = new Client(base, (await home.manager()).token)
  await host.sql.query('update workspaces set time_zone = $2 where id = $1', [home.uuid, timeZone])
  const { body: project } = await client.post('/v1/projects', { code: 'PAST', name: 'Project' })
  const first = project.version
  for (const [index] of times.entries()) {
    const body = { title: `Risk ${index}`, likelihood: 1, impact: 1 }
    const made = await client.post(`/v1/projects/${project.id}/risks`, body)
    assert.equal(made.body.version, first + index + 1)
  }
  await host.sql.query(`update events set occurred_at = '2020-01-01Z' where workspace_id = $1`, [
    home.uuid,
  ])
  for (const [index, time] of times.entries()) {
    await host.sql.query(
      'update events set occurred_at = $3 where workspace_id = $1 and seq = $2',
      [home.uuid, first + index + 1, time],
    )
  }
  const risksAt = (point: string) => client.get(`/v1/risks?as_of=${encodeURIComponent(point)}`)
  return {
    home,
    client,
    first,
    /** How many of the writes are up to the point. */
    countAt: async (point: string): Promise<number> => {
      const { status, text, body } = await risksAt(point)
      assert.equal(status, 200, text)
      assert.equal(body.as_of - first, body.count, 'the number is that of the last write')
      return body.count
    },
    refusal: async (point: string): Promise<Json> => {
      const { status, body } = await risksAt(point)
      return { status, code: body.code, parameter: body.parameter }
    },
  }
}

const unknown = { status: 400, code: 'unknown_point', parameter: 'as_of' }
const malformed = { status: 400, code: 'invalid_parameter', parameter: 'as_of' }

test('a number is that write', async () => {
  const { client, first, countAt, refusal } = await written(['2026-11-01Z', '2026-11-02Z'])
  assert.equal(await countAt(String(first + 1)), 1)
  assert.equal(await countAt(`000${first + 2}`), 2)
  assert.deepEqual(await refusal(String(first + 3)), unknown)
  assert.deepEqual(await refusal('9999999999999999'), unknown)
  assert.equal((await client.get('/v1/risks?as_of=0')).body.count, 0)
})

test('a time is the last write up to it', async () => {
  const { countAt } = await written(['2026-11-01T10:00:00.000Z', '2026-11-01T10:00:00.005Z'])
  assert.equal(await countAt('2026-11-01T10:00:00.004Z'), 1)
  assert.equal(await countAt('2026-11-01T10:00:00.005Z'), 2)
  assert.equal(await countAt('2026-11-01T11:00:00.004+01:00'), 1)
  assert.equal(await countAt('2026-11-01T09:59:59Z'), 0)
})

test('a date is its end in the time zone of the workspace', async () => {
  const times = ['2026-03-28T22:59:59.999Z', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z']
  const { countAt } = await written([...times, '2026-03-29T22:00:00.000Z'], 'Europe/Stockholm')
  assert.equal(await countAt('2026-03-27'), 0)
  assert.equal(await countAt('2026-03-28'), 1)
  assert.equal(await countAt('2026-03-29'), 3, 'the day has 23 hours')
  assert.equal(await countAt('2026-03-30'), 4)
})

test('the day on which clocks are set back has 25 hours', async () => {
  const times = ['2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z', '2026-10-25T23:00:00.000Z']
  const { countAt } = await written(times, 'Europe/Stockholm')
  assert.equal(await countAt('2026-10-24'), 0)
  assert.equal(await countAt('2026-10-25'), 2)
  assert.equal(await countAt('2026-10-26'), 3)
})

test('a day that has not ended is up to now', async () => {
  const { countAt, refusal } = await written(['2026-11-20T08:00:00Z'])
  assert.equal(await countAt('2026-11-20'), 1)
  assert.deepEqual(await refusal('2026-11-21'), unknown)
  assert.deepEqual(await refusal('2026-11-20T12:00:00.001Z'), unknown)
  assert.equal(await countAt('2026-11-20T12:00:00.000Z'), 1)
})

test('no day and no time of the calendar is refused', async () => {
  const { refusal } = await written([])
  assert.deepEqual(await refusal('2026-02-30'), unknown)
  for (const text of ['', 'today', '2026-11-1', '-1', '1.5', '2026-11-20T12:00']) {
    assert.deepEqual(await refusal(text), malformed, text)
  }
})

test('a closed day keeps its end when the time zone changes', async () => {
  const times = ['2026-11-01T23:30:00Z', '2026-11-02T00:30:00Z']
  const { home, first, countAt } = await written(times)
  assert.equal(await countAt('2026-11-01'), 1)
  await host.sql.query('insert into days values ($1, $2, $3, $4)', [
    home.uuid,
    '2026-11-01',
    '2026-11-02T00:00:00Z',
    first + 1,
  ])
  await host.sql.query(`update workspaces set time_zone = 'Europe/Stockholm' where id = $1`, [
    home.uuid,
  ])
  assert.equal(await countAt('2026-11-01'), 1)
  assert.equal(await countAt('2026-11-02'), 2)
})

test('a point is before the first write that is later, also if times are out of order', async () => {
  const second = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms).toISOString()
  // Each group of eight is reversed.
  const times = Array.from({ length: size(24, 960) }, (_, n) =>
    second((n - (n % 8)) * 10 + (7 - (n % 8))),
  )
  const { countAt } = await written(times)
  for (let ms = -1; ms < times.length * 10; ms += 7) {
    const instant = second(ms)
    const later = times.findIndex((time) => time > instant)
    assert.equal(await countAt(instant), later === -1 ? times.length : later, instant)
  }
})

test('a write with a clock a minute ahead of its successor does not hide later writes', async () => {
  const times = ['2026-11-01T10:00:00Z', '2026-11-01T11:30:00Z', '2026-11-01T10:00:02Z']
  const { countAt } = await written([...times, '2026-11-01T10:00:03Z'])
  assert.equal(await countAt('2026-11-01T10:00:00Z'), 2)
  assert.equal(await countAt('2026-11-01T10:00:02Z'), 3)
  assert.equal(await countAt('2026-11-01T10:00:10Z'), 4)
})

test('before the first write there is nothing', async () => {
  const { client, countAt } = await written(['2026-11-01Z'])
  const [risk] = (await client.get('/v1/risks')).body.data
  assert.equal((await client.get('/v1/risks?as_of=1999-12-31')).body.count, 0)
  assert.equal((await client.get('/v1/risks/summary?as_of=1999-12-31')).body.count, 0)
  const path = `/v1/projects/${risk.project_id}`
  for (const each of [path, `${path}/risks/${risk.id}`]) {
    const { status, body } = await client.get(`${each}?as_of=1999-12-31`)
    assert.deepEqual([status, body.code], [404, 'not_found'])
  }
  assert.equal(await countAt('2026-11-01'), 1)
})

test('filters and orders that need the present are refused, with those that work', async () => {
  const { client } = await written(['2026-11-01Z'])
  const refusals = [
    ['/v1/risks?as_of=1&q=storm', 'q'],
    ['/v1/risks?as_of=1&sort=title', 'sort'],
    ['/v1/risks?as_of=1&owner_email=a@b.example', 'owner_email'],
    ['/v1/risks?compare=1&flag=review_overdue', 'flag'],
    ['/v1/issues?as_of=1&due_from=2026-01-01', 'due_from'],
    ['/v1/risks/closed?as_of=1&sort=closed_at', 'sort'],
    ['/v1/issues/closed?as_of=1&ref=PAST-I1', 'ref'],
    ['/v1/risks/summary?as_of=1&accepted=true', 'accepted'],
  ] as const
  for (const [path, parameter] of refusals) {
    const { status, body } = await client.get(path)
    assert.deepEqual([status, body.code, body.parameter], [400, 'invalid_parameter', parameter])
    assert.match(body.detail, /These filters do: project_id/)
  }
  assert.equal((await client.get('/v1/risks?compare=1&sort=title')).status, 200)
})

test('the address with the number always means the same, and a date is resolved again', async () => {
  const { client, first } = await written(['2026-11-20T08:00:00Z', '2026-11-20T09:00:00Z'])
  const today = await client.get('/v1/risks?as_of=2026-11-20&limit=1&level=low')
  const address = today.headers.get('content-location') ?? ''
  assert.equal(address, `/v1/risks?as_of=${first + 2}&limit=1&level=low`)
  const { project_id } = today.body.data[0]
  const repeated = (path: string) => client.get(path, { 'if-none-match': tagOf(today) })
  assert.equal((await repeated('/v1/risks?as_of=2026-11-20&limit=1&level=low')).status, 304)

  const body = { title: 'New', likelihood: 1, impact: 1 }
  const { body: made } = await client.post(`/v1/projects/${project_id}/risks`, body)
  const again = await repeated('/v1/risks?as_of=2026-11-20&limit=1&level=low')
  assert.deepEqual([again.status, again.body.as_of], [200, made.version])
  const fixed = await client.get(address)
  assert.deepEqual(fixed.body, today.body)
  assert.equal(fixed.headers.get('content-location'), address)

  const cursor = `limit=1&level=low&cursor=${today.body.next_cursor}`
  for (const point of ['2026-11-20', String(first + 2)]) {
    const next = await client.get(`/v1/risks?as_of=${point}&${cursor}`)
    assert.equal(next.body.as_of, first + 2, 'the pages of a date stay at one number')
    assert.equal(next.body.next_cursor, null)
  }
  const other = await client.get(`/v1/risks?as_of=${first + 1}&${cursor}`)
  assert.deepEqual([other.status, other.body.code], [400, 'cursor_mismatch'])
  const forged = await client.get('/v1/risks?as_of=2026-11-20&cursor=AAAA')
  assert.deepEqual([forged.status, forged.body.code], [400, 'invalid_cursor'])
})

const tagOf = ({ headers }: { readonly headers: Headers }) => headers.get('etag') ?? ''

test('a new name of a project or an owner ends the copies of the past that show it', async () => {
  const { client, first } = await written(['2026-11-01Z'])
  const [{ project_id, id, version }] = (await client.get('/v1/risks')).body.data
  const { body: ada } = await client.post('/v1/personnel', { name: 'Ada' })
  const path = `/v1/projects/${project_id}`
  const owned = await client.send('PATCH', `${path}/risks/${id}`, {
    body: { owner_user_id: ada.id },
  })
  const point = owned.body.version
  const read = (address: string, tag = '') => client.get(address, { 'if-none-match': tag })
  const addresses = [
    `/v1/risks?as_of=${point}&include=people&limit=5`,
    `/v1/risks?as_of=${point}&include=people`,
  ]
  const before = await Promise.all(addresses.map((address) => read(address)))
  const summary = await read(`/v1/risks/summary?as_of=${point}`)
  await client.send('PATCH', `/v1/personnel/${ada.id}`, { body: { name: 'Ada Byron' } })
  for (const [index, address] of addresses.entries()) {
    const after = await read(address, before[index]?.headers.get('etag') ?? '')
    assert.equal(after.body.data[0].owner.name, 'Ada Byron')
  }
  await client.send('PATCH', path, { body: { name: 'Renamed' } })
  const renamed = await read(`/v1/risks/summary?as_of=${point}`, tagOf(summary))
  assert.equal(renamed.body.by_project[0].project.name, 'Renamed')
  assert.equal((await read(`${path}?as_of=${point}`)).body.name, 'Project')
  const item = await read(`${path}/risks/${id}?as_of=${first + 1}`)
  assert.deepEqual([item.body.owner_user_id, item.body.version], [null, version])
})
