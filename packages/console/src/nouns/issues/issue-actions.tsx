import type { Issue } from '@muster/contract'

import { ActionButton } from '#kit/parts/action-button.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { useReasons } from '#kit/references/reasons.ts'
import { t } from '#text/index.ts'

import { moveIssue } from './actions.ts'
import type { OpenIssueDialog } from './issue-dialogs.ts'

export interface IssueActionProps {
  readonly issue: Issue
  readonly open: OpenIssueDialog
}

/** The likeliest actions of a row, and the menu with the rest. */
export function IssueRowActions({ issue, open }: IssueActionProps) {
  const { assign } = useReasons(issue)
  return (
    <>
      {issue.status !== 'closed' && (
        <ActionButton size="compact-sm" reason={assign} onClick={() => open('assign', issue)}>
          {t('word.assign')}
        </ActionButton>
      )}
      <PrimaryAction issue={issue} open={open} size="compact-sm" />
      <IssueMenu issue={issue} open={open} />
    </>
  )
}

interface PrimaryProps extends IssueActionProps {
  readonly size?: 'compact-sm'
}

/** Closes an open issue and reopens a closed one. */
export function PrimaryAction({ issue, open, ...props }: PrimaryProps) {
  const { change } = useReasons(issue)
  const name = primaryOf(issue)
  return (
    <ActionButton {...props} reason={change} onClick={() => open(name, issue)}>
      {t(`issue.${name}`)}
    </ActionButton>
  )
}

export const primaryOf = ({ status }: Issue) => (status === 'closed' ? 'reopen' : 'close')

/** The actions of an issue that are possible now, except its primary action. */
export function IssueMenu({ issue, open }: IssueActionProps) {
  const { change: reason } = useReasons(issue)
  const moves = [
    { status: 'open', name: t('issue.mark.open'), onClick: () => void moveIssue(issue, 'open') },
    {
      status: 'in_progress',
      name: t('issue.mark.in-progress'),
      onClick: () => void moveIssue(issue, 'in_progress'),
    },
    { status: 'blocked', name: t('issue.mark.blocked'), onClick: () => open('block', issue) },
  ].filter(({ status }) => issue.status !== 'closed' && status !== issue.status)
  const groups = [
    [{ name: t('word.edit-menu'), reason, onClick: () => open('edit', issue) }],
    moves.map(({ name, onClick }) => ({ name, reason, onClick })),
  ]
  return <ActionMenu of={issue.ref} groups={groups} />
}
