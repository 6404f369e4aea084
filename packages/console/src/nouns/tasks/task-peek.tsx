import type { Task } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { Peek, PeekTitle } from '#kit/list/peek.tsx'
import type { PeekProps } from '#kit/list/record-list.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { t } from '#text/index.ts'

import { taskQuery } from './actions.ts'
import { TaskRowActions } from './task-actions.tsx'
import type { OpenTaskDialog } from './task-dialogs.ts'
import { TaskProperties } from './task-properties.tsx'

interface Props extends PeekProps<Task> {
  readonly open: OpenTaskDialog
}

/** A task beside its list. */
export function TaskPeek({ item, onOpen, onClose, open }: Props) {
  const { data: task = item } = useQuery({ ...taskQuery(item), placeholderData: item })
  return (
    <Peek
      title={t('task.one')}
      onOpen={onOpen}
      onClose={onClose}
      foot={
        <>
          <ActionButton onClick={onOpen}>{t('word.open')}</ActionButton>
          <TaskRowActions task={task} open={open} />
        </>
      }
    >
      <PeekTitle over={task.ref} title={task.title} description={task.description} />
      <TaskProperties task={task} />
    </Peek>
  )
}
