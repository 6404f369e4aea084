import type { Issue } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import { Peek, PeekTitle } from '#ui/list/peek.tsx'
import { SeverityChip } from '#ui/parts/score.tsx'

import type { OpenDialog } from './issue-dialogs.tsx'
import { IssueProperties } from './issue-properties.tsx'
import { issueQuery } from './queries.ts'
import { useReasons } from './reasons.ts'

interface Props {
  /** The issue as its row shows it. */
  readonly issue: Issue
  readonly onOpen: (issue: Issue) => void
  readonly onClose: () => void
  readonly onAct: (dialog: OpenDialog) => void
}

/** An issue beside its list. */
export function IssuePeek({ issue: listed, onOpen, onClose, onAct }: Props) {
  const { data: issue } = useQuery({ ...issueQuery(listed), placeholderData: listed })
  const reasons = useReasons(listed)
  if (!issue) return null
  const name = issue.status === 'closed' ? 'reopen' : 'close'
  return (
    <Peek
      title={t('issue.title')}
      onOpen={() => onOpen(issue)}
      onClose={onClose}
      foot={
        <>
          <ActionButton onClick={() => onOpen(issue)}>{t('peek.open.short')}</ActionButton>
          <ActionButton reason={reasons.change} onClick={() => onAct({ name, issue })}>
            {t(`issue.${name}`)}
          </ActionButton>
        </>
      }
    >
      <PeekTitle
        over={
          <>
            <SeverityChip severity={issue.severity} />
            {issue.ref}
          </>
        }
        title={issue.title}
        description={issue.description}
      />
      <IssueProperties issue={issue} onBlock={() => onAct({ name: 'block', issue })} />
    </Peek>
  )
}
