import type { Risk } from '@muster/contract'
import { useState } from 'react'

import { NoteDialog } from '#kit/form/note-dialog.tsx'
import { t } from '#text/index.ts'

import { occurRisk } from './actions.ts'

interface Props {
  readonly risk: Risk
  readonly onClose: () => void
}

/** Marks a risk as occurred. Cannot be undone, so the dialog describes the consequences. */
export function OccurDialog({ risk, onClose }: Props) {
  const [seen] = useState(risk)
  return (
    <NoteDialog
      title={t('risk.occur.title', { ref: seen.ref })}
      submit={t('risk.occur.submit')}
      about={t('risk.occur.about', { impact: seen.impact })}
      field={{ name: 'note', label: t('risk.occur.note'), about: t('risk.note.about') }}
      onClose={onClose}
      onSubmit={(note) => occurRisk(seen, note === null ? {} : { note })}
    />
  )
}
