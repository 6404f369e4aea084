import { useState } from 'react'

import { FormDialog } from '#kit/form/form-dialog.tsx'
import { PersonPicker } from '#kit/references/person-picker.tsx'
import { t } from '#text/index.ts'

interface Props {
  readonly title: string
  /** The name of the field, such as “Owner”. */
  readonly label: string
  /** Null for no one. */
  readonly onAssign: (userId: string | null) => Promise<unknown>
  readonly onClose: () => void
}

/** Asks for the person to whom the selected items are assigned. */
export function BulkAssignDialog({ title, label, onAssign, onClose }: Props) {
  const [value, setValue] = useState<string | null>(null)
  const [isMissing, setMissing] = useState(false)
  const submit = async () => {
    setMissing(value === null)
    if (value === null) return false
    return onAssign(value === 'none' ? null : value)
  }
  return (
    <FormDialog title={title} submit={t('word.assign')} onClose={onClose} onSubmit={submit}>
      <PersonPicker
        label={label}
        withNone
        data-autofocus
        openOnFocus={false}
        value={value}
        onChange={setValue}
        error={isMissing && t('field.needed')}
      />
    </FormDialog>
  )
}
