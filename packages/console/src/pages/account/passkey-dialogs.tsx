import { Text, TextInput, type TextInputProps } from '@mantine/core'
import type { Passkey } from '@muster/contract'

import { withFieldErrors } from '#kit/feedback/problem.tsx'
import { lengthOf } from '#kit/fields/field.ts'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { required, validateForm } from '#kit/form/validation.ts'
import { t } from '#text/index.ts'
import { formatUserAgent } from '#text/user-agent.ts'

import { createPasskey, removePasskey, renamePasskey } from './actions.ts'

interface CreateProps {
  readonly onClose: () => void
}

/** The name suggests this browser. */
export function CreatePasskeyDialog({ onClose }: CreateProps) {
  const form = useNameForm(formatUserAgent(navigator.userAgent))
  const submit = async () =>
    validateForm(form) && withFieldErrors(form, createPasskey(form.getValues().name.trim()))
  return (
    <FormDialog
      title={t('passkeys.create')}
      submit={t('passkeys.create.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">{t('passkeys.create.about')}</Text>
      <NameField {...form.getInputProps('name')} />
    </FormDialog>
  )
}

interface Props extends CreateProps {
  readonly passkey: Passkey
}

export function RenamePasskeyDialog({ passkey, onClose }: Props) {
  const form = useNameForm(passkey.name)
  const submit = async () =>
    validateForm(form) &&
    withFieldErrors(form, renamePasskey(passkey, form.getValues().name.trim()))
  return (
    <FormDialog
      title={t('passkeys.rename.one', { name: passkey.name })}
      submit={t('passkeys.rename.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <NameField {...form.getInputProps('name')} />
    </FormDialog>
  )
}

export function RemovePasskeyDialog({ passkey, onClose }: Props) {
  return (
    <FormDialog
      title={t('passkeys.remove.title', { name: passkey.name })}
      submit={t('passkeys.remove')}
      isDanger
      onClose={onClose}
      onSubmit={() => removePasskey(passkey)}
    >
      <Text size="sm">{t('passkeys.remove.about')}</Text>
    </FormDialog>
  )
}

const useNameForm = (name: string) =>
  useKeptForm('account/passkey', { initialValues: { name }, validate: { name: required } })

function NameField(props: TextInputProps) {
  return (
    <TextInput
      label={t('passkeys.name')}
      description={t('passkeys.name.about')}
      maxLength={lengthOf('passkeys', 'name')}
      autoComplete="off"
      data-autofocus
      {...props}
    />
  )
}
