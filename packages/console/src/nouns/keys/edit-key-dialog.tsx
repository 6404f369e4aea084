import { Alert } from '@mantine/core'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { required, validateForm } from '#kit/form/validation.ts'
import { t } from '#text/index.ts'

import { updateKey } from './actions.ts'
import { useGrantor } from './grantor.ts'
import type { KeyDialogProps } from './key-dialogs.tsx'
import { NameField, NetworksField, parseNetworks } from './key-fields.tsx'

/** The scopes and the expiry of a key cannot be changed. */
export function EditKeyDialog({ seen, onClose }: KeyDialogProps) {
  const own = useGrantor()
  const form = useKeptForm('keys/edit-key', {
    initialValues: { name: seen.name, networks: seen.allowed_cidrs.join('\n') },
    validate: { name: required },
  })
  const submit = async () => {
    if (!validateForm(form)) return false
    const { name, networks } = form.getValues()
    const wanted = { name: name.trim(), allowed_cidrs: parseNetworks(networks) }
    return withFieldErrors(form, updateKey(seen, wanted, own))
  }
  return (
    <FormDialog
      title={t('key.edit.title', { name: seen.name })}
      submit={t('key.edit.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <NameField {...form.getInputProps('name')} />
      <NetworksField form={form} />
      {seen.id === own.key?.id && (
        <Alert role="note" variant="outline" color="gray">
          {t('key.networks.own')}
        </Alert>
      )}
    </FormDialog>
  )
}
