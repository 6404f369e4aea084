import { Badge, Group } from '@mantine/core'
import type { Risk } from '@muster/contract'

import { t } from '#text/index.ts'
import { label, type LabelSet } from '#text/labels.ts'

interface LevelProps {
  readonly level: string
  readonly children?: string | number
}

/** A level or a score in the colour of the level. The title names the level. */
export function LevelBadge({ level, children }: LevelProps) {
  const name = label('level', level)
  return (
    <span className="level" data-level={level} title={name}>
      {children ?? name}
    </span>
  )
}

/** The level whose colour a severity or an impact has. */
const ratingLevel = (rating: number) =>
  (['low', 'low', 'medium', 'high', 'critical'] as const)[rating - 1] ?? 'low'

interface SeverityProps {
  readonly severity: number
  readonly children?: string
}

/** A severity in the colour of its level. */
export const SeverityBadge = ({ severity, children }: SeverityProps) => (
  <LevelBadge level={ratingLevel(severity)}>{children ?? severity}</LevelBadge>
)

interface FlagsProps {
  readonly set: LabelSet
  readonly flags: readonly string[]
}

export function Flags({ set, flags }: FlagsProps) {
  return flags.map((flag) => (
    <span key={flag} className="flag">
      {label(set, flag)}
    </span>
  ))
}

interface StatusProps {
  readonly set: LabelSet
  readonly status: string
}

export function StatusBadge({ set, status }: StatusProps) {
  return (
    <Badge variant="default" tt="none" size="md">
      {label(set, status)}
    </Badge>
  )
}

interface ChangeProps {
  readonly score: number
  readonly previous: number | null
}

/** The last change of the score. */
export function ScoreChange({ score, previous }: ChangeProps) {
  if (previous === null || previous === score) return null
  const by = score - previous
  const text = by > 0 ? t('score.up', { by }) : t('score.down', { by: -by })
  return (
    <span className="number" role="img" aria-label={text} title={text}>
      {by > 0 ? `▲ ${by}` : `▼ ${-by}`}
    </span>
  )
}

interface ScoreProps {
  readonly risk: Pick<Risk, 'score' | 'level' | 'previous_score'>
}

export const Score = ({ risk: { score, level, previous_score } }: ScoreProps) => (
  <Group gap={6} wrap="nowrap">
    <LevelBadge level={level}>{score}</LevelBadge>
    <ScoreChange score={score} previous={previous_score} />
  </Group>
)
