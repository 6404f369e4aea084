import { useQuery } from '@tanstack/react-query'

import { Peek, PeekTitle } from '#kit/list/peek.tsx'
import type { PeekProps } from '#kit/list/record-list.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { SeverityChip } from '#kit/parts/score.tsx'
import { t } from '#text/index.ts'

import { issueQuery } from './actions.ts'
import { PrimaryAction } from './issue-actions.tsx'
import type { OpenIssueDialog } from './issue-dialogs.ts'
import { IssueProperties } from './issue-properties.tsx'
import type { ListedIssue } from './queries.ts'

interface Props extends PeekProps<ListedIssue> {
  readonly open: OpenIssueDialog
}

/** An issue beside its list. */
export function IssuePeek({ item, onOpen, onClose, open }: Props) {
  const { data: issue = item } = useQuery({ ...issueQuery(item), placeholderData: item })
  return (
    <Peek
      title={t('word.issue')}
      onOpen={onOpen}
      onClose={onClose}
      foot={
        <>
          <ActionButton onClick={onOpen}>{t('word.open')}</ActionButton>
          <PrimaryAction issue={issue} open={open} />
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
      <IssueProperties issue={issue} open={open} />
    </Peek>
  )
}
