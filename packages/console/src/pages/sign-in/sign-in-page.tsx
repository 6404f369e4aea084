import { Alert, Anchor } from '@mantine/core'
import { ProblemError } from '@muster/client'
import type { SignInMethod } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

import { isPasskeyDue } from '#data/first-passkey.ts'
import { queryClient } from '#data/query-client.ts'
import type { Search } from '#data/search.ts'
import {
  linkPreviewQuery,
  type SignInMethods,
  signInMethodsQuery,
  soleWorkspaceQuery,
} from '#data/sign-in.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { AnchorLink } from '#kit/parts/links.tsx'
import { PagePending } from '#kit/parts/page-states.tsx'
import { t, type TextKey } from '#text/index.ts'

import { Choices } from './choices.tsx'
import { KeyForm } from './key-form.tsx'
import { LinkEnrolment } from './link-enrolment.tsx'
import { LinkSignIn, useLinkToken } from './link-sign-in.tsx'
import { localPath } from './local-path.ts'
import { Panel } from './panel.tsx'
import { WorkspaceForm } from './workspace-form.tsx'

/** Asks for the workspace, unless the service has only one. */
export function SignInPage() {
  const { data: workspaceId, isPending } = useQuery(soleWorkspaceQuery)
  return isPending ? <PagePending /> : <SignIn workspace={workspaceId ?? null} />
}

export function WorkspaceSignInPage() {
  const { workspace } = useParams({ from: '/sign-in/$workspace' })
  const token = useLinkToken()
  return token === null ? (
    <SignIn workspace={workspace} />
  ) : (
    <LinkUse workspaceId={workspace} token={token} />
  )
}

/** Where links do not sign people in, a link adds a passkey. */
function LinkUse({ workspaceId, token }: LinkPageProps) {
  const { data, isPending } = useQuery(signInMethodsQuery(workspaceId))
  if (isPending) return <PagePending />
  return isAllowed(data, 'link') || !isAllowed(data, 'passkey') ? (
    <LinkPage workspaceId={workspaceId} token={token} />
  ) : (
    <SignIn workspace={workspaceId} enrolmentToken={token} />
  )
}

/** Where the user wanted to go. */
function useReturnTo(): string {
  const { back = '/' } = useSearch({ strict: false }) as Search
  return localPath(back)
}

interface LinkPageProps {
  readonly workspaceId: string
  readonly token: string
}

/** A refused link leads to the other ways to sign in. */
function LinkPage({ workspaceId, token }: LinkPageProps) {
  const returnTo = useReturnTo()
  const { history } = useRouter()
  const preview = useQuery(linkPreviewQuery(workspaceId, token))
  const [error, setError] = useState<unknown>(null)
  const finish = async () => {
    queryClient.clear()
    const search = new URLSearchParams({ back: returnTo }).toString()
    history.push((await isPasskeyDue()) ? `/account/passkey?${search}` : returnTo)
  }
  const retry = () => {
    setError(null)
    void preview.refetch()
  }
  const refusal = error ?? preview.error
  if (refusal !== null) return <SignIn workspace={workspaceId} error={refusal} onRetry={retry} />
  if (preview.data === undefined) return <PagePending />
  const props = { workspaceId, token, preview: preview.data }
  return <LinkSignIn {...props} onDone={finish} onError={setError} />
}

interface SignInProps {
  /** The id or the slug; null if the person must enter it. */
  readonly workspace: string | null
  /** Why a link was refused. */
  readonly error?: unknown
  readonly onRetry?: () => void
  /** The token of a link that adds a passkey. */
  readonly enrolmentToken?: string
}

function SignIn({ workspace, error = null, onRetry, enrolmentToken }: SignInProps) {
  const { problem } = useSearch({ strict: false }) as Search
  const returnTo = useReturnTo()
  const { history } = useRouter()
  const methods = useQuery({
    ...signInMethodsQuery(workspace ?? ''),
    enabled: workspace !== null,
  })
  const name = methods.data?.workspace.name ?? 'Muster'
  const finish = () => {
    queryClient.clear()
    history.push(returnTo)
  }
  const choices = methods.data && (
    <Choices methods={methods.data} returnTo={returnTo} onDone={finish} />
  )
  return (
    <Panel
      title={t('sign-in.title.to', { name })}
      footer={
        <Anchor href="/docs/api" inherit underline="always">
          {t('keys.api.reference')}
        </Anchor>
      }
    >
      {problem !== undefined && <Refusal problem={problem} />}
      {error !== null && <ProblemNotice error={error} onRetry={onRetry} isSignIn />}
      {workspace === null && <WorkspaceForm />}
      {methods.isError && (
        <MethodsError error={methods.error} onRetry={() => void methods.refetch()} />
      )}
      {workspace !== null && enrolmentToken !== undefined ? (
        <LinkEnrolment workspaceId={workspace} token={enrolmentToken}>
          {choices}
        </LinkEnrolment>
      ) : (
        choices
      )}
      {/* After what stands above it: otherwise it moves while someone clicks it. */}
      <KeyChoice methods={methods} onDone={finish} />
      <OtherWorkspace workspace={workspace} methods={methods.data} />
    </Panel>
  )
}

interface MethodsErrorProps {
  readonly error: Error
  readonly onRetry: () => void
}

function MethodsError({ error, onRetry }: MethodsErrorProps) {
  if (!(error instanceof ProblemError) || ![404, 422].includes(error.status))
    return <ProblemNotice error={error} onRetry={onRetry} />
  return (
    <>
      <Alert color="red" variant="light" role="alert" title={t('sign-in.workspace.unknown')}>
        {t('sign-in.workspace.unknown.about')}
      </Alert>
      <WorkspaceForm />
    </>
  )
}

interface OtherProps extends Pick<SignInProps, 'workspace'> {
  readonly methods: SignInMethods | undefined
}

/** Leads to the question for the workspace, unless the service has only this one. */
function OtherWorkspace({ workspace, methods }: OtherProps) {
  const { data: soleId } = useQuery(soleWorkspaceQuery)
  const { back } = useSearch({ strict: false }) as Search
  if (workspace === null || methods === undefined || soleId === undefined) return null
  if (soleId === methods.workspace.id) return null
  return (
    <AnchorLink
      to="/sign-in"
      search={back === undefined ? {} : { back }}
      size="sm"
      underline="always"
    >
      {t('sign-in.workspace.other')}
    </AnchorLink>
  )
}

interface KeyProps {
  readonly methods: { readonly data: SignInMethods | undefined; readonly isLoading: boolean }
  readonly onDone: () => void
}

function KeyChoice({ methods: { data, isLoading }, onDone }: KeyProps) {
  return !isLoading && isAllowed(data, 'key') && <KeyForm onDone={onDone} />
}

/** Without a workspace nothing is known to be refused. */
const isAllowed = (methods: SignInMethods | undefined, method: SignInMethod) =>
  methods === undefined || methods.allowed_methods.includes(method)

const ordinaryRefusal = { title: 'sign-in.refused', about: 'sign-in.refused.about' } as const
const refusals: Readonly<Record<string, { title: TextKey; about: TextKey }>> = {
  step_up_refused: { title: 'sign-in.step-up.refused', about: 'sign-in.step-up.refused.about' },
  sign_in_method_not_allowed: { title: 'sign-in.refused', about: 'sign-in.refused.method' },
}

/**
 * The service does not say why it refuses an account, because the answer would show strangers who
 * has one.
 */
function Refusal({ problem }: { readonly problem: string }) {
  const { title, about } = refusals[problem] ?? ordinaryRefusal
  return (
    <Alert color="red" variant="light" role="alert" title={t(title)}>
      {t(about)}
    </Alert>
  )
}
