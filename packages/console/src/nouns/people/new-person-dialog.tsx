import { useNavigate } from '@tanstack/react-router'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { validateForm } from '#kit/form/validation.ts'
import { t } from '#text/index.ts'

import { addPerson } from './actions.ts'
import { ConflictingPerson } from './conflicting-person.tsx'
import { changedValues, PersonFields, toFormValues, usePersonForm } from './person-fields.tsx'
import { useConflictingPerson } from './problems.ts'

/** Adds a person to the roster, then opens their page. */
export function NewPersonDialog({ onClose }: { readonly onClose: () => void }) {
  const emptyValues = toFormValues(null)
  const form = usePersonForm(emptyValues)
  const navigate = useNavigate()
  const { userId, trackConflict } = useConflictingPerson()
  const submit = async () => {
    if (!validateForm(form)) return false
    const body = {
      ...changedValues(form.getValues(), emptyValues),
      name: form.getValues().name.trim(),
    }
    const { id } = await trackConflict(withFieldErrors(form, addPerson(body)))
    await navigate({ to: '/people/$user_id', params: { user_id: id } })
    return true
  }
  return (
    <FormDialog
      title={t('people.add')}
      submit={t('people.add')}
      onClose={onClose}
      onSubmit={submit}
    >
      <ConflictingPerson userId={userId} />
      <PersonFields form={form} />
    </FormDialog>
  )
}
