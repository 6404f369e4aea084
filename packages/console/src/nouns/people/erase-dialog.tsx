import { Text, TextInput } from '@mantine/core'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { t } from '#text/index.ts'

import { erasePerson } from './actions.ts'
import type { DialogProps } from './dialog-props.ts'

/** Cannot be undone, so the user must type the person's name. */
export function EraseDialog({ person, onClose }: DialogProps) {
  const form = useKeptForm('people/erase', {
    initialValues: { confirm: '' },
    validate: {
      confirm: (typed) => (typed.trim() === person.name.trim() ? null : t('person.erase.mismatch')),
    },
  })
  const submit = async () => {
    if (form.validate().hasErrors) return false
    return withFieldErrors(form, erasePerson(person))
  }
  return (
    <FormDialog
      title={t('person.erase.title', { name: person.name })}
      submit={t('person.erase')}
      isDanger
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">{t('person.erase.about')}</Text>
      <Text size="sm" fw={600}>
        {t('person.erase.no-way-back')}
      </Text>
      <TextInput
        label={t('person.erase.confirm', { name: person.name })}
        className="wrap"
        autoComplete="off"
        required
        data-autofocus
        {...form.getInputProps('confirm')}
      />
    </FormDialog>
  )
}
