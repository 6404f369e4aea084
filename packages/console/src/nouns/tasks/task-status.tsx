import { Button, Menu } from '@mantine/core'
import type { Task } from '@muster/contract'

import { isMissingScope } from '#data/whoami.ts'
import { IconChevronDown } from '#kit/icons/index.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { StatusName } from '#kit/parts/status.tsx'
import { t } from '#text/index.ts'
import { choices, label } from '#text/labels.ts'

import { moveTask } from './actions.ts'

interface Props {
  readonly task: Task
  /** Why the task cannot be changed; null if it can. */
  readonly reason: string | null
}

const buttonStyle = { size: 'compact-sm', variant: 'default' } as const

/** The status of a task as a menu that changes it. */
export function TaskStatus({ task, reason }: Props) {
  const status = label('taskStatus', task.status)
  const name = t('task.status-of', { ref: task.ref, status })
  if (isMissingScope(reason)) return <StatusName set="taskStatus" status={task.status} />
  if (reason !== null) {
    return (
      <ActionButton {...buttonStyle} reason={reason} onClick={() => {}} aria-label={name}>
        {status}
      </ActionButton>
    )
  }
  const others = choices('taskStatus').filter(({ value }) => value !== task.status)
  return (
    <Menu position="bottom-start" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button {...buttonStyle} rightSection={<IconChevronDown size={14} />} aria-label={name}>
          {status}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {others.map(({ value, label: other }) => (
          // The cast holds because only the values of the set are offered.
          <Menu.Item key={value} onClick={() => void moveTask(task, value as Task['status'])}>
            {other}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
