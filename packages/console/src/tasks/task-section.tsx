import { Text } from '@mantine/core'
import type { Task } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { allItems } from '#api/lists.ts'
import { formatDay, today } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { LazyDialog } from '#ui/lazy-dialog.tsx'
import { EmptyState, Section } from '#ui/page.tsx'
import { PersonLink, usePersonNames } from '#ui/people.tsx'
import { type Column, VirtualTable } from '#ui/virtual-table.tsx'

import { openTaskStatuses, tasksOfSubject } from './queries.ts'
import { TaskStatus } from './task-status.tsx'

const AddTaskDialog = lazyRouteComponent(() => import('./add-task-dialog.tsx'), 'AddTaskDialog')

/** The risk or issue that the tasks belong to. */
export interface TaskSubject {
  readonly id: string
  readonly ref: string
  readonly project_id: string
}

interface Props {
  readonly title: string
  readonly subject: TaskSubject
  /** The preselected assignee of a new task. */
  readonly defaultAssignee: string | null
  /** Why the tasks cannot be changed; null if they can. */
  readonly reason: string | null
}

export function TaskSection({ title, subject, defaultAssignee, reason }: Props) {
  const query = useInfiniteQuery(tasksOfSubject(subject.id))
  const tasks = allItems(query.data)
  const names = usePersonNames(tasks.map(({ assignee_user_id }) => assignee_user_id))
  const [isAdding, setAdding] = useState(false)
  return (
    <Section
      title={title}
      rightSection={
        <ActionButton
          size="compact-sm"
          variant="light"
          reason={reason}
          onClick={() => setAdding(true)}
        >
          {t('task.add')}
        </ActionButton>
      }
    >
      <VirtualTable
        label={title}
        columns={columnsOf(names, reason)}
        query={query}
        total={null}
        empty={<EmptyState title={t('tasks.none')} advice={t('tasks.none.about')} />}
      />
      <LazyDialog isOpen={isAdding}>
        <AddTaskDialog
          subject={subject}
          defaultAssignee={defaultAssignee}
          onClose={() => setAdding(false)}
        />
      </LazyDialog>
    </Section>
  )
}

const columnsOf = (
  names: ReadonlyMap<string, string>,
  reason: string | null,
): readonly Column<Task>[] => [
  {
    name: t('task.one'),
    width: 'minmax(160px, 3fr)',
    isUnlabelled: true,
    cell: ({ ref, title }) => `${ref} ${title}`,
  },
  {
    name: t('task.assignee'),
    width: 'minmax(100px, 1fr)',
    cell: ({ assignee_user_id }) => <PersonLink userId={assignee_user_id} names={names} />,
  },
  {
    name: t('task.due'),
    width: 'minmax(92px, 1fr)',
    cell: (task) => <Due task={task} />,
  },
  {
    name: t('task.status'),
    width: '150px',
    cell: (task) => <TaskStatus task={task} reason={reason} />,
  },
]

function Due({ task: { due_on, status } }: { readonly task: Task }) {
  if (due_on === null) return t('task.no-day')
  const isOverdue = due_on < today() && openTaskStatuses.includes(status)
  return (
    <>
      {formatDay(due_on)}{' '}
      {isOverdue && (
        <Text span inherit fw={600}>
          {t('task.overdue')}
        </Text>
      )}
    </>
  )
}
