import type { Level } from '@muster/contract'

import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import classes from './level-bar.module.css'

const worstFirst: readonly Level[] = ['critical', 'high', 'medium', 'low']

interface Props {
  readonly counts: Readonly<Record<Level, number>>
  /** The count that fills the whole width; by default the sum of the counts. */
  readonly most?: number
}

/** Counts by level in words, highest first. */
export const levelCounts = (counts: Props['counts']) =>
  worstFirst
    .filter((level) => counts[level] > 0)
    .map((level) =>
      t('level.count', { count: counts[level], level: label('level', level).toLowerCase() }),
    )
    .join(', ')

/** Counts by level as a bar. Screen readers and the tooltip have them in words. */
export function LevelBar({ counts, most }: Props) {
  const sum = worstFirst.reduce((total, level) => total + counts[level], 0)
  if (sum === 0) return null
  const words = levelCounts(counts)
  return (
    <span
      className={classes.bar}
      role="img"
      aria-label={words}
      title={words}
      style={{ width: `${(100 * sum) / Math.max(most ?? sum, sum)}%` }}
    >
      {worstFirst
        .filter((level) => counts[level] > 0)
        .map((level) => (
          <i key={level} data-level={level} style={{ flexGrow: counts[level] }} />
        ))}
    </span>
  )
}
