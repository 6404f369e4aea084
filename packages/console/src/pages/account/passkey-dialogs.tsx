import { Text, TextInput, type TextInputProps } from '@mantine/core'
import type { Passkey } from '@muster/contract'

import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import { lengthOf } from '#kit/fields/field.ts'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { required } from '#kit/form/validation.ts'
import { t } from '#text/index.ts'
import { formatUserAgent } from '#text/user-agent.ts'

import { createPasskey, removePasskey, renamePasskey } from './actions.ts'

interface Values {
  readonly name: string
}

const validate = ({ name }: Values) => ({ name: required(name) })

/** The name suggests this browser. */
export const CreatePasskeyDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <ActionDialog
    draft="account/new-passkey"
    title={t('passkeys.create')}
    submit={t('passkeys.create.submit')}
    initialValues={{ name: formatUserAgent(navigator.userAgent) }}
    validate={validate}
    send={({ name }) => createPasskey(name.trim())}
    onClose={onClose}
  >
    {(form) => (
      <>
        <Text size="sm">{t('passkeys.create.about')}</Text>
        <NameField {...form.getInputProps('name')} />
      </>
    )}
  </ActionDialog>
)

export const RenamePasskeyDialog = ({ seen, onClose }: DialogProps<Passkey>) => (
  <ActionDialog
    draft="account/passkey"
    title={t('passkeys.rename.one', { name: seen.name })}
    submit={t('word.save')}
    initialValues={{ name: seen.name }}
    validate={validate}
    send={({ name }) => renamePasskey(seen, name.trim())}
    onClose={onClose}
  >
    {(form) => <NameField {...form.getInputProps('name')} />}
  </ActionDialog>
)

export const RemovePasskeyDialog = ({ seen, onClose }: DialogProps<Passkey>) => (
  <FormDialog
    title={t('passkeys.remove.title', { name: seen.name })}
    submit={t('passkeys.remove')}
    isDanger
    onClose={onClose}
    onSubmit={() => removePasskey(seen)}
  >
    <Text size="sm">{t('passkeys.remove.about')}</Text>
  </FormDialog>
)

const NameField = (props: TextInputProps) => (
  <TextInput
    label={t('word.name')}
    description={t('passkeys.name.about')}
    maxLength={lengthOf('passkeys', 'name')}
    autoComplete="off"
    data-autofocus
    {...props}
  />
)
