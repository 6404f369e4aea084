import { formatNearDay } from '#text/due.ts'
import { formatNumber, t } from '#text/index.ts'

import { dayOf, timeOf } from './scale.ts'
import { layoutScores, layoutValues, type SparkScore } from './spark-line.ts'

import classes from './charts.module.css'

interface ScoreProps {
  readonly itemRef: string
  /** The earliest first. */
  readonly scores: readonly SparkScore[]
  /** The level of the last score. */
  readonly level: string
  /** The first and the last day of all lines beside each other. */
  readonly range: { readonly from: string; readonly to: number }
  /** When the risk left the register; null if it is live. */
  readonly leftAt: number | null
}

const [width, height] = [88, 22]

/** The score of a risk over time: steps on one scale, a dot for now, a cross where it left. */
export function ScoreSparkline({ itemRef, scores, level, range, leftAt }: ScoreProps) {
  const end = leftAt ?? range.to
  const start = timeOf(range.from)
  // A risk that left ends before the right edge: the time axis is that of the other lines.
  const share = (end - start) / Math.max(1, range.to - start)
  const endX = Math.max(8, width * Math.min(1, Math.max(0, share)))
  const line = layoutScores(scores, { width: endX, height, start, end })
  if (line === null) return null
  const since = Math.max(start, scores[0]?.time ?? start)
  const name = t(leftAt === null ? 'chart.score' : 'chart.score.left', {
    ref: itemRef,
    day: formatNearDay(dayOf(since)),
    scores: scores.map(({ score }) => score).join(', '),
  })
  const { x, y } = line.end
  return (
    <svg
      className={classes.spark}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={name}
    >
      <path d={line.d} />
      {leftAt === null ? (
        <circle cx={x} cy={y} r={2.6} data-level={level} />
      ) : (
        <path d={`M${x - 2.2} ${y - 2.2}l4.4 4.4m0-4.4l-4.4 4.4`} />
      )}
    </svg>
  )
}

interface ProjectProps {
  readonly name: string
  readonly values: readonly number[]
  /** The day of the first value. */
  readonly from: string
  /** The highest value of all projects, which have one scale. */
  readonly most: number
}

/** The exposure of a project over time. */
export function ProjectSparkline({ name, values, from, most }: ProjectProps) {
  const line = layoutValues(values, { width: 64, height, most })
  if (line === null) return null
  return (
    <svg
      className={classes.spark}
      width={64}
      height={height}
      viewBox={`0 0 64 ${height}`}
      role="img"
      aria-label={t('chart.project', {
        name,
        day: formatNearDay(from),
        first: formatNumber(values[0] ?? 0),
        last: formatNumber(values.at(-1) ?? 0),
      })}
    >
      <path d={line.d} />
      <circle cx={line.end.x} cy={line.end.y} r={2.6} />
    </svg>
  )
}
