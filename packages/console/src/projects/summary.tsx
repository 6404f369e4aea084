import { Group, Text } from '@mantine/core'
import type { Level, ProjectSummary } from '@muster/contract'

import { formatNumber, t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { LevelBadge, SeverityBadge } from '#ui/level.tsx'

const worstFirst: readonly Level[] = ['critical', 'high', 'medium', 'low']

interface Props {
  readonly summary: ProjectSummary
}

/** The highest score in the colour of its level. */
export function HighestScore({ summary }: Props) {
  const { highest_score, risks_by_level } = summary
  const level = worstFirst.find((each) => risks_by_level[each] > 0)
  if (highest_score === null || level === undefined) return <None />
  return (
    <Group gap={6} component="span">
      <LevelBadge level={level}>{highest_score}</LevelBadge>
      <Text span size="xs" c="dimmed">
        {label('level', level)}
      </Text>
    </Group>
  )
}

/** Counts of live risks by level, highest first. Levels without risks are left out. */
export function RisksByLevel({ summary }: Props) {
  const counts = worstFirst.filter((level) => summary.risks_by_level[level] > 0)
  if (counts.length === 0) return <None />
  return counts
    .map((level) => {
      const name = label('level', level).toLowerCase()
      return t('projects.level-count', { count: summary.risks_by_level[level], level: name })
    })
    .join(', ')
}

/** The number of open issues and their highest severity. */
export function OpenIssues({ summary }: Props) {
  const { open_issues, highest_severity } = summary
  if (open_issues === 0 || highest_severity === null) return <None />
  return (
    <Group gap={6} component="span">
      <span className="number">{formatNumber(open_issues)}</span>
      <Text span size="xs" c="dimmed">
        {t('projects.severity')}
      </Text>
      <SeverityBadge severity={highest_severity} />
    </Group>
  )
}

function None() {
  return (
    <Text span c="dimmed" inherit>
      {t('project.none-live')}
    </Text>
  )
}
