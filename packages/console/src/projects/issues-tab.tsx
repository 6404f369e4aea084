import type { Issue, Project } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'

import { allItems } from '#api/lists.ts'
import { formatDay } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { EnumFilter } from '#ui/filter-bar.tsx'
import { useFilters } from '#ui/filters.ts'
import { Flags, SeverityBadge } from '#ui/level.tsx'
import { AnchorLink, IssueLink } from '#ui/links.tsx'
import { PersonLink, usePersonNames } from '#ui/people.tsx'
import type { Column } from '#ui/virtual-table.tsx'

import { ListTab } from './list-tab.tsx'
import { issuesInProject } from './queries.ts'

const NewIssueDialog = lazyRouteComponent(
  () => import('#issues/new-issue-dialog.tsx'),
  'NewIssueDialog',
)

const columnsWith = (names: ReadonlyMap<string, string>): readonly Column<Issue>[] => [
  {
    name: t('project.col.severity'),
    width: 'minmax(0, 0.7fr)',
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
  },
  {
    name: t('project.col.issue'),
    width: 'minmax(0, 3fr)',
    isUnlabelled: true,
    cell: ({ id, project_id, ref, title }) => (
      <IssueLink id={id} project_id={project_id} inherit>
        {ref} {title}
      </IssueLink>
    ),
  },
  {
    name: t('project.col.assignee'),
    width: 'minmax(0, 1.2fr)',
    cell: ({ assignee_user_id }) => <PersonLink userId={assignee_user_id} names={names} />,
  },
  {
    name: t('project.col.status'),
    width: 'minmax(0, 0.9fr)',
    cell: ({ status }) => label('issueStatus', status),
  },
  {
    name: t('project.col.due'),
    width: 'minmax(0, 1fr)',
    cell: ({ due_on }) => (due_on === null ? t('project.no-date') : formatDay(due_on)),
  },
  {
    name: t('project.col.flags'),
    width: 'minmax(0, 1fr)',
    isUnlabelled: true,
    cell: ({ flags }) => <Flags set="issueFlag" flags={flags} />,
  },
]

/** All issues of the project, including closed ones. */
export function IssuesTab({ project }: { readonly project: Project }) {
  const filters = useFilters(['status'])
  const query = useInfiniteQuery(issuesInProject(project.id, filters.values))
  const names = usePersonNames(allItems(query.data).map(({ assignee_user_id }) => assignee_user_id))
  return (
    <ListTab
      project={project}
      title={t('project.tab.issues')}
      relatedLink={
        <AnchorLink to="/issues" search={{ project_id: project.id }} size="sm">
          {t('project.in-issues')}
        </AnchorLink>
      }
      filters={filters}
      fields={
        <EnumFilter
          filters={filters}
          name="status"
          label={t('project.col.status')}
          set="issueStatus"
        />
      }
      columns={columnsWith(names)}
      query={query}
      emptyState={{ title: t('project.issues.none'), advice: t('project.issues.none.about') }}
      add={{ text: t('project.issue.new'), Dialog: NewIssueDialog }}
    />
  )
}
