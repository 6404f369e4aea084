import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { FormDialog } from '#kit/form/form-dialog.tsx'
import { t } from '#text/index.ts'

import { endSessions } from './actions.ts'
import { personSessionsQuery } from './queries.ts'

interface Props {
  readonly entry: { readonly user_id: string | null; readonly name: string }
  readonly onClose: () => void
}

export function EndSessionsDialog({ entry: { user_id, name }, onClose }: Props) {
  const userId = user_id ?? ''
  const { data } = useQuery(personSessionsQuery(userId))
  return (
    <FormDialog
      title={t('end-sessions.title', { name })}
      submit={t('end-sessions.action')}
      isDanger
      onClose={onClose}
      onSubmit={() => endSessions(userId, name)}
    >
      {data && <Text size="sm">{t('end-sessions.count', { count: data.data.length })}</Text>}
      <Text size="sm">{t('end-sessions.about')}</Text>
    </FormDialog>
  )
}
