import { Alert, Button, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'

import { enrolPasskey, supportsPasskeys } from '#data/passkeys.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { useFormSubmit } from '#kit/form/form-submit.ts'
import { IconFingerprint } from '#kit/icons/index.tsx'
import { t } from '#text/index.ts'
import { formatUserAgent } from '#text/user-agent.ts'

import classes from './sign-in.module.css'

interface Props {
  readonly workspaceId: string
  readonly token: string
  /** Shown when the passkey exists. */
  readonly children: ReactNode
}

/** Adds a passkey with a one-time link. The person then signs in with the passkey. */
export function LinkEnrolment({ workspaceId, token, children }: Props) {
  const [isDone, setDone] = useState(false)
  const { error, isBusy, handleSubmit } = useFormSubmit(async () => {
    await enrolPasskey(workspaceId, token, formatUserAgent(navigator.userAgent))
    setDone(true)
  })
  if (isDone)
    return (
      <>
        <Alert variant="light" role="status" title={t('sign-in.link.enrolled')} />
        {children}
      </>
    )
  return (
    <form onSubmit={handleSubmit}>
      <Stack gap={8}>
        <Text size="sm">{t('sign-in.link.enrol')}</Text>
        {error !== null && <ProblemNotice error={error} isSignIn />}
        {supportsPasskeys() ? (
          <Button
            type="submit"
            variant="filled"
            loading={isBusy}
            className={classes.choice}
            leftSection={<IconFingerprint size={16} />}
          >
            {t('passkeys.create')}
          </Button>
        ) : (
          <Text size="sm">{t('passkeys.unsupported')}</Text>
        )}
      </Stack>
    </form>
  )
}
