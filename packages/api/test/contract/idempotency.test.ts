import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Operation } from '@muster/contract'

import { addPerson } from '#domain/people/personnel'
import { Client } from '#test/support/client'
import { revokesOwnKey, exampleFor, createFixture, createFixtureFor } from '#test/support/fixture'
import { longTimeouts } from '#test/support/long-timeouts'
import { keyOperations } from '#test/support/operations'
import { sendHeaders } from '#test/support/raw'
import { requireVersions } from '#test/support/row-versions'
import { listen, newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
await requireVersions(host.sql)
const home = await newWorkspace(host)
const manager = await home.manager()
const withKey = (key: string) => ({ 'idempotency-key': key })

/** The sequence number of the last change in the workspace. */
async function lastSeq(): Promise<number> {
  const { rows } = await host.sql.query(
    'select seq::int from workspace_counters where workspace_id = $1',
    [home.uuid],
  )
  return rows[0].seq
}

/** An operation without events, such as the creation of a link, takes no sequence number. */
const numbersOf = ({ events }: Operation) => (events === undefined ? 0 : 1)

const kept = ['location', 'etag', 'content-type', 'cache-control']

for (const { name, operation } of keyOperations()) {
  if (operation.method === 'GET' || revokesOwnKey(operation)) continue
  const isSecret = operation.problems.includes('secret_not_replayable')
  if (isSecret) {
    test(`${name}: creates once under a repeated key, and does not replay the secret`, async () => {
      const fixture = await createFixtureFor(manager, operation)
      const body = exampleFor(operation, fixture)
      const headers = withKey('secret')
      const send = () =>
        manager.send(operation.method, fixture.fill(operation.path), { body, headers })
      const before = await lastSeq()
      const first = await send()
      assert.equal(first.status, operation.status, first.text)
      for (const again of [await send(), ...(await Promise.all([send(), send()]))]) {
        assert.equal(`${again.status} ${again.body.code}`, '409 secret_not_replayable')
        assert.equal(again.body.conflicting_id, first.body.id)
        assert.ok(!again.text.includes(first.body.secret))
      }
      assert.equal(await lastSeq(), before + numbersOf(operation))
      const { rows } = await host.sql.query('select result::text from idempotency_records')
      assert.ok(!JSON.stringify(rows).includes(first.body.secret))
    })
    continue
  }
  test(`${name}: changes once under a repeated key, and replays the response`, async () => {
    const fixture = await createFixtureFor(manager, operation)
    const [path, body] = [
      fixture.fill(operation.path),
      JSON.stringify(exampleFor(operation, fixture)),
    ]
    const send = (sent: string) =>
      manager.send(operation.method, path, { body: sent, headers: withKey('every') })
    const before = await lastSeq()

    const first = await send(body)
    const repeated = [await send(body), ...(await Promise.all([send(body), send(body)]))]
    const other = await send(`${body} `)

    assert.equal(first.status, operation.status, first.text)
    assert.equal(first.headers.get('idempotent-replayed'), null)
    for (const again of repeated) {
      assert.equal(again.status, operation.status)
      assert.equal(again.text, first.text)
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
      for (const header of kept) {
        assert.equal(again.headers.get(header), first.headers.get(header), header)
      }
    }
    assert.equal(`${other.status} ${other.body.code}`, '422 idempotency_key_reused')
    assert.equal(await lastSeq(), before + numbersOf(operation))
  })
}

test('imports a repeated table once', async () => {
  const fixture = await createFixture(manager)
  const headers = { ...withKey('table'), 'content-type': 'text/csv' }
  const path = fixture.fill('/v1/projects/{project_id}/risks')
  const send = (body: string) => manager.send('POST', `${path}/batch`, { body, headers })
  const table = 'title,likelihood,impact\nFlood,2,5\nDrought,1,5\n'
  const [first, again] = [await send(table), await send(table)]
  assert.equal(first.body.created, 2)
  assert.equal(again.text, first.text)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal((await send(`${table}Storm,1,1\n`)).body.code, 'idempotency_key_reused')
  assert.equal((await manager.get(path)).body.count, 3, 'two rows, and the one of the fixture')
})

test('replays the first response even after the item changed', async () => {
  const fixture = await createFixture(manager)
  const path = fixture.fill('/v1/projects/{project_id}/risks/{risk_id}')
  const version = (await manager.get(path)).headers.get('etag') ?? ''
  const close = () =>
    manager.post(
      `${path}/close`,
      { close_reason: 'treated' },
      { ...withKey('since'), 'if-match': version },
    )
  const first = await close()
  await manager.post(`${path}/reopen`, {})
  const again = await close()
  assert.equal(first.status, 200)
  assert.equal(again.text, first.text, 'its version is not the current one')
  assert.equal((await manager.get(path)).body.status, 'identified', 'it is not closed again')
})

test('replays the response to a repeated request, and changes nothing', async () => {
  const body = { name: 'Ada', email: 'ada@repeat.example', metadata: { b: '1', a: '2' } }
  const first = await manager.post('/v1/personnel', body, withKey('again'))
  const second = await manager.post('/v1/personnel', body, withKey('again'))
  const quoted = await manager.post('/v1/personnel', body, withKey('"again"'))

  assert.equal(first.status, 201)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  for (const repeated of [second, quoted]) {
    assert.equal(repeated.status, 201)
    assert.equal(repeated.text, first.text)
    assert.equal(repeated.headers.get('idempotent-replayed'), 'true')
    for (const name of ['location', 'etag', 'content-type', 'cache-control']) {
      assert.equal(repeated.headers.get(name), first.headers.get(name), name)
    }
  }
  assert.equal((await manager.get('/v1/personnel?q=ada@repeat')).body.count, 1)
})

test('creates one person for 20 concurrent requests on two processes, with equal responses', async () => {
  const other = await listen(host.url)
  for (let round = 0; round < 5; round++) {
    const sent = Array.from({ length: 20 }, (_, index) =>
      fetch(new URL('/v1/personnel', index % 2 === 0 ? host.base : other), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${manager.token}`,
          'content-type': 'application/json',
          ...withKey(`twenty-${round}`),
        },
        body: JSON.stringify({ name: `Twenty ${round}`, email: `twenty${round}@example.com` }),
      }),
    )
    const replies = await Promise.all(sent)
    const texts = await Promise.all(replies.map((reply) => reply.text()))
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(texts).size, 1)
    const replayed = replies.filter(({ headers }) => headers.has('idempotent-replayed'))
    assert.equal(replayed.length, 19)
    const { body } = await manager.get(`/v1/personnel?q=twenty${round}@`)
    assert.equal(body.count, 1)
  }
})

test('refuses the same key with another body', async () => {
  await manager.post('/v1/personnel', { name: 'Bo' }, withKey('body'))
  const { status, body } = await manager.post('/v1/personnel', { name: 'Bob' }, withKey('body'))
  assert.equal(`${status} ${body.code}`, '422 idempotency_key_reused')
})

test('separates keys of different API keys', async () => {
  const other = await home.manager()
  const first = await manager.post('/v1/personnel', { name: 'Cy' }, withKey('mine'))
  const second = await other.post('/v1/personnel', { name: 'Cy' }, withKey('mine'))
  assert.notEqual(first.body.id, second.body.id)
})

test('stores only successful responses', async () => {
  const taken = { name: 'Di', email: 'di@example.com' }
  const { body: holder } = await manager.post('/v1/personnel', taken)
  const refused = await manager.post('/v1/personnel', taken, withKey('later'))
  assert.equal(refused.body.code, 'email_taken')
  await manager.post(`/v1/personnel/${holder.id}/depart`, {})
  const made = await manager.post('/v1/personnel', taken, withKey('later'))
  assert.equal(made.status, 201)
  assert.notEqual(made.body.id, holder.id)
})

test('waits for a concurrent request with the same key, and reports one in progress', async () => {
  const post = () => manager.post('/v1/personnel', { name: 'Eve' }, withKey('slow'))
  await post()
  // The advisory lock of the concurrent request, from the record of the first request.
  const { rows } = await host.sql.query(
    `delete from idempotency_records where result->>'name' = 'Eve'
     returning ('x' || encode(substring(digest from 1 for 8), 'hex'))::bit(64)::bigint as lock`,
  )
  await host.sql.query('select pg_advisory_lock($1)', [rows[0].lock])
  const base = await listen(host.url, { timeouts: { ...longTimeouts, lockMs: 200 } })
  const other = new Client(base, manager.token)
  const sent = { name: 'Eve' }
  const { status, body, headers } = await other.post('/v1/personnel', sent, withKey('slow'))
  assert.equal(`${status} ${body.code}`, '409 idempotency_in_progress')
  assert.equal(headers.get('retry-after'), '1')

  const waiting = post()
  await host.sql.query('select pg_sleep(0.5), pg_advisory_unlock($1)', [rows[0].lock])
  assert.equal((await waiting).status, 201, 'it continues when the concurrent request ends')
})

test('accepts 1 to 255 visible ASCII characters as a key, once', async () => {
  const code = async (key: string) => {
    const reply = await manager.post('/v1/personnel', { name: 'Flo' }, withKey(key))
    return `${reply.status} ${reply.body.code ?? ''}`.trim()
  }
  assert.equal(await code('x'.repeat(255)), '201')
  assert.equal(await code('x'.repeat(256)), '400 bad_header')
  assert.equal(await code(''), '400 bad_header')
  assert.equal(await code('two words'), '400 bad_header')
  assert.equal(await code('""'), '400 bad_header')
  const twice = await sendHeaders(new URL('/v1/personnel', host.base), {
    method: 'POST',
    headers: [
      'authorization',
      `Bearer ${manager.token}`,
      'content-type',
      'application/json',
      'idempotency-key',
      'a',
      'idempotency-key',
      'b',
    ],
    body: '{"name":"Flo"}',
  })
  assert.equal(`${twice.status} ${twice.body.code}`, '400 bad_header')
})

test('deletes records older than a day in later writes', async () => {
  await manager.post('/v1/personnel', { name: 'Gil' }, withKey('old'))
  await host.sql.query(
    `update idempotency_records set created_at = created_at - interval '25 hours'`,
  )
  const count = async () => {
    const { rows } = await host.sql.query('select count(*)::int as count from idempotency_records')
    return rows[0].count
  }
  const before = await count()
  const writes = Math.ceil(before / 20)
  for (let index = 0; index < writes; index++) {
    await manager.post('/v1/personnel', { name: 'Hal' }, withKey(`new-${index}`))
  }
  assert.ok(writes > 1, 'each write deletes 20 at most, to stay fast')
  assert.equal(await count(), writes)
})

test('stores no record for a write without a key', async () => {
  await addPerson(home.admin, { name: 'Ida' })
  const { rows } = await host.sql.query(
    `select count(*)::int as count from idempotency_records where result->>'name' = 'Ida'`,
  )
  assert.equal(rows[0].count, 0)
})
