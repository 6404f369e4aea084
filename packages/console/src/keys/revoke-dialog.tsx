import { Code, SimpleGrid, Text } from '@mantine/core'

import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { useLeave } from '#ui/leave.ts'
import { Fact } from '#ui/page.tsx'

import { revokeKey, revokeOwnKey } from './actions.ts'
import type { DialogProps } from './key-actions.tsx'
import { LastUse } from './key-facts.tsx'

/** There is no way back from this, so it is seen first which key it is and who may still use it. */
export function RevokeDialog({ seen, onClose }: DialogProps) {
  const isOwn = useWhoami().key.id === seen.id
  const leave = useLeave()
  const submit = async () => {
    if (!isOwn) return revokeKey(seen)
    await revokeOwnKey()
    // The page is left, and the dialog with it.
    await leave()
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
          <LastUse of={seen} />
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
