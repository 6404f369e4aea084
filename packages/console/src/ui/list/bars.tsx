import { UnstyledButton } from '@mantine/core'

import { formatNumber } from '#text/index.ts'

import classes from './bars.module.css'

interface BarPart {
  /** The level whose colour the part has; none for a neutral one. */
  readonly level?: string
  readonly count: number
}

export interface Bar {
  readonly name: string
  readonly parts: readonly BarPart[]
  readonly isPressed: boolean
  /** Sets or removes the filter. */
  readonly onClick: () => void
}

/** Counts as bars. A bar sets a filter; an empty one is not a button. */
export function Bars({ bars }: { readonly bars: readonly Bar[] }) {
  const largest = Math.max(1, ...bars.map(countOf))
  return (
    <ul className={classes.bars}>
      {bars.map((bar) => {
        const count = countOf(bar)
        const content = (
          <>
            <span className={classes.name} title={bar.name}>
              {bar.name}
            </span>
            <span className={classes.track} aria-hidden>
              {bar.parts.map((part) => (
                <span
                  key={part.level ?? 'all'}
                  data-level={part.level}
                  style={{ width: `${(100 * part.count) / largest}%` }}
                />
              ))}
            </span>{' '}
            <span className={classes.count}>{formatNumber(count)}</span>
          </>
        )
        return (
          <li key={bar.name}>
            {count === 0 && !bar.isPressed ? (
              <div className={classes.bar}>{content}</div>
            ) : (
              <UnstyledButton
                className={classes.bar}
                aria-pressed={bar.isPressed}
                onClick={bar.onClick}
              >
                {content}
              </UnstyledButton>
            )}
          </li>
        )
      })}
    </ul>
  )
}

const countOf = ({ parts }: Bar) => parts.reduce((sum, { count }) => sum + count, 0)
