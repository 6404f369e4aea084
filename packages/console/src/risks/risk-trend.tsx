import { Text, Title } from '@mantine/core'
import type { HistoryEntry, Risk } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'

import { allItems, type Pages } from '#api/lists.ts'
import { formatDay, today } from '#text/dates.ts'
import { formatNumber, t } from '#text/index.ts'

import classes from './risk-matrix.module.css'

interface Point {
  readonly score: number
  /** In milliseconds. */
  readonly time: number
  readonly day: string
}

/** More points would overlap. */
const pointsMax = 12

interface Props {
  readonly risk: Risk
  readonly history: UseInfiniteQueryResult<Pages<HistoryEntry>>
}

/** The score over time until today, one step per change. */
export function RiskTrend({ risk, history }: Props) {
  const entries = allItems(history.data)
  const points = entries.flatMap(scorePoint).slice(-pointsMax)
  return (
    <>
      <Title order={3} size="h6" mt="md" mb={4}>
        {t('risk.trend')}
      </Title>
      {points.length > 1 ? (
        <TrendChart points={points} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('risk.trend.flat', { score: risk.score })}
        </Text>
      )}
    </>
  )
}

function scorePoint({ changes, occurred_at }: HistoryEntry): Point[] {
  const to = changes.find(({ field }) => field === 'score')?.to
  if (typeof to !== 'number') return []
  return [{ score: to, time: Date.parse(occurred_at), day: formatDay(occurred_at.slice(0, 10)) }]
}

const width = 320
const height = 110
const [top, bottom] = [20, 88]
const scoreMax = 25
const y = (score: number) => bottom - ((bottom - top) * score) / scoreMax

/** Room for the number of a step. */
const stepMin = 20

/** Where each step begins and ends: in proportion to time, but never narrower than its number. */
function spans(points: readonly Point[], now = Date.now()) {
  const first = points[0]?.time ?? now
  const scale = (width - points.length * stepMin) / Math.max(1, now - first)
  const x = (time: number, at: number) => stepMin * at + scale * (time - first)
  return points.map(({ time }, at) => {
    const [from, to] = [x(time, at), x(points[at + 1]?.time ?? now, at + 1)]
    return { from, to, middle: (from + to) / 2 }
  })
}

function TrendChart({ points }: { readonly points: readonly Point[] }) {
  const steps = spans(points)
  const descriptions = points.map(({ score, day }) => t('risk.trend.point', { score, day }))
  const line = points.map(({ score }, at) => `V${y(score)}H${steps[at]?.to ?? width}`).join('')
  return (
    <svg
      role="img"
      aria-label={`${t('risk.trend')}: ${descriptions.join(', ')}`}
      viewBox={`0 0 ${width} ${height}`}
      className={classes.trend}
    >
      <line x1={0} x2={width} y1={bottom} y2={bottom} className={classes.base} />
      <path d={`M0 ${y(points[0]?.score ?? 0)}${line}`} className={classes.line} />
      {points.map(({ score, day }, at) => (
        <text
          key={descriptions.slice(0, at + 1).join(' ')}
          x={steps[at]?.middle}
          y={y(score) - 6}
          textAnchor="middle"
          className={classes.value}
        >
          <title>{day}</title>
          {formatNumber(score)}
        </text>
      ))}
      <text x={0} y={height - 6} className={classes.day}>
        {points[0]?.day}
      </text>
      <text x={width} y={height - 6} textAnchor="end" className={classes.day}>
        {formatDay(today())}
      </text>
    </svg>
  )
}
