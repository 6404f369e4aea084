import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'

import { stepUpQuery } from '#data/account.ts'
import { useDeclinedPasskey } from '#data/first-passkey.ts'
import type { Search } from '#data/search.ts'
import { useWhoami } from '#data/whoami.ts'
import { Prompts } from '#frame/shell.tsx'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { useFormSubmit } from '#kit/form/form-submit.ts'
import { PagePending } from '#kit/parts/page-states.tsx'
import { localPath } from '#pages/sign-in/local-path.ts'
import { Panel } from '#pages/sign-in/panel.tsx'
import { t } from '#text/index.ts'
import { formatUserAgent } from '#text/user-agent.ts'

import { createPasskey } from './actions.ts'

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
