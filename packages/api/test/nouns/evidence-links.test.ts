import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parse } from 'csv-parse/sync'

import type { Json, Reply } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const manager = await (await newWorkspace(host)).manager()
const { fill } = await createFixture(manager)

const nouns = {
  risks: { title: 'R', likelihood: 2, impact: 2 },
  issues: { title: 'I', severity: 2 },
  tasks: { title: 'T' },
}

const pathOf = (noun: string) => fill(`/v1/projects/{project_id}/${noun}`)
const link = (title: string, url = `https://documents.example/${title}`) => ({ title, url })
const fieldErrors = ({ body }: Reply) =>
  body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`)

const refused: readonly [url: string, detail: RegExp][] = [
  ['http://documents.example/a', /^must start with https:\/\/ and a host/],
  ['javascript:alert(1)', /^must start with https:/],
  ['JavaScript://documents.example/%0aalert(1)', /^must start with https:/],
  ['data:text/html,x', /^must start with https:/],
  ['//documents.example/a', /^must start with https:/],
  ['documents.example/a', /^must start with https:/],
  ['https:documents.example/a', /^must start with https:/],
  ['https:///a', /^must start with https:/],
  ['https://', /^must start with https:/],
  ['https://ada@documents.example/', /without a user name or password$/],
  ['https://ada:secret@documents.example/', /without a user name or password$/],
  ['https://@documents.example/', /without a user name or password$/],
  ['https://documents.example/a b', /percent-encode spaces/],
  ['https://documents.example\\@evil.example/', /^must/],
  ['https://documents.example\n/', /^must be a valid URL/],
  [' https://documents.example/', /^must start with https:/],
  ['https://documents.example:99999/', /^must be a valid URL/],
  ['https://:443/', /^must be a valid URL/],
  ['https://1.2.3.999/', /^must be a valid URL/],
  ['https://documents.example/%zz', /^must be a valid URL/],
]

const accepted = [
  'https://documents.example',
  'https://documents.example?version=2',
  'https://documents.example:8443/a/@ada/b?c=d&e=%20f;g#h',
  'https://intranet/a',
  'https://192.0.2.7/a',
  'https://[2001:db8::1]/a',
  `https://documents.example/${'a'.repeat(1974)}`,
]

for (const [noun, fields] of Object.entries(nouns)) {
  const path = pathOf(noun)

  async function make(links?: object[]): Promise<Json> {
    const reply = await manager.post(path, { ...fields, ...(links && { links }) })
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }

  const patch = (item: Json, body: object) => manager.send('PATCH', `${path}/${item.id}`, { body })
  const view = async (item: Json) => (await manager.get(`${path}/${item.id}`)).body

  test(`${noun}: have no links by default, and keep the order of links`, async () => {
    assert.deepEqual((await make()).links, [])
    const links = [link('b'), link('a'), link('c'), link('a')]
    const made = await make(links)
    assert.deepEqual(made.links, links)
    const viewed = await view(made)
    assert.equal(JSON.stringify(viewed.links), JSON.stringify(links))
    const listed = (await manager.get(path)).body.data.find(({ id }: Json) => id === made.id)
    assert.equal(JSON.stringify(listed.links), JSON.stringify(links))
  })

  test(`${noun}: a patch replaces all links, and an equal list changes nothing`, async () => {
    const made = await make([link('a'), link('b')])
    const same = await patch(made, { links: [link('a'), link('b')] })
    assert.equal(same.body.version, made.version)
    assert.deepEqual((await patch(made, { title: 'Other' })).body.links, made.links)
    const reordered = (await patch(made, { links: [link('b'), link('a')] })).body
    assert.deepEqual(reordered.links, [link('b'), link('a')])
    assert.ok(reordered.version > made.version)
    assert.deepEqual((await patch(made, reordered)).body, reordered)
    assert.deepEqual((await patch(made, { links: [link('c')] })).body.links, [link('c')])
    assert.deepEqual((await patch(made, { links: [] })).body.links, [])
    const { rows } = await host.sql.query(
      `select changed from events where seq = $1 and changed @> '{links}'`,
      [reordered.version],
    )
    assert.equal(rows.length, 1)
  })

  test(`${noun}: refuse an address that is not https, with a pointer and the remedy`, async () => {
    const made = await make([link('a')])
    for (const [url, detail] of refused) {
      const links = [link('a'), link('b', url)]
      for (const reply of [
        await manager.post(path, { ...fields, links }),
        await patch(made, { links }),
      ]) {
        assert.equal(`${reply.status} ${reply.body.code}`, '422 validation_failed', url)
        assert.ok(fieldErrors(reply).every((error: string) => error === '/links/1/url wrong_form'))
        assert.match(reply.body.errors[0].detail, detail, url)
      }
    }
    assert.deepEqual(await view(made), made)
    const links = accepted.map((url) => link('a', url))
    assert.deepEqual((await patch(made, { links })).body.links, links)
  })

  test(`${noun}: limit the number, the title and the address of links`, async () => {
    const many = Array.from({ length: 20 }, (_, index) => link(`${index}`))
    const long = link('x'.repeat(200), `https://documents.example/${'a'.repeat(1974)}`)
    assert.deepEqual((await make(many)).links, many)
    assert.deepEqual((await make([long])).links, [long])
    const cases: [unknown, string[]][] = [
      [[...many, link('20')], ['/links too_many']],
      [null, ['/links wrong_type']],
      [link('a'), ['/links wrong_type']],
      [['https://documents.example/'], ['/links/0 wrong_type']],
      [[{ title: 'a' }], ['/links/0/url required']],
      [[{ url: 'https://documents.example/' }], ['/links/0/title required']],
      [[{ ...link('a'), note: 'b' }], ['/links/0/note unknown_field']],
      [
        [link('a'), link('', 'https://a.example')],
        ['/links/1/title too_short', '/links/1/title wrong_form'],
      ],
      [[link('two\nlines', 'https://a.example')], ['/links/0/title wrong_form']],
      [[{ ...long, title: 'x'.repeat(201) }], ['/links/0/title too_long']],
      [[{ ...long, url: `${long.url}a` }], ['/links/0/url too_long']],
    ]
    for (const [links, expected] of cases) {
      const reply = await manager.post(path, { ...fields, links })
      assert.equal(reply.status, 422)
      assert.deepEqual(fieldErrors(reply), expected)
    }
  })

  test(`${noun}: the database refuses links that are not a list of at most 20`, async () => {
    const twentyOne = JSON.stringify(Array.from({ length: 21 }, () => link('a')))
    for (const links of [twentyOne, '{}', 'null', '"a"']) {
      const change = host.sql.query(`update ${noun} set links = $1::jsonb`, [links])
      await assert.rejects(change, { code: '23514' }, links)
    }
  })

  test(`${noun}: export links to CSV as JSON in one cell`, async () => {
    const links = [link('a; =1, "b"', 'https://documents.example/;=1'), link('c')]
    const [made, empty] = [await make(links), await make()]
    const { text } = await manager.get(path, { accept: 'text/csv' })
    const rows: Record<string, string>[] = parse(text, { columns: true })
    const cell = (item: Json) => rows.find(({ id }) => id === item.id)?.['links']
    assert.equal(cell(made), JSON.stringify(links).replaceAll(/;(?= ?=)/g, ";'"))
    assert.equal(cell(empty), '')
  })
}

for (const noun of ['risks', 'issues'] as const) {
  const path = pathOf(noun)
  const importCsv = (body: string) =>
    manager.send('POST', `${path}/batch`, { body, headers: { 'content-type': 'text/csv' } })

  test(`${noun}: record links in the history`, async () => {
    const made = (await manager.post(path, { ...nouns[noun], links: [link('a')] })).body
    await manager.send('PATCH', `${path}/${made.id}`, { body: { links: [link('b'), link('a')] } })
    await manager.send('PATCH', `${path}/${made.id}`, { body: { links: [] } })
    const { data } = (await manager.get(`${path}/${made.id}/history`)).body
    const changes = data.map((entry: Json) =>
      entry.changes.find(({ field }: Json) => field === 'links'),
    )
    assert.deepEqual(changes, [
      { field: 'links', from: null, to: [link('a')] },
      { field: 'links', from: [link('a')], to: [link('b'), link('a')] },
      { field: 'links', from: [link('b'), link('a')], to: [] },
    ])
  })

  test(`${noun}: import an exported table unchanged, and an edited cell of links`, async () => {
    const links = [link('a; =1, "b"', 'https://documents.example/;=1'), link('c')]
    const made = (await manager.post(path, { ...nouns[noun], links })).body
    const { text } = await manager.get(path, { accept: 'text/csv' })
    const same = await importCsv(text)
    assert.deepEqual([same.status, same.body.created, same.body.changed], [200, 0, 0], same.text)
    const cell = JSON.stringify([link('d')]).replaceAll('"', '""')
    const changed = await importCsv(`id,links\r\n${made.id},"${cell}"\r\n`)
    assert.deepEqual(changed.body.data[0]?.links, [link('d')], changed.text)
    const cleared = await importCsv(`id,links\r\n${made.id},\r\n`)
    assert.deepEqual(cleared.body.data[0]?.links, [], cleared.text)
  })

  test(`${noun}: refuse an invalid cell of links with its row`, async () => {
    const made = (await manager.post(path, nouns[noun])).body
    const notJson = await importCsv(`id,links\r\n${made.id},https://documents.example/\r\n`)
    assert.deepEqual(fieldErrors(notJson), ['/data/0/links wrong_type'])
    const cell = JSON.stringify([link('a', 'http://a.example/')]).replaceAll('"', '""')
    const notHttps = await importCsv(`id,links\r\n${made.id},"${cell}"\r\n`)
    assert.deepEqual(fieldErrors(notHttps), ['/data/0/links/0/url wrong_form'])
  })
}

test('an issue does not take over the links of the risk that occurred', async () => {
  const risk = (await manager.post(pathOf('risks'), { ...nouns.risks, links: [link('a')] })).body
  const { body } = await manager.post(`${pathOf('risks')}/${risk.id}/occur`, {})
  assert.deepEqual([body.risk.links, body.issue.links], [[link('a')], []])
})
