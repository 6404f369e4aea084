import assert from 'node:assert/strict'
import { test } from 'node:test'

import { makeDemoKeys, seed } from '@muster/api/seed'

import { Story } from '#demo/story'
import { findDrift } from '#test/drift/drift'
import { findFigureDrift } from '#test/drift/figures'
import { Client, type Json } from '#test/support/client'
import { isLong } from '#test/support/size'
import { type Host, startHost } from '#test/support/workspace'

const dayMs = 86_400_000

/** The events in the order of their sequence numbers are in the order of times and ids too. */
async function assertOrdered({ sql }: Host): Promise<void> {
  const { rows } = await sql.query('select occurred_at, id from events order by seq, position')
  const events = rows.map(({ occurred_at, id }): string => `${occurred_at.toISOString()} ${id}`)
  assert.deepEqual(events, events.toSorted())
  assert.deepEqual(
    rows.map(({ id }): string => id).toSorted(),
    rows.map(({ id }) => id),
  )
}

/** Seeds a database of its own as if it were seeded at this time. */
async function seeded(now: Date) {
  const host = await startHost({ skipsDriftCheck: true })
  const { workspaceId } = await seed(host.owner, now)
  await assertOrdered(host)
  const { reader } = await makeDemoKeys(host.owner, workspaceId)
  return { host, now, reader: new Client(host.base, reader) }
}

type Seeded = Awaited<ReturnType<typeof seeded>>

const today = await seeded(new Date())

/** The first minute of a month at least 200 days ahead, when nothing has happened this month. */
function aheadOf(now: Date): Date {
  const later = new Date(now.getTime() + 200 * dayMs)
  return new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 1, 0, 0, 30))
}

async function list({ reader }: Pick<Seeded, 'reader'>, path: string): Promise<Json[]> {
  const { status, body, text } = await reader.get(path)
  assert.equal(status, 200, text)
  return body.data
}

const dayOf = (time: Date) => Math.floor(time.getTime() / dayMs)
const monthOf = (time: Date) => time.getUTCFullYear() * 12 + time.getUTCMonth()

/** The columns of the issues page: this month, last month, 2–3, 4–6 and more months ago. */
function ageColumn({ opened_at }: Json, now: Date): number {
  const months = monthOf(now) - monthOf(new Date(opened_at))
  return [0, 1, 3, 6, Infinity].findIndex((max) => months <= max)
}

async function histories(place: Seeded): Promise<Map<string, Json[]>> {
  const found = new Map<string, Json[]>()
  for (const { ref, id, project_id } of await list(place, '/v1/risks')) {
    found.set(
      ref,
      await list(place, `/v1/projects/${project_id}/risks/${id}/history?include=people,keys`),
    )
  }
  return found
}

const scoreTimes = (history: Json[]): number[] =>
  history
    .filter(({ changes }) => changes.some(({ field }: Json) => field === 'score'))
    .map(({ occurred_at }) => Date.parse(occurred_at))

/** What must not depend on the day of seeding. */
async function shapeOf(place: Seeded) {
  const { now, reader } = place
  const issues = await list(place, '/v1/issues')
  const projects = await list(place, '/v1/projects')
  const entries = await histories(place)
  return {
    ageColumns: new Set(issues.map((issue) => ageColumn(issue, now))),
    riskFlags: (await reader.get('/v1/risks/summary')).body.by_flag,
    issueFlags: (await reader.get('/v1/issues/summary')).body.by_flag,
    projects: projects.map(({ code, health }) => [code, health]),
    projectAges: projects.map(({ created_at }) => dayOf(now) - dayOf(new Date(created_at))),
    moves: [...entries].map(([ref, history]) => [ref, scoreTimes(history).length - 1]),
    authors: new Set([...entries.values()].flat().map(({ actor }) => actor.name)),
  }
}

test('spreads open issues over all age columns, and projects over months', async () => {
  const { ageColumns, projectAges } = await shapeOf(today)
  assert.deepEqual(ageColumns, new Set([0, 1, 2, 3, 4]))
  assert.ok(new Set(projectAges).size >= 3, `created ${projectAges.join()} days ago`)
})

test('moves the scores of risks over months', async () => {
  const moved = [...(await histories(today))].filter(([, history]) => {
    const times = scoreTimes(history)
    return times.length > 3 && (times.at(-1) ?? 0) - (times[1] ?? 0) >= 30 * dayMs
  })
  const refs = moved.map(([ref]) => ref)
  assert.ok(refs.includes('BRG-R1') && refs.includes('TUN-R1'), refs.join())
})

test('names the keys and the people who made the changes', async () => {
  const [leila] = await list(today, '/v1/personnel?q=benhaddou')
  const history = await list(today, `/v1/personnel/${leila.id}/history?include=keys`)
  assert.ok(history.every(({ actor }) => actor.name === 'HR sync'))
  const [dam] = await list(today, '/v1/projects?q=DAM')
  const authors = (await list(today, `/v1/projects/${dam.id}/history?include=people,keys`)).map(
    ({ actor }) => actor,
  )
  assert.equal(authors[0].type, 'admin')
  assert.equal(authors.at(-1).type, 'person')
  assert.equal(authors.at(-1).name, 'Łukasz Wójcik')
})

test('names a key after it was rotated and revoked', async () => {
  const keys = await list(today, '/v1/keys?status=active,expired,revoked')
  const office = keys.filter(({ name }) => name === 'Risk office')
  assert.deepEqual(office.map(({ status }): string => status).toSorted(), ['active', 'revoked'])
  const actors = [...(await histories(today)).values()].flat().map(({ actor }) => actor)
  for (const { id } of office) {
    assert.ok(actors.some((actor) => actor.id === id && actor.name === 'Risk office'))
  }
})

const workdays = new Set([1, 2, 3, 4, 5])

test('no step of the last two weeks is on a weekend, on whatever weekday it is seeded', () => {
  const days = Array.from({ length: 20 }, (_, index) => index - 19)
  for (let weekday = 0; weekday < 7; weekday++) {
    const now = new Date(Date.UTC(2026, 10, 16 + weekday, 12))
    const story = new Story(now)
    const moved = days.map((day) => story.workdayOf(day))
    assert.deepEqual(
      moved,
      moved.toSorted((a, b) => a - b),
      'the steps stay in order',
    )
    assert.equal(moved.at(-1), 0, 'today stays')
    for (let day = 1; day <= 14; day++) {
      const due = new Date(story.dateOf(day))
      assert.ok(![0, 6].includes(due.getUTCDay()), `due on ${due.toUTCString()}`)
      assert.ok(due.getTime() - story.midnightOf(day) <= 2 * dayMs)
    }
    const recent = moved.filter((day) => day > -14 && day < 0)
    const weekdays = new Set(recent.map((day) => new Date(story.midnightOf(day)).getUTCDay()))
    assert.deepEqual(weekdays.symmetricDifference(workdays), new Set(), now.toUTCString())
  }
})

test('someone has a day of work, and things happened since Friday', async () => {
  const [asa] = await list(today, '/v1/personnel?q=asa.ohman')
  const work = await list(today, `/v1/personnel/${asa.id}/assignments`)
  const counts = Map.groupBy(work, ({ type }): string => type)
  const count = (type: string) => counts.get(type)?.length ?? 0
  assert.deepEqual([count('project'), count('risk'), count('issue'), count('task')], [2, 3, 2, 7])
  const dueBy = (days: number) => {
    const day = new Date(today.now.getTime() + days * dayMs).toISOString().slice(0, 10)
    return work.filter(({ type, due_on }) => type !== 'project' && due_on && due_on < day).length
  }
  assert.deepEqual([dueBy(0), dueBy(8)], [2, 10], 'late, and due within a week')

  // Five days back there is always a Friday or a day after the last one.
  const since = new Date(today.now.getTime() - 5 * dayMs)
  const { rows } = await today.host.sql.query(
    `select type, count(*)::int as count from events
     where occurred_at > $1 and actor_type = 'person' group by type`,
    [since],
  )
  const happened = new Map(rows.map(({ type, count: number }) => [type, number]))
  for (const type of ['issue.created', 'issue.updated', 'task.created', 'risk.reviewed']) {
    assert.ok(happened.has(type), `${type} is among ${[...happened.keys()].join()}`)
  }
})

test('has the same shape when it is seeded on another day', async () => {
  const later = await seeded(aheadOf(today.now))
  assert.deepEqual(await shapeOf(later), await shapeOf(today))
  for (const { host, now } of [today, later]) {
    assert.deepEqual(await findDrift(host.sql, { today: now.toISOString().slice(0, 10) }), [])
  }
})

test('the figures of its days are those of the states at the end of each', async () => {
  const { rows } = await today.host.sql.query('select count(*)::integer as count from days')
  assert.ok(rows[0].count > 250, `${rows[0].count} days`)
  assert.deepEqual(await findFigureDrift(today.host.sql, { days: isLong ? 400 : 12 }), [])
})
