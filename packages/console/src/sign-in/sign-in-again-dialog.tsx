import { Button, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import type { Whoami } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { client } from '#api/client.ts'
import { signInWithPasskey, supportsPasskeys } from '#api/passkeys.ts'
import { queryClient } from '#api/query-client.ts'
import { providerPath, signInMethodsQuery, signInWithKey } from '#api/sign-in.ts'
import { useWhoami, whoamiQuery } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { useFormSubmit } from '#ui/form-submit.ts'
import { ProblemNotice } from '#ui/problem.tsx'
import { useRestoreFocus } from '#ui/restore-focus.ts'

interface Props {
  /** True after a new sign-in of the same principal; false if the user cancels. */
  readonly onDone: (isSignedIn: boolean) => void
}

/** Asks for a recent sign-in, for a request that needs one. */
export function SignInAgainDialog({ onDone }: Props) {
  const [before] = useState(useWhoami())
  useRestoreFocus()
  const finish = async () => {
    if (await isSamePrincipal(before)) onDone(true)
  }
  return (
    <Modal
      opened
      onClose={() => onDone(false)}
      title={t('sign-in.again')}
      closeButtonProps={{ 'aria-label': t('dialog.close') }}
      zIndex={500}
    >
      <Stack>
        <Text size="sm">{t('sign-in.again.about')}</Text>
        {before.key === null ? (
          <PersonForm before={before} onSignedIn={finish} />
        ) : (
          <OwnKeyForm onSignedIn={finish} />
        )}
      </Stack>
    </Modal>
  )
}

/**
 * Reads who is signed in now. If it is someone else, the console starts again: the data on the page
 * and the waiting request are not theirs.
 */
async function isSamePrincipal(before: Whoami): Promise<boolean> {
  const now = await client.keys.whoami()
  if (now.principal.id === before.principal.id) {
    queryClient.setQueryData(whoamiQuery.queryKey, now)
    return true
  }
  location.assign('/')
  return false
}

interface FormProps {
  readonly onSignedIn: () => Promise<void>
}

function OwnKeyForm({ onSignedIn }: FormProps) {
  const [key, setKey] = useState('')
  const { error, isBusy, handleSubmit } = useFormSubmit(async () => {
    await signInWithKey(key.trim())
    await onSignedIn()
  })
  return (
    <form onSubmit={handleSubmit}>
      <Stack>
        {error !== null && <ProblemNotice error={error} />}
        <PasswordInput
          label={t('sign-in.key')}
          description={t('sign-in.again.key')}
          value={key}
          onChange={({ currentTarget }) => setKey(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          required
          withAsterisk={false}
        />
        <Button type="submit" variant="filled" loading={isBusy}>
          {t('sign-in.submit')}
        </Button>
      </Stack>
    </form>
  )
}

interface PersonFormProps extends FormProps {
  readonly before: Whoami
}

function PersonForm({ before, onSignedIn }: PersonFormProps) {
  const { workspace } = before
  const { data: methods } = useQuery(signInMethodsQuery(workspace.id))
  const passkey = useFormSubmit(async () => {
    await signInWithPasskey(workspace.id)
    await onSignedIn()
  })
  const otherTab = useSignInCheck(before, onSignedIn)
  const error = passkey.error ?? otherTab.error
  return (
    <Stack>
      {error !== null && <ProblemNotice error={error} />}
      {supportsPasskeys() && (
        <form onSubmit={passkey.handleSubmit}>
          <Button type="submit" variant="filled" fullWidth loading={passkey.isBusy} data-autofocus>
            {t('sign-in.passkey')}
          </Button>
        </form>
      )}
      {methods?.has_provider && (
        <Button
          component="a"
          href={providerPath(workspace.id, '/account')}
          target="_blank"
          rel="noopener"
          variant="default"
        >
          {t('sign-in.again.provider')}
        </Button>
      )}
      <Text size="sm">{t('sign-in.again.link')}</Text>
      {otherTab.isEarly && (
        <Text size="sm" role="alert">
          {t('sign-in.again.not-yet')}
        </Text>
      )}
      <form onSubmit={otherTab.handleSubmit}>
        <Button type="submit" fullWidth variant="default" loading={otherTab.isBusy}>
          {t('sign-in.again.continue')}
        </Button>
      </form>
    </Stack>
  )
}

/** Continues after a sign-in in another tab, which shares the session cookie. */
function useSignInCheck(before: Whoami, onSignedIn: () => Promise<void>) {
  const [isEarly, setEarly] = useState(false)
  const submit = useFormSubmit(async () => {
    const { session } = await client.keys.whoami()
    const isNew = (session?.authenticated_at ?? '') > (before.session?.authenticated_at ?? '')
    setEarly(!isNew)
    if (isNew) await onSignedIn()
  })
  return { ...submit, isEarly }
}
