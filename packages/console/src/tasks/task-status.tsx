import { Button, Menu } from '@mantine/core'
import type { Task } from '@muster/contract'
import { IconChevronDown } from '@tabler/icons-react'

import { t } from '#text/index.ts'
import { choices, label } from '#text/labels.ts'
import { ActionButton } from '#ui/action-button.tsx'

import { moveTask } from './actions.ts'

interface Props {
  readonly task: Task
  /** Why it cannot be changed now; null when it can. */
  readonly reason: string | null
}

const look = { size: 'compact-sm', variant: 'default' } as const

/** Where a task is in its life, changed by two clicks. */
export function TaskStatus({ task, reason }: Props) {
  const status = label('taskStatus', task.status)
  const name = t('task.status-of', { ref: task.ref, status })
  if (reason !== null) {
    return (
      <ActionButton {...look} reason={reason} onClick={() => {}} aria-label={name}>
        {status}
      </ActionButton>
    )
  }
  const others = choices('taskStatus').filter(({ value }) => value !== task.status)
  return (
    <Menu position="bottom-start" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button {...look} rightSection={<IconChevronDown size={14} />} aria-label={name}>
          {status}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {others.map(({ value, label: other }) => (
          // The cast holds because the words of the set are offered, and nothing else.
          <Menu.Item key={value} onClick={() => void moveTask(task, value as Task['status'])}>
            {other}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
