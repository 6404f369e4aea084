import { useElementSize } from '@mantine/hooks'

import { formatDay } from '#text/dates.ts'
import { formatNearDay } from '#text/due.ts'
import { formatNumber, locale, t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import {
  type ExposureLayout,
  type ExposurePoint,
  type ExposureSize,
  layoutExposure,
  pointBefore,
} from './exposure-layout.ts'
import type { Tick } from './scale.ts'

import classes from './charts.module.css'

interface Props {
  /** The earliest first. */
  readonly points: readonly ExposurePoint[]
  readonly since?: string | undefined
}

/** The exposure over time, as wide as its place. */
export function ExposureChart({ points, since }: Props) {
  const { ref, width } = useElementSize()
  return (
    <div ref={ref} className={classes.frame}>
      {width > 0 && <Drawing points={points} since={since} width={Math.round(width)} />}
    </div>
  )
}

function Drawing({ points, since, width }: Props & ExposureSize) {
  const layout = layoutExposure(points, { width, since })
  const { height, left, right, bottom, rowY, foot, areas, end, values, ticks } = layout
  return (
    <svg
      role="img"
      aria-label={sentenceOf(points, since)}
      viewBox={`0 0 ${width} ${height}`}
      className={classes.chart}
    >
      {layout.since && <Band layout={layout} />}
      {values.map(({ value, y }) => (
        <g key={value}>
          <path data-line="grid" d={`M${left} ${y}H${right}`} />
          <text x={left - 6} y={y + 4} textAnchor="end">
            {formatNumber(value)}
          </text>
        </g>
      ))}
      {areas.map(({ level, d }) => (
        <path key={level} data-area={level} data-level={level} d={d} />
      ))}
      {areas.slice(0, -1).map(({ level, edge }) => (
        <path key={level} data-line="seam" d={edge} />
      ))}
      {areas.slice(-1).map(({ level, edge }) => (
        <path key={level} data-line="sum" d={edge} />
      ))}
      <circle data-dot cx={end.x} cy={end.y} r={3.5} />
      {layout.since && since !== undefined && <Since layout={layout} day={since} />}
      {areas
        .filter(({ value }) => value > 0)
        .map(({ level, value, labelY }) => (
          <text key={level} x={right + 10} y={labelY + 4}>
            <tspan>{formatNumber(value)}</tspan> {label('level', level)}
          </text>
        ))}
      <path data-line="grid" d={`M${left} ${rowY}H${right}`} />
      <path data-line="grid" d={`M${left} ${foot}H${right}`} />
      <Rows layout={layout} points={points} />
      {ticks.map(({ time, form, x }) => (
        <g key={time}>
          <path data-line="axis" d={`M${x} ${foot}v4`} />
          <text x={form === 'day' ? x : x + 3} y={foot + 16} textAnchor={anchorOf(form)}>
            {tickText({ time, form })}
          </text>
        </g>
      ))}
      <path data-line="grid" d={`M${left} ${bottom}H${right}`} />
    </svg>
  )
}

interface PartProps {
  readonly layout: ExposureLayout
}

const Band = ({ layout: { since, end, bottom } }: PartProps) =>
  since && <rect data-band x={since.x} y={12} width={end.x - since.x} height={bottom - 12} />

const Since = ({ layout: { since, bottom }, day }: PartProps & { readonly day: string }) =>
  since && (
    <>
      <path data-line="since" d={`M${since.x} 8V${bottom}`} />
      <text
        data-text="second"
        x={since.isLate ? since.x + 5 : since.x - 5}
        y={14}
        textAnchor={since.isLate ? 'start' : 'end'}
      >
        {formatNearDay(day)}
      </text>
      <circle data-dot cx={since.x} cy={since.y} r={3} />
    </>
  )

function Rows({ layout, points }: PartProps & Pick<Props, 'points'>) {
  const { occurred, rowY, above, right, end } = layout
  const sum = occurred.reduce((total, { count }) => total + count, 0)
  return (
    <>
      {occurred.map(({ day, count, x }) => (
        <path key={day} data-occurred d={`M${x} ${rowY - 4.5}l4.5 4.5-4.5 4.5-4.5-4.5z`}>
          <title>{t('chart.occurred.on', { count, day: formatDay(day) })}</title>
        </path>
      ))}
      <text x={right + 10} y={rowY + 4}>
        <tspan>{formatNumber(sum)}</tspan> {t('chart.occurred')}
      </text>
      <path data-line="above" d={above.d} />
      <circle data-dot="above" cx={end.x} cy={above.y} r={3} />
      <text data-text="alarm" x={right + 10} y={Math.max(above.y + 4, rowY + 17)}>
        <tspan>{formatNumber(points.at(-1)?.above ?? 0)}</tspan> {t('chart.above')}
      </text>
    </>
  )
}

const utc = { timeZone: 'UTC' } as const
const formats = {
  day: new Intl.DateTimeFormat(locale, { ...utc, day: 'numeric', month: 'short' }),
  month: new Intl.DateTimeFormat(locale, { ...utc, month: 'short' }),
  year: new Intl.DateTimeFormat(locale, { ...utc, month: 'short', year: '2-digit' }),
}
const tickText = ({ time, form }: Tick) => formats[form].format(time)
const anchorOf = (form: Tick['form']) => (form === 'day' ? 'middle' : 'start')

/** What the chart says, with its figures. */
function sentenceOf(points: readonly ExposurePoint[], since: string | undefined): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return t('chart.exposure')
  const levels = (['critical', 'high', 'medium', 'low'] as const)
    .filter((level) => last.byLevel[level] > 0)
    .map((level) => `${label('level', level).toLowerCase()} ${formatNumber(last.byLevel[level])}`)
  const text = t('chart.exposure.label', {
    from: formatDay(first.day),
    to: formatDay(last.day),
    sum: last.exposure,
    levels: levels.length > 0 ? `: ${levels.join(', ')}` : '',
    occurred: points.reduce((sum, { occurred }) => sum + occurred, 0),
    above: last.above,
  })
  const before = pointBefore(points, since)
  if (!before || since === undefined) return text
  return `${text} ${t('chart.exposure.since', { day: formatDay(since), sum: before.exposure })}`
}

/** The figures of the chart as rows, the latest first. */
export const exposureTable = (points: readonly ExposurePoint[]) => ({
  head: [
    t('chart.day'),
    t('chart.exposure'),
    ...(['critical', 'high', 'medium', 'low'] as const).map((level) => label('level', level)),
    t('chart.occurred.column'),
    t('word.above'),
  ],
  rows: points
    .toReversed()
    .map(({ day, exposure, byLevel, occurred, above }) => [
      formatDay(day),
      ...[
        exposure,
        byLevel.critical,
        byLevel.high,
        byLevel.medium,
        byLevel.low,
        occurred,
        above,
      ].map(formatNumber),
    ]),
})
