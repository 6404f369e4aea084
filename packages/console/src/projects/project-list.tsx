import { NativeSelect } from '@mantine/core'
import type { ListedProject } from '@muster/contract'
import { type UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { allItems, type Pages } from '#api/lists.ts'
import { formatDay } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import type { Filters } from '#ui/filters.ts'
import { AnchorLink } from '#ui/links.tsx'
import { ListSection } from '#ui/list-section.tsx'
import { PersonLink, usePersonNames } from '#ui/people.tsx'
import { type Column, VirtualTable } from '#ui/virtual-table.tsx'

import { Health } from './health.tsx'
import { totalCount } from './queries.ts'
import { HighestScore, OpenIssues, RisksByLevel } from './summary.tsx'

const columnsWith = (names: ReadonlyMap<string, string>): readonly Column<ListedProject>[] => [
  {
    name: t('projects.project'),
    width: 'minmax(0, 2.2fr)',
    isUnlabelled: true,
    cell: ({ id, code, name }) => (
      <AnchorLink to="/projects/$project_id" params={{ project_id: id }} search={{}} inherit>
        {code} {name}
      </AnchorLink>
    ),
  },
  {
    name: t('projects.status'),
    width: 'minmax(0, 0.9fr)',
    cell: ({ status }) => label('projectStatus', status),
  },
  {
    name: t('projects.health'),
    width: 'minmax(0, 1.3fr)',
    cell: (project) => <Health project={project} />,
  },
  {
    name: t('projects.score'),
    width: 'minmax(0, 1fr)',
    cell: ({ summary }) => summary && <HighestScore summary={summary} />,
  },
  {
    name: t('projects.risks'),
    width: 'minmax(0, 1.2fr)',
    cell: ({ summary }) => summary && <RisksByLevel summary={summary} />,
  },
  {
    name: t('projects.issues'),
    width: 'minmax(0, 1fr)',
    cell: ({ summary }) => summary && <OpenIssues summary={summary} />,
  },
  {
    name: t('projects.owner'),
    width: 'minmax(0, 1.2fr)',
    cell: ({ owner_user_id }) => <PersonLink userId={owner_user_id} names={names} />,
  },
  {
    name: t('projects.due'),
    width: 'minmax(0, 1fr)',
    cell: ({ due_on }) => (due_on === null ? t('project.no-date') : formatDay(due_on)),
  },
]

interface Props {
  readonly query: UseInfiniteQueryResult<Pages<ListedProject>>
  /** The sort order, which clearing the filters keeps. */
  readonly order: Filters
  readonly empty: ReactNode
}

const orders = ['created_at', '-created_at', 'name', '-updated_at'] as const

export function ProjectList({ query, order, empty }: Props) {
  const projects = allItems(query.data)
  const names = usePersonNames(projects.map(({ owner_user_id }) => owner_user_id))
  const total = totalCount(query.data)
  return (
    <ListSection
      title={t('projects.list')}
      count={total === null ? '' : t('projects.count', { count: total })}
      rightSection={
        <NativeSelect
          label={t('projects.sort')}
          className="no-print"
          value={order.values['sort'] ?? orders[0]}
          data={orders.map((value) => ({ value, label: t(`projects.sort.${value}`) }))}
          onChange={({ currentTarget: { value } }) =>
            order.set({ sort: value === orders[0] ? null : value })
          }
        />
      }
    >
      <VirtualTable
        label={t('projects.list')}
        columns={columnsWith(names)}
        query={query}
        total={total}
        empty={empty}
        rowHeight={72}
      />
    </ListSection>
  )
}
