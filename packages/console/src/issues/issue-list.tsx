import type { OpenIssue } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'

import type { Pages } from '#api/lists.ts'
import { formatAge, formatDay, formatInstant } from '#text/dates.ts'
import { formatNumber, t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { Flags, SeverityBadge } from '#ui/level.tsx'
import { AnchorLink, ButtonLink, IssueLink } from '#ui/links.tsx'
import { ListSection } from '#ui/list-section.tsx'
import { EmptyState } from '#ui/page.tsx'
import { type Column, VirtualTable } from '#ui/virtual-table.tsx'

const columns: readonly Column<OpenIssue>[] = [
  {
    name: t('issues.rank'),
    width: '44px',
    cell: ({ rank }) => <span className="number">{formatNumber(rank)}</span>,
  },
  {
    name: t('issues.severity'),
    width: '60px',
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
  },
  {
    name: t('issues.issue'),
    width: 'minmax(160px, 3fr)',
    isUnlabelled: true,
    cell: ({ id, project_id, ref, title }) => (
      <IssueLink id={id} project_id={project_id} inherit>
        {ref} {title}
      </IssueLink>
    ),
  },
  {
    name: t('issues.project'),
    width: 'minmax(80px, 1fr)',
    cell: ({ project }) => (
      <AnchorLink to="/projects/$project_id" params={{ project_id: project.id }} inherit>
        {project.name}
      </AnchorLink>
    ),
  },
  {
    name: t('issues.assignee'),
    width: 'minmax(80px, 1fr)',
    cell: ({ assignee, assignee_user_id }) =>
      assignee?.name ?? assignee_user_id ?? t('person.none'),
  },
  {
    name: t('issues.status'),
    width: '84px',
    cell: ({ status }) => label('issueStatus', status),
  },
  {
    name: t('issues.opened'),
    width: '100px',
    cell: ({ opened_at }) => <span title={formatInstant(opened_at)}>{formatAge(opened_at)}</span>,
  },
  {
    name: t('issues.due'),
    width: '100px',
    cell: ({ due_on }) => due_on && formatDay(due_on),
  },
  {
    name: t('issues.flags'),
    width: '84px',
    cell: ({ flags }) => <Flags set="issueFlag" flags={flags} />,
  },
]

interface Props {
  readonly query: UseInfiniteQueryResult<Pages<OpenIssue>>
  readonly total: number | null
  readonly isFiltered: boolean
}

/** Open issues: highest severity first, then oldest first. */
export function IssueList({ query, total, isFiltered }: Props) {
  return (
    <ListSection
      title={t('issues.list')}
      count={total === null ? '' : t('issues.count', { count: total })}
    >
      <VirtualTable
        label={t('issues.list')}
        columns={columns}
        query={query}
        total={total}
        empty={isFiltered ? <NoMatches /> : <NoIssues />}
      />
    </ListSection>
  )
}

function NoMatches() {
  return <EmptyState title={t('issues.no-match')} advice={t('issues.no-match.about')} />
}

function NoIssues() {
  return (
    <EmptyState title={t('issues.none')} advice={t('issues.none.about')}>
      <ButtonLink to="/projects" search={{}} variant="default">
        {t('issues.none.projects')}
      </ButtonLink>
    </EmptyState>
  )
}
