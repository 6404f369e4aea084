import { Text } from '@mantine/core'
import type { Passkey, Person } from '@muster/contract'

import { FormDialog } from '#kit/form/form-dialog.tsx'
import { t } from '#text/index.ts'

import { removeIdentity, removePasskeyOf } from './actions.ts'

interface Props {
  readonly person: Person
  readonly onClose: () => void
}

export function RemoveIdentityDialog({ person: { id, name }, onClose }: Props) {
  return (
    <FormDialog
      title={t('person-identity.remove.title', { name })}
      submit={t('passkeys.remove')}
      isDanger
      onClose={onClose}
      onSubmit={() => removeIdentity(id, name)}
    >
      <Text size="sm">{t('person-identity.remove.about')}</Text>
      <Text size="sm">{t('person-identity.remove.match')}</Text>
    </FormDialog>
  )
}

interface PasskeyProps extends Props {
  readonly passkey: Passkey
}

export function RemovePersonPasskeyDialog({ person, passkey, onClose }: PasskeyProps) {
  return (
    <FormDialog
      title={t('person-passkey.remove.title', { name: passkey.name, person: person.name })}
      submit={t('passkeys.remove')}
      isDanger
      onClose={onClose}
      onSubmit={() => removePasskeyOf(person.id, passkey)}
    >
      <Text size="sm">{t('person-passkey.remove.about')}</Text>
    </FormDialog>
  )
}
