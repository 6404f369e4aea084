import { Text, Title } from '@mantine/core'
import type { HistoryEntry, Risk } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'

import { itemsOf, type Pages } from '#api/lists.ts'
import { formatDay } from '#text/dates.ts'
import { formatNumber, t } from '#text/index.ts'

import classes from './risk-matrix.module.css'

interface Point {
  readonly score: number
  readonly day: string
}

/** As many as can be told apart. */
const pointsMost = 12

interface Props {
  readonly risk: Risk
  readonly history: UseInfiniteQueryResult<Pages<HistoryEntry>>
}

/** How the score came to be what it is, a step for every change. */
export function RiskTrend({ risk, history }: Props) {
  const entries = itemsOf(history.data)
  const points = entries.flatMap(pointOf).slice(-pointsMost)
  return (
    <>
      <Title order={3} size="h6" mt="md" mb={4}>
        {t('risk.trend')}
      </Title>
      {points.length > 1 ? (
        <Steps points={points} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('risk.trend.flat', { score: risk.score })}
        </Text>
      )}
    </>
  )
}

function pointOf({ changes, occurred_at }: HistoryEntry): Point[] {
  const to = changes.find(({ field }) => field === 'score')?.to
  return typeof to === 'number' ? [{ score: to, day: formatDay(occurred_at.slice(0, 10)) }] : []
}

const width = 320
const height = 110
const [top, bottom] = [20, 88]
const scoreMax = 25
const y = (score: number) => bottom - ((bottom - top) * score) / scoreMax

function Steps({ points }: { readonly points: readonly Point[] }) {
  const step = width / points.length
  const told = points.map(({ score, day }) => t('risk.trend.point', { score, day }))
  const line = points.map(({ score }, at) => `V${y(score)}H${step * (at + 1)}`).join('')
  return (
    <svg
      role="img"
      aria-label={`${t('risk.trend')}: ${told.join(', ')}`}
      viewBox={`0 0 ${width} ${height}`}
      className={classes.trend}
    >
      <line x1={0} x2={width} y1={bottom} y2={bottom} className={classes.base} />
      <path d={`M0 ${y(points[0]?.score ?? 0)}${line}`} className={classes.line} />
      {points.map(({ score, day }, at) => (
        <text
          key={told.slice(0, at + 1).join(' ')}
          x={step * (at + 0.5)}
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
        {points.at(-1)?.day}
      </text>
    </svg>
  )
}
