import type { Assignment } from '@muster/contract'

import { projectAddress } from '#data/addresses.ts'
import { Flags } from '#kit/parts/flags.tsx'
import { AnchorLink, IssueLink, RiskLink, TaskLink } from '#kit/parts/links.tsx'
import { ScoreChip, SeverityChip } from '#kit/parts/score.tsx'
import { StatusGlyph } from '#kit/parts/status.tsx'
import { label, type LabelSet } from '#text/labels.ts'

import { Title } from './title.tsx'

import classes from './work.module.css'

export const workStatusSets = {
  project: 'projectStatus',
  risk: 'riskStatus',
  issue: 'issueStatus',
  task: 'taskStatus',
} as const satisfies Record<Assignment['type'], LabelSet>

interface Props {
  readonly item: Assignment
}

/** The score, the severity or the status of an item of work. */
export function WorkGlyph({ item: { type, status, score, level, severity } }: Props) {
  if (score !== null && level !== null) return <ScoreChip score={score} level={level} />
  if (severity !== null) return <SeverityChip severity={severity} />
  return (
    <span
      className={classes.glyph}
      title={`${label('assignment', type)}: ${label(workStatusSets[type], status)}`}
    >
      <StatusGlyph status={status} />
    </span>
  )
}

/** A column has the late date, so these flags are not repeated. */
const shownElsewhere = ['overdue', 'review_overdue']

/** The title of an item of work as a link, and its flags. */
export function WorkTitle({ item }: Props) {
  const set = item.type === 'risk' ? 'riskFlag' : 'issueFlag'
  return (
    <Title end={<Flags set={set} flags={item.flags} except={shownElsewhere} />}>
      <WorkLink item={item} />
    </Title>
  )
}

export function WorkLink({ item }: Props) {
  if (item.type === 'risk') return <RiskLink item={item} />
  if (item.type === 'issue') return <IssueLink item={item} />
  if (item.type === 'task') return <TaskLink item={item} />
  return (
    <AnchorLink {...projectAddress({ id: item.project_id })} inherit>
      {item.title}
    </AnchorLink>
  )
}
