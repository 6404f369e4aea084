import { useState } from 'react'

import { lengthOf } from '#kit/fields/field.ts'
import { NoteDialog } from '#kit/form/note-dialog.tsx'
import { t } from '#text/index.ts'

import { blockIssue } from './actions.ts'
import type { IssueDialogProps } from './issue-dialogs.tsx'

export function BlockDialog({ issue, onClose }: IssueDialogProps) {
  const [seen] = useState(issue)
  return (
    <NoteDialog
      title={t('issue.block.title', { ref: seen.ref })}
      submit={t('issue.block')}
      label={t('issue.blocked-reason')}
      field={{ name: 'blocked_reason', maxLength: lengthOf('issues', 'blocked_reason') }}
      onClose={onClose}
      onSubmit={(reason) => blockIssue(seen, reason)}
    />
  )
}
