import { Alert } from '@mantine/core'
import { useForm } from '@mantine/form'

import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { isComplete, needed } from '#ui/needed.ts'
import { showFlaws } from '#ui/problem.tsx'

import { updateKey } from './actions.ts'
import type { DialogProps } from './key-actions.tsx'
import { NameField, NetworksField, networksIn } from './key-fields.tsx'

/** What a key may do and when it ends are for ever; what it is called is not. */
export function EditKeyDialog({ seen, onClose }: DialogProps) {
  const { key: own } = useWhoami()
  const form = useForm({
    initialValues: { name: seen.name, networks: seen.allowed_cidrs.join('\n') },
    validate: { name: needed },
  })
  const submit = async () => {
    if (!isComplete(form)) return false
    const { name, networks } = form.getValues()
    const wanted = { name: name.trim(), allowed_cidrs: networksIn(networks) }
    return showFlaws(form, updateKey(seen, wanted, own))
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
      {seen.id === own.id && (
        <Alert role="note" variant="outline" color="gray">
          {t('key.networks.own')}
        </Alert>
      )}
    </FormDialog>
  )
}
