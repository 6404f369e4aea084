import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { isList, scopes } from '@muster/contract'
import {
  array,
  assert as assertProperty,
  asyncProperty,
  boolean,
  constantFrom,
  record,
  tuple,
} from 'fast-check'

import { fromConsole } from '#test/auth/browser'
import { addPerson, signInPerson } from '#test/auth/people'
import { createFixture } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { type Running, startProcess } from '#test/support/process'
import { seed, size } from '#test/support/size'
import { metricsOf } from '#test/support/watch'
import { newWorkspace, startHost } from '#test/support/workspace'

import { read } from './page-paths.ts'

const host = await startHost()
const home = await newWorkspace(host)
const manager = await home.manager()
const fixture = await createFixture(manager)
const settings = { TRUSTED_PROXIES: '127.0.0.1', CORS_ORIGINS: 'https://app.example' }
/** It keeps pages, and answers from memory. The other one keeps none, so Fastify answers all. */
const fast = await startProcess(host.url, settings)
const slow = await startProcess(host.url, { ...settings, RESPONSE_MEMORY_MIB: '0' })

const { token } = await home.issue({ scopes })
const { token: limited } = await home.issue({ scopes: ['projects.read'] })
const person = await signInPerson(host, home, await addPerson(manager, { role: 'admin' }))
const byKey = ['authorization', `Bearer ${token}`]
const byPerson = [...Object.entries(fromConsole).flat(), 'cookie', person.cookie]

/** The first page of every list that has pages with an ETag. */
const pages = keyOperations().flatMap(({ operation }) =>
  isList(operation) && operation.cache === 'collection'
    ? [`${fixture.fill(operation.path)}?limit=2`]
    : [],
)

async function fastAnswers(): Promise<number> {
  const metrics = await metricsOf(fast.base)
  const statuses = [200, 304].map((status) => `muster_http_fast_answers_total{status="${status}"}`)
  return statuses.reduce((sum, name) => sum + (metrics[name] ?? 0), 0)
}

/** Reads twice from the process that learns, and compares both answers with that of the other. */
async function compare(path: string, headers: readonly string[]): Promise<string> {
  const expected = await read(slow.base, path, headers)
  for (const time of ['first', 'second']) {
    const what = `${time} answer to ${path} with ${JSON.stringify(headers)}`
    assert.deepEqual(await read(fast.base, path, headers), expected, what)
  }
  await read(slow.base, path, headers)
  return expected.headers.find((line) => line.startsWith('etag: '))?.slice(6) ?? ''
}

const random = new Set(['request_id', 'trace_id', 'ms', 'time'])

/** The lines of the log about requests, without what differs between any two requests. */
const linesOf = (service: Running) =>
  service
    .log()
    .split('\n')
    .filter((line) => line.includes('"is_complete"'))
    .map((line) => JSON.parse(line))
    .map((line: object) => Object.entries(line).filter(([name]) => !random.has(name)))

const durations = async (service: Running) =>
  Object.entries(await metricsOf(service.base)).filter(([name]) =>
    name.startsWith('muster_http_request_duration_seconds_count'),
  )

test('a page from memory equals the one of Fastify: answer, log and metrics', async (t) => {
  assert.ok(pages.length > 10, `${pages.length} pages`)
  let asked = 0
  for (const path of pages) {
    for (const caller of [byKey, [...byPerson, 'x-forwarded-for', '192.0.2.7']]) {
      for (const encoding of ['identity', 'gzip', 'zstd, gzip']) {
        const headers = [...caller, 'accept-encoding', encoding]
        const tag = await compare(path, headers)
        await compare(path, [...headers, 'if-none-match', tag])
        asked += 4
      }
    }
  }
  const answered = await fastAnswers()
  t.diagnostic(`${answered} of ${asked} answers of ${pages.length} pages from memory`)
  assert.ok(answered >= asked / 2, `${answered} of ${asked} answers came from memory`)
  while (linesOf(fast).length < asked || linesOf(slow).length < asked) await sleep(20)
  assert.deepEqual(linesOf(fast), linesOf(slow))
  assert.deepEqual(await durations(fast), await durations(slow))
})

const path = '/v1/risks?limit=2&include=total_count'
const named = '/v1/risks?limit=2&sort=owner'

/** Values that a header may have, besides random ones. */
const values: Readonly<Record<string, readonly string[]>> = {
  accept: ['*/*', 'application/json', 'text/csv', 'text/html, */*;q=0.1', ''],
  'accept-encoding': ['gzip', 'identity;q=0', 'zstd', 'br', '*', ''],
  authorization: [`Bearer ${token}`, `bearer ${limited}`, 'Basic eDp5', `Bearer  ${token}`],
  connection: ['close', 'keep-alive'],
  'content-length': ['0', '1'],
  'content-type': ['application/json'],
  cookie: [person.cookie, 'a=b'],
  expect: ['nothing'],
  host: ['other.example', 'two words'],
  'idempotency-key': ['one'],
  'if-match': ['"1"', 'W/"1"'],
  'if-none-match': ['*', '"1"', 'W/"a", "b"', ''],
  'muster-console': ['1'],
  origin: ['https://app.example', 'https://other.example'],
  range: ['bytes=0-1'],
  'sec-fetch-site': ['same-origin', 'cross-site'],
  traceparent: [`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, 'invalid'],
  'transfer-encoding': ['identity'],
  'x-forwarded-for': ['192.0.2.7', 'unknown', '192.0.2.7, 127.0.0.1'],
  'x-forwarded-host': ['app.example', 'two words'],
  'x-forwarded-proto': ['https', 'ftp'],
  'x-other': ['1'],
}
const headerNames = Object.keys(values)

const header = constantFrom(...headerNames).chain((name) =>
  tuple(constantFrom(name, name.toUpperCase()), constantFrom(...(values[name] ?? []))),
)

test('any headers have the same answer from memory and from Fastify', async (t) => {
  const tag = await compare(path, byKey)
  const before = await fastAnswers()
  const numRuns = size(200, 20_000)
  await assertProperty(
    asyncProperty(
      record({
        where: constantFrom(path, named, '/v1/personnel?limit=1', '/v1/risks?limit=1e2'),
        caller: constantFrom(byKey, byKey, byPerson, []),
        headers: array(header, { maxLength: 4 }),
        isConditional: boolean(),
      }),
      async ({ where, caller, headers, isConditional }) => {
        const condition = isConditional ? ['if-none-match', tag] : []
        await compare(where, [...caller, ...headers.flat(), ...condition])
      },
    ),
    { numRuns, seed },
  )
  const answered = (await fastAnswers()) - before
  t.diagnostic(`${answered} of ${2 * numRuns} answers from memory`)
  assert.ok(answered > numRuns / 5, `${answered} answers from memory`)
})

test('a key without the scope of an extra gets no page that another key taught', async () => {
  await compare(named, byKey)
  const before = await fastAnswers()
  await compare(named, byKey)
  assert.equal(await fastAnswers(), before + 2)
  await compare(named, ['authorization', `Bearer ${limited}`])
  assert.equal(await fastAnswers(), before + 2)
})

test('a process that sees only conditional requests learns from its 304', async () => {
  const tag = await compare(path, byKey)
  const before = await fastAnswers()
  await compare('/v1/risks?limit=3', [...byKey, 'if-none-match', tag])
  assert.equal(await fastAnswers(), before + 1)
})
