import type { ListedProject } from '@muster/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'

import { projectAddress } from '#data/addresses.ts'
import { allItems } from '#data/lists.ts'
import { useCountsNote, useNewProjectReason, useWhoami } from '#data/whoami.ts'
import { type CreateButton, useCreateButton } from '#kit/form/create-button.tsx'
import { useListQuery } from '#kit/list/list-query.ts'
import { RecordList } from '#kit/list/record-list.tsx'
import { useView } from '#kit/list/views.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

import { PinButton } from './pin-button.tsx'
import { projectColumns } from './project-columns.tsx'
import { NewProjectDialog } from './project-dialogs.ts'
import { ProjectPeek } from './project-peek.tsx'
import { projectFilters, useProjectSorts, useProjectViews } from './project-views.ts'
import { projectPages, projectViews } from './queries.ts'

export function ProjectsPage() {
  const view = useView()
  const { test, filters: viewFilters } = projectViews[view] ?? {}
  const list = useListQuery({ fields: projectFilters, sorts: useProjectSorts() })
  // A filter of the user comes before that of the view. The list has an order of its own.
  const query = { ...viewFilters, ...list.filter, sort: list.sort.value }
  const userId = useWhoami().person?.user_id ?? ''
  const pages = projectPages({ search: { ...query, view }, userId })
  const { data, hasNextPage } = useInfiniteQuery({ ...pages, placeholderData: keepPreviousData })
  const projects = allItems(data)
  const most = Math.max(0, ...projects.map(({ summary }) => summary?.live_risks ?? 0))
  const create = useCreateButton({ ...newProject, reason: useNewProjectReason() })
  return (
    <RecordList<ListedProject>
      title={t('projects.title')}
      note={useCountsNote()}
      list={{ ...list, query }}
      views={useProjectViews()}
      // The API cannot export a choice that the console makes.
      file={test === undefined ? { path: '/v1/projects', name: t('projects.file') } : null}
      print={{ path: '/print/projects', query: { view } }}
      create={create}
      rows={{
        label: t('projects.title'),
        columns: projectColumns(most),
        rowHeight: 56,
        hasRank: false,
        actions: (project) => <PinButton project={project} />,
        empty: <NoProjects isFiltered={list.isFiltered || view !== ''} create={create} />,
      }}
      pages={pages}
      total={hasNextPage ? null : projects.length}
      linkTo={projectAddress}
      peek={(props) => <ProjectPeek {...props} />}
    />
  )
}

const newProject = {
  noun: 'project',
  label: t('projects.new'),
  scope: 'projects.manage',
  Dialog: NewProjectDialog,
} as const

interface NoProjectsProps {
  readonly isFiltered: boolean
  readonly create: CreateButton
}

const NoProjects = ({ isFiltered, create }: NoProjectsProps) =>
  isFiltered ? (
    <EmptyState title={t('projects.no-match')} advice={t('projects.no-match.about')} />
  ) : (
    <EmptyState title={t('projects.none')} advice={t('projects.none.about')}>
      {create.button}
    </EmptyState>
  )
