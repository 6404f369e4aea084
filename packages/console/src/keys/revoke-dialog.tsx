import { Code, SimpleGrid, Text } from '@mantine/core'

import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { Fact } from '#ui/page.tsx'
import { useSignOut } from '#ui/sign-out.ts'

import { revokeKey, revokeOwnKey } from './actions.ts'
import type { KeyDialogProps } from './key-actions.tsx'
import { LastUse } from './key-facts.tsx'

/** Cannot be undone, so the dialog shows which key it is and its last use. */
export function RevokeDialog({ seen, onClose }: KeyDialogProps) {
  const isOwn = useWhoami().key.id === seen.id
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
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} m={0} spacing="sm">
        <Fact name={t('keys.hint')}>
          <Code>{seen.hint}…</Code>
        </Fact>
        <Fact name={t('keys.last-used')}>
          <LastUse apiKey={seen} />
        </Fact>
        <Fact name={t('keys.scopes')}>{seen.scopes.join(', ') || t('keys.no-scopes')}</Fact>
      </SimpleGrid>
      <Text size="sm">{t('key.revoke.about')}</Text>
      {isOwn && (
        <Text size="sm" fw={600}>
          {t('key.revoke.own')}
        </Text>
      )}
    </FormDialog>
  )
}
