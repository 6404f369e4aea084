import type { Task } from '@muster/contract'

import { ActionButton } from '#kit/parts/action-button.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { useReasons } from '#kit/references/reasons.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { moveTask } from './actions.ts'
import type { OpenTaskDialog } from './task-dialogs.ts'

interface Props {
  readonly task: Task
  readonly open: OpenTaskDialog
}

/** The statuses that the menu offers; the button offers done or to do. */
const menuStatuses = ['todo', 'in_progress', 'blocked', 'cancelled'] as const

/** The likeliest action of a task, and the menu with the rest. */
export function TaskRowActions({ task, open }: Props) {
  const { change: reason } = useReasons(task)
  return (
    <>
      {task.status !== 'done' && (
        <ActionButton size="compact-sm" reason={reason} onClick={() => void moveTask(task, 'done')}>
          {label('taskStatus', 'done')}
        </ActionButton>
      )}
      <TaskMenu task={task} open={open} />
    </>
  )
}

export function TaskMenu({ task, open }: Props) {
  const { change: reason } = useReasons(task)
  const moves = menuStatuses
    .filter((status) => status !== task.status)
    .map((status) => ({
      name: t('task.mark', { status: label('taskStatus', status) }),
      reason,
      isDanger: status === 'cancelled',
      onClick: () => void moveTask(task, status),
    }))
  const edit = { name: t('word.edit-menu'), reason, onClick: () => open('edit', task) }
  return <ActionMenu of={task.ref} groups={[[edit], moves]} />
}
