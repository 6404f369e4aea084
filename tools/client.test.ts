import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createClient, NoAnswerError, ProblemError } from '@muster/client'
import { everyOperation } from '@muster/contract'

import { clientBehind, type Fault, forward } from './faulty-client.ts'
import { startDev } from './follow.ts'

const { settings } = await startDev()
const [, base = '', key = ''] = /BASE=(\S+)\nKEY=(\S+)/.exec(settings) ?? []
const client = createClient({ base, key })

const faultyClient = (faults: Fault[]) => clientBehind({ base, key, faults })

const busy: Fault = (from, to) => {
  from.resume()
  const problem = { type: '/problems/unavailable', title: 'Not now.', status: 503 }
  const body = { ...problem, code: 'unavailable', detail: 'Not now.', request_id: 'req_1' }
  to.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '2' })
  to.end(JSON.stringify(body))
}

const lost: Fault = (from, to) => forward(base, from, () => to.destroy())

test('the client has a method for every operation', () => {
  const byNoun = client as unknown as Record<string, Record<string, unknown>>
  for (const { name } of everyOperation()) {
    const [noun = '', verb = ''] = name.split('.')
    assert.equal(typeof byNoun[noun]?.[verb], 'function', name)
  }
})

test('reads a list in one call, or page by page with each()', async () => {
  const all = await client.personnel.list()
  const names: string[] = []
  for await (const person of client.personnel.list.each({ query: { limit: 7, sort: 'name' } })) {
    names.push(person.name)
  }
  assert.equal(names.length, all.count)
  const some = await client.personnel.list({ query: { status: ['active', 'suspended'], limit: 1 } })
  assert.equal(some.data.length, 1)
})

test('creates, updates and refusals return typed results', async () => {
  const name = 'Vega Sand'
  const made = await client.personnel.create({ body: { name, email: 'vega@example.com' } })
  const params = { user_id: made.id }
  const viewed = await client.personnel.view({ params })
  assert.deepEqual(viewed, made)
  const title = 'Diver'
  const changed = await client.personnel.update(
    { params, body: { title } },
    { ifMatch: made.version },
  )
  assert.equal(changed.title, title)
  const stale = client.personnel.update({ params, body: { title } }, { ifMatch: made.version })
  await assert.rejects(stale, (error) => {
    assert.ok(error instanceof ProblemError)
    assert.equal(error.code, 'version_mismatch')
    assert.equal(error.problem['version'], changed.version)
    return true
  })
  const twin = client.personnel.create({ body: { name, email: 'VEGA@example.com' } })
  await assert.rejects(twin, { code: 'email_taken', status: 409 })
})

test('sends a batch as JSON or CSV, with a dry run', async () => {
  const csv = 'name;title\n"Sand; Vega";Diver\n'
  const dryRun = await client.personnel.batch({ csv, query: { dry_run: true } })
  const done = await client.personnel.batch({ csv })
  const same = await client.personnel.batch({ body: { data: done.data } })
  assert.deepEqual([dryRun.created, done.created, same.created, same.changed], [1, 1, 0, 0])
  assert.equal(done.data[0]?.name, 'Sand; Vega')
  await assert.rejects(client.personnel.batch({ csv: 'nam\nVega\n' }), { code: 'bad_csv' })
})

test('retries after Retry-After with the same idempotency key', async () => {
  const { proxied, seen, waited } = await faultyClient([busy, busy])
  const { id } = await proxied.personnel.create({ body: { name: 'Patient' } })
  assert.match(id, /^usr_/)
  assert.deepEqual(waited, [2000, 2000])
  const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']))
  assert.deepEqual([seen.length, keys.size], [3, 1])
})

test('retries after a lost response, and the write is made once', async () => {
  const { proxied } = await faultyClient([lost, lost])
  const name = 'Made once'
  const made = await proxied.personnel.create({ body: { name } })
  const { data } = await client.personnel.list({ query: { q: name.toLowerCase() } })
  assert.deepEqual(
    data.map(({ id }) => id),
    [made.id],
  )
})

test('gives up after 4 attempts, and does not retry a refusal', async () => {
  const broken: Fault = (_, to) => void to.destroy()
  const { proxied, seen } = await faultyClient([broken, broken, broken, broken])
  await assert.rejects(proxied.risks.list(), NoAnswerError)
  assert.equal(seen.length, 4)
  const refused = await faultyClient([])
  const params = { user_id: 'usr_00000000000000000000000000' }
  await assert.rejects(refused.proxied.personnel.view({ params }), { code: 'not_found' })
  assert.equal(refused.seen.length, 1, 'a refusal is not retried')
  const late = createClient({ base, key })
  const signal = AbortSignal.abort()
  await assert.rejects(late.risks.list({}, { signal }), { name: 'AbortError' })
})

test('keeps the path of the base', async () => {
  const { seen, address } = await faultyClient([busy])
  const behind = createClient({ base: `${address}/muster/`, key, retriesMax: 0 })
  await assert.rejects(behind.risks.list(), { code: 'unavailable' })
  assert.equal(seen[0]?.url, '/muster/v1/risks')
})

test('returns the status and headers with raw(), and 304 for a known ETag', async () => {
  const { status, headers, data } = await client.groups.list.raw()
  assert.ok(status === 200 && data.count > 0)
  const ifNoneMatch = headers.get('etag') ?? ''
  const again = await client.groups.list.raw({}, { ifNoneMatch })
  assert.deepEqual([again.status, again.data], [304, null])
})

test('reads a list as CSV and as NDJSON', async () => {
  const { data } = await client.groups.list()
  const [header = ''] = (await client.groups.list.csv()).split('\r\n')
  assert.ok(header.split(',').includes('name'), header)
  const items: unknown[] = []
  for await (const item of client.groups.list.ndjson()) items.push(item)
  assert.deepEqual(items, data)
  const cut: Fault = (from, to) => {
    from.resume()
    to.writeHead(200, { 'content-type': 'application/x-ndjson' }).end('{"id":"grp_1"}\n')
  }
  const { proxied } = await faultyClient([cut])
  const read = async () => {
    for await (const item of proxied.groups.list.ndjson()) assert.equal(item.id, 'grp_1')
  }
  await assert.rejects(read, { name: 'NoAnswerError', message: /before its last line/ })
})

const page =
  (status: number): Fault =>
  (from, to) => {
    from.resume()
    to.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Another program</h1>')
  }

test('an answer that is not from the API is an error, and only retried after 5xx', async () => {
  for (const status of [200, 404]) {
    const { proxied, seen } = await faultyClient([page(status)])
    await assert.rejects(proxied.risks.list(), { name: 'NoAnswerError', message: /`base`/ })
    assert.equal(seen.length, 1, String(status))
  }
  const { proxied, seen } = await faultyClient([page(502)])
  assert.ok((await proxied.risks.list()).count > 0)
  assert.equal(seen.length, 2)
})

test('gives up a response that does not begin or stops', { timeout: 20_000 }, async () => {
  const silent: Fault = (from) => void from.resume()
  const stuck: Fault = (from, to) => {
    from.resume()
    to.writeHead(200, { 'content-type': 'application/json' }).write('{"data":[')
  }
  for (const fault of [silent, stuck]) {
    const { address } = await faultyClient([fault])
    const hasty = createClient({ base: address, key, timeoutMs: 200, retriesMax: 0 })
    await assert.rejects(hasty.risks.list(), (error) => {
      assert.ok(error instanceof NoAnswerError && error.cause instanceof Error)
      assert.equal(error.cause.name, 'TimeoutError')
      return true
    })
  }
})

test('a signal ends the wait before a retry', { timeout: 10_000 }, async () => {
  const patient: Fault = (from, to) => {
    from.resume()
    const headers = { 'content-type': 'application/problem+json', 'retry-after': '30' }
    to.writeHead(503, headers).end('{"code":"unavailable","detail":"Not now."}')
  }
  const { address, seen } = await faultyClient([patient])
  const waiting = createClient({ base: address, key })
  const controller = new AbortController()
  const answer = waiting.risks.list({}, { signal: controller.signal })
  setTimeout(() => controller.abort(), 300)
  await assert.rejects(answer, { name: 'AbortError' })
  assert.equal(seen.length, 1)
})

test('a missing path parameter is an error before the request', async () => {
  const view = client.projects.view({ params: { project_id: '' } })
  await assert.rejects(view, { name: 'TypeError', message: /project_id/ })
})
