import type { Issue } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { Peek, PeekTitle } from '#kit/list/peek.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { SeverityChip } from '#kit/parts/score.tsx'
import { useReasons } from '#kit/references/reasons.ts'
import { t } from '#text/index.ts'

import type { OpenDialog } from './issue-dialogs.tsx'
import { IssueProperties } from './issue-properties.tsx'
import { issueQuery } from './queries.ts'

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
