import type { Risk } from '@muster/contract'
import { useState } from 'react'

import { NoteDialog } from '#kit/form/note-dialog.tsx'
import { t } from '#text/index.ts'

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
      field={{ name: 'note', label: t('risk.reopen.note'), about: t('risk.note.about') }}
      onClose={onClose}
      onSubmit={(note) => reopenRisk(seen, note === null ? {} : { note })}
    />
  )
}
