import { Group, Text } from '@mantine/core'
import type { Issue } from '@muster/contract'
import { useId, useRef } from 'react'

import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { ActionButton } from '#ui/action-button.tsx'

import { moveIssue } from './actions.ts'

const moves = ['open', 'in_progress', 'blocked'] as const

interface Props {
  readonly issue: Issue
  readonly reason: string | null
  /** Blocking asks for the reason first. */
  readonly onBlock: () => void
}

/** Moves an issue on with one click. */
export function StatusButtons({ issue, reason, onBlock }: Props) {
  const named = useId()
  // A second click before the first is done would be taken for that of someone else.
  const isBusy = useRef(false)
  const move = async (status: (typeof moves)[number]) => {
    if (isBusy.current || status === issue.status) return
    if (status === 'blocked') return onBlock()
    isBusy.current = true
    await moveIssue(issue, status)
    isBusy.current = false
  }
  return (
    <Group gap="xs" role="group" aria-labelledby={named} className="no-print">
      <Text size="sm" c="dimmed" id={named}>
        {t('issue.status.set')}
      </Text>
      {moves.map((status) => (
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
