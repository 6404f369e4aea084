import type { Risk } from '@muster/contract'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { NoteDialog } from '#ui/note-dialog.tsx'

import { reopenRisk } from './actions.ts'

interface Props {
  readonly risk: Risk
  readonly onClose: () => void
}

export function ReopenDialog({ risk, onClose }: Props) {
  const [seen] = useState(risk)
  return (
    <NoteDialog
      title={t('risk.reopen.title', { ref: seen.ref })}
      submit={t('risk.reopen.submit')}
      about={t('risk.reopen.about')}
      label={t('risk.reopen.note')}
      description={t('risk.note.about')}
      onClose={onClose}
      onSubmit={(note) => reopenRisk(seen, note === null ? {} : { note })}
    />
  )
}
