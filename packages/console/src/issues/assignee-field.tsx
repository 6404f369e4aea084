import type { ReactNode } from 'react'

import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { PersonPicker } from '#ui/person-picker.tsx'

interface Props {
  readonly value: string | null
  readonly onChange: (userId: string | null) => void
  readonly error?: ReactNode
  /** Where it is the only field. */
  readonly isFirst?: boolean
}

/** Who deals with it: someone on the roster, or nobody. */
export function AssigneeField({ value, onChange, error, isFirst = false }: Props) {
  const reason = useReasonAgainst('personnel.read')
  return (
    <PersonPicker
      label={t('issues.assignee')}
      withNobody
      value={value}
      onChange={(id) => onChange(id === 'none' ? null : id)}
      error={error}
      // What is typed stands in place of whoever was chosen.
      onFocus={({ currentTarget }) => currentTarget.select()}
      // Open at once, the list would lie over the buttons before anything was typed.
      {...(isFirst && { 'data-autofocus': true, openOnFocus: false })}
      {...(reason !== null && { disabled: true, description: reason })}
    />
  )
}
