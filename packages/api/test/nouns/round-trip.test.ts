import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as fc from 'fast-check'

import type { Client, Json } from '#test/support/client'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

/** A register moves to an empty workspace by emails, codes and dates, as files. */
const host = await startHost()
const asCsv = { accept: 'text/csv' }

async function newHome() {
  const home = await newWorkspace(host)
  return home.manager()
}

async function post(client: Client, path: string, data: readonly object[]): Promise<Json[]> {
  const { status, body, text } = await client.post(path, { data })
  assert.equal(status, 200, text)
  return body.data
}

const day = (from: number) =>
  fc
    .integer({ min: from, max: from + 300 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))

const rating = fc.integer({ min: 1, max: 5 })
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .map((each) => `.${each.replaceAll(/[\p{C}\p{Z}]/gu, '_')}`)

const risk = fc.record({
  title: text,
  description: fc.option(text),
  likelihood: rating,
  impact: rating,
  category: fc.constantFrom('technical', 'legal', 'other'),
  status: fc.constantFrom('identified', 'treating', 'monitoring'),
  response: fc.constantFrom('undecided', 'avoid', 'reduce', 'transfer'),
  review_on: fc.option(day(21_000)),
  identified_at: day(18_000),
  last_reviewed_at: fc.option(day(18_400)),
  inherent: fc.option(fc.record({ likelihood: rating, impact: rating })),
  tags: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,9}$/), { maxLength: 3 }),
  metadata: fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), text, {
    maxKeys: 2,
    noNullPrototype: true,
  }),
})

const issue = fc.record({
  title: text,
  severity: rating,
  type: fc.constantFrom('problem', 'dependency'),
  due_on: fc.option(day(21_000)),
  opened_at: day(18_000),
})

const owners = ['a@example.com', 'b@example.com', null]
const codes = ['ONE', 'TWO', 'THREE']

/** The columns that the service sets, or that have ids of the old workspace. */
const own = [
  'id',
  'user_id',
  'status_changed_at',
  'ref',
  'rank',
  'version',
  'created_at',
  'updated_at',
  'project_id',
  'owner_user_id',
  'assignee_user_id',
  'project_name',
  'owner_name',
  'assignee_name',
]

/** The list of the other workspace as a file, without these columns. */
async function move(from: Client, to: Client, [list, batch]: [string, string]): Promise<Json> {
  const { text: file } = await from.get(list, asCsv)
  const [header = ''] = file.split('\r\n')
  const ignored = own.filter((name) => header.split(',').includes(name))
  const columns = ignored.map((name) => `${name}:-`).join(',')
  const {
    status,
    body,
    text: reply,
  } = await to.send('POST', `${batch}?columns=${columns}`, {
    body: file,
    headers: { 'content-type': 'text/csv' },
  })
  assert.equal(status, 200, reply)
  return body
}

/** The list in its order, with the names of projects and people. */
async function listed(client: Client, path: string): Promise<Json[]> {
  const { body } = await client.get(`${path}?include=people`)
  return body.data.map((item: Json) => {
    const entries = Object.entries({
      ...item,
      project: item.project.code,
      owner: item.owner?.name,
      assignee: item.assignee?.name,
    })
    return Object.fromEntries(entries.filter(([name]) => !own.includes(name) || name === 'rank'))
  })
}

test(`a register is equal in an empty workspace but for ids, numbers and created_at (seed ${seed})`, async () => {
  const [from, to] = [await newHome(), await newHome()]
  const people = owners.flatMap((email) => (email ? [{ name: email, email }] : []))
  await post(from, '/v1/personnel/batch', people)
  await post(
    from,
    '/v1/projects/batch',
    codes.map((code) => ({ code, name: code, owner_email: people[0]?.email, risk_appetite: 9 })),
  )
  const placed = <T extends object>(rows: T[], person: string) =>
    rows.map((row, index) => ({
      ...row,
      project_code: codes[index % codes.length],
      ...(owners[index % owners.length] && { [`${person}_email`]: owners[index % owners.length] }),
    }))
  const numRuns = size(100, 1000)
  await post(from, '/v1/projects/risks/batch', placed(fc.sample(risk, { seed, numRuns }), 'owner'))
  await post(
    from,
    '/v1/projects/issues/batch',
    placed(fc.sample(issue, { seed, numRuns }), 'assignee'),
  )

  for (const each of [
    ['/v1/personnel', '/v1/personnel/batch'],
    ['/v1/projects', '/v1/projects/batch'],
    ['/v1/risks', '/v1/projects/risks/batch'],
    ['/v1/issues', '/v1/projects/issues/batch'],
  ] satisfies [string, string][]) {
    const { created } = await move(from, to, each)
    assert.ok(created > 0, each[0])
  }
  for (const list of ['/v1/risks', '/v1/issues']) {
    const [before, after] = [await listed(from, list), await listed(to, list)]
    assert.equal(before.length, numRuns)
    assert.deepEqual(after, before, list)
  }
})
