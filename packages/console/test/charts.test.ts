import assert from 'node:assert/strict'
import { test } from 'node:test'

import { layoutBridge } from '#kit/charts/bridge-layout.ts'
import { type ExposurePoint, layoutExposure } from '#kit/charts/exposure-layout.ts'
import { axisValues, dayOf, linear, spread, timeOf, timeTicks } from '#kit/charts/scale.ts'
import { layoutScores, layoutValues } from '#kit/charts/spark-line.ts'

const point = (day: string, [low, medium, high, critical]: readonly number[]): ExposurePoint => {
  const byLevel = { low: low ?? 0, medium: medium ?? 0, high: high ?? 0, critical: critical ?? 0 }
  const exposure = Object.values(byLevel).reduce((sum, each) => sum + each, 0)
  return { day, byLevel, exposure, above: 0, occurred: 0 }
}

test('an axis has round values, whole numbers and no more than asked for', () => {
  assert.deepEqual(axisValues(505, 3), [0, 200, 400])
  assert.deepEqual(axisValues(500, 2), [0, 250, 500])
  assert.deepEqual(axisValues(41, 3), [0, 20, 40])
  assert.deepEqual(axisValues(2, 3), [0, 1, 2])
  assert.deepEqual(axisValues(0, 3), [0])
})

test('a domain without length maps to the end', () => {
  assert.equal(linear([5, 5], [0, 100])(5), 100)
  assert.equal(linear([0, 10], [100, 0])(2.5), 75)
})

test('ticks are starts of months, with their year in a long range, and days in a short one', () => {
  const ticksOf = (from: string, to: string, max: number) =>
    timeTicks({ start: timeOf(from), end: timeOf(to), max }).map(
      ({ time, form }) => `${form} ${dayOf(time)}`,
    )
  assert.deepEqual(ticksOf('2026-08-20', '2026-11-18', 8), [
    'month 2026-09-01',
    'month 2026-10-01',
    'month 2026-11-01',
  ])
  assert.deepEqual(ticksOf('2026-02-20', '2026-11-18', 5), [
    'month 2026-03-01',
    'month 2026-05-01',
    'month 2026-07-01',
    'month 2026-09-01',
    'month 2026-11-01',
  ])
  assert.deepEqual(ticksOf('2024-11-18', '2026-11-18', 4), [
    'year 2025-01-01',
    'year 2025-07-01',
    'year 2026-01-01',
    'year 2026-07-01',
  ])
  assert.deepEqual(ticksOf('2026-11-06', '2026-11-18', 3), ['day 2026-11-11', 'day 2026-11-18'])
})

test('labels keep their order and their distance within the range', () => {
  assert.deepEqual(spread([10, 12, 90], { gap: 14, min: 0, max: 100 }), [10, 24, 90])
  assert.deepEqual(spread([95, 97, 99], { gap: 14, min: 0, max: 100 }), [72, 86, 100])
})

test('levels are stacked with the worst at the bottom, up to the sum', () => {
  const points = [point('2026-11-01', [0, 4, 10, 20]), point('2026-11-11', [2, 4, 12, 20])]
  const { areas, end, bottom, left, right } = layoutExposure(points, { width: 866 })
  assert.deepEqual(
    areas.map(({ level, value }) => [level, value]),
    [
      ['critical', 20],
      ['high', 12],
      ['medium', 4],
      ['low', 2],
    ],
  )
  assert.equal(areas[0]?.d.endsWith(`L${right} ${bottom}L${left} ${bottom}Z`), true)
  assert.ok(areas.at(-1)?.edge.endsWith(`L${end.x} ${end.y}`), 'the top edge ends at the sum')
  const ys = areas.map(({ labelY }) => labelY)
  assert.ok(
    ys.every((y, at) => at === 0 || (ys[at - 1] ?? 0) - y >= 14),
    ys.join(' '),
  )
})

test('a level without a risk has no area, and one that has none now has no value', () => {
  const points = [point('2026-11-01', [0, 4, 0, 0]), point('2026-11-11', [2, 0, 0, 0])]
  const { areas } = layoutExposure(points, { width: 375 })
  assert.deepEqual(
    areas.map(({ level, value }) => [level, value]),
    [
      ['medium', 0],
      ['low', 2],
    ],
  )
})

test('the beginning of the compared day is marked unless the chart does not reach it', () => {
  const points = ['2026-11-01', '2026-11-06', '2026-11-11'].map((day) => point(day, [0, 0, 10, 0]))
  const sinceOf = (since: string) => layoutExposure(points, { width: 866, since }).since
  assert.equal(sinceOf('2026-11-06')?.x, 30 + (760 - 30) * 0.4)
  assert.equal(sinceOf('2026-10-01'), null)
  assert.equal(sinceOf('2026-11-01'), null)
  assert.equal(sinceOf('2026-11-12'), null)
})

test('the rows show what occurred and steps of the count above the appetite', () => {
  const points = [
    { ...point('2026-11-01', [0, 0, 10, 0]), above: 1 },
    { ...point('2026-11-11', [0, 0, 10, 0]), above: 2, occurred: 3 },
  ]
  const { occurred, above, foot } = layoutExposure(points, { width: 866 })
  assert.deepEqual(occurred, [{ day: '2026-11-11', count: 3, x: 760 }])
  assert.equal(above.d, `M30 ${foot - 12}H760V${foot - 24}`)
})

test('one day and no risk are drawn without a number that is none', () => {
  for (const points of [[], [point('2026-11-01', [0, 0, 0, 0])]]) {
    const text = JSON.stringify(layoutExposure(points, { width: 400, since: '2026-11-01' }))
    assert.doesNotMatch(text, /NaN|null,null|Infinity/)
  }
})

const space = { width: 108, height: 22, start: 0, end: 100 }

test('scores are steps on the scale of all risks, from the first that is shown', () => {
  const scores = [
    { score: 25, time: 0 },
    { score: 0, time: 50 },
  ]
  assert.deepEqual(layoutScores(scores, space), {
    d: 'M4 2H54V20H104',
    end: { x: 104, y: 20 },
  })
  const earlier = [{ score: 5, time: -80 }, { score: 25, time: -20 }, ...scores.slice(1)]
  assert.equal(layoutScores(earlier, space)?.d, 'M4 2H54V20H104')
  assert.equal(layoutScores([], space), null)
})

test('values are a line on a scale that all lines share', () => {
  const line = layoutValues([0, 50, 100], { width: 108, height: 22, most: 100 })
  assert.deepEqual(line, { d: 'M4 19L54 11L104 3', end: { x: 104, y: 3 } })
  assert.deepEqual(layoutValues([50], { width: 108, height: 22, most: 100 })?.end, {
    x: 104,
    y: 11,
  })
})

test('the bars of the bridge lead from the sum before to the sum after', () => {
  const steps = [
    { name: 'Rose', points: 10 },
    { name: 'Left', points: -20 },
  ]
  assert.deepEqual(layoutBridge(100, steps, [0, 200]), {
    beforeX: 100,
    afterX: 0,
    bars: [
      { name: 'Rose', points: 10, x: 100, width: 100 },
      { name: 'Left', points: -20, x: 0, width: 200 },
    ],
  })
})
