import type { Group } from '@muster/contract'
import { useState } from 'react'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { validateForm } from '#kit/form/validation.ts'
import { t } from '#text/index.ts'

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
