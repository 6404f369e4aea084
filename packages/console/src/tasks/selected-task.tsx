import { Group, Modal, Stack, Text } from '@mantine/core'
import type { Task } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { formatDay, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { useFilters } from '#ui/filters.ts'
import { useFocusBack } from '#ui/focus.ts'
import { Fact } from '#ui/page.tsx'
import { PersonLink, usePeople } from '#ui/people.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { AboutLink } from './about.tsx'
import { taskQuery } from './queries.ts'
import { EditTaskDialog } from './task-dialog.tsx'

import classes from './tasks.module.css'

interface Props {
  readonly projectId: string
  /** Why it cannot be changed now; null when it can. */
  readonly reason: string | null
}

/** The task that the address names, if it does: to edit it, or to read it where that is all. */
export function ChosenTask({ projectId, reason }: Props) {
  const address = useFilters(['task'])
  const { task: taskId } = address.values
  const { data, error } = useQuery({
    ...taskQuery({ projectId, taskId: taskId ?? '' }),
    enabled: taskId !== undefined,
  })
  const close = () => address.set({ task: null })
  if (taskId === undefined) return null
  if (error !== null && !data) return <Unfound error={error} onClose={close} />
  if (!data) return null
  if (reason === null) return <EditTaskDialog key={data.id} task={data} onClose={close} />
  return <ReadTask key={data.id} task={data} reason={reason} onClose={close} />
}

interface UnfoundProps {
  readonly error: unknown
  readonly onClose: () => void
}

function Unfound({ error, onClose }: UnfoundProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('task.one')}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <ProblemNotice error={error} />
    </Modal>
  )
}

interface ReadProps {
  readonly task: Task
  readonly reason: string
  readonly onClose: () => void
}

function ReadTask({ task, reason, onClose }: ReadProps) {
  useFocusBack()
  const names = usePeople([task.assignee_user_id])
  const about = task.risk_id ?? task.issue_id
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('task.edit.title', { ref: task.ref })}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
    >
      <Stack>
        <Text fw={600} className="wrap">
          {task.title}
        </Text>
        <dl className={classes.facts}>
          <Fact name={t('task.status')}>{label('taskStatus', task.status)}</Fact>
          <Fact name={t('task.assignee')}>
            <PersonLink userId={task.assignee_user_id} names={names} />
          </Fact>
          <Fact name={t('task.due')}>
            {task.due_on === null ? t('project.no-date') : formatDay(task.due_on)}
          </Fact>
          {task.completed_at !== null && (
            <Fact name={t('task.completed')}>{formatInstant(task.completed_at)}</Fact>
          )}
          <Fact name={t('task.about')}>
            {about === null ? (
              t('task.about.none')
            ) : (
              <AboutLink projectId={task.project_id} id={about} />
            )}
          </Fact>
        </dl>
        {task.description !== null && (
          <Text size="sm" className="prose">
            {task.description}
          </Text>
        )}
        <Group justify="flex-end">
          <ActionButton reason={reason} onClick={() => {}}>
            {t('task.edit')}
          </ActionButton>
        </Group>
      </Stack>
    </Modal>
  )
}
