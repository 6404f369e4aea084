import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isList, listFormats } from '@muster/contract'

import { outcome } from '#test/auth/browser'
import type { Client, Reply } from '#test/support/client'
import { keyOperations } from '#test/support/operations'
import { startHost } from '#test/support/workspace'

import { asCsv, createLookupFixture, headerOf } from './lookup-fixture.ts'

const host = await startHost()
const { home, manager, fill } = await createLookupFixture(host)

const csvType = 'text/csv; charset=utf-8; header=present'
const asLines = { accept: listFormats.ndjson }

const lists = keyOperations().flatMap(({ name, operation }) =>
  isList(operation) ? [{ name, path: fill(operation.path) }] : [],
)

const nextOf = ({ headers }: Reply) =>
  /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]

/** All pages of one row each. Later pages come from the link alone, without an Accept header. */
async function pagesOf(client: Client, path: string, accept: string): Promise<Reply[]> {
  const pages = [await client.get(`${path}?limit=1`, { accept })]
  for (let next = nextOf(pages[0] as Reply); next !== undefined;) {
    assert.ok(pages.length < 100, next)
    const page = await client.get(next)
    pages.push(page)
    next = nextOf(page)
  }
  for (const { status, text } of pages) assert.equal(status, 200, text)
  return pages
}

/** When a key was last used changes with each request. */
const stable = (text: string) =>
  text.replaceAll(/"last_used_at":"[^"]*"/g, '').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')

for (const { name, path } of lists) {
  test(`${name}: the pages of CSV have the rows of the complete file`, async () => {
    const complete = await manager.get(path, asCsv)
    const pages = await pagesOf(manager, path, 'text/csv')
    const header = `${headerOf(complete.text).join()}\r\n`
    for (const { headers, text } of pages) {
      assert.equal(headers.get('content-type'), csvType)
      assert.equal(headers.get('content-disposition'), complete.headers.get('content-disposition'))
      assert.equal(headers.get('etag'), complete.headers.get('etag'))
      assert.ok(text.startsWith(header), text)
    }
    const rows = pages.map(({ text }) => text.slice(header.length))
    assert.equal(stable(header + rows.join('')), stable(complete.text))
  })

  test(`${name}: the pages of NDJSON have the lines of the complete list`, async () => {
    const linesOf = ({ text }: Reply) => stable(text).trimEnd().split('\n')
    const complete = linesOf(await manager.get(path, asLines))
    const pages = await pagesOf(manager, path, listFormats.ndjson)
    assert.deepEqual(
      pages.flatMap((page) => linesOf(page).slice(0, -1)),
      complete.slice(0, -1),
    )
    for (const page of pages) {
      assert.equal(page.headers.get('content-type'), listFormats.ndjson)
      const lines = linesOf(page)
      const { _end: end } = JSON.parse(complete.at(-1) ?? '')
      const expected = { _end: { count: lines.length - 1, as_of: end.as_of } }
      assert.deepEqual(JSON.parse(lines.at(-1) ?? ''), expected)
    }
  })
}

test('a page of CSV has an ETag of its own, and does not change without a write', async () => {
  const path = '/v1/risks?limit=1'
  const json = await manager.get(path)
  const csv = await manager.get(path, asCsv)
  assert.notEqual(csv.headers.get('etag'), json.headers.get('etag'))
  assert.match(csv.headers.get('vary') ?? '', /Accept/)
  const known = { ...asCsv, 'if-none-match': csv.headers.get('etag') ?? '' }
  assert.equal((await manager.get(path, known)).status, 304)
  assert.equal((await manager.get(path, asCsv)).text, csv.text)
  const asJson = await manager.get(path)
  assert.equal(asJson.text, json.text, 'formats share no page')
})

test('keys with other scopes share no page', async () => {
  const path = '/v1/projects?limit=1&format=csv'
  const reader = await home.key('projects.read')
  const [all, few] = [await manager.get(path), await reader.get(path)]
  assert.ok(headerOf(all.text).includes('owner_email'))
  assert.ok(!headerOf(few.text).includes('owner_email'))
  assert.equal((await manager.get(path)).text, all.text)
  assert.equal((await reader.get(path)).text, few.text)
})

test('the link of a page keeps its format, its size and its filters', async () => {
  const page = await manager.get('/v1/personnel?limit=1&status=active', asCsv)
  const next = new URL(nextOf(page) ?? '', host.base)
  assert.equal(next.searchParams.get('format'), 'csv')
  assert.equal(next.searchParams.get('limit'), '1')
  assert.equal(next.searchParams.get('status'), 'active')
  const cursor = next.searchParams.get('cursor')
  const json = await manager.get(`/v1/personnel?limit=1&status=active&cursor=${cursor}`)
  assert.equal(json.body.count, 1)
  const many = await manager.get('/v1/personnel?limit=1000&format=csv')
  assert.equal(many.headers.get('link'), null)
  assert.equal(outcome(await manager.get('/v1/personnel?cursor=x', asCsv)), '400 invalid_cursor')
  const wrong = await manager.get('/v1/personnel?cursor=x', asCsv)
  assert.equal(wrong.headers.get('content-disposition'), null)
})

test('a page without rows has the header row', async () => {
  const page = await manager.get('/v1/personnel?limit=5&q=unknown', asCsv)
  assert.deepEqual(page.text.split('\r\n').slice(1), [''])
})

test('a compressed page has the same bytes', async () => {
  const path = '/v1/audit?limit=20'
  const plain = await manager.get(path, { ...asCsv, 'accept-encoding': 'identity' })
  const compressed = await manager.get(path, { ...asCsv, 'accept-encoding': 'gzip' })
  assert.equal(compressed.headers.get('content-encoding'), 'gzip')
  assert.equal(compressed.text, plain.text)
})
