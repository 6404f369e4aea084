import type { Issue } from '@muster/contract'

import { ActionButton } from '#kit/parts/action-button.tsx'
import { ActionMenu } from '#kit/record/action-menu.tsx'
import { type Reasons, useReasons } from '#kit/references/reasons.ts'
import { t } from '#text/index.ts'

import { moveIssue } from './actions.ts'
import type { OpenDialog } from './issue-dialogs.tsx'

interface Props {
  readonly issue: Issue
  /** Opens a dialog. */
  readonly onAct: (dialog: OpenDialog) => void
}

/** The likeliest actions of a row, and the menu with the rest. */
export function IssueRowActions({ issue, onAct }: Props) {
  const reasons = useReasons(issue)
  const name = issue.status === 'closed' ? 'reopen' : 'close'
  return (
    <>
      {issue.status !== 'closed' && (
        <ActionButton
          size="compact-sm"
          reason={reasons.assign}
          onClick={() => onAct({ name: 'assign', issue })}
        >
          {t('issue.assign')}
        </ActionButton>
      )}
      <ActionButton
        size="compact-sm"
        reason={reasons.change}
        onClick={() => onAct({ name, issue })}
      >
        {t(`issue.${name}`)}
      </ActionButton>
      <ActionMenu of={issue.ref} groups={issueMenu({ issue, reasons, onAct })} />
    </>
  )
}

interface MenuOptions extends Props {
  readonly reasons: Reasons
}

/** The actions of an issue that are possible now, except its primary action. */
export function issueMenu({ issue, reasons, onAct }: MenuOptions) {
  const reason = reasons.change
  const edit = { name: t('issue.edit'), reason, onClick: () => onAct({ name: 'edit', issue }) }
  if (issue.status === 'closed') return [[edit]]
  const moves = [
    {
      status: 'open',
      name: t('issue.mark.open'),
      onClick: () => void moveIssue(issue, 'open'),
    },
    {
      status: 'in_progress',
      name: t('issue.mark.in-progress'),
      onClick: () => void moveIssue(issue, 'in_progress'),
    },
    {
      status: 'blocked',
      name: t('issue.mark.blocked'),
      onClick: () => onAct({ name: 'block', issue }),
    },
  ].filter(({ status }) => status !== issue.status)
  return [[edit], moves.map(({ name, onClick }) => ({ name, reason, onClick }))]
}
