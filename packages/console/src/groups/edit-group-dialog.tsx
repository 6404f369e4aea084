import { useForm } from '@mantine/form'
import type { Group } from '@muster/contract'
import { useState } from 'react'

import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { isComplete } from '#ui/needed.ts'
import { showFlaws } from '#ui/problem.tsx'

import { updateGroup } from './actions.ts'
import { flawsOfWords, GroupFields, wordingOf, wordsOf } from './group-fields.tsx'

interface Props {
  readonly group: Group
  readonly onClose: () => void
}

export function EditGroupDialog({ group, onClose }: Props) {
  const [seen] = useState(group)
  const form = useForm({ initialValues: wordsOf(seen), validate: flawsOfWords })
  const submit = async () =>
    isComplete(form) && (await showFlaws(form, updateGroup(seen, wordingOf(form.getValues()))))
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
