import assert from 'node:assert/strict'
import { test } from 'node:test'

import { startHost } from '#test/support/workspace'

import { beginOn } from './changes-history.ts'

const host = await startHost()
const begin = () => beginOn(host)

test('resolves the points, and states the address with their numbers', async () => {
  const { manager, dam, now, raise } = await begin()
  await raise(2, 3)
  const end = await now()
  const path = `/v1/changes?since=2020-01-01&project_id=${dam.id}`
  const reply = await manager.get(path)
  assert.deepEqual([reply.body.since, reply.body.until], [0, end])
  const location = reply.headers.get('content-location') ?? ''
  assert.equal(location, `/v1/changes?since=0&project_id=${dam.id}&until=${end}`)
  const etag = reply.headers.get('etag') ?? ''
  assert.equal((await manager.get(path, { 'if-none-match': etag })).status, 304)
  const again = await manager.get(path)
  assert.equal(again.headers.get('content-location'), location)
  await raise(2, 3)
  const later = await manager.get(path, { 'if-none-match': etag })
  assert.deepEqual([later.status, later.body.until], [200, end + 1])
  assert.deepEqual((await manager.get(location)).body, reply.body)
})

test('refuses unknown points, an order that is reversed, and more than 400 days', async () => {
  const { home, manager, now } = await begin()
  const refusal = async (query: string) => {
    const { status, body } = await manager.get(`/v1/changes?${query}`)
    return [status, body.type, body.parameter]
  }
  const end = await now()
  assert.deepEqual(await refusal(`since=${end + 1}`), [400, '/problems/unknown_point', 'since'])
  const future = await refusal('since=1&until=2999-01-01')
  assert.deepEqual(future, [400, '/problems/unknown_point', 'until'])
  const invalid = [400, '/problems/invalid_parameter', 'since']
  assert.deepEqual(await refusal(`since=${end}&until=1`), invalid)
  assert.deepEqual(await refusal('until=1'), invalid)
  await host.sql.query(
    `update events set occurred_at = occurred_at - interval '401 days'
      where workspace_id = $1 and seq = 1`,
    [home.uuid],
  )
  assert.deepEqual(await refusal('since=0'), invalid)
  const { body } = await manager.get('/v1/changes?since=0')
  assert.match(body.detail, /more than 400 days .* closer/)
  assert.equal((await manager.get('/v1/changes?since=1')).status, 200)
})

test('returns CSV with one row an entry', async () => {
  const { manager, now, raise, open, review } = await begin()
  const risk = await raise(2, 3)
  const start = await now()
  await review(risk, 3, 3)
  await open(4, { title: '=1+1' })
  const path = `/v1/changes?since=${start}`
  const csv = await manager.get(`${path}&format=csv`)
  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="changes.csv"')
  const [header = '', ...rows] = csv.text.trimEnd().split('\r\n')
  assert.match(header, /^noun,group,id,ref,title,project\.id,/)
  assert.match(header, /,before\.score,/)
  assert.deepEqual(
    rows.map((row) => row.split(',').slice(0, 5)),
    [
      ['risks', 'rose', risk.id, risk.ref, 'Risk 23'],
      ['issues', 'opened', rows[1]?.split(',')[2], rows[1]?.split(',')[3], "'=1+1"],
    ],
  )
  const accepted = await manager.get(path, { accept: 'text/csv' })
  assert.equal(accepted.text, csv.text)
  assert.equal((await manager.get(path, { accept: 'text/html' })).status, 406)
  assert.equal((await manager.get(`${path}&format=ndjson`)).status, 400)
})
