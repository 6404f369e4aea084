import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import classes from './parts.module.css'

interface ScoreChipProps {
  readonly score: number
  readonly level: string
  /** Also shows the name of the level, as at the head of a record. */
  readonly withWord?: boolean
}

/** A score in the colour of its level. */
export function ScoreChip({ score, level, withWord = false }: ScoreChipProps) {
  const name = label('level', level)
  return (
    <span className={classes.chip} data-level={level} data-words={withWord} title={name}>
      {score} {withWord && <span>{name}</span>}
    </span>
  )
}

/** The level whose colour a severity or an impact has. */
export const ratingLevel = (rating: number) =>
  (['low', 'low', 'medium', 'high', 'critical'] as const)[rating - 1] ?? 'low'

interface SeverityChipProps {
  readonly severity: number
  readonly children?: string
}

/** A severity in the colour of its level. */
export const SeverityChip = ({ severity, children }: SeverityChipProps) => (
  <span
    className={classes.chip}
    data-level={ratingLevel(severity)}
    data-words={children !== undefined}
    title={`${t('issues.severity')} ${severity}`}
  >
    {children ?? severity}
  </span>
)

interface TrendProps {
  readonly score: number
  readonly previous: number | null
}

/** The change since the last review. */
export function Trend({ score, previous }: TrendProps) {
  if (previous === null || previous === score) return null
  const by = score - previous
  const text = by > 0 ? t('score.up', { by }) : t('score.down', { by: -by })
  return (
    <span className={classes.trend} data-worse={by > 0} role="img" aria-label={text} title={text}>
      {by > 0 ? `↑ ${by}` : `↓ ${-by}`}
    </span>
  )
}
