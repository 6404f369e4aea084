import { useElementSize } from '@mantine/hooks'

import { formatNumber, t } from '#text/index.ts'

import { type BridgeStep, layoutBridge } from './bridge-layout.ts'

import classes from './charts.module.css'

interface Props {
  readonly before: { readonly name: string; readonly value: number }
  readonly after: { readonly name: string; readonly value: number }
  /** What happened in between. Their points add up to the difference. */
  readonly steps: readonly BridgeStep[]
}

const rowHeight = 24
const nameWidth = 96
const numberWidth = 52

/** A number with its sign, also if it is 0. */
export const signed = (value: number) =>
  value > 0 ? `+${formatNumber(value)}` : value < 0 ? `−${formatNumber(-value)}` : '0'

/** Where the points of a sum went: a bar for each kind of change between two sums. */
export function BridgeChart(props: Props) {
  const { ref, width } = useElementSize()
  return <div ref={ref}>{width > 0 && <Drawing {...props} width={Math.round(width)} />}</div>
}

function Drawing({ before, after, steps, width }: Props & { readonly width: number }) {
  const layout = layoutBridge(before.value, steps, [nameWidth + 4, width - numberWidth])
  const height = rowHeight * (steps.length + 2)
  const middle = (row: number) => rowHeight * row + rowHeight / 2
  const afterRow = steps.length + 1
  return (
    <svg
      role="img"
      aria-label={t('chart.bridge', {
        before: before.value,
        after: after.value,
        steps: steps
          .map(({ name, points }) => t('chart.bridge.step', { name, points: signed(points) }))
          .join(', '),
      })}
      viewBox={`0 0 ${width} ${height}`}
      className={classes.chart}
    >
      <path data-line="since" d={`M${layout.beforeX} ${middle(0)}V${middle(afterRow)}`} />
      <Sum {...before} x={layout.beforeX} y={middle(0)} />
      {layout.bars.map(({ name, points, x, width: length }, at) => (
        <g key={name}>
          <text data-text="second" x={0} y={middle(at + 1) + 4}>
            {name}
          </text>
          <rect
            data-bar={points > 0 ? 'up' : 'down'}
            x={x}
            y={middle(at + 1) - 6}
            width={length}
            height={12}
            rx={2}
          />
          <text data-text="second" x={x + length + 6} y={middle(at + 1) + 4}>
            {signed(points)}
          </text>
        </g>
      ))}
      <Sum {...after} x={layout.afterX} y={middle(afterRow)} />
    </svg>
  )
}

interface SumProps {
  readonly name: string
  readonly value: number
  readonly x: number
  readonly y: number
}

const Sum = ({ name, value, x, y }: SumProps) => (
  <>
    <text x={0} y={y + 4}>
      <tspan>{name}</tspan>
    </text>
    <circle data-dot cx={x} cy={y} r={3.5} />
    <text x={x + 8} y={y + 4}>
      <tspan>{formatNumber(value)}</tspan>
    </text>
  </>
)
