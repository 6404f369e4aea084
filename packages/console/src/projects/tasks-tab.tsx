import type { Project, Task } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'

import { itemsOf } from '#api/lists.ts'
import type { Search } from '#api/search.ts'
import { openTaskStatuses, tasksInProject } from '#tasks/queries.ts'
import { TaskStatus } from '#tasks/task-status.tsx'
import { formatDay, today } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { PersonFilter, WordsFilter } from '#ui/filter-bar.tsx'
import { useFilters } from '#ui/filters.ts'
import { Flags } from '#ui/level.tsx'
import { AnchorTo } from '#ui/links.tsx'
import { PersonLink, usePeople } from '#ui/people.tsx'
import type { Column } from '#ui/ranked-list.tsx'

import { ListTab } from './list-tab.tsx'
import { useReasonAgainstChange } from './project-actions.tsx'

const ChosenTask = lazyRouteComponent(() => import('#tasks/chosen-task.tsx'), 'ChosenTask')
const NewTaskDialog = lazyRouteComponent(() => import('#tasks/task-dialog.tsx'), 'NewTaskDialog')

interface Around {
  readonly project: Project
  readonly names: ReadonlyMap<string, string>
  /** The address as it is: to choose a task is to add it. */
  readonly search: Search
  /** Why nothing can be changed now; null when it can. */
  readonly reason: string | null
}

const columnsWith = ({ project, names, search, reason }: Around): readonly Column<Task>[] => [
  {
    name: t('project.col.task'),
    width: 'minmax(0, 3fr)',
    isPlain: true,
    cell: ({ id, ref, title }) => (
      <AnchorTo
        to="/projects/$project_id"
        params={{ project_id: project.id }}
        search={{ ...search, task: id }}
        resetScroll={false}
        inherit
      >
        {ref} {title}
      </AnchorTo>
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
    isPlain: true,
    cell: (task) => <Flags set="issueFlag" flags={isOverdue(task) ? ['overdue'] : []} />,
  },
]

const isOverdue = ({ due_on, status }: Task) =>
  due_on !== null && due_on < today() && openTaskStatuses.includes(status)

/** What there is to do in the project: what is due first, first. */
export function TasksTab({ project }: { readonly project: Project }) {
  const filters = useFilters(['status', 'assignee_user_id'])
  const search = useSearch({ strict: false }) as Search
  const reason = useReasonAgainstChange(project)
  const query = useInfiniteQuery(tasksInProject(project.id, filters.values))
  const names = usePeople(itemsOf(query.data).map(({ assignee_user_id }) => assignee_user_id))
  return (
    <>
      <ListTab
        project={project}
        title={t('project.tab.tasks')}
        filters={filters}
        fields={
          <>
            <WordsFilter
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
        none={{ title: t('project.tasks.none'), advice: t('project.tasks.none.about') }}
        add={{ text: t('project.task.new'), Dialog: NewTaskDialog }}
      />
      <Suspense>
        <ChosenTask projectId={project.id} reason={reason} />
      </Suspense>
    </>
  )
}
