import { useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { EnumFilter, FilterBar } from '#ui/filter-bar.tsx'
import { useFilters } from '#ui/filters.ts'
import { LazyDialog } from '#ui/lazy-dialog.tsx'
import { EmptyState, Page } from '#ui/page.tsx'

import { ProjectList } from './project-list.tsx'
import { projectPages } from './queries.ts'

const NewProjectDialog = lazyRouteComponent(
  () => import('./new-project-dialog.tsx'),
  'NewProjectDialog',
)

const filterNames = ['q', 'status']
const orderNames = ['sort']

export function ProjectsPage() {
  const filters = useFilters(filterNames)
  const order = useFilters(orderNames)
  const [isAdding, setAdding] = useState(false)
  const query = useInfiniteQuery(projectPages({ ...filters.values, ...order.values }))
  const reason = useMissingScopeReason('projects.manage')
  const add = (
    <ActionButton onClick={() => setAdding(true)} reason={reason}>
      {t('projects.new')}
    </ActionButton>
  )
  const empty =
    filters.count > 0 ? (
      <EmptyState title={t('projects.no-match')} advice={t('projects.no-match.about')} />
    ) : (
      <EmptyState title={t('projects.none')} advice={t('projects.none.about')}>
        {add}
      </EmptyState>
    )
  return (
    <Page title={t('projects.title')} actions={add}>
      <FilterBar filters={filters} label={t('projects.filters')}>
        <EnumFilter
          filters={filters}
          name="status"
          label={t('projects.status')}
          set="projectStatus"
        />
      </FilterBar>
      <ProjectList query={query} order={order} empty={empty} />
      <LazyDialog isOpen={isAdding}>
        <NewProjectDialog onClose={() => setAdding(false)} />
      </LazyDialog>
    </Page>
  )
}
