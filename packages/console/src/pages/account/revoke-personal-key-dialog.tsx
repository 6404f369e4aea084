import { Text } from '@mantine/core'
import type { Key } from '@muster/contract'

import { FormDialog } from '#kit/form/form-dialog.tsx'
import { t } from '#text/index.ts'

import { revokePersonalKey } from './actions.ts'

interface Props {
  readonly seen: Key
  readonly onClose: () => void
}

export function RevokePersonalKeyDialog({ seen, onClose }: Props) {
  return (
    <FormDialog
      title={t('key.revoke.title', { name: seen.name })}
      submit={t('key.revoke')}
      isDanger
      onClose={onClose}
      onSubmit={() => revokePersonalKey(seen)}
    >
      <Text size="sm">{t('key.revoke.about')}</Text>
    </FormDialog>
  )
}
