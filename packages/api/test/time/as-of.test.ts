import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  levels,
  liveRiskStatuses,
  openIssueStatuses,
  projectStatuses,
  riskCategories,
} from '@muster/contract'
import { parse } from 'csv-parse/sync'

import { bindKey } from '#test/auth/views/bound-keys'
import type { Client, Json } from '#test/support/client'
import { seed, size } from '#test/support/size'
import { newWorkspace, startHost } from '#test/support/workspace'

import { archiveOne, changeOne, newWorld, tags } from './random-history.ts'

/**
 * The past by number equals what was recorded when it was the present. A random history, with
 * projects that are archived and items that move to others.
 */
const points = size(3, 200)
const changesEach = size(20, 250)

const host = await startHost()
const home = await newWorkspace(host)
const client = await home.manager()
const world = await newWorld(client, seed)
const { random } = world

const lists = ['/v1/risks', '/v1/issues', '/v1/risks/closed', '/v1/issues/closed'] as const
const summaries = ['/v1/risks/summary', '/v1/issues/summary'] as const
type Path = (typeof lists)[number] | (typeof summaries)[number]

const isRisks = (path: Path) => path.startsWith('/v1/risks')
const isClosed = (path: Path) => path.endsWith('closed')

/** The filters that work with `as_of`, each with some values. */
function filtersOf(path: Path): Readonly<Record<string, readonly (string | number)[]>> {
  const people = [...world.people, 'none']
  const common = { project_id: [...world.projects, ...archived] }
  if (isRisks(path) && isClosed(path)) {
    return { ...common, owner_user_id: people, status: ['occurred', 'closed'] }
  }
  if (isClosed(path)) return { ...common, assignee_user_id: people }
  return isRisks(path)
    ? {
        ...common,
        owner_user_id: people,
        level: levels,
        status: liveRiskStatuses,
        category: riskCategories,
        tag: tags,
      }
    : {
        ...common,
        assignee_user_id: people,
        severity: [1, 2, 3, 4, 5],
        status: openIssueStatuses,
        tag: tags,
      }
}

const archived: string[] = []

/** Up to three filters, each with one or two values. */
function randomFilter(path: Path): string {
  const filters = filtersOf(path)
  const chosen = Object.keys(filters).filter(() => random.below(4) === 0)
  return chosen
    .slice(0, 3)
    .map((name) => {
      const values = [random.pick(filters[name] ?? []), random.pick(filters[name] ?? [])]
      return `&${name}=${[...new Set(values.map((value) => encodeURIComponent(value)))].join()}`
    })
    .join('')
}

const everyFilter = (path: Path) =>
  Object.entries(filtersOf(path)).map(
    ([name, values]) => `&${name}=${encodeURIComponent(random.pick(values))}`,
  )

interface Recorded {
  readonly path: string
  readonly query: string
  readonly format: string
  /** The rows, or the whole response of a summary or an item. */
  readonly content: Json
}

const read = async (path: string, reader: Client = client) => {
  const reply = await reader.get(path)
  assert.equal(reply.status, 200, `${path} ${reply.text}`)
  return reply
}

/** What a response says of the items. */
function contentOf(format: string, text: string): Json {
  if (format === 'csv') return parse(text)
  if (format === 'ndjson') {
    return text
      .trimEnd()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  }
  const { as_of: _, ...body } = JSON.parse(text)
  return body.data ?? body
}

async function record(path: string, query: string, format: string): Promise<Recorded> {
  const asked = format === '' ? query : `${query}&format=${format}`
  const { text } = await read(`${path}?${asked}`)
  return { path, query: asked, format, content: contentOf(format, text) }
}

async function recordAll(): Promise<Recorded[]> {
  const recorded: Recorded[] = []
  for (const path of lists) {
    const filters = ['', ...everyFilter(path), ...[1, 2, 3].map(() => randomFilter(path))]
    for (const filter of filters) recorded.push(await record(path, filter, 'json'))
    recorded.push(await record(path, `include=people${randomFilter(path)}`, 'json'))
    for (const format of ['ndjson', 'csv']) {
      for (const filter of ['', randomFilter(path)]) {
        recorded.push(await record(path, filter, format))
      }
    }
  }
  for (const path of summaries) {
    for (const filter of ['', ...everyFilter(path), randomFilter(path)]) {
      recorded.push(await record(path, filter, ''))
    }
  }
  const { data } = (await read('/v1/risks?limit=3')).body
  const issues = (await read('/v1/issues?limit=3')).body.data
  for (const { project_id, id } of data) {
    recorded.push(await record(`/v1/projects/${project_id}/risks/${id}`, '', ''))
    recorded.push(await record(`/v1/projects/${project_id}`, '', ''))
  }
  for (const { project_id, id } of issues) {
    recorded.push(await record(`/v1/projects/${project_id}/issues/${id}`, '', ''))
  }
  return recorded
}

async function lastNumber(): Promise<number> {
  const { rows } = await host.sql.query(
    'select seq::int from workspace_counters where workspace_id = $1',
    [home.uuid],
  )
  return rows[0].seq
}

interface Point {
  readonly seq: number
  readonly recorded: readonly Recorded[]
}

const history: Point[] = []
for (let point = 0; point < points; point++) {
  for (let change = 0; change < changesEach; change++) await changeOne(world)
  if (point % 2 === 1) {
    const before = [...world.projects]
    await archiveOne(world)
    archived.push(...before.filter((id) => !world.projects.includes(id)))
  }
  history.push({ seq: await lastNumber(), recorded: await recordAll() })
}

const at = ({ path, query }: Recorded, seq: number, more = '') =>
  `${path}?${query}${more}&as_of=${seq}`

async function assertPast({ seq, recorded }: Point): Promise<void> {
  for (const each of recorded) {
    const { text, body, headers } = await read(at(each, seq))
    assert.deepEqual(contentOf(each.format, text), each.content, at(each, seq))
    const address = headers.get('content-location') ?? ''
    assert.ok(address.includes(`as_of=${seq}`), address)
    if (body?.as_of !== undefined) assert.equal(body.as_of, seq)
  }
}

test('a list, a summary and an item as of a point are those that were recorded then', async () => {
  for (const point of history) await assertPast(point)
})

test('pages of a list as of a point make the complete list', async () => {
  for (const { seq, recorded } of history) {
    const complete = recorded.filter(
      ({ format, query }) => format === 'json' && !query.includes('include='),
    )
    for (const each of complete.filter((_, index) => index % size(4, 20) === 0)) {
      const found: Json[] = []
      let cursor = ''
      do {
        const { body } = await read(at(each, seq, `&limit=5${cursor}&include=total_count`))
        assert.equal(body.as_of, seq)
        assert.equal(body.total_count, each.content.length)
        found.push(...body.data)
        cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
      } while (cursor !== '')
      assert.deepEqual(found, each.content)
    }
  }
})

const isItem = (path: string) => path.startsWith('/v1/projects/')

test('compare adds the score, the rank and the status in the same list at another point', async () => {
  const [then, later] = [history[0], history.at(-1)]
  assert.ok(then && later)
  for (const [path, value] of [
    ['/v1/risks', 'score'],
    ['/v1/issues', 'severity'],
  ] as const) {
    const filters = ['', `&project_id=${world.projects.join()}`, '&tag=flood']
    for (const filter of filters) {
      const before = (await read(`${path}?as_of=${then.seq}${filter}`)).body.data
      const places = new Map<string, Json>(before.map((item: Json) => [item.id, item]))
      const expected = ({ id }: Json) => {
        const was = places.get(id)
        return was ? { rank: was.rank, [value]: was[value], status: was.status } : null
      }
      for (const as_of of ['', `&as_of=${later.seq}`, '&sort=-updated_at', '&limit=4']) {
        const query: string = `compare=${then.seq}${filter}${as_of}`
        const { body, headers } = await read(`${path}?${query}`)
        assert.ok(headers.get('content-location')?.includes(`compare=${then.seq}`))
        assert.deepEqual(
          body.data.map(({ compared }: Json) => compared),
          body.data.map(expected),
          query,
        )
      }
      const compared: Json[] = (await read(`${path}?compare=${then.seq}${filter}`)).body.data
      assert.ok(filter !== '' || compared.some((item: Json) => item.compared !== null))
      const csv: string[][] = parse(
        (await read(`${path}?compare=${then.seq}${filter}&format=csv`)).text,
      )
      const [header = []] = csv
      const column = header.indexOf(`compared.${value}`)
      assert.deepEqual(
        csv.slice(1).map((row) => row[column]),
        compared.map((item: Json) => String(item.compared?.[value] ?? '')),
      )
    }
  }
})

test('the present by its number has the items of the present, for every filter', async () => {
  const seq = await lastNumber()
  for (let n = 0; n < size(40, 5000); n++) {
    const path = random.pick([...lists, ...summaries])
    const filter = randomFilter(path)
    const [now, then] = [
      await read(`${path}?${filter}`),
      await read(`${path}?as_of=${seq}${filter}`),
    ]
    assert.deepEqual({ ...then.body, as_of: 0 }, { ...now.body, as_of: 0 }, `${path}?${filter}`)
  }
})

test('a key of some projects sees what it saw, of the items that are in them now', async () => {
  const seen = world.projects.slice(0, 3)
  const { client: bound } = await bindKey(client, seen)
  const all = await Promise.all(
    ['/v1/risks', '/v1/issues'].map(async (path) => (await allItems(path)).map(projectOf)),
  )
  const projects = new Map<string, string>(all.flat())
  for (const { seq, recorded } of history) {
    for (const { path, query, content } of recorded) {
      if (query.includes('format=json') && !query.includes('include=') && !isItem(path)) {
        const { body } = await read(`${path}?${query}&as_of=${seq}`, bound)
        const shown = content.filter(
          (item: Json) =>
            seen.includes(item.project_id) && seen.includes(projects.get(item.id) ?? ''),
        )
        const ranked = shown.map((item: Json, index: number) =>
          'rank' in item ? { ...item, rank: index + 1 } : item,
        )
        assert.deepEqual(body.data, ranked, `${path}?${query}&as_of=${seq}`)
      }
    }
  }
})

async function allItems(path: string): Promise<Json[]> {
  const found: Json[] = []
  const { data } = (await read(`/v1/projects?status=${projectStatuses.join()}`)).body
  for (const { id } of data) {
    found.push(...(await read(`/v1/projects/${id}/${path.slice(4)}`)).body.data)
  }
  return found
}

const projectOf = ({ id, project_id }: Json): [string, string] => [id, project_id]

test('an erased person changes nothing of the past but the name', async () => {
  const successor = world.people.at(-1)
  for (const id of world.people.slice(0, size(2, 4))) {
    const handover = { to_user_id: successor }
    const departed = await client.post(`/v1/personnel/${id}/depart`, { handover })
    assert.equal(departed.status, 200, departed.text)
    const erased = await client.post(`/v1/personnel/${id}/erase`, { confirm: id })
    assert.equal(erased.status, 200, erased.text)
  }
  for (const { seq, recorded } of history) {
    const isNamed = ({ format, query }: Recorded) =>
      format === 'csv' || query.includes('include=people')
    await assertPast({ seq, recorded: recorded.filter((each) => !isNamed(each)) })
  }
  const [first] = history
  assert.ok(first)
  const { body } = await read(`/v1/risks?as_of=${first.seq}&include=people`)
  const names = new Set(body.data.map(({ owner }: Json) => owner?.name))
  assert.ok(!names.has('Person 0') && names.has('Person 5'))
})
