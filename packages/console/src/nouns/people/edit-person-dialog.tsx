import { isEmpty } from '#data/change/changes.ts'
import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { validateForm } from '#kit/form/validation.ts'
import { t } from '#text/index.ts'

import { changePerson } from './actions.ts'
import { ConflictingPerson } from './conflicting-person.tsx'
import type { DialogProps } from './dialog-props.ts'
import { changedValues, PersonFields, toFormValues, usePersonForm } from './person-fields.tsx'
import { useConflictingPerson } from './problems.ts'

export function EditPersonDialog({ person, onClose }: DialogProps) {
  const before = toFormValues(person)
  const form = usePersonForm(before)
  const { userId, trackConflict } = useConflictingPerson()
  const submit = async () => {
    if (!validateForm(form)) return false
    const changes = changedValues(form.getValues(), before)
    if (isEmpty(changes)) return true
    return trackConflict(withFieldErrors(form, changePerson(person, changes)))
  }
  return (
    <FormDialog
      title={t('person.edit.title', { name: person.name })}
      submit={t('person.edit.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <ConflictingPerson userId={userId} />
      <PersonFields form={form} />
    </FormDialog>
  )
}
