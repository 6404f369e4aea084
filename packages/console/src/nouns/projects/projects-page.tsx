import type { ListedProject } from '@muster/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useNavigate, useSearch } from '@tanstack/react-router'

import { allItems } from '#data/lists.ts'
import { fromList } from '#data/order.ts'
import { type Search, stringifySearch } from '#data/search.ts'
import { useMissingScopeReason, useWhoami } from '#data/whoami.ts'
import { useCreateDialog } from '#kit/form/create-dialog.ts'
import { IconPlus } from '#kit/icons/index.tsx'
import { ExportButton } from '#kit/list/export-button.tsx'
import type { FilterField } from '#kit/list/filter-menu.tsx'
import { useFilters } from '#kit/list/filters.ts'
import { ListPage } from '#kit/list/list-page.tsx'
import { List } from '#kit/list/list.tsx'
import { lastChange, type SortChoice, useSort } from '#kit/list/sort.ts'
import { usePeek } from '#kit/list/use-peek.ts'
import { useView } from '#kit/list/views.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { usePersonNames } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'

import { PinButton } from './pin-button.tsx'
import { projectColumns } from './project-columns.tsx'
import { ProjectPeek } from './project-peek.tsx'
import { projectCountQuery, projectPages, projectViews } from './queries.ts'

const NewProjectDialog = lazyRouteComponent(
  () => import('./new-project-dialog.tsx'),
  'NewProjectDialog',
)

const fields: readonly FilterField[] = [
  { name: 'q', label: t('filter.search'), kind: 'search' },
  { name: 'status', label: t('projects.status'), kind: 'enum', set: 'projectStatus' },
]

const sorts: readonly SortChoice[] = [
  { value: 'worst', label: t('projects.sort.worst') },
  { value: 'name', label: t('project.name') },
  { value: 'owner', label: t('projects.owner') },
  { value: 'due_on', label: t('projects.due') },
  { value: '-created_at', label: t('projects.sort.newest') },
  lastChange,
]

/** Sorting by owner shows the order of the names. */
const withoutOwner = sorts.filter(({ value }) => value !== 'owner')

export function ProjectsPage() {
  const filters = useFilters(['q', 'status'])
  const view = useView()
  const search = useSearch({ strict: false }) as Search
  const { person } = useWhoami()
  const reason = useMissingScopeReason('projects.manage')
  const dialog = useCreateDialog('project', reason)
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const sort = useSort(seesPeople ? sorts : withoutOwner)
  const query = { ...filters.values, sort: sort.value }
  const add = (
    <ActionButton
      variant="filled"
      leftSection={<IconPlus size={16} />}
      reason={reason}
      onClick={dialog.open}
    >
      {t('projects.new')}
    </ActionButton>
  )
  const isFiltered = filters.count > 0 || view !== ''
  const empty = isFiltered ? (
    <EmptyState title={t('projects.no-match')} advice={t('projects.no-match.about')} />
  ) : (
    <EmptyState title={t('projects.none')} advice={t('projects.none.about')}>
      {add}
    </EmptyState>
  )
  const list = useProjectList({ ...query, view }, person?.user_id ?? '')
  const { test, filters: viewFilters } = projectViews[view] ?? {}
  return (
    <ListPage
      title={t('projects.title')}
      actions={
        <>
          {/* The API cannot export a choice that the console makes. */}
          {test === undefined && (
            <ExportButton
              path="/v1/projects"
              query={{ ...viewFilters, ...query }}
              name={t('projects.file')}
            />
          )}
          {add}
        </>
      }
      views={useViews(person !== null)}
      filters={filters}
      fields={fields}
      display={{
        sort,
        printPath: `/print/projects${stringifySearch({ ...search, sort: sort.value })}`,
      }}
      peek={list.peek}
    >
      <List
        label={t('projects.list')}
        rowHeight={56}
        hasRank={false}
        sort={sort}
        empty={empty}
        {...list.props}
      />
      <LazyDialog isOpen={dialog.isOpen}>
        <NewProjectDialog onClose={dialog.close} />
      </LazyDialog>
    </ListPage>
  )
}

/** The views, with the numbers that one small request gives. */
function useViews(hasPerson: boolean) {
  const all = useQuery(projectCountQuery(''))
  const active = useQuery(projectCountQuery('active'))
  const archived = useQuery(projectCountQuery('archived'))
  return [
    { key: '', name: t('projects.view.all'), count: all.data },
    { key: 'active', name: t('projects.view.active'), count: active.data },
    ...(hasPerson ? [{ key: 'mine', name: t('projects.view.mine') }] : []),
    { key: 'attention', name: t('projects.view.attention') },
    { key: 'archived', name: t('projects.view.archived'), count: archived.data },
  ]
}

function useProjectList(search: Search, userId: string) {
  const source = projectPages({ search, userId })
  const query = useInfiniteQuery(source)
  const projects = allItems(query.data)
  const names = usePersonNames(projects.map(({ owner_user_id }) => owner_user_id))
  const most = Math.max(0, ...projects.map(({ summary }) => summary?.live_risks ?? 0))
  const navigate = useNavigate()
  const open = ({ id }: ListedProject) =>
    void navigate({
      to: '/projects/$project_id',
      params: { project_id: id },
      search: {},
      state: fromList,
    })
  const { item, close, onPeek } = usePeek<ListedProject>()
  // A refetch brings the current state of the open item.
  const peeked = item && (projects.find(({ id }) => id === item.id) ?? item)
  return {
    peek: peeked ? (
      <ProjectPeek project={peeked} names={names} onOpen={() => open(peeked)} onClose={close} />
    ) : undefined,
    props: {
      query,
      source,
      total: query.hasNextPage ? null : projects.length,
      columns: projectColumns({ names, most }),
      onPeek,
      onOpen: open,
      peekedId: peeked?.id ?? null,
      actions: (project: ListedProject) => <PinButton project={project} />,
    },
  }
}
