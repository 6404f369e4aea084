import type { Task } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { Peek, PeekTitle } from '#kit/list/peek.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { t } from '#text/index.ts'

import { taskQuery } from './actions.ts'
import { TaskRowActions } from './task-actions.tsx'
import { TaskProperties } from './task-properties.tsx'

interface Props {
  /** The task as its row shows it. */
  readonly task: Task
  readonly onOpen: (task: Task) => void
  readonly onClose: () => void
  readonly onEdit: (task: Task) => void
}

/** A task beside its list. */
export function TaskPeek({ task: listed, onOpen, onClose, onEdit }: Props) {
  const { data: task } = useQuery({ ...taskQuery(listed), placeholderData: listed })
  if (!task) return null
  return (
    <Peek
      title={t('task.one')}
      onOpen={() => onOpen(task)}
      onClose={onClose}
      foot={
        <>
          <ActionButton onClick={() => onOpen(task)}>{t('peek.open.short')}</ActionButton>
          <TaskRowActions task={task} onEdit={onEdit} />
        </>
      }
    >
      <PeekTitle over={task.ref} title={task.title} description={task.description} />
      <TaskProperties task={task} />
    </Peek>
  )
}
