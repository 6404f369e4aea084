import type { HistoryEntry, Risk } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'

import { allItems, type Pages } from '#data/lists.ts'
import { formatDay } from '#text/dates.ts'
import { locale, t } from '#text/index.ts'

import { dayMs, type Point, scorePoints, timeRange } from './score-points.ts'

import classes from './risks.module.css'

export type ScoreHistory = UseInfiniteQueryResult<Pages<HistoryEntry>>

interface Props {
  readonly risk: Risk
  /** The appetite of the project; null if it is not set. */
  readonly appetite: number | null
  readonly history: ScoreHistory
}

const [left, right, top, bottom] = [20, 256, 12, 110] as const
const scoreMax = 25
const y = (score: number) => bottom - ((bottom - top) * score) / scoreMax

/** The score over time on a true time axis, with the appetite, the target and today. */
export function ScoreChart({ risk, appetite, history }: Props) {
  const points = scorePoints(risk, allItems(history.data))
  const { target } = risk
  const { start, end, now } = timeRange(points, target?.due_on ?? null)
  const x = (time: number) => left + ((right - left) * (time - start)) / (end - start)
  const ends = points.map((_, at) => x(points[at + 1]?.time ?? now))
  const steps = points.map(({ score }, at) => `V${y(score)}H${ends[at]}`).join('')
  const here = `M${x(now)} ${y(risk.score)}`
  return (
    <svg
      role="img"
      aria-label={describe({ risk, appetite, points })}
      viewBox="0 0 264 132"
      className={classes.chart}
    >
      {[0, 10, 20].map((score) => (
        <g key={score}>
          <path d={`M${left} ${y(score)}H${right}`} />
          <text x={left - 5} y={y(score) + 4} textAnchor="end">
            {score}
          </text>
        </g>
      ))}
      {ticks(start, end).map((time) => (
        <g key={time}>
          <path d={`M${x(time)} ${bottom}v4`} />
          <text x={x(time)} y={128} textAnchor="middle">
            {tickText(time, end - start)}
          </text>
        </g>
      ))}
      {appetite !== null && (
        <>
          <path data-line="appetite" d={`M${left} ${y(appetite)}H${right}`} />
          <text
            data-appetite
            x={right}
            y={y(appetite) + (hasRoomAbove(risk.score - appetite) ? -4 : 12)}
            textAnchor="end"
          >
            {t('risk.trend.appetite', { appetite })}
          </text>
        </>
      )}
      <path data-line="today" d={`M${x(now)} 4V${bottom}`} />
      <path
        data-line="score"
        d={`M${x(points[0]?.time ?? start)} ${y(points[0]?.score ?? 0)}${steps}`}
      />
      {target && <Target score={target.score} from={target.due_on ? here : null} at={x(end)} />}
      <circle cx={x(now)} cy={y(risk.score)} r={3.2} />
      <text data-value x={x(now) + 6} y={y(risk.score) + 4}>
        {risk.score}
      </text>
      {spaced(points, ends).map(({ score, at }) => (
        <text key={at} data-value x={at - 4} y={y(score) - 4} textAnchor="end">
          {score}
        </text>
      ))}
    </svg>
  )
}

/** Whether a text above the line of the appetite is clear of the number of the score. */
const hasRoomAbove = (distance: number) => distance <= 0 || distance > 6

interface TargetProps {
  readonly score: number
  /** The start of the line; null for a target without a date, which is a level line. */
  readonly from: string | null
  readonly at: number
}

const Target = ({ score, from, at }: TargetProps) => (
  <>
    <path
      data-line="target"
      d={from === null ? `M${left} ${y(score)}H${right}` : `${from}L${at} ${y(score)}`}
    />
    {from !== null && <circle data-target cx={at} cy={y(score)} r={3.4} />}
    <text data-value x={right} y={y(score) + 14} textAnchor="end">
      {t('risk.trend.target', { score })}
    </text>
  </>
)

/** The room that a number needs. */
const numberWidth = 16

/** The earlier scores at the ends of their steps, without those that have no room. */
function spaced(points: readonly Point[], ends: readonly number[]) {
  const placed = points.slice(0, -1).map(({ score }, at) => ({ score, at: ends[at] ?? right }))
  return placed.filter(({ at }, index) => at - (placed[index - 1]?.at ?? left) >= numberWidth)
}

const tickCount = 4

/** The starts of months, or days within a short range. */
function ticks(start: number, end: number): number[] {
  const step = (end - start) / tickCount
  return Array.from({ length: tickCount }, (_, at) => start + step * (at + 0.5))
}

const month = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' })
const monthAndYear = new Intl.DateTimeFormat(locale, {
  month: 'short',
  year: '2-digit',
  timeZone: 'UTC',
})
const dayAndMonth = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

function tickText(time: number, span: number): string {
  if (span < 120 * dayMs) return dayAndMonth.format(time)
  return (span < 360 * dayMs ? month : monthAndYear).format(time)
}

interface Described extends Omit<Props, 'history'> {
  readonly points: readonly Point[]
}

function describe({ risk: { target }, appetite, points }: Described): string {
  const dayOf = (time: number) => formatDay(new Date(time).toISOString().slice(0, 10))
  const texts = [
    ...points.map(({ score, time }) => t('risk.trend.point', { score, day: dayOf(time) })),
    ...(target ? [t('risk.trend.target', { score: target.score })] : []),
    ...(appetite === null ? [] : [t('risk.trend.appetite', { appetite })]),
  ]
  return `${t('risk.trend')}: ${texts.join(', ')}`
}
