import { type Column, refOf } from '#kit/list/columns.ts'
import { Title } from '#kit/list/title.tsx'
import { Age } from '#kit/parts/age.tsx'
import { IssueLink } from '#kit/parts/links.tsx'
import { PersonName } from '#kit/parts/person.tsx'
import { SeverityChip } from '#kit/parts/score.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import { formatInstant } from '#text/dates.ts'
import { formatShortAge } from '#text/due.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import type { ListedIssue } from './queries.ts'

const about: readonly Column<ListedIssue>[] = [
  {
    name: t('issues.severity.short'),
    sort: '-severity',
    width: '40px',
    phone: 'lead',
    cell: ({ severity }) => <SeverityChip severity={severity} />,
  },
  { name: t('word.ref'), width: '76px', phone: 'meta', fit: refOf, cell: refOf },
  {
    name: t('word.issue'),
    sort: 'title',
    width: 'minmax(0, 1fr)',
    phone: 'title',
    cell: (issue) => (
      <Title>
        <IssueLink item={issue} />
      </Title>
    ),
  },
  {
    name: t('word.project'),
    width: '160px',
    from: 1100,
    cell: ({ project }) => project.name,
  },
  {
    name: t('word.assignee'),
    sort: 'assignee',
    width: '150px',
    from: 620,
    cell: (issue) => <PersonName name={assigneeName(issue)} missing={t('word.unassigned')} />,
  },
]

const assigneeName = ({ assignee, assignee_user_id }: ListedIssue) =>
  assignee?.name ?? (assignee_user_id === null ? null : t('actor.name.person'))

export const openColumns: readonly Column<ListedIssue>[] = [
  ...about,
  {
    name: t('word.status'),
    width: '104px',
    from: 820,
    cell: ({ status }) => <StatusName set="issueStatus" status={status} />,
  },
  {
    name: t('issues.open-for'),
    sort: 'opened_at',
    isSortReversed: true,
    width: '56px',
    from: 820,
    cell: ({ opened_at }) => (
      <span title={formatInstant(opened_at)}>{formatShortAge(opened_at)}</span>
    ),
  },
  {
    name: t('word.due'),
    sort: 'due_on',
    width: '96px',
    phone: 'end',
    cell: ({ due_on }) => <When day={due_on} />,
  },
]

export const closedColumns: readonly Column<ListedIssue>[] = [
  ...about,
  {
    name: t('issue.close-reason'),
    width: '104px',
    from: 820,
    cell: ({ close_reason }) => close_reason && label('issueCloseReason', close_reason),
  },
  {
    name: t('word.closed'),
    sort: '-closed_at',
    width: '104px',
    phone: 'end',
    cell: ({ closed_at }) => <Age at={closed_at} />,
  },
]
