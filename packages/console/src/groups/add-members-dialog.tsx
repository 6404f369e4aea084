import { useForm } from '@mantine/form'
import type { Group } from '@muster/contract'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { isComplete } from '#ui/needed.ts'
import { showFlaws } from '#ui/problem.tsx'

import { addMembers, type Named } from './actions.ts'
import { flawOfPeople, PeoplePicker } from './people-picker.tsx'

interface Props {
  readonly group: Group
  readonly onClose: () => void
}

const nobodyYet: { people: Named[] } = { people: [] }

/** Several people join at once. */
export function AddMembersDialog({ group, onClose }: Props) {
  const [seen] = useState(group)
  const form = useForm({
    initialValues: nobodyYet,
    validate: { people: ({ length }) => (length === 0 ? t('members.add.nobody') : null) },
  })
  const { people } = form.values
  const submit = async () => isComplete(form) && (await showFlaws(form, addMembers(seen, people)))
  return (
    <FormDialog
      title={t('members.add.title', { name: seen.name })}
      submit={t('members.add.submit')}
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
        error={form.errors['people'] ?? flawOfPeople(form.errors, 'add', people)}
        notIn={seen.id}
      />
    </FormDialog>
  )
}
