import assert from 'node:assert/strict'
import { test } from 'node:test'

import { dayMs, scorePoints, timeRange } from '#nouns/risks/score-points.ts'

const now = Date.parse('2026-11-18T12:00:00.000Z')
const daysAgo = (days: number) => now - days * dayMs
const iso = (time: number) => new Date(time).toISOString()
const risk = { score: 12, created_at: iso(daysAgo(30)) }

test('a risk has a point for each change of its score', () => {
  const change = (field: string, to: unknown, days: number) => ({
    occurred_at: iso(daysAgo(days)),
    changes: [{ field, from: null, to }],
  })
  const entries = [change('score', 8, 30), change('title', 'Ice', 20), change('score', 12, 10)]
  assert.deepEqual(scorePoints(risk, entries), [
    { score: 8, time: daysAgo(30) },
    { score: 12, time: daysAgo(10) },
  ])
})

test('a risk without a change has the point of its creation', () => {
  assert.deepEqual(scorePoints(risk, []), [{ score: 12, time: daysAgo(30) }])
})

test('the chart starts at the first score, or a week ago if that is earlier', () => {
  assert.equal(timeRange([{ score: 8, time: daysAgo(30) }], null, now).start, daysAgo(30))
  assert.equal(timeRange([{ score: 8, time: daysAgo(1) }], null, now).start, daysAgo(7))
})

test('the chart ends at the target date, or after today if there is none or it has passed', () => {
  const points = [{ score: 8, time: daysAgo(100) }]
  const later = now + 15 * dayMs
  assert.equal(timeRange(points, '2027-06-30', now).end, Date.parse('2027-06-30T00:00:00Z'))
  assert.equal(timeRange(points, null, now).end, later)
  assert.equal(timeRange(points, '2026-11-17', now).end, later)
})
