import { Button, Stack, Text } from '@mantine/core'

import { signInWithPasskey, supportsPasskeys } from '#data/passkeys.ts'
import { providerPath, type SignInMethods } from '#data/sign-in.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { useFormSubmit } from '#kit/form/form-submit.ts'
import { IconBuilding, IconFingerprint } from '#kit/icons/index.tsx'
import { t } from '#text/index.ts'

import classes from './sign-in.module.css'

interface Props {
  readonly methods: SignInMethods
  readonly returnTo: string
  /** Whether the identity provider opens in another tab, because this page must stay. */
  readonly isNewTab?: boolean
  readonly onDone: () => void
}

/** The ways in which a person signs in to this workspace. */
export function Choices({ methods, returnTo, isNewTab = false, onDone }: Props) {
  const { workspace, has_provider, allowed_methods: allowed } = methods
  const { error, isBusy, handleSubmit } = useFormSubmit(async () => {
    await signInWithPasskey(workspace.id)
    onDone()
  })
  return (
    <Stack gap={8}>
      {error !== null && <ProblemNotice error={error} isSignIn />}
      {has_provider && (
        <Button
          component="a"
          variant="filled"
          className={classes.choice}
          leftSection={<IconBuilding size={16} />}
          href={providerPath(workspace.id, returnTo)}
          {...(isNewTab && { target: '_blank', rel: 'noopener' })}
        >
          {t(isNewTab ? 'sign-in.again.provider' : 'sign-in.provider')}
        </Button>
      )}
      {allowed.includes('passkey') && supportsPasskeys() && (
        <form onSubmit={handleSubmit}>
          <Button
            type="submit"
            fullWidth
            loading={isBusy}
            className={classes.choice}
            leftSection={<IconFingerprint size={16} />}
            variant={has_provider ? 'default' : 'filled'}
          >
            {t('sign-in.passkey')}
          </Button>
        </form>
      )}
      {allowed.some((method) => method === 'passkey' || method === 'link') && (
        <Text size="sm" c="dimmed">
          {t('sign-in.no-passkey')}
        </Text>
      )}
    </Stack>
  )
}
