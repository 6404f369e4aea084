import { useQuery } from '@tanstack/react-query'

import type { Search } from '#data/search.ts'
import { useWhoami } from '#data/whoami.ts'
import { filterOf, searchFilter } from '#kit/fields/field-filters.ts'
import type { FilterField } from '#kit/list/filter-menu.tsx'
import { lastChange, type SortChoice } from '#kit/list/sort.ts'
import { useView, type ListView } from '#kit/list/views.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { taskFields } from './fields.ts'
import { openTaskStatuses, taskSummaryQuery, taskViewQueries } from './queries.ts'

const finished = new Set(['done', 'cancelled'])

/** The view that the address names, and its filter. */
export function useTaskView() {
  const wanted = useView()
  const me = useWhoami().person?.user_id
  const queries = taskViewQueries(me)
  const view = wanted in queries ? wanted : ''
  return { view, query: queries[view] ?? {}, isOpen: !finished.has(view) }
}

/** The views with their counts; the service counts open tasks only. */
export function useTaskViews(): readonly ListView[] {
  const me = useWhoami().person?.user_id
  const { data: all } = useQuery(taskSummaryQuery({}))
  const { data: unassigned } = useQuery(taskSummaryQuery({ assignee_user_id: 'none' }))
  const { data: mine } = useQuery({
    ...taskSummaryQuery({ assignee_user_id: me ?? '' }),
    enabled: me !== undefined,
  })
  return [
    { key: '', name: t('tasks.view.open'), count: all?.count },
    ...(me === undefined ? [] : [{ key: 'mine', name: t('word.mine'), count: mine?.count }]),
    { key: 'unassigned', name: t('word.unassigned'), count: unassigned?.count },
    { key: 'blocked', name: label('taskStatus', 'blocked'), count: all?.by_status.blocked },
    { key: 'done', name: label('taskStatus', 'done') },
    { key: 'cancelled', name: label('taskStatus', 'cancelled') },
  ]
}

const sorts: readonly SortChoice[] = [
  { value: 'due_on', label: t('word.due') },
  { value: 'title', label: t('task.one') },
  { value: 'assignee', label: t('word.assignee') },
  lastChange,
]

/** Sorting by assignee shows the order of the names. */
export const taskSorts = (seesPeople: boolean): readonly SortChoice[] =>
  seesPeople ? sorts : sorts.filter(({ value }) => value !== 'assignee')

/** The filters of a view, without that of the view. */
export const taskFilters = (viewQuery: Search): readonly FilterField[] =>
  filters.filter(({ name }) => viewQuery[name] === undefined)

const filters: readonly FilterField[] = [
  searchFilter,
  filterOf(taskFields.status, openTaskStatuses),
  { name: 'project_id', label: t('word.project'), kind: 'project' },
  filterOf(taskFields.assignee_user_id),
]
