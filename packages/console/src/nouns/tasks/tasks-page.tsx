import type { Task, TaskPatch, TaskSummary } from '@muster/contract'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { taskAddress } from '#data/addresses.ts'
import { client } from '#data/client.ts'
import { cachedItems } from '#data/lists.ts'
import type { Search } from '#data/search.ts'
import { useCountsNote, useMissingScopeReason } from '#data/whoami.ts'
import { useCreateButton } from '#kit/form/create-button.tsx'
import { runBulk } from '#kit/list/bulk.tsx'
import { type ListAddress, useListQuery } from '#kit/list/list-query.ts'
import { RecordList } from '#kit/list/record-list.tsx'
import type { Selection } from '#kit/list/selection.ts'
import type { ListSort } from '#kit/list/sort.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { invalidates } from './actions.ts'
import { taskPages, taskSummaryQuery } from './queries.ts'
import { TaskRowActions } from './task-actions.tsx'
import { taskColumns } from './task-columns.tsx'
import { NewTaskDialog, useTaskDialogs } from './task-dialogs.ts'
import { isCounted, taskGroupings, taskGroups, useDueGroups } from './task-groups.ts'
import { TaskPeek } from './task-peek.tsx'
import { TaskRail } from './task-rail.tsx'
import { taskFilters, taskSorts, useTaskView, useTaskViews } from './task-views.ts'

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
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const canChange = useMissingScopeReason('projects.manage') === null && isOpen
  const list = useListQuery({
    fields: taskFilters(viewQuery),
    sorts: taskSorts(seesPeople),
    viewQuery,
  })
  const { query } = list
  const counts = useQuery(taskSummaryQuery(query))
  const { open, dialog } = useTaskDialogs('tasks/dialog')
  return (
    <RecordList<Task>
      title={t('tasks.title')}
      note={useCountsNote()}
      list={list}
      views={useTaskViews()}
      file={{ path: '/v1/tasks', name: 'tasks' }}
      print={{ path: '/print/tasks' }}
      groupings={isOpen ? taskGroupings : []}
      noGroup={t('tasks.by-due')}
      create={useCreateButton(newTask)}
      rail={
        viewQuery['status'] === undefined ? (
          <TaskRail summary={counts.data} filters={list.filters} />
        ) : undefined
      }
      rows={{
        label: t('tasks.title'),
        columns: taskColumns,
        nameOf: ({ ref }) => ref,
        actions: (task) => <TaskRowActions task={task} open={open} />,
        empty: <NoTasks isFiltered={list.isFiltered} />,
      }}
      pages={taskPages(query)}
      {...useGroups(list, counts, isOpen)}
      linkTo={taskAddress}
      peek={(props) => <TaskPeek key={props.item.id} {...props} open={open} />}
      bulk={canChange ? (selection) => <BulkActions selection={selection} /> : null}
    >
      {dialog}
    </RecordList>
  )
}

/** The number of tasks and their groups. The service counts open tasks only. */
function useGroups(list: ListAddress, counts: UseQueryResult<TaskSummary>, isOpen: boolean) {
  const { query, group, sort } = list
  const summary = isOpen ? counts.data : undefined
  const groups = taskGroups({ by: isOpen ? group : '', summary, query })
  const counted = isCounted(query) ? summary : undefined
  const groupOf = useDueGroups(counted?.overdue ?? null)
  return {
    total: counted?.count ?? null,
    groups: groups && { groups, source: counts },
    groupOf: summary && isByDueDate(sort) ? groupOf : undefined,
  }
}

/** Heads show when the tasks are due. */
const isByDueDate = ({ value }: ListSort) => value === 'due_on' || value === '-due_on'

const newTask = {
  noun: 'task',
  label: t('tasks.new'),
  scope: 'projects.manage',
  Dialog: NewTaskDialog,
} as const

const NoTasks = ({ isFiltered }: { readonly isFiltered: boolean }) => (
  <EmptyState
    title={t(isFiltered ? 'tasks.no-match' : 'tasks.none')}
    advice={t(isFiltered ? 'tasks.no-match.about' : 'tasks.none.about')}
  />
)

const BulkAssignDialog = lazyRouteComponent(
  () => import('#kit/list/bulk-assign-dialog.tsx'),
  'BulkAssignDialog',
)

function BulkActions({ selection }: { readonly selection: Selection }) {
  const [isAssigning, setAssigning] = useState(false)
  const change = async (body: TaskPatch) => {
    await runBulk({
      items: cachedItems<Task>('tasks', selection.ids),
      send: ({ project_id, id, version }) =>
        client.tasks.update({ params: { project_id, task_id: id }, body }, { ifMatch: version }),
      invalidates,
      successMessage: (count) => t('tasks.changed', { count }),
    })
    selection.clear()
  }
  return (
    <>
      <ActionButton onClick={() => void change({ status: 'done' })}>
        {label('taskStatus', 'done')}
      </ActionButton>
      <ActionButton onClick={() => setAssigning(true)}>{t('word.assign-menu')}</ActionButton>
      <LazyDialog isOpen={isAssigning}>
        <BulkAssignDialog
          title={t('tasks.assign.title', { count: selection.ids.size })}
          label={t('word.assignee')}
          onAssign={(assignee_user_id) => change({ assignee_user_id })}
          onClose={() => setAssigning(false)}
        />
      </LazyDialog>
    </>
  )
}
