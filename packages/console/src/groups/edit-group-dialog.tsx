import type { Group } from '@muster/contract'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { useKeptForm } from '#ui/kept-form.ts'
import { withFieldErrors } from '#ui/problem.tsx'
import { validateForm } from '#ui/validation.ts'

import { updateGroup } from './actions.ts'
import { GroupFields, groupValidation, toAttributes, toFormValues } from './group-fields.tsx'

interface Props {
  readonly group: Group
  readonly onClose: () => void
}

export function EditGroupDialog({ group, onClose }: Props) {
  const [seen] = useState(group)
  const form = useKeptForm('groups/edit-group', {
    initialValues: toFormValues(seen),
    validate: groupValidation,
  })
  const submit = async () =>
    validateForm(form) &&
    (await withFieldErrors(form, updateGroup(seen, toAttributes(form.getValues()))))
  return (
    <FormDialog
      title={t('group.edit.title', { name: seen.name })}
      submit={t('group.edit.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <GroupFields inputOf={form.getInputProps} />
    </FormDialog>
  )
}
