import type { ReactNode } from 'react'

import { useMissingScopeReason } from '#data/whoami.ts'
import { PersonPicker } from '#kit/references/person-picker.tsx'
import { t } from '#text/index.ts'

interface Props {
  readonly value?: string | null
  readonly onChange: (userId: string | null) => void
  readonly error?: ReactNode
  /** Set for a dialog with no other field. */
  readonly isFirst?: boolean
}

export function AssigneeField({ value = null, onChange, error, isFirst = false }: Props) {
  const reason = useMissingScopeReason('personnel.read')
  return (
    <PersonPicker
      label={t('word.assignee')}
      withNone
      value={value}
      onChange={(id) => onChange(id === 'none' ? null : id)}
      error={error}
      // Select the text, so that typing replaces the current assignee.
      onFocus={({ currentTarget }) => currentTarget.select()}
      // An open dropdown would cover the buttons of the dialog.
      {...(isFirst && { 'data-autofocus': true, openOnFocus: false })}
      {...(reason !== null && { disabled: true, description: reason })}
    />
  )
}
