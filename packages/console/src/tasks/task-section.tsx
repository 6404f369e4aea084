import { Text } from '@mantine/core'
import type { Task } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { itemsOf } from '#api/lists.ts'
import { formatDay, today } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { Empty, Section } from '#ui/page.tsx'
import { PersonLink, usePeople } from '#ui/people.tsx'
import { type Column, RankedList } from '#ui/ranked-list.tsx'
import { WhileOpen } from '#ui/while-open.tsx'

import { openTaskStatuses, tasksAbout } from './queries.ts'
import { TaskStatus } from './task-status.tsx'

const AddTaskDialog = lazyRouteComponent(() => import('./add-task-dialog.tsx'), 'AddTaskDialog')

/** A risk or an issue, about which something is to be done. */
export interface About {
  readonly id: string
  readonly ref: string
  readonly project_id: string
}

interface Props {
  readonly title: string
  readonly about: About
  /** Who is likely to do it. */
  readonly likely: string | null
  /** Why nothing can be added or moved on; null when it can. */
  readonly reason: string | null
}

/** What is done about a risk or an issue: who does what until when, each two clicks from done. */
export function TaskSection({ title, about, likely, reason }: Props) {
  const query = useInfiniteQuery(tasksAbout(about.id))
  const tasks = itemsOf(query.data)
  const names = usePeople(tasks.map(({ assignee_user_id }) => assignee_user_id))
  const [isAdding, setAdding] = useState(false)
  return (
    <Section
      title={title}
      beside={
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
      <RankedList
        label={title}
        columns={columnsOf(names, reason)}
        query={query}
        total={null}
        empty={<Empty title={t('tasks.none')} advice={t('tasks.none.about')} />}
      />
      <WhileOpen isOpen={isAdding}>
        <AddTaskDialog about={about} likely={likely} onClose={() => setAdding(false)} />
      </WhileOpen>
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
    isPlain: true,
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
