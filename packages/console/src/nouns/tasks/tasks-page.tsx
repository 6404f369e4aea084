import type { Task } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'

import { fromList } from '#data/order.ts'
import { type Search, stringifySearch } from '#data/search.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { useCreateDialog } from '#kit/form/create-dialog.ts'
import { useKeptState } from '#kit/form/draft.ts'
import { IconPlus } from '#kit/icons/index.tsx'
import { ExportButton } from '#kit/list/export-button.tsx'
import { useFilters } from '#kit/list/filters.ts'
import { ListPage } from '#kit/list/list-page.tsx'
import { useSort } from '#kit/list/sort.ts'
import { usePeek } from '#kit/list/use-peek.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { t } from '#text/index.ts'

import { taskSummaryQuery } from './queries.ts'
import { taskGroupings } from './task-groups.ts'
import { TaskPeek } from './task-peek.tsx'
import { TaskRail } from './task-rail.tsx'
import { TaskRows } from './task-rows.tsx'
import { taskFields, taskSorts, useTaskView, useTaskViews } from './task-views.ts'

const NewTaskDialog = lazyRouteComponent(() => import('./task-dialog.tsx'), 'NewTaskDialog')
const EditTaskDialog = lazyRouteComponent(() => import('./task-dialog.tsx'), 'EditTaskDialog')

/** The tasks of all projects. Each view has its own selection and peek. */
export function TasksPage() {
  const { view, query, isOpen } = useTaskView()
  return <Tasks key={view} viewQuery={query} isOpen={isOpen} />
}

interface Props {
  /** The filter of the view. */
  readonly viewQuery: Search
  /** Whether the view shows open tasks. */
  readonly isOpen: boolean
}

function Tasks({ viewQuery, isOpen }: Props) {
  const fields = taskFields(viewQuery)
  const filters = useFilters(fields.map(({ name }) => name))
  const query = { ...filters.values, ...viewQuery }
  const sort = useSort(taskSorts(useMissingScopeReason('personnel.read') === null))
  const sorted = { ...query, ...sort.query }
  const reason = useMissingScopeReason('projects.manage')
  const dialog = useCreateDialog('task', reason)
  const summary = useQuery(taskSummaryQuery(query))
  const [edited, setEdited] = useKeptState<Task | null>('tasks/edit', null)
  const peek = usePeek<Task>()
  const onOpen = useOpenTask()
  return (
    <ListPage
      title={t('tasks.title')}
      actions={
        <>
          <ExportButton path="/v1/tasks" query={sorted} name="tasks" />
          <ActionButton
            variant="filled"
            leftSection={<IconPlus size={16} />}
            onClick={dialog.open}
            reason={reason}
          >
            {t('tasks.new')}
          </ActionButton>
        </>
      }
      views={useTaskViews()}
      filters={filters}
      fields={fields}
      display={{
        ...(isOpen && { groupings: taskGroupings, noGroup: t('tasks.by-due') }),
        sort,
        printPath: `/print/tasks${stringifySearch(sorted)}`,
      }}
      {...(viewQuery['status'] === undefined && {
        rail: <TaskRail summary={summary.data} filters={filters} />,
      })}
      peek={
        peek.item && (
          <TaskPeek
            key={peek.item.id}
            task={peek.item}
            onOpen={onOpen}
            onClose={peek.close}
            onEdit={setEdited}
          />
        )
      }
    >
      <TaskRows
        query={query}
        sort={sort}
        isOpen={isOpen}
        isFiltered={filters.count > 0}
        peek={peek}
        onOpen={onOpen}
        onEdit={setEdited}
      />
      <LazyDialog isOpen={edited !== null}>
        {edited && <EditTaskDialog task={edited} onClose={() => setEdited(null)} />}
      </LazyDialog>
      <LazyDialog isOpen={dialog.isOpen}>
        <NewTaskDialog onClose={dialog.close} />
      </LazyDialog>
    </ListPage>
  )
}

function useOpenTask() {
  const navigate = useNavigate()
  return useCallback(
    ({ id, project_id }: Task) =>
      void navigate({
        to: '/projects/$project_id/tasks/$task_id',
        params: { project_id, task_id: id },
        search: {},
        state: fromList,
      }),
    [navigate],
  )
}
