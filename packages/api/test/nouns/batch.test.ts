import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'

import type { Json, Reply } from '#test/support/client'
import { createFixture } from '#test/support/fixture'
import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()
const manager = await (await newWorkspace(host)).manager()
const { ids } = await createFixture(manager)
const asCsv = { 'content-type': 'text/csv' }

const outcome = ({ status, body }: Reply) => `${status} ${body.code}`
const fieldErrors = ({ body }: Reply) =>
  body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`)

async function openProject(): Promise<string> {
  const { fill: fillNew } = await createFixture(manager)
  return fillNew('/v1/projects/{project_id}')
}

/** The rows of an export after an edit in a spreadsheet. */
function edited(csv: string, edit: (row: Json, index: number) => void): string {
  const rows: Json[] = parse(csv, { columns: true })
  for (const [index, row] of rows.entries()) edit(row, index)
  return stringify(rows, { header: true, columns: Object.keys(rows[0]) })
}

const formula = '=HYPERLINK("http://example.com","click")'

const target = ['likelihood', 'impact', 'score', 'due_on']

/** Fields that every change sets, and fields that every review sets. */
const setByChange = ['version', 'updated_at']
const setByReview = ['level', 'last_reviewed_at', 'previous_score', 'score_changed_at']

const specialRows = [
  { title: formula, likelihood: 2, impact: 2, description: `'${formula}` },
  { title: 'Ünï©ode "quoted", with; all kinds', likelihood: 5, impact: 1, tags: ['b', 'a'] },
  { title: '-1', likelihood: 1, impact: 1, description: 'two\nlines', metadata: { k: 'v,"w"' } },
  {
    title: '@sum',
    likelihood: 3,
    impact: 4,
    target: { likelihood: 1, impact: 2, due_on: '2030-01-01' },
    inherent: { likelihood: 5, impact: 5 },
    review_on: '2030-02-02',
    owner_user_id: ids['user_id'],
  },
]

test('imports an edited export, and a second export differs only in the edits', async () => {
  const project = await openProject()
  const made = await manager.post(`${project}/risks/batch`, { data: specialRows })
  assert.equal(made.status, 200, made.text)
  assert.deepEqual([made.body.created, made.body.changed], [4, 0])
  const [first] = made.body.data
  assert.equal(first.title, formula)

  const before = (await manager.get(`${project}/risks`, { accept: 'text/csv' })).text
  assert.ok(before.includes(`"'=HYPERLINK(`), 'a formula is exported with an apostrophe')
  assert.ok(before.includes(`"''=HYPERLINK(`), 'a text that starts with an apostrophe gets another')
  const same = await manager.send('POST', `${project}/risks/batch`, {
    body: before,
    headers: asCsv,
  })
  assert.equal(same.status, 200, same.text)
  assert.deepEqual([same.body.created, same.body.changed], [0, 0])
  const untouched = (await manager.get(`${project}/risks`, { accept: 'text/csv' })).text
  assert.equal(untouched, before)

  const sheet = edited(before, (row, index) => {
    if (index === 1) row.title = 'Formula, renamed'
    if (index === 2) Object.assign(row, { likelihood: '4', score: '4' })
    if (index === 3) row.tags = 'x y'
    if (index === 4) for (const part of target) row[`target.${part}`] = ''
  })
  const done = await manager.send('POST', `${project}/risks/batch`, { body: sheet, headers: asCsv })
  assert.equal(done.status, 200, done.text)
  assert.deepEqual([done.body.created, done.body.changed], [0, 4])
  const after: Json[] = parse(
    (await manager.get(`${project}/risks`, { accept: 'text/csv' })).text,
    {
      columns: true,
    },
  )
  const wanted: Json[] = parse(sheet, { columns: true })
  for (const [index, row] of after.entries()) {
    const follows = new Set([
      ...(index > 0 ? setByChange : []),
      ...(index === 2 ? setByReview : []),
    ])
    for (const column of Object.keys(row).filter((name) => !follows.has(name))) {
      assert.equal(row[column], wanted[index][column], `${column} of row ${index}`)
    }
  }
  const back = (await manager.get(`${project}/risks`)).body.data
  assert.equal(back[1].description, `'${formula}`, 'the import removes the added apostrophe')
})

test('records a changed rating in a row as a review', async () => {
  const project = await openProject()
  const [risk] = (await manager.get(`${project}/risks`)).body.data
  const row = { id: risk.id, likelihood: 5 }
  const { body } = await manager.post(`${project}/risks/batch`, { data: [row] })
  assert.deepEqual([body.data[0].score, body.data[0].previous_score], [20, 12])
  const { data } = (await manager.get(`${project}/risks/${risk.id}/history`)).body
  assert.equal(data.at(-1).type, 'risk.reviewed')
})

test('accepts the unchanged export of the register', async () => {
  const workspace = await newWorkspace(host)
  const own = await workspace.manager()
  const fixture = await createFixture(own)
  for (const path of ['/v1/risks', '/v1/risks?include=people']) {
    const { text } = await own.get(path, { accept: 'text/csv' })
    const sent = { body: text, headers: asCsv }
    const reply = await own.send(
      'POST',
      fixture.fill('/v1/projects/{project_id}/risks/batch'),
      sent,
    )
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.body.changed, 0)
  }
  const { text } = await own.get('/v1/issues', { accept: 'text/csv' })
  const sent = { body: text, headers: asCsv }
  const reply = await own.send('POST', fixture.fill('/v1/projects/{project_id}/issues/batch'), sent)
  assert.deepEqual([reply.status, reply.body.changed], [200, 0])
})

test('accepts a spreadsheet with semicolons, a byte order mark and reordered columns', async () => {
  const project = await openProject()
  const body = '\uFEFFimpact;title;likelihood;tags\r\n4;"Semi; colon";2;eu\r\n'
  const semi = await manager.send('POST', `${project}/risks/batch`, { body, headers: asCsv })
  assert.equal(semi.status, 200, semi.text)
  assert.equal(semi.body.data[0].title, 'Semi; colon')
  const tabs = 'title\tseverity\nPasted\t3\n'
  const pasted = await manager.send('POST', `${project}/issues/batch`, {
    body: tabs,
    headers: asCsv,
  })
  assert.equal(pasted.body.data[0].severity, 3)
})

test('writes all rows or none, and reports every error with its pointer', async () => {
  const project = await openProject()
  const [risk] = (await manager.get(`${project}/risks`)).body.data
  const before = (await manager.get(`${project}/risks`)).text
  const data = [
    { title: 'fine', likelihood: 1, impact: 1 },
    { title: 'no rating' },
    { id: risk.id, owner_user_id: 'usr_01ktrr9d3hen4v9q9t9m2g8x5c' },
    { id: risk.id, title: 'twice' },
    { id: 'rsk_01ktrr9d3hen4v9q9t9m2g8x5c', title: 'nowhere' },
    { title: 'closed', likelihood: 1, impact: 1, status: 'closed' },
  ]
  const reply = await manager.post(`${project}/risks/batch`, { data })
  assert.equal(outcome(reply), '422 validation_failed')
  assert.deepEqual(fieldErrors(reply), [
    '/data/1/likelihood required',
    '/data/1/impact required',
    '/data/2/owner_user_id unknown_reference',
    '/data/3/id repeated',
    '/data/4/id not_found',
    '/data/5/close_reason required',
  ])
  const stale = await manager.post(`${project}/risks/batch`, {
    data: [{ id: risk.id, version: 1, title: 'late' }],
  })
  assert.deepEqual(fieldErrors(stale), ['/data/0/version version_mismatch'])
  const computed = await manager.post(`${project}/risks/batch`, {
    data: [{ id: risk.id, score: 25 }],
  })
  assert.deepEqual(fieldErrors(computed), ['/data/0/score read_only_field'])
  const wrong = await manager.post(`${project}/risks/batch`, {
    data: [{ title: 'a', likelihood: 9, impact: 'x' }, { titel: 'b' }],
  })
  assert.deepEqual(fieldErrors(wrong).toSorted(), [
    '/data/0/impact wrong_type',
    '/data/0/likelihood too_large',
    '/data/1/titel unknown_field',
  ])
  assert.equal((await manager.get(`${project}/risks`)).text, before, 'no row is written')
})

test('refuses an unreadable table as a whole, with the reason', async () => {
  const project = await openProject()
  const cases: [string | Uint8Array, RegExp][] = [
    ['', /empty/],
    ['title,likelihod,impact\na,1,1\n', /likelihod; did you mean likelihood\?/],
    ['title,title\na,b\n', /twice/],
    ['title,likelihood,impact\na,1\n', /not CSV/],
    ['title,likelihood,impact\n"a,1,1\n', /not CSV/],
    [Buffer.from([0x74, 0xe9, 0x0a]), /UTF-8/],
    [`title,likelihood,impact\n${'a,1,1\n'.repeat(1001)}`, /more than 1000 rows/],
    [`title,${'x'.repeat(8192)}\na,1\n`, /header row does not end within the first 8 KiB/],
    [`"${'title\n'.repeat(2000)}"\na,1\n`, /header row does not end within the first 8 KiB/],
    [`title${',title'.repeat(200)}\n`, /201 columns; at most 200/],
    [`title,likelihood,impact\na,1,1\n${'a,'.repeat(5000)}`, /inconsistent.*, at line 3/],
    [`title,likelihood,impact\na,1,1\n${'a'.repeat(2 ** 20 + 9)}`, /line 3 has more than 1048576/],
  ]
  for (const [body, reason] of cases) {
    const reply = await manager.send('POST', `${project}/risks/batch`, { body, headers: asCsv })
    assert.equal(outcome(reply), '400 bad_csv', reply.text)
    assert.match(reply.body.detail, reason)
  }
  const onlyHeader = await manager.send('POST', `${project}/risks/batch`, {
    body: 'title,likelihood,impact\n',
    headers: asCsv,
  })
  assert.deepEqual(fieldErrors(onlyHeader), ['/data too_few'])
  const single = await manager.send('POST', `${project}/risks`, {
    body: 'title\na\n',
    headers: asCsv,
  })
  assert.equal(outcome(single), '415 unsupported_media_type')
})

test('takes the parameters of text/csv, and refuses a body without a header row', async () => {
  const project = await openProject()
  const send = (type: string) =>
    manager.send('POST', `${project}/risks/batch?dry_run=true`, {
      body: 'title,likelihood,impact\nCracks,2,3\n',
      headers: { 'content-type': type },
    })
  for (const parameters of ['charset=utf-8; header=present', 'header="present"', 'x=y']) {
    assert.equal((await send(`text/csv; ${parameters}`)).status, 200, parameters)
  }
  const headerless = await send('text/csv; charset=utf-8; header=absent')
  assert.equal(outcome(headerless), '415 unsupported_media_type')
  assert.match(headerless.body.detail, /header row/)
})

test('writes 1000 rows under one sequence number, with one event each and consecutive refs', async () => {
  const project = await openProject()
  const data = Array.from({ length: 1000 }, (_, index) => ({
    title: `Row ${index}`,
    severity: 1 + (index % 5),
    tags: [`t${index % 7}`],
  }))
  const reply = await manager.post(`${project}/issues/batch`, { data })
  assert.equal(reply.status, 200, reply.text)
  const { data: made } = reply.body
  assert.equal(new Set(made.map(({ version }: Json) => version)).size, 1)
  const numbers = made.map(({ ref }: Json) => Number(ref.split('-I')[1]))
  assert.deepEqual(
    numbers,
    numbers.map((_: number, index: number) => index + 2),
  )
  const { rows } = await host.sql.query(
    `select count(*)::int as events, max(position)::int as last from events where seq = $1
     and type = 'issue.created'`,
    [made[0].version],
  )
  assert.deepEqual(rows[0], { events: 1000, last: 999 })
  const { body } = await manager.get(`/v1/issues/summary?project_id=${made[0].project_id}`)
  assert.equal(body.count, 1001)
})

test('refuses an oversized batch before it parses the body', async () => {
  const project = await openProject()
  const data = [{ title: 'x', likelihood: 1, impact: 1, description: 'y'.repeat(5_000_000) }]
  assert.equal(
    outcome(await manager.post(`${project}/risks/batch`, { data })),
    '413 body_too_large',
  )
})
