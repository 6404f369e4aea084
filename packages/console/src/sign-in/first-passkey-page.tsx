import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'

import { createPasskey } from '#account/actions.ts'
import { stepUpQuery } from '#api/account.ts'
import type { Search } from '#api/search.ts'
import { useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { formatUserAgent } from '#text/user-agent.ts'
import { useFormSubmit } from '#ui/form-submit.ts'
import { PagePending } from '#ui/page-states.tsx'
import { ProblemNotice } from '#ui/problem.tsx'
import { Prompts } from '#ui/shell.tsx'

import { useDeclinedPasskey } from './first-passkey.ts'
import { localPath } from './local-path.ts'
import { Panel } from './panel.tsx'

/** Asks an administrator who signed in by link to add a passkey, before anything else. */
export function FirstPasskeyPage() {
  const { person, key } = useWhoami()
  const { back = '/' } = useSearch({ strict: false }) as Search
  const { history } = useRouter()
  const leave = () => history.replace(localPath(back))
  const isPerson = person !== null && key === null
  const { data, error } = useQuery({ ...stepUpQuery, enabled: isPerson })
  const isDone = !isPerson || data?.has_passkey === true
  useEffect(() => {
    if (isDone) history.replace(localPath(back))
  }, [isDone, history, back])
  if (isDone || (data === undefined && error === null)) return <PagePending />
  return (
    <Panel title={t('passkey.first')}>
      <Question userId={person.user_id} onDecline={leave} />
      <Prompts />
    </Panel>
  )
}

interface QuestionProps {
  readonly userId: string
  readonly onDecline: () => void
}

/** The name of the passkey is that of this browser; the account page renames it. */
function Question({ userId, onDecline }: QuestionProps) {
  const [, setDeclinedBy] = useDeclinedPasskey()
  const { error, isBusy, handleSubmit } = useFormSubmit(async () => {
    // The page is left when it knows of the passkey. Two moves would leave Start again.
    await createPasskey(formatUserAgent(navigator.userAgent))
  })
  const decline = () => {
    setDeclinedBy(userId)
    onDecline()
  }
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap={12}>
        <Text size="sm">{t('passkey.first.about')}</Text>
        {error !== null && <ProblemNotice error={error} />}
        <Button type="submit" variant="filled" loading={isBusy}>
          {t('passkey.first')}
        </Button>
        <Button variant="default" disabled={isBusy} onClick={decline}>
          {t('passkey.offer.later')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('passkey.first.later')}
        </Text>
      </Stack>
    </form>
  )
}
