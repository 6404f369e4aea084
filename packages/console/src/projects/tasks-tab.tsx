import type { Project, Task } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'

import { allItems } from '#api/lists.ts'
import type { Search } from '#api/search.ts'
import { openTaskStatuses, tasksInProject } from '#tasks/queries.ts'
import { TaskStatus } from '#tasks/task-status.tsx'
import { formatDay, today } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { EnumFilter, PersonFilter } from '#ui/filter-bar.tsx'
import { useFilters } from '#ui/filters.ts'
import { Flags } from '#ui/level.tsx'
import { AnchorLink } from '#ui/links.tsx'
import { PersonLink, usePersonNames } from '#ui/people.tsx'
import type { Column } from '#ui/virtual-table.tsx'

import { ListTab } from './list-tab.tsx'
import { useReadOnlyReason } from './project-actions.tsx'

const SelectedTask = lazyRouteComponent(() => import('#tasks/selected-task.tsx'), 'SelectedTask')
const NewTaskDialog = lazyRouteComponent(() => import('#tasks/task-dialog.tsx'), 'NewTaskDialog')

interface ColumnContext {
  readonly project: Project
  readonly names: ReadonlyMap<string, string>
  /** The current search parameters; selecting a task adds one. */
  readonly search: Search
  /** Why the tasks cannot be changed; null if they can. */
  readonly reason: string | null
}

const columnsWith = ({
  project,
  names,
  search,
  reason,
}: ColumnContext): readonly Column<Task>[] => [
  {
    name: t('project.col.task'),
    width: 'minmax(0, 3fr)',
    isUnlabelled: true,
    cell: ({ id, ref, title }) => (
      <AnchorLink
        to="/projects/$project_id"
        params={{ project_id: project.id }}
        search={{ ...search, task: id }}
        resetScroll={false}
        inherit
      >
        {ref} {title}
      </AnchorLink>
    ),
  },
  {
    name: t('project.col.status'),
    width: 'minmax(0, 1.2fr)',
    cell: (task) => <TaskStatus task={task} reason={reason} />,
  },
  {
    name: t('project.col.assignee'),
    width: 'minmax(0, 1.2fr)',
    cell: ({ assignee_user_id }) => <PersonLink userId={assignee_user_id} names={names} />,
  },
  {
    name: t('project.col.due'),
    width: 'minmax(0, 1fr)',
    cell: ({ due_on }) => (due_on === null ? t('project.no-date') : formatDay(due_on)),
  },
  {
    name: t('project.col.flags'),
    width: 'minmax(0, 1fr)',
    isUnlabelled: true,
    cell: (task) => <Flags set="issueFlag" flags={isOverdue(task) ? ['overdue'] : []} />,
  },
]

const isOverdue = ({ due_on, status }: Task) =>
  due_on !== null && due_on < today() && openTaskStatuses.includes(status)

/** The tasks of the project, earliest due date first. */
export function TasksTab({ project }: { readonly project: Project }) {
  const filters = useFilters(['status', 'assignee_user_id'])
  const search = useSearch({ strict: false }) as Search
  const reason = useReadOnlyReason(project)
  const query = useInfiniteQuery(tasksInProject(project.id, filters.values))
  const names = usePersonNames(allItems(query.data).map(({ assignee_user_id }) => assignee_user_id))
  return (
    <>
      <ListTab
        project={project}
        title={t('project.tab.tasks')}
        filters={filters}
        fields={
          <>
            <EnumFilter
              filters={filters}
              name="status"
              label={t('project.col.status')}
              set="taskStatus"
            />
            <PersonFilter
              filters={filters}
              name="assignee_user_id"
              label={t('project.col.assignee')}
            />
          </>
        }
        columns={columnsWith({ project, names, search, reason })}
        query={query}
        emptyState={{ title: t('project.tasks.none'), advice: t('project.tasks.none.about') }}
        add={{ text: t('project.task.new'), Dialog: NewTaskDialog }}
      />
      <Suspense>
        <SelectedTask projectId={project.id} reason={reason} />
      </Suspense>
    </>
  )
}
