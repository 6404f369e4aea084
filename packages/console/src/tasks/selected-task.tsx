import { Group, Modal, Stack, Text } from '@mantine/core'
import type { Task } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { formatDay, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { useFilters } from '#ui/filters.ts'
import { Fact } from '#ui/page.tsx'
import { PersonLink, usePersonNames } from '#ui/people.tsx'
import { ProblemNotice } from '#ui/problem.tsx'
import { useRestoreFocus } from '#ui/restore-focus.ts'

import { taskQuery } from './queries.ts'
import { SubjectLink } from './subject.tsx'
import { EditTaskDialog } from './task-dialog.tsx'

import classes from './tasks.module.css'

interface Props {
  readonly projectId: string
  /** Why the task cannot be changed; null if it can. */
  readonly reason: string | null
}

/** The task that the URL names: editable, or read-only with the reason. */
export function SelectedTask({ projectId, reason }: Props) {
  const params = useFilters(['task'])
  const { task: taskId } = params.values
  const { data, error } = useQuery({
    ...taskQuery({ projectId, taskId: taskId ?? '' }),
    enabled: taskId !== undefined,
  })
  const close = () => params.set({ task: null })
  if (taskId === undefined) return null
  if (error !== null && !data) return <TaskLoadError error={error} onClose={close} />
  if (!data) return null
  if (reason === null) return <EditTaskDialog key={data.id} task={data} onClose={close} />
  return <TaskDetails key={data.id} task={data} reason={reason} onClose={close} />
}

interface TaskLoadErrorProps {
  readonly error: unknown
  readonly onClose: () => void
}

function TaskLoadError({ error, onClose }: TaskLoadErrorProps) {
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

interface TaskDetailsProps {
  readonly task: Task
  readonly reason: string
  readonly onClose: () => void
}

function TaskDetails({ task, reason, onClose }: TaskDetailsProps) {
  useRestoreFocus()
  const names = usePersonNames([task.assignee_user_id])
  const subject = task.risk_id ?? task.issue_id
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
            {subject === null ? (
              t('task.about.none')
            ) : (
              <SubjectLink projectId={task.project_id} id={subject} />
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
