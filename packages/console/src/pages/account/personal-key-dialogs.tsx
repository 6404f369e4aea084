import { Text } from '@mantine/core'
import type { Key } from '@muster/contract'

import type { DialogProps } from '#kit/form/dialogs.tsx'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { NewKeyDialog } from '#nouns/keys/key-form.tsx'
import { t } from '#text/index.ts'

import { createPersonalKey, revokePersonalKey } from './actions.ts'

/** A personal key can have the scopes of its person. */
export const NewPersonalKeyDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <NewKeyDialog title={t('personal-keys.new')} create={createPersonalKey} onClose={onClose} />
)

export const RevokePersonalKeyDialog = ({ seen, onClose }: DialogProps<Key>) => (
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
