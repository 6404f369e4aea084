import { t } from '#text/index.ts'
import { isNothing } from '#ui/changes.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { isComplete } from '#ui/needed.ts'
import { showFlaws } from '#ui/problem.tsx'

import { changePerson } from './actions.ts'
import { ConflictingPerson } from './conflicting-person.tsx'
import type { DialogProps } from './opener.ts'
import { changesIn, formOf, PersonFields, usePersonForm } from './person-fields.tsx'
import { useConflicting } from './problems.ts'

export function EditPersonDialog({ person, onClose }: DialogProps) {
  const before = formOf(person)
  const form = usePersonForm(before)
  const { userId, watch } = useConflicting()
  const submit = async () => {
    if (!isComplete(form)) return false
    const changes = changesIn(form.getValues(), before)
    if (isNothing(changes)) return true
    return watch(showFlaws(form, changePerson(person, changes)))
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
