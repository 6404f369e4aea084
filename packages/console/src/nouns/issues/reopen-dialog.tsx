import { useState } from 'react'

import { NoteDialog } from '#kit/form/note-dialog.tsx'
import { t } from '#text/index.ts'

import { reopenIssue } from './actions.ts'
import type { IssueDialogProps } from './issue-dialogs.tsx'

export function ReopenDialog({ issue, onClose }: IssueDialogProps) {
  const [seen] = useState(issue)
  return (
    <NoteDialog
      title={t('issue.reopen.title', { ref: seen.ref })}
      submit={t('issue.reopen')}
      label={t('issue.reopen.note')}
      description={t('issue.reopen.note.about')}
      onClose={onClose}
      onSubmit={(note) => reopenIssue(seen, note === null ? {} : { note })}
    />
  )
}
