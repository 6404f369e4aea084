import { Text } from '@mantine/core'

import { useWhoami } from '#data/whoami.ts'
import { Line, Lines } from '#frame/settings-page.tsx'
import { useSignOut } from '#frame/sign-out.ts'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { t } from '#text/index.ts'

import { revokeKey, revokeOwnKey } from './actions.ts'
import type { KeyDialogProps } from './key-dialogs.tsx'
import { Hint } from './key-link.tsx'
import { LastUse } from './key-properties.tsx'
import { mayTexts } from './scope-texts.ts'

/** Cannot be undone, so the dialog shows which key it is and its last use. */
export function RevokeDialog({ seen, onClose }: KeyDialogProps) {
  const isOwn = useWhoami().key?.id === seen.id
  const signOut = useSignOut()
  const submit = async () => {
    if (!isOwn) return revokeKey(seen)
    await revokeOwnKey()
    // Signing out unmounts the page and this dialog.
    await signOut()
    return false
  }
  return (
    <FormDialog
      title={t('key.revoke.title', { name: seen.name })}
      submit={t('key.revoke')}
      isDanger
      onClose={onClose}
      onSubmit={submit}
    >
      <Lines>
        <Line name={t('keys.hint')}>
          <Hint hint={seen.hint} />
        </Line>
        <Line name={t('keys.last-used')}>
          <LastUse apiKey={seen} />
        </Line>
        <Line name={t('keys.may')}>{mayTexts(seen.scopes).join(', ') || t('keys.no-scopes')}</Line>
      </Lines>
      <Text size="sm">{t('key.revoke.about')}</Text>
      {isOwn && (
        <Text size="sm" fw={600}>
          {t('key.revoke.own')}
        </Text>
      )}
    </FormDialog>
  )
}
