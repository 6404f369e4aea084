import { Group, Text } from '@mantine/core'
import type { Issue } from '@muster/contract'
import { useId, useRef } from 'react'

import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { ActionButton } from '#ui/action-button.tsx'

import { moveIssue } from './actions.ts'

const statuses = ['open', 'in_progress', 'blocked'] as const

interface Props {
  readonly issue: Issue
  readonly reason: string | null
  /** Opens the dialog that asks for the blocking reason. */
  readonly onBlock: () => void
}

export function StatusButtons({ issue, reason, onBlock }: Props) {
  const labelId = useId()
  // A second click during the request would send an outdated version and cause a conflict.
  const isBusy = useRef(false)
  const move = async (status: (typeof statuses)[number]) => {
    if (isBusy.current || status === issue.status) return
    if (status === 'blocked') return onBlock()
    isBusy.current = true
    await moveIssue(issue, status)
    isBusy.current = false
  }
  return (
    <Group gap="xs" role="group" aria-labelledby={labelId} className="no-print">
      <Text size="sm" c="dimmed" id={labelId}>
        {t('issue.status.set')}
      </Text>
      {statuses.map((status) => (
        <ActionButton
          key={status}
          size="compact-sm"
          variant={status === issue.status ? 'filled' : 'default'}
          aria-pressed={status === issue.status}
          reason={reason}
          onClick={() => void move(status)}
        >
          {label('issueStatus', status)}
        </ActionButton>
      ))}
    </Group>
  )
}
