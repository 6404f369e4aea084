import { Text } from '@mantine/core'

import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'

import { confirmIdentity } from './actions.ts'

interface Props {
  readonly entry: { readonly user_id: string; readonly name: string }
  readonly onClose: () => void
}

export function ConfirmIdentityDialog({ entry: { user_id, name }, onClose }: Props) {
  return (
    <FormDialog
      title={t('person-access.confirm.title', { name })}
      submit={t('person-access.confirm')}
      onClose={onClose}
      onSubmit={() => confirmIdentity(user_id, name)}
    >
      <Text size="sm">{t('person-access.confirm.about')}</Text>
    </FormDialog>
  )
}
