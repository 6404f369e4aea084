import type { Task, TaskPatch, TaskSummary } from '@muster/contract'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

import { client } from '#data/client.ts'
import { cachedItems } from '#data/lists.ts'
import type { Search } from '#data/search.ts'
import { useMissingScopeReason } from '#data/whoami.ts'
import { BulkBar } from '#kit/list/bulk-bar.tsx'
import { runBulk } from '#kit/list/bulk.tsx'
import { GroupedList } from '#kit/list/grouped-list.tsx'
import { List, type ListOptions } from '#kit/list/list.tsx'
import { type Selection, useSelection } from '#kit/list/selection.ts'
import type { ListSort } from '#kit/list/sort.ts'
import type { Peeked } from '#kit/list/use-peek.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { EmptyState } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { invalidates } from './actions.ts'
import { taskPages, taskSummaryQuery } from './queries.ts'
import { TaskRowActions } from './task-actions.tsx'
import { taskColumns } from './task-columns.tsx'
import { isCounted, taskGroups, useDueGroups } from './task-groups.ts'

const BulkAssignDialog = lazyRouteComponent(
  () => import('#kit/list/bulk-assign-dialog.tsx'),
  'BulkAssignDialog',
)

interface Props {
  readonly query: Search
  readonly sort: ListSort
  /** Whether the view shows open tasks. */
  readonly isOpen: boolean
  readonly isFiltered: boolean
  readonly peek: Peeked<Task>
  readonly onOpen: (task: Task) => void
  readonly onEdit: (task: Task) => void
}

/** The tasks of the page by due date or in groups, with the actions for selected ones. */
export function TaskRows({ sort, isOpen, isFiltered, peek, onOpen, onEdit, ...props }: Props) {
  const query = { ...props.query, ...sort.query }
  const reason = useMissingScopeReason('projects.manage')
  const { group = '' } = useSearch({ strict: false }) as Search
  const counts = useQuery(taskSummaryQuery(query))
  const summary = counts.data
  const groups = isOpen ? taskGroups({ by: group, summary, query }) : null
  const selection = useSelection()
  const options = {
    label: t('tasks.title'),
    columns: taskColumns,
    nameOf: ({ ref }: Task) => ref,
    sort,
    selection: isOpen && reason === null ? selection : undefined,
    actions: (task: Task) => <TaskRowActions task={task} onEdit={onEdit} />,
    peekedId: peek.item?.id ?? null,
    onPeek: peek.onPeek,
    onOpen,
    empty: (
      <EmptyState
        title={t(isFiltered ? 'tasks.no-match' : 'tasks.none')}
        advice={t(isFiltered ? 'tasks.no-match.about' : 'tasks.none.about')}
      />
    ),
  }
  return (
    <>
      {groups === null ? (
        <AllTasks {...options} query={query} summary={isOpen ? summary : undefined} />
      ) : (
        <GroupedList {...options} groups={groups} source={counts} />
      )}
      <TaskBulkBar selection={selection} />
    </>
  )
}

interface AllProps extends ListOptions<Task> {
  readonly sort: ListSort
  readonly query: Search
  /** The counts of open tasks; undefined for others, which have no groups. */
  readonly summary: TaskSummary | undefined
}

/** All tasks in one list. By due date, heads show when they are due. */
function AllTasks({ query, summary, ...options }: AllProps) {
  const source = taskPages(query)
  const tasks = useInfiniteQuery({ ...source, placeholderData: keepPreviousData })
  const counts = isCounted(query) ? summary : undefined
  const groupOf = useDueGroups(counts?.overdue ?? null)
  const isByDueDate = ['due_on', '-due_on'].includes(options.sort.value)
  return (
    <List
      {...options}
      query={tasks}
      source={source}
      total={counts?.count ?? null}
      groupOf={summary && isByDueDate ? groupOf : undefined}
    />
  )
}

function TaskBulkBar({ selection }: { readonly selection: Selection }) {
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
    <BulkBar selection={selection}>
      <ActionButton onClick={() => void change({ status: 'done' })}>
        {label('taskStatus', 'done')}
      </ActionButton>
      <ActionButton onClick={() => setAssigning(true)}>{t('tasks.assign')}</ActionButton>
      <LazyDialog isOpen={isAssigning}>
        <BulkAssignDialog
          title={t('tasks.assign.title', { count: selection.ids.size })}
          label={t('task.assignee')}
          onAssign={(assignee_user_id) => change({ assignee_user_id })}
          onClose={() => setAssigning(false)}
        />
      </LazyDialog>
    </BulkBar>
  )
}
