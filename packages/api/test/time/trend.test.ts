import assert from 'node:assert/strict'
import { test } from 'node:test'

import { limits } from '@muster/contract'

import { Client, type Json } from '#test/support/client'
import { seed, size } from '#test/support/size'

import { type Counts, countLists, type Home, newHome, noFlows, startClocked } from './clocked.ts'
import { Writer } from './writers.ts'

const clocked = await startClocked('2026-02-24T08:00:00Z')
const { clock, sweep } = clocked

const dayMs = 86_400_000
const hourMs = 3_600_000

/** The date in a time zone. */
const dateIn = (timeZone: string, time: Date) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(time)

const dayAt = (time: Date) => time.toISOString().slice(0, 10)

/** A home with changes on each of some days, the last of which is not over. */
async function changedHome(days: number) {
  const home = await newHome(clocked, 'UTC')
  const writer = new Writer(home, seed + days)
  await writer.start(['ONE', 'TWO', 'SIX'])
  const first = dayAt(clock.now)
  for (let index = 0; index < days; index++) {
    for (let change = 0; change < 5; change++) await writer.change(dayAt(clock.now))
    if (index === days - 1) break
    clock.now = new Date(clock.now.getTime() + dayMs)
    await sweep()
  }
  return { home, first, last: dayAt(clock.now), projects: [...writer.projects] }
}

const flowNames = Object.keys(noFlows) as (keyof typeof noFlows)[]

const place = await changedHome(10)

test('today is counted when it is read', async () => {
  const { home, last } = place
  const point = (await home.points('')).at(-1)
  const flows = Object.fromEntries(flowNames.map((name) => [name, point?.[name]]))
  const expected = { ...(await countLists(home, last)), ...flows, day: last, is_closed: false }
  assert.deepEqual(point, { ...point, ...expected })
  const { id } = (await home.read('/v1/projects')).data[0]
  const body = { title: 'R', likelihood: 5, impact: 5 }
  await home.send('POST', `/v1/projects/${id}/risks`, body)
  const next = (await home.points('')).at(-1)
  assert.equal(next?.exposure, (point?.exposure ?? 0) + 25)
  assert.equal(next.entered, (point?.entered ?? 0) + 1)
  assert.equal(next.by_level.critical, (point?.by_level.critical ?? 0) + 1)
})

test('a week and a month have the counts of their last day and the sums of their days', async () => {
  const { home, first, last } = place
  const days = await home.points(`from=${first}`)
  assert.equal(days.length, 10)
  const weekOf = (day: string) => Math.floor((Date.parse(day) / dayMs + 3) / 7)
  for (const [step, partOf] of [
    ['week', weekOf],
    ['month', (day: string) => day.slice(0, 7)],
  ] as const) {
    const parts = [...Map.groupBy(days, ({ day }) => partOf(day)).values()]
    const points = await home.points(`from=${first}&to=${last}&step=${step}`)
    const expected = parts.map((part) => {
      const sums = flowNames.map((name) => [
        name,
        part.reduce((sum, point) => sum + (point[name] ?? 0), 0),
      ])
      return { ...part.at(-1), ...Object.fromEntries(sums) }
    })
    assert.deepEqual(points, expected, step)
  }
  const later = await home.points(`from=${days[4]?.day}&to=${days[7]?.day}`)
  assert.deepEqual(later, days.slice(4, 8))
})

test('a key that is bound to projects gets the sums over these, and no others', async () => {
  const { home, projects } = place
  const [one = '', two = '', six = ''] = projects
  const bound = async (...projectIds: string[]) => {
    const { token } = await home.issue({ scopes: ['projects.read'], projectIds })
    return new Client(clocked.base, token)
  }
  const both = await bound(one, two)
  assert.deepEqual(await home.points('', both), await home.points(`project_id=${one},${two}`))
  assert.deepEqual(await home.points('', await bound(one)), await home.points(`project_id=${one}`))
  assert.deepEqual(
    await home.points(`project_id=${one},${six}`, both),
    await home.points(`project_id=${one}`),
  )
  const unseen = await home.points(`project_id=${six}`, both)
  assert.ok(unseen.every(({ live_risks, entered }) => live_risks === 0 && entered === 0))
  const { projects: named } = await home.read('/v1/trend?include=projects', both)
  assert.deepEqual(
    named.map(({ project }: Json) => project.id),
    [one, two].toSorted(),
  )
  const all = await home.points('')
  const three = await home.points(`project_id=${projects.join(',')}`)
  assert.deepEqual(three, all, 'nothing has moved, so the sum is that of the workspace')
})

test('include=projects has the ends, the exposure and the worst risk of each project', async () => {
  const { home } = place
  const { projects, points } = await home.read('/v1/trend?include=projects')
  assert.equal(projects.length, 3)
  for (const { project, first, last, exposure, worst_risk } of projects) {
    const own = await home.points(`project_id=${project.id}`)
    assert.deepEqual([first, last], [own[0], own.at(-1)])
    assert.deepEqual(
      exposure,
      own.map((point) => point.exposure),
    )
    const [worst] = (await home.read(`/v1/risks?project_id=${project.id}&limit=1`)).data
    const { id, ref, title, score, level } = worst ?? {}
    assert.deepEqual(worst_risk, worst ? { id, ref, title, score, level } : null)
  }
  assert.equal(points.length, projects[0].exposure.length)
})

test('an interval has an end in the past, and at most 800 points', async () => {
  const { home } = place
  const refused = async (query: string) => {
    const { status, body } = await home.client.get(`/v1/trend?${query}`)
    return [status, body.code, body.parameter, body.detail]
  }
  const many = `A trend has at most ${limits.trendPointsMax} points. Use a longer \`step\`, or a later \`from\`.`
  const long = 'from=2020-01-01'
  assert.deepEqual(await refused(long), [400, 'invalid_parameter', 'from', many])
  const [status, code, parameter] = await refused('to=2999-01-01')
  assert.deepEqual([status, code, parameter], [400, 'unknown_point', 'to'])
  const [, reversed] = await refused('from=2026-02-02&to=2026-01-01')
  assert.equal(reversed, 'invalid_parameter')
  for (const step of ['week', 'month']) {
    assert.ok((await home.points(`${long}&step=${step}`)).length > 0, step)
  }
  assert.deepEqual(
    await home.points('from=2020-01-01&to=2020-02-01'),
    [],
    'before the first change',
  )
})

type Recorded = ReadonlyMap<string, ReadonlyMap<string, Counts>>

/** Changes items for some days, and counts the lists at the end of each, by project. */
async function record(home: Home, writer: Writer, days: number): Promise<Recorded> {
  const [one = '', two = '', old = ''] = writer.projects
  const recorded = new Map<string, Map<string, Counts>>()
  let zone = 'Europe/Stockholm'
  for (let index = 0; index < days; index++) {
    const today = dateIn(zone, clock.now)
    for (let change = 0; change < 8; change++) {
      clock.now = new Date(clock.now.getTime() + hourMs / 2)
      await writer.change(today)
    }
    if (index === movedOn) await writer.archive(old, two)
    const flows = writer.takeFlows()
    const ofDay = new Map<string, Counts>()
    for (const project of ['', one, two, old]) {
      const counted = await countLists(home, today, project === '' ? undefined : project)
      ofDay.set(project, { ...counted, ...noFlows, ...flows.get(project) })
    }
    recorded.set(today, ofDay)
    if (index === zoneChangedOn) {
      zone = 'America/Los_Angeles'
      await home.send('PATCH', '/v1/workspace', { time_zone: zone })
    }
    // The next morning, in any of the zones.
    clock.now = new Date(Date.parse(`${today}T00:00:00Z`) + dayMs + 17 * hourMs)
    await sweep()
  }
  return recorded
}

const [movedOn, zoneChangedOn] = [4, 6]

test('every day has the figures of the lists at its end, also across summer time and a change of the zone', async () => {
  clock.now = new Date('2026-03-25T08:00:00Z')
  const home = await newHome(clocked, 'Europe/Stockholm')
  const writer = new Writer(home, seed)
  await writer.start(['ONE', 'TWO', 'OLD'])
  const [one = '', two = '', old = ''] = writer.projects
  const recorded = await record(home, writer, size(9, 60))
  const days = [...recorded.keys()]
  const interval = `from=${days[0]}&to=${days.at(-1)}`
  for (const project of ['', one, two, old]) {
    const of = project === '' ? '' : `&project_id=${project}`
    const points = await home.points(`${interval}${of}`)
    const listed = points.map(({ day }) => day)
    assert.deepEqual(listed, days)
    let before = 0
    for (const [index, { day, is_closed, ...counts }] of points.entries()) {
      assert.ok(is_closed, day)
      assert.equal(counts.live_risks, before + counts.entered - counts.left, `${day} ${of}`)
      before = counts.live_risks
      // The archive moves items between two of the projects, which the test does not count.
      const isMoved = index === movedOn && [two, old].includes(project)
      const flows = isMoved ? noFlows : {}
      const expected = { ...recorded.get(day)?.get(project), ...flows }
      assert.deepEqual({ ...counts, ...flows }, expected, `${day} ${of}`)
    }
  }
})
