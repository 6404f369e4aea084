import type { Project, Risk } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'

import { allItems } from '#api/lists.ts'
import { formatDay } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { EnumFilter } from '#ui/filter-bar.tsx'
import { useFilters } from '#ui/filters.ts'
import { Flags, Score } from '#ui/level.tsx'
import { AnchorLink, RiskLink } from '#ui/links.tsx'
import { PersonLink, usePersonNames } from '#ui/people.tsx'
import type { Column } from '#ui/virtual-table.tsx'

import { ListTab } from './list-tab.tsx'
import { risksInProject } from './queries.ts'

const NewRiskDialog = lazyRouteComponent(
  () => import('#risks/new-risk-dialog.tsx'),
  'NewRiskDialog',
)

const columnsWith = (names: ReadonlyMap<string, string>): readonly Column<Risk>[] => [
  {
    name: t('project.col.score'),
    width: 'minmax(0, 0.8fr)',
    cell: (risk) => <Score risk={risk} />,
  },
  {
    name: t('project.col.risk'),
    width: 'minmax(0, 3fr)',
    isUnlabelled: true,
    cell: ({ id, project_id, ref, title }) => (
      <RiskLink id={id} project_id={project_id} inherit>
        {ref} {title}
      </RiskLink>
    ),
  },
  {
    name: t('project.col.owner'),
    width: 'minmax(0, 1.2fr)',
    cell: ({ owner_user_id }) => <PersonLink userId={owner_user_id} names={names} />,
  },
  {
    name: t('project.col.status'),
    width: 'minmax(0, 0.9fr)',
    cell: ({ status }) => label('riskStatus', status),
  },
  {
    name: t('project.col.response'),
    width: 'minmax(0, 0.9fr)',
    cell: ({ response }) => label('riskResponse', response),
  },
  {
    name: t('project.col.review'),
    width: 'minmax(0, 1fr)',
    cell: ({ review_on }) => (review_on === null ? t('project.no-date') : formatDay(review_on)),
  },
  {
    name: t('project.col.flags'),
    width: 'minmax(0, 1.4fr)',
    isUnlabelled: true,
    cell: ({ flags }) => <Flags set="riskFlag" flags={flags} />,
  },
]

/** All risks of the project, including occurred and closed ones. */
export function RisksTab({ project }: { readonly project: Project }) {
  const filters = useFilters(['status'])
  const query = useInfiniteQuery(risksInProject(project.id, filters.values))
  const names = usePersonNames(allItems(query.data).map(({ owner_user_id }) => owner_user_id))
  return (
    <ListTab
      project={project}
      title={t('project.tab.risks')}
      relatedLink={
        <AnchorLink to="/risks" search={{ project_id: project.id }} size="sm">
          {t('project.in-register')}
        </AnchorLink>
      }
      filters={filters}
      fields={
        <EnumFilter
          filters={filters}
          name="status"
          label={t('project.col.status')}
          set="riskStatus"
        />
      }
      columns={columnsWith(names)}
      query={query}
      emptyState={{ title: t('project.risks.none'), advice: t('project.risks.none.about') }}
      add={{ text: t('project.risk.new'), Dialog: NewRiskDialog }}
    />
  )
}
