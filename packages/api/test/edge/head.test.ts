import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { test } from 'node:test'

import { isList } from '@muster/contract'

import { createFixture } from '#test/support/fixture'
import { keyOperations } from '#test/support/operations'
import { sentDuring } from '#test/support/statements'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const manager = await (await newWorkspace(host)).manager()
const fixture = await createFixture(manager)
await createFixture(manager)
const authorization = `Bearer ${manager.token}`

interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly length: string | undefined
  readonly bytes: number
}

/** Headers that differ between any two responses. */
const varying = new Set(['date', 'request-id', 'ratelimit', 'traceparent'])

function ask(method: string, path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, host.base), { method, headers, agent: false }, (reply) => {
      let bytes = 0
      reply.on('data', (chunk: Buffer) => (bytes += chunk.length))
      reply.on('error', reject)
      reply.on('end', () => {
        const { 'content-length': length, ...others } = reply.headers
        const shown = Object.entries(others).map(([name, value]) => [
          name,
          varying.has(name) ? '' : String(value).replaceAll(/'nonce-[^']+'/g, ''),
        ])
        const status = reply.statusCode ?? 0
        resolve({ status, headers: Object.fromEntries(shown), length, bytes })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** HEAD has the status and headers of GET. Content-Length is that of GET, or absent. */
async function assertAlike(path: string, headers: Record<string, string>): Promise<Answer> {
  const get = await ask('GET', path, headers)
  const head = await ask('HEAD', path, headers)
  assert.equal(head.status, get.status, path)
  assert.deepEqual(head.headers, get.headers, path)
  assert.equal(head.bytes, 0)
  if (head.length !== undefined) assert.equal(head.length, get.length, path)
  return get
}

const unknownId = (path: string) => path.replaceAll(/_[0-9a-z]{26}/g, '_01ktrr9d3hen4v9q9t9m2g8x5c')

const withKey = { authorization }
const reads = keyOperations().filter(({ operation }) => operation.method === 'GET')

for (const { name, operation } of reads) {
  test(`HEAD matches GET: ${name}`, async () => {
    const path = fixture.fill(operation.path)
    const { status, headers } = await assertAlike(path, withKey)
    assert.equal(status, operation.status)
    assert.equal((await assertAlike(path, {})).status, 401)
    assert.equal((await assertAlike(`${path}?x=1`, withKey)).status, 400)
    assert.equal((await assertAlike(path, { ...withKey, accept: 'image/png' })).status, 406)
    if (unknownId(path) !== path) await assertAlike(unknownId(path), withKey)
    const { etag } = headers
    if (etag === undefined) return
    const conditional = { ...withKey, 'if-none-match': etag }
    assert.equal((await assertAlike(path, conditional)).status, 304)
  })
}

for (const { name, operation } of reads.filter((each) => isList(each.operation))) {
  test(`HEAD matches GET in every format, compressed, and by page: ${name}`, async () => {
    const path = fixture.fill(operation.path)
    for (const accept of ['application/json', 'text/csv', 'application/x-ndjson']) {
      for (const encoding of ['zstd', 'gzip', 'identity']) {
        const headers = { ...withKey, accept, 'accept-encoding': encoding }
        assert.equal((await assertAlike(path, headers)).status, 200)
      }
    }
    for (const query of ['limit=1', 'limit=200', 'include=total_count', 'cursor=x', 'limit=0']) {
      await assertAlike(`${path}?${query}`, { ...withKey, 'accept-encoding': 'gzip' })
    }
    for (const accept of ['text/csv', 'application/x-ndjson']) {
      const page = await assertAlike(`${path}?limit=1`, { ...withKey, accept })
      assert.equal(page.status, 200)
    }
  })
}

const built = new URL('../../public/console/console/', import.meta.url)
const files = existsSync(built) ? readdirSync(built).map((name) => `/console/${name}`) : []
const pages = [
  '/',
  '/about',
  '/docs',
  '/docs/api',
  '/docs/reference/problems',
  '/docs/reference/problems.md',
  '/docs/search.js',
  '/llms.txt',
  '/docs/images/risks.png',
  '/docs/images/logo.svg',
  '/favicon.svg',
  '/favicon.ico',
  '/openapi.json',
  '/problems',
  '/problems/bad_json',
  '/problems/nonsense',
  '/security',
  '/.well-known/security.txt',
  '/livez',
  '/readyz',
  '/assets/page.css',
  '/assets/docs.js',
  '/assets/scalar.js',
  '/nothing',
  '/session',
  ...(files.length > 0 ? ['/risks', '/people/x', ...files.slice(0, 3)] : []),
]

for (const path of pages) {
  test(`HEAD matches GET: ${path}`, async () => {
    for (const accept of ['*/*', 'text/html', 'application/json']) {
      await assertAlike(path, { accept, 'accept-encoding': 'gzip' })
    }
  })
}

test('reads one item for HEAD of a complete list', async () => {
  const rowsOf = async (method: string) => {
    const sent = await sentDuring(() => ask(method, '/v1/risks', withKey))
    const numbers = sent.flatMap(({ parameters }) => parameters).filter(Number.isInteger)
    return Math.max(...numbers.map(Number))
  }
  assert.deepEqual([await rowsOf('HEAD'), await rowsOf('GET')], [2, 501])
})
