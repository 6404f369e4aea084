import type { Assignment } from '@muster/contract'

import { daysUntil } from '#text/due.ts'
import { t } from '#text/index.ts'
import { label, type LabelSet } from '#text/labels.ts'
import { AnchorLink, IssueLink, RiskLink, TaskLink } from '#ui/links.tsx'
import type { Column } from '#ui/list/columns.ts'
import type { ListSection } from '#ui/list/sectioned-list.tsx'
import { Title } from '#ui/list/title.tsx'
import { Flags } from '#ui/parts/flags.tsx'
import { ScoreChip, SeverityChip } from '#ui/parts/score.tsx'
import { StatusGlyph, StatusName } from '#ui/parts/status.tsx'
import { When } from '#ui/parts/when.tsx'

import classes from './people.module.css'

const statusSets = {
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
      title={`${label('assignment', type)}: ${label(statusSets[type], status)}`}
    >
      <StatusGlyph status={status} />
    </span>
  )
}

export function WorkLink({ item: { type, id, project_id, title } }: Props) {
  const link = { id, project_id, inherit: true, children: title }
  if (type === 'risk') return <RiskLink {...link} />
  if (type === 'issue') return <IssueLink {...link} />
  if (type === 'task') return <TaskLink {...link} />
  return (
    <AnchorLink to="/projects/$project_id" params={{ project_id }} search={{}} inherit>
      {title}
    </AnchorLink>
  )
}

export const workColumns: readonly Column<Assignment>[] = [
  {
    name: t('person.assigned.rating'),
    width: '30px',
    isNameHidden: true,
    phone: 'lead',
    cell: (item) => <WorkGlyph item={item} />,
  },
  {
    name: t('person.assigned.ref'),
    width: '76px',
    phone: 'meta',
    cell: ({ ref }) => ref,
  },
  {
    name: t('person.assigned.what'),
    width: 'minmax(0, 1fr)',
    phone: 'title',
    cell: (item) => (
      <Title
        end={
          <Flags
            set={item.type === 'risk' ? 'riskFlag' : 'issueFlag'}
            flags={item.flags}
            except={['overdue', 'review_overdue']}
          />
        }
      >
        <WorkLink item={item} />
      </Title>
    ),
  },
  {
    name: t('person.assigned.status'),
    width: '104px',
    from: 620,
    cell: ({ type, status }) => <StatusName set={statusSets[type]} status={status} />,
  },
  {
    name: t('person.assigned.due'),
    width: '88px',
    phone: 'end',
    cell: ({ due_on }) => <When day={due_on} />,
  },
]

const due = {
  overdue: (days: number) => days < 0,
  week: (days: number) => days >= 0 && days <= 7,
  later: (days: number) => days > 7,
}

/** By due date: overdue, within a week, later, and without a date. The earliest comes first. */
export function workSections(items: readonly Assignment[]): ListSection<Assignment>[] {
  const dated = items.toSorted((a, b) => (a.due_on ?? '').localeCompare(b.due_on ?? ''))
  const within = (isIn: (days: number) => boolean) =>
    dated.filter(({ due_on }) => due_on !== null && isIn(daysUntil(due_on)))
  return [
    { key: 'overdue', name: t('person.due.overdue'), items: within(due.overdue) },
    { key: 'week', name: t('person.due.week'), items: within(due.week) },
    { key: 'later', name: t('person.due.later'), items: within(due.later) },
    {
      key: 'none',
      name: t('person.due.none'),
      items: dated.filter(({ due_on }) => due_on === null),
    },
  ]
}
