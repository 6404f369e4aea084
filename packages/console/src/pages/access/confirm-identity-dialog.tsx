import { Text } from '@mantine/core'
import type { IdentityChange } from '@muster/contract'

import { FormDialog } from '#kit/form/form-dialog.tsx'
import { t } from '#text/index.ts'

import { confirmIdentity } from './actions.ts'
import { useIdentityText } from './identity-note.tsx'

interface Props {
  readonly entry: {
    readonly user_id: string | null
    readonly name: string
    readonly identity_change?: IdentityChange | null
  }
  readonly onClose: () => void
}

export function ConfirmIdentityDialog({ entry, onClose }: Props) {
  const { user_id, name, identity_change: change } = entry
  return (
    <FormDialog
      title={t('person-access.confirm.title', { name })}
      submit={t('person-access.confirm')}
      onClose={onClose}
      onSubmit={() => confirmIdentity(user_id ?? '', name)}
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
