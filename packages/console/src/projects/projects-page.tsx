import { useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { FilterBar, WordsFilter } from '#ui/filter-bar.tsx'
import { useFilters } from '#ui/filters.ts'
import { Empty, Page } from '#ui/page.tsx'
import { WhileOpen } from '#ui/while-open.tsx'

import { ProjectList } from './project-list.tsx'
import { projectPages } from './queries.ts'

const NewProjectDialog = lazyRouteComponent(
  () => import('./new-project-dialog.tsx'),
  'NewProjectDialog',
)

const filterNames = ['q', 'status']
const orderNames = ['sort']

/** Every project at a glance: how it is doing, and what it is up against. */
export function ProjectsPage() {
  const filters = useFilters(filterNames)
  const order = useFilters(orderNames)
  const [isAdding, setAdding] = useState(false)
  const query = useInfiniteQuery(projectPages({ ...filters.values, ...order.values }))
  const reason = useReasonAgainst('projects.manage')
  const add = (
    <ActionButton onClick={() => setAdding(true)} reason={reason}>
      {t('projects.new')}
    </ActionButton>
  )
  const nothing =
    filters.count > 0 ? (
      <Empty title={t('projects.no-match')} advice={t('projects.no-match.about')} />
    ) : (
      <Empty title={t('projects.none')} advice={t('projects.none.about')}>
        {add}
      </Empty>
    )
  return (
    <Page title={t('projects.title')} actions={add}>
      <FilterBar filters={filters} label={t('projects.filters')}>
        <WordsFilter
          filters={filters}
          name="status"
          label={t('projects.status')}
          set="projectStatus"
        />
      </FilterBar>
      <ProjectList query={query} order={order} empty={nothing} />
      <WhileOpen isOpen={isAdding}>
        <NewProjectDialog onClose={() => setAdding(false)} />
      </WhileOpen>
    </Page>
  )
}
