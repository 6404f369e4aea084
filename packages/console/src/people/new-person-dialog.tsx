import { useNavigate } from '@tanstack/react-router'

import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { isComplete } from '#ui/needed.ts'
import { showFlaws } from '#ui/problem.tsx'

import { addPerson } from './actions.ts'
import { ConflictingPerson } from './conflicting-person.tsx'
import { changesIn, formOf, PersonFields, usePersonForm } from './person-fields.tsx'
import { useConflicting } from './problems.ts'

/** Adds someone to the roster, and goes to their page. */
export function NewPersonDialog({ onClose }: { readonly onClose: () => void }) {
  const nothing = formOf(null)
  const form = usePersonForm(nothing)
  const navigate = useNavigate()
  const { userId, watch } = useConflicting()
  const submit = async () => {
    if (!isComplete(form)) return false
    const body = { ...changesIn(form.getValues(), nothing), name: form.getValues().name.trim() }
    const { id } = await watch(showFlaws(form, addPerson(body)))
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
