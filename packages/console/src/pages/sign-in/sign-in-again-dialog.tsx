import { Alert, Button, Modal, Stack, Text } from '@mantine/core'
import { ProblemError } from '@muster/client'
import type { Whoami } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { type StepUpMethods, stepUpQuery } from '#data/account.ts'
import { client } from '#data/client.ts'
import { signInWithPasskey, supportsPasskeys } from '#data/passkeys.ts'
import { queryClient } from '#data/query-client.ts'
import type { SignInReason } from '#data/reauthentication.ts'
import { signInMethodsQuery, stepUpPath } from '#data/sign-in.ts'
import { useWhoami, whoamiQuery } from '#data/whoami.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { discardDraft, storeDraft } from '#kit/form/draft.ts'
import { useFormSubmit } from '#kit/form/form-submit.ts'
import { useRestoreFocus } from '#kit/keyboard/restore-focus.ts'
import { CopyableText } from '#kit/parts/copyable-text.tsx'
import { PagePending } from '#kit/parts/page-states.tsx'
import { t } from '#text/index.ts'

import { Choices } from './choices.tsx'
import { KeySignIn } from './key-sign-in.tsx'

interface Props {
  readonly reason: SignInReason
  /** True after a new sign-in of the same principal; false if the user cancels. */
  readonly onDone: (isSignedIn: boolean) => void
}

/** Asks for a sign-in, for a request that was refused without one. */
export function SignInAgainDialog({ reason, onDone }: Props) {
  const [before] = useState(useWhoami())
  const [other, setOther] = useState<Whoami | null>(null)
  useRestoreFocus()
  const finish = async () => {
    const now = await client.keys.whoami()
    if (isSamePrincipal(before, now)) {
      queryClient.setQueryData(whoamiQuery.queryKey, now)
      onDone(true)
    } else setOther(now)
  }
  const PersonForm = reason === 'recent' ? StepUpForm : SignedOutForm
  const isClosable = other === null
  return (
    <Modal
      opened
      onClose={() => onDone(false)}
      title={t(`sign-in.again.${reason}`)}
      withCloseButton={isClosable}
      closeOnEscape={isClosable}
      closeOnClickOutside={isClosable}
      zIndex={500}
    >
      <Stack>
        {other === null ? (
          <Text size="sm">{t(`sign-in.again.${reason}.about`)}</Text>
        ) : (
          <OtherPrincipal before={before} now={other} />
        )}
        {before.key === null ? (
          <PersonForm before={before} onSignedIn={finish} />
        ) : (
          <KeySignIn about={t('sign-in.again.key')} variant="filled" isFirst onDone={finish} />
        )}
      </Stack>
    </Modal>
  )
}

const isSamePrincipal = (before: Whoami, now: Whoami) =>
  now.principal.id === before.principal.id && now.workspace.id === before.workspace.id

const nameOf = ({ person, key }: Whoami) => (person ?? key)?.name ?? ''

interface OtherPrincipalProps {
  readonly before: Whoami
  readonly now: Whoami
}

/**
 * The text and the waiting request are not theirs, so nothing is sent. The dialog stays until the
 * first person signs in, or the console starts again for the second.
 */
function OtherPrincipal({ before, now }: OtherPrincipalProps) {
  const names = { now: nameOf(now), before: nameOf(before) }
  const startAgain = () => {
    discardDraft()
    location.assign('/')
  }
  return (
    <Alert color="yellow" variant="light" role="alert" title={t('sign-in.again.other', names)}>
      {t('sign-in.again.other.about', names)}
      <Button size="compact-sm" mt="sm" display="block" onClick={startAgain}>
        {t('sign-in.again.other.continue', names)}
      </Button>
    </Alert>
  )
}

interface PersonFormProps {
  readonly before: Whoami
  readonly onSignedIn: () => Promise<void>
}

/** For a person whose session has ended: all ways to sign in to the workspace. */
function SignedOutForm({ before, onSignedIn }: PersonFormProps) {
  const { data, error, refetch } = useQuery(signInMethodsQuery(before.workspace.id))
  const [isStored] = useState(() => storeDraft(before))
  if (error !== null) return <ProblemNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <PagePending />
  return (
    <Stack>
      <Choices
        methods={data}
        returnTo={location.pathname + location.search}
        isNewTab={!isStored}
        onDone={() => void onSignedIn()}
      />
      <Text size="sm">{t('sign-in.again.tab')}</Text>
      <OtherTabForm before={before} onSignedIn={onSignedIn} />
    </Stack>
  )
}

/** For a person with a session: what they have to prove who they are. */
function StepUpForm({ before, onSignedIn }: PersonFormProps) {
  const { data, error, refetch } = useQuery(stepUpQuery)
  if (data !== undefined) return <Methods methods={data} before={before} onSignedIn={onSignedIn} />
  if (error === null) return <PagePending />
  return <ProblemNotice error={error} onRetry={() => void refetch()} />
}

interface MethodsProps extends PersonFormProps {
  readonly methods: StepUpMethods
}

/** Offers what the person has. Who has nothing, or cannot use their passkey here, needs a link. */
function Methods({ methods, before, onSignedIn }: MethodsProps) {
  const { workspace } = before
  const passkey = useFormSubmit(async () => {
    await signInWithPasskey(workspace.id)
    await onSignedIn()
  })
  const hasPasskey = methods.has_passkey && supportsPasskeys()
  const hasNothing = !hasPasskey && !methods.has_account
  const isLinkNeeded = hasNothing || passkey.error !== null
  return (
    <Stack>
      {passkey.error !== null && <ProblemNotice error={passkey.error} isSignIn />}
      {hasPasskey && (
        <form onSubmit={passkey.handleSubmit}>
          <Button type="submit" variant="filled" fullWidth loading={passkey.isBusy} data-autofocus>
            {t('sign-in.passkey')}
          </Button>
        </form>
      )}
      {methods.has_account && (
        <Button
          component="a"
          href={stepUpPath(workspace.id, '/account')}
          target="_blank"
          rel="noopener"
          variant={hasPasskey ? 'default' : 'filled'}
        >
          {t('sign-in.again.provider')}
        </Button>
      )}
      {hasNothing && <Text size="sm">{t('sign-in.again.nothing')}</Text>}
      {isLinkNeeded && <LinkHelp before={before} methods={methods} />}
      {(methods.has_account || isLinkNeeded) && (
        <OtherTabForm before={before} onSignedIn={onSignedIn} />
      )}
    </Stack>
  )
}

/** Who can create a sign-in link for this person. */
function LinkHelp({ before: { person, workspace }, methods }: Omit<MethodsProps, 'onSignedIn'>) {
  const { email = null, user_id = '' } = person ?? {}
  // An email can have characters that a shell interprets.
  const name = email !== null && /^[\w.+@-]+$/.test(email) ? email : user_id
  return (
    <>
      {methods.has_other_administrator && <Text size="sm">{t('sign-in.again.administrator')}</Text>}
      <Text size="sm">{t('sign-in.again.command')}</Text>
      <CopyableText
        name={t('sign-in.again.command.name')}
        text={`npm run admin -- sign-in-link ${name} --workspace ${workspace.id}`}
      />
      <Text size="sm">{t('sign-in.again.link')}</Text>
    </>
  )
}

function OtherTabForm({ before, onSignedIn }: PersonFormProps) {
  const { error, isEarly, isBusy, handleSubmit } = useSignInCheck(before, onSignedIn)
  return (
    <form onSubmit={handleSubmit}>
      <Stack>
        {error !== null && <ProblemNotice error={error} />}
        {isEarly && (
          <Text size="sm" role="alert">
            {t('sign-in.again.not-yet')}
          </Text>
        )}
        <Button type="submit" fullWidth variant="default" loading={isBusy}>
          {t('sign-in.again.continue')}
        </Button>
      </Stack>
    </form>
  )
}

/** Continues after a sign-in in another tab, which shares the session cookie. */
function useSignInCheck(before: Whoami, onSignedIn: () => Promise<void>) {
  const [isEarly, setEarly] = useState(false)
  const submit = useFormSubmit(async () => {
    const session = await readSession()
    const isNew = (session?.authenticated_at ?? '') > (before.session?.authenticated_at ?? '')
    setEarly(!isNew)
    if (isNew) await onSignedIn()
  })
  return { ...submit, isEarly }
}

/** Null while no one is signed in. */
async function readSession(): Promise<Whoami['session']> {
  try {
    return (await client.keys.whoami()).session
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return null
    throw error
  }
}
