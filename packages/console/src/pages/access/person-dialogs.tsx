import { Text } from '@mantine/core'
import type { IdentityChange, Passkey, Person } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import type { DialogProps } from '#kit/form/dialogs.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { t } from '#text/index.ts'

import { confirmIdentity, endSessions, removeIdentity, removePasskeyOf } from './actions.ts'
import { useIdentityText } from './identity-note.tsx'
import { personSessionsQuery } from './queries.ts'
import type { SignInPerson } from './sign-in-dialogs.ts'

export function EndSessionsDialog({ seen: { id, name }, onClose }: DialogProps<SignInPerson>) {
  const { data } = useQuery(personSessionsQuery(id))
  return (
    <FormDialog
      title={t('end-sessions.title', { name })}
      submit={t('end-sessions.action')}
      isDanger
      onClose={onClose}
      onSubmit={() => endSessions(id, name)}
    >
      {data && <Text size="sm">{t('end-sessions.count', { count: data.data.length })}</Text>}
      <Text size="sm">{t('end-sessions.about')}</Text>
    </FormDialog>
  )
}

export function ConfirmIdentityDialog({ seen, onClose }: DialogProps<SignInPerson>) {
  const { id, name, identity_change: change } = seen
  return (
    <FormDialog
      title={t('person-access.confirm.title', { name })}
      submit={t('person-access.confirm')}
      onClose={onClose}
      onSubmit={() => confirmIdentity(id, name)}
    >
      {change && <Change change={change} />}
      <Text size="sm">{t('person-access.confirm.about')}</Text>
      <Text size="sm">{t('person-access.confirm.ends')}</Text>
    </FormDialog>
  )
}

const Change = ({ change }: { readonly change: IdentityChange }) => (
  <Text size="sm" fw={500}>
    {useIdentityText(change)}.
  </Text>
)

interface Props {
  readonly person: Person
  readonly onClose: () => void
}

export const RemoveIdentityDialog = ({ person: { id, name }, onClose }: Props) => (
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

interface PasskeyProps extends Props {
  readonly passkey: Passkey
}

export const RemovePersonPasskeyDialog = ({ person, passkey, onClose }: PasskeyProps) => (
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
