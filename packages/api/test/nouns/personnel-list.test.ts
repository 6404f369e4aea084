import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Client, Json } from '#test/support/client'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const ids = (list: Json) => list.data.map(({ id }: Json) => id)
const code = async (reply: ReturnType<Client['get']>) => {
  const { status, body } = await reply
  return `${status} ${body.code}`
}

/** A manager client of a workspace with `count` people, added one by one. */
async function roster(count: number) {
  const workspace = await newWorkspace(host)
  const manager = await workspace.manager()
  const added: Json[] = []
  for (let index = 0; index < count; index++) {
    const { body } = await manager.post('/v1/personnel', {
      name: `Person ${index}`,
      email: `p${index}@example.com`,
    })
    added.push(body)
  }
  return { ...workspace, manager, added }
}

test('lists 250 people completely without parameters, and in pages by cursor and by Link', async () => {
  const { manager, added } = await roster(250)

  const complete = await manager.get('/v1/personnel')
  assert.equal(complete.status, 200)
  assert.deepEqual(ids(complete.body), ids({ data: added }), 'each once, in order of creation')
  assert.equal(complete.body.count, 250)
  assert.equal(complete.body.next_cursor, null)
  assert.equal(complete.body.as_of, added.at(-1).version)
  assert.deepEqual(Object.keys(complete.body), ['as_of', 'data', 'count', 'next_cursor'])

  const pages: Json[] = []
  let path = '/v1/personnel?limit=100'
  for (;;) {
    const { body, headers } = await manager.get(path)
    pages.push(body)
    const link = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    assert.equal(link === undefined, body.next_cursor === null, 'Link and cursor end together')
    if (link === undefined) break
    assert.equal(new URL(link, host.base).searchParams.get('cursor'), body.next_cursor)
    path = link
  }
  assert.deepEqual(
    pages.map(({ count }) => count),
    [100, 100, 50],
  )
  assert.deepEqual(pages.flatMap(ids), ids(complete.body))

  const first = await manager.get('/v1/personnel?limit=100')
  const byCursor = await manager.get(`/v1/personnel?cursor=${first.body.next_cursor}`)
  assert.equal(byCursor.body.count, 100, 'the default page size is 100')
})

test('returns no cursor after a last page that is full', async () => {
  const { manager } = await roster(4)
  const first = await manager.get('/v1/personnel?limit=2')
  const last = await manager.get(`/v1/personnel?limit=2&cursor=${first.body.next_cursor}`)
  assert.equal(last.body.count, 2)
  assert.equal(last.body.next_cursor, null)
})

test('refuses invalid limits and invalid, altered or foreign cursors', async () => {
  const { manager } = await roster(3)
  const other = await roster(3)
  const list = (query: string, who = manager) => code(who.get(`/v1/personnel?${query}`))
  const { body } = await manager.get('/v1/personnel?limit=1')
  const cursor: string = body.next_cursor
  const { body: byName } = await manager.get('/v1/personnel?limit=1&sort=name')

  assert.ok(cursor.length <= 512)
  assert.equal(await list('limit=0'), '400 invalid_parameter')
  assert.equal(await list('limit=1001'), '400 invalid_parameter')
  assert.equal(await list('limit=-1'), '400 invalid_parameter')
  assert.equal(await list('limit=1e2'), '400 invalid_parameter')
  assert.equal(await list('limit=%205'), '400 invalid_parameter')
  assert.equal(await list('limit='), '400 invalid_parameter')
  assert.equal(await list('limit=5&limit=5'), '400 invalid_parameter')
  assert.equal(await list('cursor='), '400 invalid_parameter')
  assert.equal(await list('cursor=nonsense'), '400 invalid_cursor')
  assert.equal(await list(`cursor=${cursor}x`), '400 invalid_cursor')
  assert.equal(await list(`cursor=${cursor}&status=active`), '400 cursor_mismatch')
  assert.equal(await list(`cursor=${byName.next_cursor}`), '400 cursor_mismatch')
  assert.equal(await list(`cursor=${cursor}`, other.manager), '400 invalid_cursor')
  assert.equal(await code(manager.get(`/v1/groups?cursor=${cursor}`)), '400 invalid_cursor')
  for (let at = 0; at < cursor.length; at++) {
    const letter = cursor[at] === 'A' ? 'B' : 'A'
    const altered = cursor.slice(0, at) + letter + cursor.slice(at + 1)
    assert.equal(await list(`cursor=${altered}`), '400 invalid_cursor', `character ${at} altered`)
  }
})

test('refuses an unknown parameter by name, and suggests a known one', async () => {
  const { manager } = await roster(0)
  const { status, body } = await manager.get('/v1/personnel?limt=5')
  assert.equal(status, 400)
  assert.equal(body.code, 'unknown_parameter')
  assert.equal(body.parameter, 'limt')
  assert.match(body.detail, /did you mean limit\?/)
  assert.equal(await code(manager.get('/v1/personnel?__proto__=1')), '400 unknown_parameter')
  assert.equal(await code(manager.get('/v1/personnel?constructor=1')), '400 unknown_parameter')
  assert.equal(await code(manager.get('/v1/personnel?q=%FF')), '400 invalid_parameter')
  assert.equal(await code(manager.get('/v1/personnel?q=a%00b')), '400 invalid_parameter')
})

test('filters and sorts people, and pages add up to the complete list', async () => {
  const workspace = await newWorkspace(host)
  const manager = await workspace.manager()
  const names = ['Åsa', 'asa', 'Bo', 'Élan', 'eve', 'Łuk', 'Zed', 'zoé', 'Ädel', 'bo']
  for (const name of names) await manager.post('/v1/personnel', { name, email: null })
  const act = async (name: string, verb: string) => {
    const { body } = await manager.get(`/v1/personnel?q=${name}`)
    assert.equal((await manager.post(`/v1/personnel/${body.data[0].id}/${verb}`, {})).status, 200)
  }
  await act('Bo', 'suspend')
  await act('Zed', 'depart')
  const named = async (query: string) =>
    (await manager.get(`/v1/personnel?${query}`)).body.data.map(({ name }: Json) => name)

  assert.deepEqual(
    await named('sort=created_at'),
    names.filter((name) => name !== 'Zed'),
  )
  const byName = ['Ädel', 'Åsa', 'asa', 'Bo', 'bo', 'Élan', 'eve', 'zoé', 'Łuk']
  assert.deepEqual(await named('sort=name'), byName, 'ł has no diacritic to remove')
  assert.deepEqual(await named('sort=-name'), byName.toReversed())
  assert.deepEqual(await named('status=suspended'), ['Bo'])
  assert.deepEqual(await named('status=departed'), ['Zed'])
  assert.deepEqual(await named('status=departed,suspended&sort=name'), ['Bo', 'Zed'])
  assert.deepEqual(await named('q=AS'), ['Åsa', 'asa'])
  assert.deepEqual(await named('q=%C3%A5sa'), ['Åsa', 'asa'])
  assert.deepEqual(await named('q=zo&status=active'), ['zoé'])
  assert.deepEqual(await named('q=%25'.padEnd(8, 'a')), [], 'no wildcard')

  for (const query of ['sort=-updated_at', 'sort=name', 'status=active,departed&sort=-name']) {
    const whole = await named(query)
    const paged: string[] = []
    let cursor = ''
    do {
      const { body } = await manager.get(`/v1/personnel?${query}&limit=2${cursor}`)
      paged.push(...body.data.map(({ name }: Json) => name))
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
    } while (cursor !== '')
    assert.deepEqual(paged, whole, query)
  }
})

test('accepts only the filter values that the contract lists', async () => {
  const { manager } = await roster(0)
  const list = (query: string) => code(manager.get(`/v1/personnel?${query}`))
  assert.equal(await list('status=gone'), '400 invalid_parameter')
  assert.equal(await list('status='), '400 invalid_parameter')
  assert.equal(await list('status=active,active'), '400 invalid_parameter')
  assert.equal(await list('sort=email'), '400 invalid_parameter')
  assert.equal(await list('q=a'), '400 invalid_parameter')
  assert.equal(await list(`q=${'a'.repeat(101)}`), '400 invalid_parameter')
  assert.equal(await list('include=everything'), '400 invalid_parameter')
})

test('returns total_count on request', async () => {
  const { manager } = await roster(5)
  const total = async (query: string) => {
    const { body } = await manager.get(`/v1/personnel?${query}`)
    return [body.total_count, body.count]
  }
  assert.deepEqual(await total('limit=2&include=total_count'), [5, 2])
  assert.deepEqual(await total('limit=2&include=total_count&q=person+3'), [1, 1])
  assert.deepEqual(await total('include=total_count'), [5, 5])
  assert.deepEqual(await total('limit=2'), [undefined, 2])
})

test('exports the same rows as CSV, NDJSON and JSON', async () => {
  const { manager } = await roster(120)
  await manager.post('/v1/personnel', {
    name: '=HYPERLINK("http://x")',
    title: "'+1 already quoted",
    phone: '+46 1',
    department: 'a "b", c\u2028',
    metadata: { k: 'two\nlines' },
  })
  const json = await manager.get('/v1/personnel')
  const ndjson = await manager.get('/v1/personnel', { accept: 'application/x-ndjson' })
  const csv = await manager.get('/v1/personnel', { accept: 'text/csv' })

  const lines = ndjson.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(lines.at(-1), { _end: { count: 121, as_of: json.body.as_of } })
  assert.deepEqual(lines.slice(0, -1), json.body.data)
  const cut = ndjson.text.slice(0, ndjson.text.lastIndexOf('{"_end"'))
  assert.ok(
    !('_end' in JSON.parse(cut.trimEnd().split('\n').at(-1) ?? '{}')),
    'a truncated body has no _end',
  )

  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  assert.match(
    csv.headers.get('content-disposition') ?? '',
    /^attachment; filename="personnel.csv"$/,
  )
  const [header = [], ...rows] = parseCsv(csv.text)
  const fields = [...Object.keys(json.body.data[0]), 'manager_name', 'manager_email']
  assert.deepEqual(header.toSorted(), fields.toSorted())
  const column = (name: string) => rows.map((row) => row[header.indexOf(name)])
  assert.deepEqual(column('id'), ids(json.body))
  assert.equal(column('name').at(-1), `'=HYPERLINK("http://x")`)
  assert.equal(column('title').at(-1), "''+1 already quoted")
  assert.equal(column('phone').at(-1), "'+46 1")
  assert.equal(column('department').at(-1), 'a "b", c\u2028')
  assert.equal(column('metadata').at(-1), '{"k":"two\\nlines"}')
  assert.equal(column('assignable').at(-1), 'true')
})

/** A parser for RFC 4180, for this test only. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  for (const line of text.matchAll(
    /((?:"(?:[^"]|"")*"|[^,\r\n"]*)(?:,(?:"(?:[^"]|"")*"|[^,\r\n"]*))*)\r\n/g,
  )) {
    const cells = line[1]?.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g) ?? []
    rows.push(Array.from(cells, ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? ''))
  }
  return rows
}
