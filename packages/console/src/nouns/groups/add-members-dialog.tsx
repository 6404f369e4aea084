import type { Group } from '@muster/contract'
import { useState } from 'react'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { validateForm } from '#kit/form/validation.ts'
import { t } from '#text/index.ts'

import { addMembers, type NamedPerson } from './actions.ts'
import { memberError, PeoplePicker } from './people-picker.tsx'

interface Props {
  readonly group: Group
  readonly onClose: () => void
}

const emptyForm: { people: NamedPerson[] } = { people: [] }

/** Adds several members in one request. */
export function AddMembersDialog({ group, onClose }: Props) {
  const [seen] = useState(group)
  const form = useKeptForm('groups/add-members', {
    initialValues: emptyForm,
    validate: { people: ({ length }) => (length === 0 ? t('members.add.missing') : null) },
  })
  const { people } = form.values
  const submit = async () =>
    validateForm(form) && (await withFieldErrors(form, addMembers(seen, people)))
  return (
    <FormDialog
      title={t('members.add.title', { name: seen.name })}
      submit={
        people.length === 0
          ? t('members.add.submit')
          : t('members.add.count', { count: people.length })
      }
      onClose={onClose}
      onSubmit={submit}
    >
      <PeoplePicker
        label={t('members.add.people')}
        description={t('members.add.about')}
        data-autofocus
        value={people}
        onChange={(chosen) => {
          form.clearErrors()
          form.setFieldValue('people', chosen)
        }}
        error={form.errors['people'] ?? memberError(form.errors, 'add', people)}
        excludeGroupId={seen.id}
      />
    </FormDialog>
  )
}
