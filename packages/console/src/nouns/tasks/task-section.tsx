import { Button } from '@mantine/core'
import type { Task } from '@muster/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'

import { allItems } from '#data/lists.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { useKeptState } from '#kit/form/draft.ts'
import { IconPlus } from '#kit/icons/index.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { TaskLink } from '#kit/parts/links.tsx'
import { StatusGlyph } from '#kit/parts/status.tsx'
import { When } from '#kit/parts/when.tsx'
import { MiniRow, RecordEmpty, RecordSection } from '#kit/record/record-page.tsx'
import { PersonById } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'

import { isOpenTask, tasksOfSubject } from './queries.ts'
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

/** The tasks of a risk or an issue, and the dialog that adds one. */
export function TaskSection({ title, subject, defaultAssignee, reason }: Props) {
  const query = useInfiniteQuery(tasksOfSubject(subject.id))
  const tasks = allItems(query.data)
  const [isAdding, setAdding] = useKeptState('tasks/add', false)
  const done = tasks.filter(({ status }) => status === 'done').length
  return (
    <RecordSection
      title={title}
      aside={
        tasks.length > 0 && !query.hasNextPage && t('tasks.done-of', { done, count: tasks.length })
      }
      actions={
        <ActionButton
          variant="subtle"
          color="gray"
          leftSection={<IconPlus size={16} />}
          reason={reason}
          data-shortcut="t"
          onClick={() => setAdding(true)}
        >
          {t('task.add')}
        </ActionButton>
      }
    >
      {query.isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && tasks.length === 0 && <RecordEmpty>{t('tasks.none')}</RecordEmpty>}
      <ul>
        {tasks.map((task) => (
          <TaskRow key={task.id} task={task} reason={reason} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button variant="subtle" onClick={() => void query.fetchNextPage()}>
          {t('list.more')}
        </Button>
      )}
      <LazyDialog isOpen={isAdding}>
        <AddTaskDialog
          subject={subject}
          defaultAssignee={defaultAssignee}
          onClose={() => setAdding(false)}
        />
      </LazyDialog>
    </RecordSection>
  )
}

interface RowProps extends Pick<Props, 'reason'> {
  readonly task: Task
}

export const TaskRow = ({ task, reason }: RowProps) => (
  <MiniRow
    glyph={<StatusGlyph status={task.status} />}
    itemRef={task.ref}
    title={<TaskLink item={task} />}
    status={<TaskStatus task={task} reason={reason} />}
    person={<PersonById userId={task.assignee_user_id} />}
    when={<When day={task.due_on} isDone={!isOpenTask(task)} />}
    isDone={!isOpenTask(task)}
  />
)
