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
  /** Null if the counts are unknown, such as after a failed request. */
  readonly parts: readonly BarPart[] | null
  readonly isPressed: boolean
  /** Sets or removes the filter. */
  readonly onClick: () => void
}

/** Counts as bars. A bar sets a filter; an empty one is not a button. */
export function Bars({ bars }: { readonly bars: readonly Bar[] }) {
  const largest = Math.max(1, ...bars.map((bar) => countOf(bar) ?? 0))
  return (
    <ul className={classes.bars}>
      {bars.map((bar) => {
        const count = countOf(bar)
        const content = (
          <>
            <span className="cut" title={bar.name}>
              {bar.name}
            </span>
            <span className={classes.track} aria-hidden>
              {bar.parts?.map((part) => (
                <span
                  key={part.level ?? 'all'}
                  data-level={part.level}
                  style={{ width: `${(100 * part.count) / largest}%` }}
                />
              ))}
            </span>{' '}
            <span className={classes.count}>{count === null ? '—' : formatNumber(count)}</span>
          </>
        )
        return (
          <li key={bar.name}>
            {(count === 0 || count === null) && !bar.isPressed ? (
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

const countOf = ({ parts }: Bar) =>
  parts === null ? null : parts.reduce((sum, { count }) => sum + count, 0)
